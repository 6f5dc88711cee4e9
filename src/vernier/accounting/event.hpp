#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// One function for each alternative of a variant: std::visit(Overloaded{...}, variant).
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

// What was released, as far as privacy is concerned.

// What is only known by its guarantee counts as the worst release that has it.
struct PureStatement {
  privacy::Epsilon epsilon;
};
struct ApproximateStatement {
  privacy::Epsilon epsilon;
  privacy::Delta delta;
};
struct ZcdpStatement {
  privacy::Rho rho;
};
// A choice by the exponential mechanism: epsilon-private, and of bounded range, which costs less where there are many
// (loss/choice_loss.md).
struct Choice {
  privacy::Epsilon epsilon;
};

// Keys found in the data: noise is added to the number of units that have the key, and the key is published, with that
// noisy count, where it is at least the threshold. One unit has at most `groups` keys.
class KeySelection {
 public:
  using Noise = std::variant<mechanism::GeometricMechanism, mechanism::DiscreteGaussianMechanism>;
  // The sensitivity of the noise must be 1: a unit counts once for a key. The threshold is from 1 to 2^53, the groups
  // from 1 to 1e6.
  static Result<KeySelection> of(const Noise& noise, std::int64_t threshold, std::int64_t groups);

  const Noise& noise() const { return noise_; }
  std::int64_t threshold() const { return threshold_; }
  std::int64_t groups() const { return groups_; }

 private:
  KeySelection(const Noise& noise, std::int64_t threshold, std::int64_t groups)
      : noise_(noise), threshold_(threshold), groups_(groups) {}
  Noise noise_;
  std::int64_t threshold_;
  std::int64_t groups_;
};

// A new kind of release is one line here, and its part in loss/.
using Release = std::variant<mechanism::LaplaceMechanism, mechanism::GeometricMechanism, mechanism::GaussianMechanism,
                             mechanism::DiscreteGaussianMechanism, PureStatement, ApproximateStatement, ZcdpStatement,
                             KeySelection, Choice>;

// How often: a whole number from 1 to 1e9.
struct Times : Checked<Times, std::int64_t> {
  static Result<void> check(std::int64_t value);
  static Times once() { return made(1); }
};

// A release, so many times independently, each perhaps on a fresh Poisson sample, under one neighbour relation.
// Sampling is refused under `replace`, whose pairs are others, and for zCDP statements, key selection and choices, for
// which nothing is proven here.
class Event {
 public:
  static Result<Event> of(const Release& release, privacy::Neighbours neighbours, Times times = Times::once(),
                          privacy::SamplingRate sampling = privacy::SamplingRate::everyone());

  const Release& release() const { return release_; }
  privacy::Neighbours neighbours() const { return neighbours_; }
  Times times() const { return times_; }
  privacy::SamplingRate sampling() const { return sampling_; }
  Event with(Times times) const { return {release_, neighbours_, times, sampling_}; }  // the same, so many times

 private:
  Event(const Release& release, privacy::Neighbours neighbours, Times times, privacy::SamplingRate sampling)
      : release_(release), neighbours_(neighbours), times_(times), sampling_(sampling) {}
  Release release_;
  privacy::Neighbours neighbours_;
  Times times_;
  privacy::SamplingRate sampling_;
};

// The list with equal events counted together: sums of times beyond 1e9 stay apart. By first occurrence.
std::vector<Event> grouped(std::span<const Event> events);

}  // namespace vernier::accounting
