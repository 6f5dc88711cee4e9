#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "vernier/noise/box.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/noisy_tree.hpp"
#include "vernier/noise/rank_choice.hpp"
#include "vernier/noise/value_choice.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/run/exact_numbers.hpp"

namespace vernier::release {

// Reads the ends of several quantiles, and the values between them, from one tree of noisy counts in every group.
class TreeSampler {
 public:
  TreeSampler(const plan::TreeEnds& ends, std::size_t histogram)
      : tree_(ends.tree),
        sampler_(std::visit([](const auto& one) { return Any(noise::IntegerSampler(one)); }, ends.law)),
        wanted_(ends.wanted),
        histogram_(histogram) {}

  template <class Stream>
  Result<Integers> choose(const ExactNumbers& exact, random::BasicSource<Stream>& source) const {
    const std::size_t width = plan::tree_points * wanted_.size();
    Integers points(width * exact.groups());
    for (std::size_t group = 0; group < exact.groups(); ++group) {
      VERNIER_TRY(choose(exact.histogram(group, histogram_), source, points.all().subspan(width * group, width)));
    }
    return points;
  }

 private:
  using Any = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;

  template <class Stream>
  Result<void> choose(std::span<const noise::Occupied> rows, random::BasicSource<Stream>& source,
                      std::span<std::int64_t> out) const {
    const auto fill = [&](std::span<std::int64_t> noise) {
      return std::visit([&](const auto& one) { return one.fill(source, noise); }, sampler_);
    };
    noise::NoisyTree tree(tree_, rows, fill);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      VERNIER_TRY(const auto ends, noise::tree_ends(tree, wanted_[i].statistic, wanted_[i].reach));
      VERNIER_TRY(const auto at_once, noise::tree_ends(tree, wanted_[i].statistic, 0));  // where the rank is reached
      const std::span<std::int64_t> points = out.subspan(plan::tree_points * i, plan::tree_points);
      points[0] = ends[0];
      points[1] = ends[1];
      points[2] = std::clamp(at_once[0], ends[0], ends[1]);
    }
    return {};
  }

  noise::CountTree tree_;
  Any sampler_;
  std::vector<plan::TreeEnds::Wanted> wanted_;
  std::size_t histogram_;
};

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
    VERNIER_TRY(std::visit([&](const auto& one) { return one.fill(source, drawn); }, sampler_));
    std::transform(exact.begin(), exact.end(), out.begin(), out.begin(), saturated_sum);
    return noisy;
  }

 private:
  using Any = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
  Any sampler_;
  std::size_t kept_;
};

// Chooses the points of a quantile in every group: ends as far away as a RankReach asks for, or a value between them.
template <class Reach>
class PointsSampler {
 public:
  PointsSampler(const plan::ChosenPoints<Reach>& points, std::size_t histogram)
      : points_(points), histogram_(histogram) {}

  template <class Stream>
  Result<Integers> choose(const ExactNumbers& exact, random::BasicSource<Stream>& source) const {
    constexpr std::size_t width = std::is_same_v<Reach, noise::ValueReach> ? 3 : 2;
    Integers points(width * exact.groups());
    for (std::size_t group = 0; group < exact.groups(); ++group) {
      VERNIER_TRY(const auto drawn, noise::draw_points(points_.law, points_.statistic,
                                                       exact.histogram(group, histogram_), points_.reach, source));
      std::copy(drawn.begin(), drawn.end(), points.all().subspan(width * group, width).begin());
    }
    return points;
  }

 private:
  plan::ChosenPoints<Reach> points_;
  std::size_t histogram_;
};
using EndsSampler = PointsSampler<noise::RankReach>;
using ValueSampler = PointsSampler<noise::ValueReach>;

// Adds the noise of a box to the numbers of every group.
class BoxesSampler {
 public:
  explicit BoxesSampler(noise::BoxSampler sampler) : sampler_(std::move(sampler)) {}

  template <class Stream>
  Result<Integers> perturb(std::span<const std::int64_t> exact, random::BasicSource<Stream>& source) const {
    Integers noisy(exact.size());
    const std::span<std::int64_t> out = noisy.all();
    for (std::size_t first = 0; first < out.size(); first += sampler_.numbers()) {
      VERNIER_TRY(sampler_.draw(source, out.subspan(first, sampler_.numbers())));
    }
    std::transform(exact.begin(), exact.end(), out.begin(), out.begin(), saturated_sum);
    return noisy;
  }

 private:
  noise::BoxSampler sampler_;
};

// What makes the noisy integers of a measurement; nothing where they are shared.
using AnySampler = std::variant<std::monostate, Sampler, EndsSampler, ValueSampler, TreeSampler, BoxesSampler>;

struct Perturb {
  const ExactNumbers& exact;
  std::size_t measurement;

  template <class Stream>
  Result<Integers> operator()(const AnySampler& sampler, random::BasicSource<Stream>& source) const {
    return std::visit(
        [&]<class Known>(const Known& known) -> Result<Integers> {
          if constexpr (std::is_same_v<Known, std::monostate>) {
            return Integers(0);
          } else if constexpr (std::is_same_v<Known, Sampler> || std::is_same_v<Known, BoxesSampler>) {
            return known.perturb(exact.of_measurement(measurement), source);
          } else {
            return known.choose(exact, source);
          }
        },
        sampler);
  }
};

}  // namespace vernier::release
