#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/law/law.hpp"
#include "plot/chart.hpp"
#include "plot/ticks.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using plot::Colour;

constexpr double right_edge = 0.9995;          // as a quantile; all four laws are symmetric around 0
constexpr std::int64_t least_stems_aside = 3;  // so that the law of a small scale does not stand alone
constexpr std::int64_t most_stems_aside = 30;  // with more whole numbers on either side of 0 the stems become a curve
constexpr std::int64_t bins_aside = 32;        // about as many on either side of 0
constexpr std::int64_t points_aside = 240;
constexpr double headroom = 1.08;

double middle(Bounds bounds) { return std::midpoint(bounds.lower, bounds.upper); }

std::int64_t rounded_up(std::int64_t dividend, std::int64_t divisor) { return (dividend + divisor - 1) / divisor; }

template <class Law>
plot::Point mass_point(const Law& law, std::int64_t x) {
  return {static_cast<double>(x), middle(law.mass(x))};
}

template <class Law>
plot::Point density_point(const Law& law, double x) {
  return {x, middle(law.density(*Real::of(x)))};
}

// What the kinds of law draw each in their own way.
struct Shape {
  std::string y_title;
  double least_step;  // between ticks
  plot::Bins bins;
  plot::Series law;
  double peak;
};

template <class Law>
Shape stems(const Law& law, std::int64_t edge) {
  plot::Stems marks{"law", Colour::first, {}};
  for (std::int64_t x = -edge; x <= edge; ++x) marks.points.push_back(mass_point(law, x));
  const plot::Bins bins{-static_cast<double>(edge) - 0.5, 1, static_cast<std::size_t>(2 * edge + 1)};
  return {"probability", 1, bins, std::move(marks), mass_point(law, 0).y};
}

// Bins of equally many whole numbers, with an edge just below 0.
template <class Law>
Shape curve_of_masses(const Law& law, std::int64_t edge) {
  const std::int64_t width = rounded_up(edge, bins_aside), aside = rounded_up(edge, width), end = width * aside;
  const std::int64_t stride = rounded_up(end, points_aside);
  plot::Line curve{"law", Colour::first, {}};
  for (std::int64_t x = -end / stride * stride; x <= end; x += stride) curve.points.push_back(mass_point(law, x));
  const plot::Bins bins{-static_cast<double>(end) - 0.5, static_cast<double>(width),
                        static_cast<std::size_t>(2 * aside)};
  return {"probability of each whole number", 1, bins, std::move(curve), mass_point(law, 0).y};
}

template <class Law>
Shape curve_of_density(const Law& law, double end) {
  plot::Line curve{"law", Colour::first, {}};
  for (std::int64_t i = -points_aside; i <= points_aside; ++i) {
    curve.points.push_back(density_point(law, end * (static_cast<double>(i) / points_aside)));
  }
  const plot::Bins bins{-end, end / bins_aside, 2 * bins_aside};
  return {"probability density", 0, bins, std::move(curve), density_point(law, 0).y};
}

template <class Law>
Result<Shape> shape_of(const Law& law) {
  VERNIER_TRY(const auto edge, law.quantile(*Probability::of(right_edge)));
  if constexpr (!over_integers<Law>) {
    return curve_of_density(law, edge.value());
  } else if (edge > most_stems_aside) {
    return curve_of_masses(law, edge);
  } else {
    return stems(law, std::max(edge, least_stems_aside));
  }
}

std::string title(std::string_view mechanism, double scale) {
  std::string words = fmt::format("{} noise of scale {}", mechanism, shortest(scale));
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

std::string counted(std::size_t count) { return plot::with_thousands(std::to_string(count)); }

std::string subtitle(const plot::Histogram& drawn) {
  const std::string draws = counted(drawn.total) + (drawn.total == 1 ? " draw" : " draws");
  return drawn.outside == 0 ? draws : fmt::format("{}, {} of them beyond the edges", draws, counted(drawn.outside));
}

double tallest(const std::vector<plot::Bar>& bars) {
  double height = 0;
  for (const plot::Bar& bar : bars) height = std::max(height, bar.height);
  return height;
}

}  // namespace

Result<plot::Chart> law_chart(const noise::AnyLaw& law, const Draws& draws) {
  VERNIER_TRY(Shape shape, std::visit([](const auto& chosen) { return shape_of(chosen); }, law));
  const plot::Bins& bins = shape.bins;
  const plot::Histogram drawn =
      std::visit([&](const auto& values) { return plot::histogram(bins, values); }, draws.values);
  plot::Bars bars{"draws", Colour::second, plot::density_bars(drawn)};
  const double high = headroom * std::max(shape.peak, tallest(bars.bars));
  plot::Chart chart;
  chart.title = title(noise::name_of(law), noise::scale_of(law));
  chart.subtitle = subtitle(drawn);
  chart.x = {"value", bins.low, bins.low + bins.width * static_cast<double>(bins.count), shape.least_step};
  chart.y = {shape.y_title, 0, high};
  chart.series = {std::move(bars), std::move(shape.law)};
  return chart;
}

}  // namespace vernier::cli
