#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/series/sensitivity.hpp"
#include "vernier/series/weights.hpp"

// How far published numbers lie from the exact ones, before anything is read; and the matrix that serves best.
namespace vernier::series {

// Everything that follows from the matrix.
struct Design {
  Family family;
  Strategy strategy;
  Square square;               // of the sensitivity
  std::vector<Weights> kinds;  // each, last, cumulative

  const Weights& of(Kind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  double sensitivity() const { return sensitivity_of(square); }
};
Result<Design> design_of(const Family& family, std::size_t steps, const Participation& participation, std::size_t last);

// The least double of 40 bits that is not below, and not below the least scale: the law of the noise. An error where it
// is greater than the law takes.
Result<noise::DiscreteGaussian> law_at(double scale);

// The noise of a published number for weights of length 1: a sum of so many draws at most, none of a scale below
// `least`, whose deviation is at most `scale`. Of a series alone every draw has the one scale.
struct Spread {
  double scale;
  double least;
  std::size_t draws;
};
Spread spread_of(const noise::DiscreteGaussian& law, std::size_t steps);

// Of one published number, from above.
double deviation_of(const Design& design, Kind kind, std::size_t step, const Spread& spread);

// How far it lies from the exact number, but for alpha: proven, whatever the rows are, of which there are row_limit at
// most.
class Reaches {
 public:
  Reaches(const Design& design, const Spread& spread, Alpha alpha, std::int64_t row_limit);
  double of(Kind kind, std::size_t step) const { return factor_ * design_->of(kind).length(step) + bias_; }
  double greatest(Kind kind) const { return factor_ * design_->of(kind).greatest_length() + bias_; }

 private:
  const Design* design_;
  double factor_, bias_;
};

// So many deviations of length 1 hold a sum of `draws` draws with weights of length 1, but for alpha.
double reach_factor(double scale, std::size_t draws, Alpha alpha);

// What is wanted at every step: within ±this; none: nothing.
struct Targets {
  std::optional<double> each = {}, last = {}, cumulative = {};

  const std::optional<double>& of(Kind kind) const {
    return kind == Kind::each ? each : kind == Kind::last ? last : cumulative;
  }
  bool none() const { return !each && !last && !cumulative; }
};

// The matrix by which the targets cost least; of no targets a kind stands for them, whose worst accuracy is least.
// `percents` are the exponents that are looked at, in hundredths.
Result<Design> best_design(const Targets& targets, std::size_t steps, const Participation& participation,
                           std::size_t last);

// The scale of the noise by which every target is just met at every step. An error where none is. `spread_at` is the
// widest spread that noise of a scale has; a law of its own unless it says otherwise.
using SpreadAt = std::function<Result<Spread>(double scale)>;
Result<double> scale_for(const Design& design, const Targets& targets, Alpha alpha, std::int64_t row_limit,
                         const SpreadAt& spread_at = {});

}  // namespace vernier::series
