#include <string>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "cli/law/law.hpp"
#include "cli/output.hpp"

namespace vernier::cli {
namespace {

std::string_view name_of(LawFunction function) {
  switch (function) {
    case LawFunction::density:
      return "density";
    case LawFunction::cumulative:
      return "cumulative";
    case LawFunction::tail:
      return "tail";
    case LawFunction::quantile:
      return "quantile";
  }
  return {};
}

// "P[X <= 12]"
std::string expression(const LawRequest& request, LawFunction function, std::string_view argument) {
  switch (function) {
    case LawFunction::density:
      return fmt::format(fmt::runtime(is_over_integers(request.law) ? "P[X = {}]" : "density({})"), argument);
    case LawFunction::cumulative:
      return fmt::format("P[X <= {}]", argument);
    case LawFunction::tail:
      return fmt::format("P[X > {}]", argument);
    case LawFunction::quantile:
      return fmt::format("quantile({})", argument);
  }
  return {};
}

std::string law_in_words(const LawRequest& request) {
  return fmt::format("{} noise of scale {}", noise::name_of(request.law), text_of(noise::scale_of(request.law)));
}

std::string explanation(const LawRequest& request, const LawFigure& figure) {
  if (figure.bounds) {
    return fmt::format("certified to lie in [{}, {}]", text_of(figure.bounds->lower), text_of(figure.bounds->upper));
  }
  const std::string_view kind = is_over_integers(request.law) ? "whole number" : "double";
  return fmt::format("the least {} x with P[X <= x] >= {}", kind, text_of(figure.argument));
}

void write_figure(Output& output, const LawRequest& request, LawFunction function, const LawFigure& figure) {
  output.write(fmt::format("{} = {}\n{}, X being {}\n", expression(request, function, text_of(figure.argument)),
                           text_of(figure.value), explanation(request, figure), law_in_words(request)));
}

void write_figures(Output& output, const LawRequest& request, const FiguresRequest& wanted) {
  const bool inverse = wanted.function == LawFunction::quantile;
  const std::string argument = inverse ? "p" : "x";
  Row headings = {argument, expression(request, wanted.function, argument)};
  if (!inverse) headings.insert(headings.end(), {"at least", "at most"});
  std::vector<Row> rows;
  for (const LawFigure& figure : wanted.figures) {
    Row& row = rows.emplace_back(Row{text_of(figure.argument), text_of(figure.value)});
    if (figure.bounds) row.insert(row.end(), {text_of(figure.bounds->lower), text_of(figure.bounds->upper)});
  }
  write_table(output, headings, rows);
}

void write_for_person(Output& output, const LawRequest& request, const Draws& draws) {
  if (std::holds_alternative<SampleRequest>(request.wanted)) {
    std::visit(
        [&](const auto& values) {
          for (const auto value : values) output.write(text_of(value) + "\n");
        },
        draws.values);
    return;  // numbers only, for scripts
  }
  if (const auto* figures = std::get_if<FiguresRequest>(&request.wanted)) {
    if (figures->figures.size() == 1) {
      write_figure(output, request, figures->function, figures->figures.front());
    } else {
      write_figures(output, request, *figures);
    }
  }
  if (request.plot) output.write(fmt::format("{} is drawn in {}\n", law_in_words(request), *request.plot));
}

// One value stays flat; several become an array.
template <class Get>
void member_of_each(JsonWriter& json, std::string_view key, const std::vector<LawFigure>& figures, Get get) {
  if (figures.size() == 1) return json.member(key, get(figures.front()));
  json.key(key);
  json.begin_array();
  for (const LawFigure& figure : figures) json.value(get(figure));
  json.end_array();
}

void write_members(JsonWriter& json, const FiguresRequest& wanted, const Draws&) {
  const bool inverse = wanted.function == LawFunction::quantile;
  json.member("function", name_of(wanted.function));
  member_of_each(json, inverse ? "p" : "x", wanted.figures, [](const LawFigure& figure) { return figure.argument; });
  member_of_each(json, "value", wanted.figures, [](const LawFigure& figure) { return figure.value; });
  if (inverse) return;
  member_of_each(json, "lower", wanted.figures, [](const LawFigure& figure) { return figure.bounds->lower; });
  member_of_each(json, "upper", wanted.figures, [](const LawFigure& figure) { return figure.bounds->upper; });
}

void write_members(JsonWriter& json, const SampleRequest& wanted, const Draws& draws) {
  json.member("function", std::string_view("sample"));
  json.member("size", static_cast<std::int64_t>(wanted.size));
  if (draws.granularity) json.member("granularity", *draws.granularity);
  json.key("values");
  json.begin_array();
  std::visit(
      [&](const auto& values) {
        for (const auto value : values) json.value(value);
      },
      draws.values);
  json.end_array();
}

void write_members(JsonWriter& json, const PlotRequest&, const Draws&) {
  json.member("function", std::string_view("plot"));
  json.member("size", static_cast<std::int64_t>(plotted_draws));
}

void write_json(Output& output, const LawRequest& request, const Draws& draws) {
  JsonWriter json(output);
  json.begin_object();
  json.member("mechanism", noise::name_of(request.law));
  json.member("scale", noise::scale_of(request.law));
  std::visit([&](const auto& wanted) { write_members(json, wanted, draws); }, request.wanted);
  json.end_object();
  output.write("\n");
}

}  // namespace

void write_report(Output& output, const LawRequest& request, const Draws& draws) {
  request.json ? write_json(output, request, draws) : write_for_person(output, request, draws);
}

}  // namespace vernier::cli
