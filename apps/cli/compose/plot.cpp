#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/compose/event.hpp"
#include "cli/compose/report.hpp"
#include "vernier/accounting/methods.hpp"

namespace vernier::cli {
namespace {

using accounting::Accountant;
using accounting::Tightness;
using plot::Colour;
using plot::Point;
using privacy::Epsilon;

constexpr int steps = 60;
constexpr double aside = 0.5;            // the axis reaches from half of the epsilon to half more
constexpr double least_epsilon = 1e-9;   // around which there is something to draw
constexpr double seen_tightness = 1e-3;  // finer than a line is wide
constexpr double least_delta = 1e-300;
constexpr double headroom = 3;

// The point that was asked for and found.
Point answer_point(const ComposeRequest& request, const ComposeAnswer& answer) {
  const double epsilon = request.epsilon ? request.epsilon->nearest : answer.epsilon->bounds.upper;
  return {epsilon, answer.delta ? answer.delta->bounds.upper : request.delta->nearest};
}

struct Curves {
  std::vector<Point> upper, lower, zcdp;
};

void add(std::vector<Point>& points, double epsilon, double delta) {
  if (delta >= least_delta) points.push_back({epsilon, delta});
}

// Epsilons at which nothing can be certified are left out.
void add_points(Curves& curves, const Accountant& accountant, double at) {
  const Result<Epsilon> epsilon = Epsilon::of(at);
  if (!epsilon) return;
  if (const auto delta = accountant.delta(*epsilon, *Tightness::of(seen_tightness))) {
    add(curves.upper, at, delta->bounds.upper);
    add(curves.lower, at, delta->bounds.lower);
  }
  if (const auto delta = accounting::method::zcdp_delta(accountant.events(), at)) {
    add(curves.zcdp, at, std::min(*delta, 1.0));
  }
}

Curves curves_between(const Accountant& accountant, double low, double high) {
  Curves curves;
  for (int step = 0; step <= steps; ++step) {
    add_points(curves, accountant, low + (high - low) * (static_cast<double>(step) / steps));
  }
  return curves;
}

plot::Axis delta_axis(const Curves& curves, const Point& dot) {
  double low = dot.y > 0 ? dot.y : 1, high = low;
  for (const std::vector<Point>* points : {&curves.upper, &curves.lower}) {
    for (const Point& point : *points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  }
  return {"delta", std::max(low / headroom, least_delta), std::min(high * headroom, 1.0), 0, true};
}

std::vector<plot::Series> series_of(Curves&& curves, const Point& dot) {
  std::vector<plot::Series> series;
  const auto add_line = [&](const char* name, Colour colour, std::vector<Point>&& points) {
    if (!points.empty()) series.emplace_back(plot::Line{name, colour, std::move(points)});
  };
  add_line("zCDP", Colour::third, std::move(curves.zcdp));
  add_line("lower", Colour::second, std::move(curves.lower));
  add_line("upper", Colour::first, std::move(curves.upper));
  if (dot.y > 0) series.emplace_back(plot::Dots{"the answer", Colour::first, {dot}});
  return series;
}

std::string subtitle(const ComposeRequest& request, const Point& dot) {
  const std::string events = request.events.size() == 1 ? "one event" : fmt::format("{} events", request.events.size());
  return fmt::format("{}, neighbours {}; epsilon {:.6g} at delta {:.6g}", events,
                     name_of(request.events.front().neighbours), dot.x, dot.y);
}

}  // namespace

Result<plot::Chart> compose_chart(const ComposeRequest& request, const ComposeAnswer& answer) {
  VERNIER_TRY(const Accountant accountant, accountant_for(End::upper, request.events, answer.scale.value_or(1)));
  const Point dot = answer_point(request, answer);
  const double centre = dot.x > least_epsilon ? dot.x : 1;
  const double low = dot.x > least_epsilon ? centre * (1 - aside) : least_epsilon, high = centre * (1 + aside);
  Curves curves = curves_between(accountant, low, high);
  plot::Chart chart;
  chart.title = "Delta against epsilon";
  chart.subtitle = subtitle(request, dot);
  chart.x = {"epsilon", std::min(low, dot.x), high};
  chart.y = delta_axis(curves, dot);
  chart.series = series_of(std::move(curves), dot);
  chart.legend = plot::Legend::inside;
  return chart;
}

}  // namespace vernier::cli
