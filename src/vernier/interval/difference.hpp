#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/levels.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/rows/variance.hpp"

// The difference of a figure between two groups, whose noises are independent. difference.md has the proofs.
namespace vernier::interval {

// ---- counts and sums, in units of their grid

// An a with P[abs(X - X') > a] <= alpha for two draws of the law: the least one for most laws, see the page.
std::int64_t difference_accuracy(const noise::Geometric& law, Alpha alpha);
std::int64_t difference_accuracy(const noise::DiscreteGaussian& law, Alpha alpha);

// The exact difference of two numbers, both of which are possible, lies in the interval with probability 1 - alpha at
// least.
AdditiveInterval difference(std::int64_t first, std::int64_t second, std::int64_t accuracy, PossibleRange possible);

// ---- all other figures

// What is told of one cell.
struct Figure {
  double value;
  Interval interval;
  bool informative;
  bool may_be_empty;
};
template <class Told>
Figure figure_of(const Told& told) {
  return {told.value, told.interval, told.informative, told.may_be_empty};
}

// The first figure less the second one lies in the interval with probability 1 - alpha at least, as proven or tested as
// the figures' own intervals are.
struct DifferenceInterval {
  double value;       // within the interval
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within what the bounds allow
  Status status;
  Covers covers;
  bool informative;   // false: neither group tells anything, at some of the levels
  bool may_be_empty;  // true: that one of the groups has no rows is not excluded
};

// Of cells in each of these boxes, all at once: boxes[i] is what is told of the first and the second cell at the
// levels of pair i, the widest of the first cell's first.
using FigurePair = std::pair<Figure, Figure>;
DifferenceInterval difference_within(const std::vector<FigurePair>& boxes, Status status, Covers covers);

// Of two cells that were told at 1 - (1 - alpha)^(1/2) each (one_box), in whatever way, as long as they are
// independent: quantiles, minima and maxima, population counts.
DifferenceInterval difference_of(const Figure& first, const Figure& second, Status status, Covers covers);

// What is told of a cell at each of several levels.
struct ToldAtLevels {
  std::vector<Figure> figures;
  Status status = Status::proven;
  Covers covers = Covers::bounded_value;
};
template <class Inference, class Released>
Result<ToldAtLevels> told_at_levels(const std::vector<Inference>& cells, const Released& released) {
  ToldAtLevels told;
  for (const Inference& cell : cells) {
    VERNIER_TRY(const auto found, cell.from(released));
    told.figures.push_back(figure_of(found));
    if (found.status == Status::tested) told.status = Status::tested;
    told.covers = found.covers;
  }
  return told;
}

// Of two cells whose intervals can be had from the same release at every level: variances.
template <class Inference>
class DifferenceInference {
 public:
  // `make(alpha)` gives the inference of one cell at a level, or a Result of it.
  template <class Make>
  static Result<DifferenceInference> of(const LevelPairs& pairs, const Make& make) {
    DifferenceInference difference;
    for (const LevelPair& pair : pairs) {
      VERNIER_TRY(Inference cell, make(pair.first));
      difference.cells_.push_back(std::move(cell));
    }
    return difference;
  }

  // What was released of either group, as the inference of one wants it.
  template <class Released>
  Result<DifferenceInterval> from(const Released& first, const Released& second) const {
    VERNIER_TRY(const ToldAtLevels of_first, told_at_levels(cells_, first));
    VERNIER_TRY(const ToldAtLevels of_second, told_at_levels(cells_, second));
    std::vector<FigurePair> boxes;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      boxes.emplace_back(of_first.figures[i], of_second.figures[cells_.size() - 1 - i]);
    }
    const bool is_proven = of_first.status == Status::proven && of_second.status == Status::proven;
    return difference_within(boxes, is_proven ? Status::proven : Status::tested, of_first.covers);
  }

 private:
  std::vector<Inference> cells_;  // by level, from the least on
};

// The boxes of two cells that were told at these levels: along a circle where both are proven; else by how uncertain
// they are, which their lengths tell, and that is tested.
DifferenceInterval difference_of_ends(const EndLevels& levels, const ToldAtLevels& first, const ToldAtLevels& second);

// Of two cells whose intervals miss to either side with a part of their level that is known: means.
template <class Inference>
class EndsDifference {
 public:
  // `make(alpha)` gives the inference of one cell at a level, or a Result of it.
  template <class Make>
  static Result<EndsDifference> of(const EndLevels& levels, const Make& make) {
    EndsDifference difference(levels);
    for (const Alpha level : levels.levels()) {
      VERNIER_TRY(Inference cell, make(level));
      difference.cells_.push_back(std::move(cell));
    }
    return difference;
  }

  template <class Released>
  Result<DifferenceInterval> from(const Released& first, const Released& second) const {
    VERNIER_TRY(const ToldAtLevels of_first, told_at_levels(cells_, first));
    VERNIER_TRY(const ToldAtLevels of_second, told_at_levels(cells_, second));
    return difference_of_ends(levels_, of_first, of_second);
  }

 private:
  explicit EndsDifference(EndLevels levels) : levels_(std::move(levels)) {}
  EndLevels levels_;
  std::vector<Inference> cells_;  // the shortest first
};

// What part of its level an end of an interval takes at most: of a mean of the rows, whose noise is symmetric, and of a
// proven mean or share of a population, where a tenth is for the variance of both ends (population/mean.md), or a
// twentieth for the rows (population/proportion.md). What is only tested is tested with the first.
inline constexpr double end_of_mean = 0.5, end_of_proven_population = 0.55;

template <class Law>
using MeanDifference = EndsDifference<MeanInference<Law>>;
template <class Law>
using SpreadDifference = DifferenceInference<SpreadInference<Law>>;

template <class Law>
Result<MeanDifference<Law>> mean_difference(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                            Alpha alpha) {
  const auto make = [&](Alpha level) -> Result<MeanInference<Law>> {
    return MeanInference<Law>::of(law, nodes, bounds, level);
  };
  return EndLevels::of(alpha, end_of_mean).and_then([&](const EndLevels& levels) {
    return MeanDifference<Law>::of(levels, make);
  });
}

template <class Law>
Result<SpreadDifference<Law>> spread_difference(const Law& law, const MeanNodes& nodes, Real range, Alpha alpha,
                                                SpreadForm form) {
  const auto make = [&](Alpha level) { return SpreadInference<Law>::of(law, nodes, range, level, form); };
  return level_pairs(law, alpha).and_then([&](const LevelPairs& pairs) {
    return SpreadDifference<Law>::of(pairs, make);
  });
}

// ---- of populations whose groups have units of their own

template <class Law>
using PopulationMeanDifference = EndsDifference<PopulationMeanInference<Law>>;
template <class Law>
using PopulationSpreadDifference = EndsDifference<PopulationSpreadInference<Law>>;

template <class Law>
Result<PopulationMeanDifference<Law>> population_mean_difference(const Law& law, const MeanNodes& nodes,
                                                                 noise::ValueRange bounds, Alpha alpha,
                                                                 Assurance assurance, const Design& design) {
  const auto make = [&](Alpha level) {
    return PopulationMeanInference<Law>::of(law, nodes, bounds, level, assurance, design);
  };
  const double part = assurance == Assurance::guaranteed ? end_of_proven_population : end_of_mean;
  return EndLevels::of(alpha, part).and_then([&](const EndLevels& levels) {
    return PopulationMeanDifference<Law>::of(levels, make);
  });
}

template <class Law>
Result<PopulationSpreadDifference<Law>> population_spread_difference(const Law& law, const MeanNodes& nodes, Real range,
                                                                     Alpha alpha, SpreadForm form,
                                                                     const Design& design) {
  const auto make = [&](Alpha level) {
    return PopulationSpreadInference<Law>::of(law, nodes, range, level, form, design);
  };
  return EndLevels::of(alpha, end_of_mean).and_then([&](const EndLevels& levels) {
    return PopulationSpreadDifference<Law>::of(levels, make);
  });
}

// Of groups that may share units: two intervals at half of alpha, whatever the figure.
template <class Inference, class Make>
Result<DifferenceInference<Inference>> shared_difference(Alpha alpha, const Make& make) {
  return half_each(alpha).and_then(
      [&](const LevelPairs& pairs) { return DifferenceInference<Inference>::of(pairs, make); });
}

}  // namespace vernier::interval
