#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

// From Rényi divergences to (epsilon, delta): if the divergence of order a = 1 + b is at most R, then
//     delta <= exp(b (R - epsilon)) (1 - 1/a)^a / (a - 1)
// (Canonne, Kamath and Steinke 2020, Proposition 12; Asoodeh et al. 2020). Every order gives a valid figure, so only
// the evaluation must be on the safe side. zcdp.md has the proof and the errors.
namespace vernier::accounting {

// A number that is wrong by at most `error`.
struct Approximate {
  double value;
  double error;
};

// b between these; further out nothing is gained.
inline constexpr double least_order_excess = 1e-300;
inline constexpr double greatest_order_excess = 1e150;

// ln delta, for R - epsilon = excess; and at least delta.
Approximate log_delta_at_order(double b, Approximate excess);
double delta_at_order(double b, Approximate excess);

// epsilon at delta, which may come out below 0: R + (ln(1 / delta) - ln a) / b - ln(1 + 1/b).
Approximate epsilon_at_order(double b, Approximate divergence, double delta);
numeric::Ball epsilon_at_order(double b, const numeric::Ball& divergence, double delta);

// The bounds from doubles if they are tight, else from balls of 256 bits by `fine`; never below 0. Rounded up.
template <class Fine>
double tight_upper(const Approximate& quick, const Fine& fine) {
  if (quick.value + quick.error <= 0) return 0;
  if (quick.error <= 1e-12 * quick.value) return (quick.value + quick.error) * (1 + 0x1p-51);
  const double upper = fine(numeric::Precision{256}).bounds().upper;
  return upper > 0 ? upper : 0;
}

// The Rényi accountant (Mironov 2017): divergences of one order add over releases, and each order gives an epsilon and
// a delta by the tight conversion; the best order counts. zcdp.md has the proof.

// At least the total Rényi divergence of an order above 1; infinite where nothing is known.
using RenyiCurve = std::function<double(double order)>;

// 1.01 to 1e6, each excess over 1 a fifth larger than the one before.
std::vector<double> usual_orders();

// The orders to try, and whether the curve is known between them as well.
struct RenyiOrders {
  std::vector<double> orders = usual_orders();  // rising, each above 1 and at most 1e15
  bool is_known_between = true;
};

struct RdpFigure {
  double figure;  // epsilon or delta, rounded up
  double order;   // that gives it
};

// The least delta at an epsilon from 0 on.
RdpFigure rdp_delta(const RenyiCurve& curve, double epsilon, const RenyiOrders& orders = {});

// The least epsilon at a delta; an error for delta 0, or where no order gives a finite epsilon.
Result<RdpFigure> rdp_epsilon(const RenyiCurve& curve, double delta, const RenyiOrders& orders = {});

}  // namespace vernier::accounting
