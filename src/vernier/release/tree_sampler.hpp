#pragma once

#include <span>
#include <variant>
#include <vector>

#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/noisy_tree.hpp"
#include "vernier/noise/tree_ends.hpp"
#include "vernier/plan/rank_tree.hpp"
#include "vernier/release/exact_numbers.hpp"
#include "vernier/release/integers.hpp"

namespace vernier::release {

// Reads the ends of several quantiles from one tree of noisy counts in every group.
class TreeSampler {
 public:
  // Of the tree that is measured at this place; `level` is that of each quantile.
  static Result<TreeSampler> of(const plan::BoundStatistic& statistic, std::size_t place, const plan::AdditiveLaw& law,
                                Alpha level);

  template <class Stream>
  Result<Integers> choose(const ExactNumbers& exact, random::BasicSource<Stream>& source) const {
    Integers ends(2 * wanted_.size() * exact.groups());
    for (std::size_t group = 0; group < exact.groups(); ++group) {
      VERNIER_TRY(choose(exact.histogram(group, histogram_), source,
                         ends.all().subspan(2 * wanted_.size() * group, 2 * wanted_.size())));
    }
    return ends;
  }

 private:
  struct Wanted {
    noise::RankStatistic statistic;
    std::int64_t reach;
  };
  using Any = std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;

  TreeSampler(const noise::CountTree& tree, Any sampler, std::vector<Wanted> wanted, std::size_t histogram)
      : tree_(tree), sampler_(std::move(sampler)), wanted_(std::move(wanted)), histogram_(histogram) {}

  template <class Stream>
  Result<void> choose(std::span<const noise::Occupied> rows, random::BasicSource<Stream>& source,
                      std::span<std::int64_t> out) const {
    const auto fill = [&](std::span<std::int64_t> noise) {
      return std::visit([&](const auto& one) { return one.fill(source, noise); }, sampler_);
    };
    noise::NoisyTree tree(tree_, rows, fill);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      VERNIER_TRY(const auto ends, noise::tree_ends(tree, wanted_[i].statistic, wanted_[i].reach));
      std::copy(ends.begin(), ends.end(), out.begin() + 2 * static_cast<std::ptrdiff_t>(i));
    }
    return {};
  }

  noise::CountTree tree_;
  Any sampler_;
  std::vector<Wanted> wanted_;
  std::size_t histogram_;
};

}  // namespace vernier::release
