#include "vernier/accounting/rdp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

constexpr double u = numeric::unit_roundoff;
constexpr double second_order = 1.01;  // pays for products of errors

// ln(1 + 1/b), where 1/b was rounded.
Approximate log_ratio(double b) {
  const double value = std::log1p(1 / b);
  return {value, (numeric::library_units + 1) * u * value};
}

// e^x, rounded up.
double exponential_up(double x) {
  if (x < -700 || x > 700) return numeric::exp_up(x);
  return std::exp(x) * (1 + (numeric::library_units + 2) * u);
}

}  // namespace

// ln delta = b (excess - ln(1 + 1/b)) - ln(1 + b)
Approximate log_delta_at_order(double b, Approximate excess) {
  const Approximate ratio = log_ratio(b);
  const double inner = excess.value - ratio.value;
  const double last = std::log1p(b);
  const double value = b * inner - last;
  const double error = b * (excess.error + ratio.error + 2 * u * std::fabs(inner)) +
                       u * (numeric::library_units * last + 2 * std::fabs(value));
  return {value, second_order * error};
}

double delta_at_order(double b, Approximate excess) {
  const Approximate log_delta = log_delta_at_order(b, excess);
  return std::min(exponential_up(log_delta.value + log_delta.error), 1.0);
}

Approximate epsilon_at_order(double b, Approximate divergence, double delta) {
  const Approximate ratio = log_ratio(b);
  const double log_delta = -std::log(delta), log_order = std::log1p(b);
  const double share = (log_delta - log_order) / b;
  const double share_error = u * (numeric::library_units * (log_delta + log_order) / b + 2 * std::fabs(share));
  const double value = (divergence.value + share) - ratio.value;
  const double sums = u * (std::fabs(divergence.value + share) + std::fabs(value));
  return {value, second_order * (divergence.error + share_error + ratio.error + sums)};
}

Ball epsilon_at_order(double b, const Ball& divergence, double delta) {
  const numeric::Precision precision = divergence.precision();
  const Ball excess = Ball::of(b, precision);
  const Ball share = -(log(Ball::of(delta, precision)) + log1p(excess)) / excess;
  return divergence + share - log1p(Ball::of(1, precision) / excess);
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double order_of(double log_excess) { return 1 + std::exp(log_excess); }
double log_excess_of(double order) { return std::log(order - 1); }

// The least of a function with one valley between two orders, by golden sections in ln(order - 1).
template <class Objective>
double valley(const Objective& objective, double first, double last) {
  constexpr double golden = 0.6180339887498949;
  double low = log_excess_of(first), high = log_excess_of(last);
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = objective(order_of(left)), at_right = objective(order_of(right));
  for (int i = 0; i < 35; ++i) {
    if (at_left <= at_right) {
      high = right, right = left, at_right = at_left;
      left = high - golden * (high - low), at_left = objective(order_of(left));
    } else {
      low = left, left = right, at_left = at_right;
      right = low + golden * (high - low), at_right = objective(order_of(right));
    }
  }
  return order_of(at_left <= at_right ? left : right);
}

// The order with the least objective; any order is valid.
template <class Objective>
double best_order(const Objective& objective, const RenyiOrders& given) {
  const auto& orders = given.orders;
  std::size_t best = 0;
  double least = infinity;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    const double here = objective(orders[i]);
    if (here < least) least = here, best = i;
  }
  if (!given.is_known_between || orders.size() < 2) return orders[best];
  const double between =
      valley(objective, orders[best == 0 ? 0 : best - 1], orders[std::min(best + 1, orders.size() - 1)]);
  return objective(between) < least ? between : orders[best];
}

// Orders are doubles, so order - 1 is exact.
double delta_of(double order, double divergence, double epsilon) {
  if (!(divergence < infinity)) return 1;
  return delta_at_order(order - 1, {numeric::subtract_up(divergence, epsilon), 0});
}

double epsilon_of(double order, double divergence, double delta) {
  if (!(divergence < infinity)) return infinity;
  return tight_upper(epsilon_at_order(order - 1, {divergence, 0}, delta), [&](numeric::Precision precision) {
    return epsilon_at_order(order - 1, Ball::of(divergence, precision), delta);
  });
}

}  // namespace

std::vector<double> usual_orders() {
  std::vector<double> orders;
  for (double excess = 0.01; excess < 1.2e6; excess *= 1.2) orders.push_back(1 + excess);
  return orders;
}

RdpFigure rdp_delta(const RenyiCurve& curve, double epsilon, const RenyiOrders& orders) {
  const auto objective = [&](double order) {
    const double excess = curve(order) - epsilon;
    return excess < infinity ? log_delta_at_order(order - 1, {excess, 0}).value : infinity;
  };
  const double order = best_order(objective, orders);
  return {delta_of(order, curve(order), epsilon), order};
}

Result<RdpFigure> rdp_epsilon(const RenyiCurve& curve, double delta, const RenyiOrders& orders) {
  if (!(delta > 0)) {
    return invalid("Rényi divergences bound no epsilon at delta 0; give a delta above 0, but it is " + shortest(delta));
  }
  if (delta >= 1) return RdpFigure{0, orders.orders.front()};
  const auto objective = [&](double order) {
    const double divergence = curve(order);
    return divergence < infinity ? epsilon_at_order(order - 1, {divergence, 0}, delta).value : infinity;
  };
  const double order = best_order(objective, orders);
  const double epsilon = epsilon_of(order, curve(order), delta);
  if (!(epsilon < infinity)) return invalid("no Rényi order gives a finite epsilon; give finer or smaller orders");
  return RdpFigure{epsilon, order};
}

}  // namespace vernier::accounting
