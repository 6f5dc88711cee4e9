#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/core/result.hpp"
#include "vernier/core/types.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {

// True of the laws over the integers, false of those over the reals.
template <class Law>
inline constexpr bool over_integers = requires(const Law& law) {
  law.mass(std::int64_t{0});
};

enum class LawFunction { density, cumulative, tail, quantile };

// One figure of a law: the argument as the user gave it, the value, and its certified bounds where it is no exact one.
struct LawFigure {
  Number argument;
  Number value;
  std::optional<Bounds> bounds;
};

bool is_over_integers(const noise::AnyLaw& law);

// The density, for integer noise the probability, or the cumulative or tail probability at a point: an integer for
// integer noise, a finite double for noise over the reals.
Bounds law_bounds(const noise::AnyLaw& law, LawFunction function, const Number& point);

// The middle of the bounds stands for the figure; what is too small for a double is the least double, never 0.
double middle(const Bounds& bounds);

// The least x with P[noise <= x] >= p; the ends of the axis belong to 0 and 1.
Result<Number> law_quantile(const noise::AnyLaw& law, Probability p);

// The figure at the argument that `text` holds; `option` is the subject of the sentence when it breaks a rule.
Result<LawFigure> law_figure(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                             std::string_view text);

inline constexpr std::size_t most_draws = 10'000'000;
inline constexpr std::size_t plotted_draws = 100'000;  // unless --sample says otherwise

struct FiguresRequest {
  LawFunction function;
  std::vector<LawFigure> figures;  // at least one
};

struct SampleRequest {
  std::size_t size;
};

struct PlotRequest {};  // a plot and nothing else

// What the user of `vernier law` asks for, checked.
struct LawRequest {
  noise::AnyLaw law;
  std::variant<FiguresRequest, SampleRequest, PlotRequest> wanted;
  std::optional<std::string> plot;  // the file to draw in
  bool json;
};

Result<LawRequest> law_request(const Arguments& arguments);

struct Draws {
  std::variant<std::vector<std::int64_t>, std::vector<double>> values;
  std::optional<double> granularity;  // of the grid, for the real laws
};

// Independent draws of the law, from the randomness of the operating system.
Result<Draws> draw(const noise::AnyLaw& law, std::size_t size);

// The answer to a request, as JSON or for a person as the request asks.
void write_report(Output& output, const LawRequest& request, const Draws& draws);

// The law and a histogram of the draws over each other, over the middle 99.9 % of the law.
Result<plot::Chart> law_chart(const noise::AnyLaw& law, const Draws& draws);

}  // namespace vernier::cli
