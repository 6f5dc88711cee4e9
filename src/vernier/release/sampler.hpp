#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <variant>

#include "vernier/interval/quantile.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/exact_numbers.hpp"
#include "vernier/release/integers.hpp"
#include "vernier/release/tree_sampler.hpp"

namespace vernier::release {

// a + b, or the end of 64 bits beyond which it lies.
inline std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

// Adds noise of an additive law of a plan.
class Sampler {
 public:
  // The first `kept` numbers are public and stay as they are; of a statistic without groups alone.
  explicit Sampler(const plan::AdditiveLaw& law, std::size_t kept = 0)
      : sampler_(std::visit([](const auto& one) { return Any(noise::IntegerSampler(one)); }, law)), kept_(kept) {}

  // Every other number with noise of its own.
  template <class Stream>
  Result<Integers> perturb(std::span<const std::int64_t> exact, random::BasicSource<Stream>& source) const {
    Integers noisy(exact.size());
    const std::span<std::int64_t> out = noisy.all();
    const std::span<std::int64_t> drawn = out.subspan(std::min(kept_, out.size()));
    const Result<void> filled = std::visit([&](const auto& one) { return one.fill(source, drawn); }, sampler_);
    if (!filled) return Failure(filled.error());
    std::transform(exact.begin(), exact.end(), out.begin(), out.begin(), saturated_sum);
    return noisy;
  }

 private:
  using Any = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
  Any sampler_;
  std::size_t kept_;
};

// Chooses the ends of a quantile in every group.
class EndsSampler {
 public:
  // Of the rows, or of their population.
  template <class Inference>
  EndsSampler(const Inference& inference, std::size_t histogram)
      : law_(inference.law()), statistic_(inference.statistic()), reach_(inference.reach()), histogram_(histogram) {}

  template <class Stream>
  Result<Integers> choose(const ExactNumbers& exact, random::BasicSource<Stream>& source) const {
    Integers ends(2 * exact.groups());
    for (std::size_t group = 0; group < exact.groups(); ++group) {
      const auto drawn = noise::draw_ends(law_, statistic_, exact.histogram(group, histogram_), reach_, source);
      if (!drawn) return Failure(drawn.error());
      std::copy(drawn->begin(), drawn->end(), ends.all().begin() + 2 * static_cast<std::ptrdiff_t>(group));
    }
    return ends;
  }

 private:
  noise::Exponential law_;
  noise::RankStatistic statistic_;
  noise::RankReach reach_;
  std::size_t histogram_;
};

// What makes the noisy integers of a measurement; nothing where they are shared.
using AnySampler = std::variant<std::monostate, Sampler, EndsSampler, TreeSampler>;

struct Perturb {
  const ExactNumbers& exact;
  std::size_t measurement;

  template <class Stream>
  Result<Integers> operator()(const AnySampler& sampler, random::BasicSource<Stream>& source) const {
    if (const auto* const additive = std::get_if<Sampler>(&sampler)) {
      return additive->perturb(exact.of_measurement(measurement), source);
    }
    if (const auto* const ends = std::get_if<EndsSampler>(&sampler)) return ends->choose(exact, source);
    if (const auto* const tree = std::get_if<TreeSampler>(&sampler)) return tree->choose(exact, source);
    return Integers(0);
  }
};

}  // namespace vernier::release
