// Counts that are published only because they pass a threshold with their noise, given that they are published.
#include "vernier/interval/rows/selected.hpp"

#include <map>

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"

namespace vernier::worst_case {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

constexpr std::int64_t greatest = 1'000'000;

// The chance to miss, over all noise that publishes the count.
template <class Law>
class Search {
 public:
  Search(double scale, std::int64_t threshold, double alpha, Ends ends)
      : law_(law_at<Law>(scale)),
        threshold_(threshold),
        ends_(ends),
        made_(*interval::SelectedInference<Law>::of(law_, threshold, greatest, *Alpha::of(alpha))),
        reach_(*law_.two_sided_quantile(*Probability::of(std::min(1e-12, 1e-6 * alpha)))) {}

  // Of the law given publication what lies beyond the reach above its least draw is negligible as well.
  double miss(std::int64_t count) {
    const std::int64_t first = std::max(threshold_ - count, -reach_);
    double missed = 0, all = 0;
    for (std::int64_t x = first; x <= std::max<std::int64_t>(first, 0) + reach_; ++x) {
      const double mass = law_.mass(x).upper;
      all += mass;
      if (!contains(told(count + x), static_cast<double>(count))) missed += mass;
    }
    return all > 1e-290 ? missed / all : 0;
  }

 private:
  const Interval& told(std::int64_t released) {
    const auto [found, is_new] = known_.try_emplace(released);
    if (is_new) {
      const interval::SelectedInterval one = made_.from(released);
      found->second =
          ends_({static_cast<double>(one.value), {static_cast<double>(one.low), static_cast<double>(one.high)}});
    }
    return found->second;
  }

  Law law_;
  std::int64_t threshold_;
  Ends ends_;
  interval::SelectedInference<Law> made_;
  std::int64_t reach_;
  std::map<std::int64_t, Interval> known_;
};

struct Setting {
  double scale;
  std::int64_t threshold;
};
const std::vector<Setting> settings{{0.3, 3}, {1, 2}, {1, 15}, {3, 40}, {12, 25}};

template <class Law>
Worst worst_selected(const std::vector<double>& alphas, const std::vector<Setting>& all, Ends ends) {
  Worst worst;
  for (const double alpha : alphas) {
    for (const auto& [scale, threshold] : all) {
      Search<Law> search(scale, threshold, alpha, ends);
      for (std::int64_t count = 1; count <= 3 * threshold + 40; count += count < 2 * threshold ? 1 : 7) {
        worst.add(search.miss(count), alpha,
                  "scale " + std::to_string(scale) + " threshold " + std::to_string(threshold) + " count " +
                      std::to_string(count));
      }
    }
  }
  return worst;
}

template <class Law>
void expect_covered(const std::vector<double>& alphas) {
  const Worst worst = worst_selected<Law>(alphas, settings, as_told);
  EXPECT_LE(worst.ratio, 1 + 1e-9) << worst.cell;
  EXPECT_GT(worst.ratio, 0.5) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_selected<Law>({0.05}, {{3, 40}, {12, 25}}, a_tenth_short).ratio, 1);
}

TEST(WorstCase, NoCountRefutesItsIntervalGivenThatItIsPublished) {
  expect_covered<Geometric>({0.5, 0.05, 1e-6});
  expect_covered<DiscreteGaussian>({0.5, 0.05, 1e-6});
  EXPECT_FALSE(HasFailure());
}

TEST(HeavyWorstCase, NoCountRefutesItsIntervalGivenThatItIsPublished) {
  expect_covered<Geometric>(levels);
  expect_covered<DiscreteGaussian>(levels);
  EXPECT_FALSE(HasFailure());
}

}  // namespace
}  // namespace vernier::worst_case
