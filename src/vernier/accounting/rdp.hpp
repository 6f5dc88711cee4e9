#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"

// The Rényi accountant (Mironov 2017): divergences of one order add over releases, and each order gives an epsilon and
// a delta by the tight conversion; the best order counts. zcdp.md has the proof.
namespace vernier::accounting {

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
