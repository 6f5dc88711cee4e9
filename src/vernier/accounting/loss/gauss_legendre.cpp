#include "vernier/accounting/loss/gauss_legendre.hpp"

#include <arb_hypgeom.h>

#include "vernier/numeric/ball.hpp"

namespace vernier::accounting {
namespace {

GaussLegendre make() {
  constexpr numeric::Precision precision{160};
  GaussLegendre rule{};
  arb_t root, weight;
  arb_init(root);
  arb_init(weight);
  for (std::size_t i = 0; i < GaussLegendre::count; ++i) {
    arb_hypgeom_legendre_p_ui_root(root, weight, GaussLegendre::count, i, precision.bits);
    rule.weights[i] = numeric::Ball::from_raw(weight, precision).nearest();
    arb_add_ui(root, root, 1, precision.bits);
    rule.from_left[i] = numeric::Ball::from_raw(root, precision).nearest();
  }
  arb_clear(root);
  arb_clear(weight);
  return rule;
}

}  // namespace

const GaussLegendre& gauss_legendre() {
  static const GaussLegendre rule = make();
  return rule;
}

}  // namespace vernier::accounting
