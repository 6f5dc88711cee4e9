#include "cli/calibrate/report.hpp"

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

struct JsonFigures {
  JsonWriter& json;
  const Answer& answer;

  template <class Value>
  void one(const char* name, const Value& value, bool /*is_whole*/ = false) const {
    json.member(name, value);
  }
  template <class Get>
  void each(const char* name, Get get, bool /*is_whole*/ = false) const {
    json.member(name, get(answer));
  }
};

void write_answer(JsonWriter& json, const CalibrateRequest& request, const Answer& answer) {
  json.begin_object();
  describe_figures(request.subject, request.cells, JsonFigures{json, answer});
  json.end_object();
}

}  // namespace

void write_json(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers) {
  JsonWriter json(output);
  if (request.sweep) {
    json.begin_object();
    json.member("sweep", std::string_view(*request.sweep));
    json.key("points");
    json.begin_array();
    for (const Answer& answer : answers) write_answer(json, request, answer);
    json.end_array();
    json.end_object();
  } else {
    write_answer(json, request, answers.front());
  }
  output.write("\n");
}

namespace {

std::string_view noun(const Subject& subject) { return subject.is_over_integers() ? "count" : "value"; }

// Where each figure comes from: stated by the user, or found.
std::string_view origin(bool stated) { return stated ? "as stated" : "found, rounded up"; }

Line scale_line(const Answer& answer) {
  const Stated& stated = answer.question.stated;
  const std::string_view meaning = stated.scale     ? "of the noise, as stated"
                                   : stated.epsilon ? "of the noise: found for this budget, rounded up"
                                                    : "of the noise: found for this accuracy, rounded down";
  return {"scale", text_of(answer.figures.scale), std::string(meaning)};
}

Line rho_line(const accuracy::Figures& figures) {
  return {"rho", text_of(*figures.rho), "zero-concentrated, rounded up"};
}

std::vector<Line> privacy_lines(const Answer& answer) {
  const Stated& stated = answer.question.stated;
  const accuracy::Figures& figures = answer.figures;
  if (!figures.epsilon) return {{"epsilon", "-", "give --delta to learn it"}, rho_line(figures)};
  const bool delta_found = stated.scale && stated.epsilon;
  std::vector<Line> lines = {{"epsilon", text_of(*figures.epsilon), std::string(origin(stated.epsilon.has_value()))},
                             {"delta", text_of(*figures.delta),
                              delta_found                         ? std::string(origin(false))
                              : stated.delta && figures.delta > 0 ? "as stated"
                                                                  : "a pure guarantee"}};
  if (figures.epsilon_continuous) {
    lines.push_back({"epsilon, continuous", text_of(*figures.epsilon_continuous),
                     "the document's formula, from Laplace noise; the exact one is smaller"});
  }
  if (figures.rho) lines.push_back(rho_line(figures));
  return lines;
}

// "P[error > 30] <= 0.05"; for several cells the error is the greatest of them.
std::string claim(const CalibrateRequest& request, const Answer& answer, std::string_view relation, double a) {
  const std::string_view error = request.cells.value() == 1 ? "error" : "greatest error";
  return fmt::format("P[{} {} {}] <= {}", error, relation, text_of(a), text_of(answer.question.stated.alpha.nearest));
}

std::vector<Line> accuracy_lines(const CalibrateRequest& request, const Answer& answer) {
  const accuracy::Statement& found = answer.figures.accuracy;
  std::vector<Line> lines = {{"accuracy", text_of(found.accuracy), claim(request, answer, ">", found.accuracy)}};
  if (!request.subject.is_over_integers()) return lines;
  lines.push_back(
      {"accuracy, strict", text_of(found.accuracy_strict), claim(request, answer, ">=", found.accuracy_strict)});
  const bool is_geometric = std::holds_alternative<accuracy::GeometricFamily>(request.subject.family);
  lines.push_back(
      {"accuracy, continuous", text_of(found.accuracy_continuous),
       is_geometric ? "the document's formula before its ceiling" : "that of Gaussian noise of this scale"});
  const double ceiling = std::ceil(found.accuracy_continuous);
  if (is_geometric && ceiling != found.accuracy) {
    lines.push_back({"accuracy, ceiling", text_of(ceiling), "the document's formula: a bound, not always the least"});
  }
  return lines;
}

std::string sentence(const CalibrateRequest& request, const Answer& answer) {
  const std::string probability = text::confidence_text(answer.question.stated.alpha.nearest);
  const std::string within = text_of(answer.figures.accuracy.accuracy);
  if (request.cells.value() == 1) {
    return fmt::format("With probability {} the released {} is within ±{} of the exact one.", probability,
                       noun(request.subject), within);
  }
  return fmt::format("With probability {} all {} released {}s are within ±{} of the exact ones.", probability,
                     request.cells.value(), noun(request.subject), within);
}

void write_one(Output& output, const CalibrateRequest& request, const Answer& answer) {
  const Subject& subject = request.subject;
  const bool from_budget = std::holds_alternative<accuracy::Budget>(answer.question.known);
  const std::string how = from_budget && subject.calibration ? fmt::format("calibration {}", *subject.calibration) : "";
  std::vector<Line> lines = {{"mechanism", std::string(subject.mechanism), how},
                             {"sensitivity", text_of(subject.sensitivity),
                              fmt::format("the most that one person, or other unit, moves the {}", noun(subject))},
                             scale_line(answer),
                             {"standard deviation", text_of(answer.figures.standard_deviation),
                              fmt::format("of the noise, in the units of the {}", noun(subject))}};
  for (Line& line : privacy_lines(answer)) lines.push_back(std::move(line));
  for (Line& line : accuracy_lines(request, answer)) lines.push_back(std::move(line));
  write_lines(output, lines);
  output.write(fmt::format("\n{}\n", sentence(request, answer)));
}

// What was found is rounded up to the digits of the table, what was stated to the nearest.
std::string digits_of(std::optional<double> value, bool stated) {
  if (!value) return "-";
  return stated ? nearest_text(*value) : rounded_up_text(*value);
}

Row sweep_row(const CalibrateRequest& request, const Answer& answer) {
  const accuracy::Figures& figures = answer.figures;
  const Stated& stated = answer.question.stated;
  Row row = {digits_of(figures.epsilon, stated.epsilon.has_value()), digits_of(figures.delta, stated.delta.has_value()),
             nearest_text(figures.scale), nearest_text(figures.standard_deviation),
             digits_of(figures.accuracy.accuracy, stated.accuracy.has_value())};
  if (*request.sweep == "alpha") row.insert(row.begin(), nearest_text(stated.alpha.nearest));
  return row;
}

void write_sweep(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers) {
  Row headings = {"epsilon", "delta", "scale", "standard deviation", "accuracy"};
  if (*request.sweep == "alpha") headings.insert(headings.begin(), "alpha");
  std::vector<Row> rows;
  rows.reserve(answers.size());
  for (const Answer& answer : answers) rows.push_back(sweep_row(request, answer));
  write_table(output, headings, rows);
  const std::string at = *request.sweep == "alpha"
                             ? ""
                             : fmt::format(", alpha {}", text_of(answers.front().question.stated.alpha.nearest));
  const std::string cells = request.cells.value() == 1 ? "" : fmt::format(", {} cells together", request.cells.value());
  output.write(fmt::format("{} mechanism, sensitivity {}{}{}; six digits, all of them with --json\n",
                           request.subject.mechanism, text_of(request.subject.sensitivity), at, cells));
}

}  // namespace

void write_report(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers) {
  if (request.json) return write_json(output, request, answers);
  request.sweep ? write_sweep(output, request, answers) : write_one(output, request, answers.front());
  if (request.plot) output.write(fmt::format("Accuracy against epsilon is drawn in {}\n", *request.plot));
}

}  // namespace vernier::cli
