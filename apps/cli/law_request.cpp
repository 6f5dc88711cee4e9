#include "cli/law_request.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/plot_file.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using Wanted = decltype(LawRequest::wanted);

constexpr std::array<std::pair<std::string_view, LawFunction>, 4> figure_options = {{
    {"--density", LawFunction::density},
    {"--cumulative", LawFunction::cumulative},
    {"--tail", LawFunction::tail},
    {"--quantile", LawFunction::quantile},
}};

Result<noise::AnyLaw> law_of(const Arguments& arguments) {
  if (arguments.subject.empty()) {
    return invalid("the mechanism is missing; give laplace, geometric, gaussian or discrete-gaussian");
  }
  if (!arguments.has("--scale")) return invalid("the scale is missing; give it, for example as --scale 10");
  return read_number("--scale", arguments.one("--scale")).and_then([&](double scale) {
    return noise::law_named(arguments.subject, scale);
  });
}

Result<Wanted> figures(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                       std::span<const std::string> texts) {
  FiguresRequest request{function, {}};
  for (const std::string& text : texts) {
    VERNIER_TRY(LawFigure figure, law_figure(law, function, option, text));
    request.figures.push_back(figure);
  }
  return request;
}

Result<Wanted> sample(std::string_view text) {
  VERNIER_TRY(const std::int64_t size, read_whole("--sample", text));
  if (size < 1) return invalid(fmt::format("--sample must be at least 1, but it is {}", size));
  if (static_cast<std::size_t>(size) > most_draws) {
    return invalid(
        fmt::format("--sample must be at most {}, but it is {}; draw more in several runs", most_draws, size));
  }
  return SampleRequest{static_cast<std::size_t>(size)};
}

// The functions that the user names, in the order of the help.
std::vector<std::string_view> asked_of(const Arguments& arguments) {
  std::vector<std::string_view> asked;
  for (const auto& [option, function] : figure_options) {
    if (arguments.has(option)) asked.push_back(option);
  }
  if (arguments.has("--sample")) asked.emplace_back("--sample");
  return asked;
}

Result<Wanted> wanted_of(const Arguments& arguments, const noise::AnyLaw& law) {
  const std::vector<std::string_view> asked = asked_of(arguments);
  if (asked.size() > 1) {
    return invalid(
        fmt::format("{} and {} cannot be asked together; run the command once for each", asked[0], asked[1]));
  }
  if (asked.empty() && arguments.has("--plot")) return PlotRequest{};
  if (asked.empty()) {
    return invalid("nothing is asked; give one of --density, --cumulative, --tail, --quantile, --sample or --plot");
  }
  for (const auto& [option, function] : figure_options) {
    if (option == asked[0]) return figures(law, function, option, arguments.all(option));
  }
  return sample(arguments.one("--sample"));
}

}  // namespace

Result<LawRequest> law_request(const Arguments& arguments) {
  VERNIER_TRY(const noise::AnyLaw law, law_of(arguments));
  VERNIER_TRY(Wanted wanted, wanted_of(arguments, law));
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  return LawRequest{law, std::move(wanted), plot, arguments.has("--json")};
}

}  // namespace vernier::cli
