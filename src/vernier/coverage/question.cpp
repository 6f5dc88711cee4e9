#include "vernier/coverage/question.hpp"

namespace vernier::coverage {

std::optional<Truth> truth_of(const Question& question, const PlacedPopulation& population,
                              std::span<const std::uint32_t> rows, Whose whose) {
  const plan::Figure figure = plan::figure_of(question.aggregate);
  const ValueGrid& grid = population.grid();
  std::optional<plan::KnownPair> pair;
  if (const auto& both = question.pair) {
    pair = {both->y.steps(), both->x.lower(), both->x.granularity(), both->y.lower(), both->y.granularity()};
  }
  return plan::truth_maker(figure)(
      figure, question.fraction,
      {population.steps(), rows, grid.origin(), grid.steps(), grid.granularity(), whose == Whose::sample, pair});
}

}  // namespace vernier::coverage
