#include "vernier/accounting/loss/normal_terms.hpp"

#include <cmath>

#include "vernier/accounting/loss/quick.hpp"

namespace vernier::accounting {
namespace {

using noise::kernels::Isa;

struct FillLoop {
  [[gnu::always_inline]] static void run(NormalTerms& terms, std::size_t count, const NormalTermParameters& shared) {
    const NormalTermParameters at = shared;  // a copy that the stores cannot change
    const double side = 1 - 2 * at.line, move_units = 3.1 + at.distance_units;
    const double own_units = 2 * (quick::expm1_units + 2) + quick::log1p_units + at.share_units;
    for (std::size_t i = 0; i < count; ++i) {
      const double distance = terms.distance[i], move = at.mu * distance + at.mu_rest * distance;
      const double grown = at.share * quick::expm1(side * move), bent = quick::log1p(grown);
      const double share = (at.share + grown) / (1 + grown);
      const double steep = share * std::abs(move) + std::abs(bent);  // the larger of the two would do
      const double bent_units = own_units * std::abs(bent) + 1.01 * move_units * steep + 1e-40;
      const double change = at.line * move + bent;
      const double along = at.steepness * distance, square = distance * distance / 2, raised = at.power * bent;
      const double log_weight = along - square + raised;
      terms.change[i] = change;
      terms.change_units[i] = bent_units + at.line * (std::abs(change) + 1.01 * move_units * std::abs(move));
      terms.log_weight[i] = log_weight;
      terms.log_units[i] = (4 + at.distance_units) * std::abs(along) + (3 + 2 * at.distance_units) * square +
                           std::abs(at.power) * bent_units + 4 * std::abs(raised);
      terms.weight[i] = quick::exp(log_weight);
    }
  }
};

}  // namespace

void fill(NormalTerms& terms, std::size_t count, const NormalTermParameters& parameters, Isa isa) {
  quick::PerIsa<FillLoop>::run(isa, terms, count, parameters);
}

void fill(NormalTerms& terms, std::size_t count, const NormalTermParameters& parameters) {
  fill(terms, count, parameters, noise::kernels::best_isa());
}

}  // namespace vernier::accounting
