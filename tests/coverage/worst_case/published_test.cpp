#include "vernier/interval/population/published.hpp"

#include <map>

#include <gtest/gtest.h>

#include "coverage/worst_case/search.hpp"
#include "support/integer_laws.hpp"
#include "vernier/interval/population/count.hpp"

namespace vernier::worst_case {
namespace {

using interval::Assurance;
using interval::Design;
using interval::PopulationCountInference;
using interval::Publication;
using interval::PublishedCountInference;
using interval::PublishedSumInference;
using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

// Keys and counts have noise of one scale, each of their own.
struct Setting {
  double scale;
  std::int64_t threshold;
  double part, alpha;
};

// P[published] with so many counted units in the data, and members that are not counted but belong to the key, too.
double published(const Publication& rule, std::int64_t counted, std::int64_t others, double part) {
  double sum = 0;
  for (std::int64_t j = 0; j <= others; ++j) sum += binomial(others, j, part) * rule.chance(counted + j).upper;
  return sum;
}

// The chance to miss given publication, over all samples and all noise.
template <class Law>
class Search {
 public:
  Search(const Setting& setting, Ends ends)
      : setting_(setting),
        ends_(ends),
        law_(law_at<Law>(setting.scale)),
        rule_(law_, setting.threshold),
        made_(*PublishedCountInference<Law>::of(law_, rule_, *Alpha::of(setting.alpha), {.sampled = setting.part})),
        reach_(*law_.two_sided_quantile(*Probability::of(1e-3 * setting.alpha))) {}

  double miss(std::int64_t members, std::int64_t others) {
    double missed = 0, all = 0;
    for (std::int64_t k = 0; k <= members; ++k) {
      const double mass = binomial(members, k, setting_.part) * published(rule_, k, others, setting_.part);
      all += mass;
      if (mass > 0) missed += mass * missed_with(k, static_cast<double>(members));
    }
    return missed / all;
  }

  // The same of some of several keys that have the same members, given that all of them are published.
  double miss_of_some(std::int64_t members, int keys) {
    double missed = 0, all = 0;
    for (std::int64_t k = 1; k <= members; ++k) {
      const double mass = binomial(members, k, setting_.part) * std::pow(rule_.chance(k).upper, keys);
      all += mass;
      missed += mass * (1 - std::pow(1 - missed_with(k, static_cast<double>(members)), keys));
    }
    return missed / all;
  }

 private:
  double missed_with(std::int64_t drawn, double members) {
    double sum = 0;
    for (std::int64_t x = -reach_; x <= reach_; ++x) {
      if (!contains(told(drawn + x), members)) sum += law_.mass(x).upper;
    }
    return sum;
  }

  const Interval& told(std::int64_t released) {
    const auto [found, is_new] = known_.try_emplace(released);
    if (is_new) {
      const interval::PopulationInterval made = *made_.from(released);
      found->second = ends_({made.value, made.interval});
    }
    return found->second;
  }

  Setting setting_;
  Ends ends_;
  Law law_;
  Publication rule_;
  PublishedCountInference<Law> made_;
  std::int64_t reach_;
  std::map<std::int64_t, Interval> known_;
};

const std::vector<double> few_levels{0.5, 0.05, 1e-6};

template <class Law>
Worst worst_count(const std::vector<double>& alphas, const std::vector<std::int64_t>& sizes, Ends ends) {
  Worst worst;
  for (const double alpha : alphas) {
    for (const double part : {0.1, 0.5, 0.9}) {
      for (const auto& [scale, threshold] : {std::pair{2.0 / 3, std::int64_t{16}}, {3.0, 40}, {0.1, 3}}) {
        Search<Law> search({scale, threshold, part, alpha}, ends);
        for (const std::int64_t members : sizes) {
          for (const std::int64_t others : {0, 30}) {
            worst.add(search.miss(members, others), alpha,
                      "part " + std::to_string(part) + " scale " + std::to_string(scale) + " members " +
                          std::to_string(members) + " others " + std::to_string(others));
          }
        }
      }
    }
  }
  return worst;
}

TEST(WorstCase, NoPopulationRefutesItsCountGivenThatItsKeyIsPublished) {
  const std::vector<std::int64_t> sizes{1, 5, 25, 60};
  const Worst geometric = worst_count<Geometric>(few_levels, sizes, as_told);
  EXPECT_LE(geometric.ratio, 1) << geometric.cell;
  tell(geometric);
  const Worst gaussian = worst_count<DiscreteGaussian>(few_levels, sizes, as_told);
  EXPECT_LE(gaussian.ratio, 1) << gaussian.cell;
  tell(gaussian);
  EXPECT_GT(worst_count<Geometric>(few_levels, sizes, a_tenth_short).ratio, 1);
}

TEST(HeavyWorstCase, NoPopulationRefutesItsCountGivenThatItsKeyIsPublished) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t members = 1; members <= 200; members += members < 40 ? 1 : 7) sizes.push_back(members);
  const Worst geometric = worst_count<Geometric>(levels, sizes, as_told);
  EXPECT_LE(geometric.ratio, 1) << geometric.cell;
  tell(geometric);
  const Worst gaussian = worst_count<DiscreteGaussian>(levels, sizes, as_told);
  EXPECT_LE(gaussian.ratio, 1) << gaussian.cell;
  tell(gaussian);
}

// COUNT(x) of a tenth of the population, epsilon 3, delta 1e-9: an interval that takes the sample for binomial covers
// 60, 80 and 100 members with 0.05, 0.18 and 0.53 given publication.
TEST(WorstCase, CoversPublishedCountsWhereTheBinomialIntervalDoesNot) {
  const Setting setting{2.0 / 3, 16, 0.1, 0.05};
  const auto law = law_at<Geometric>(setting.scale);
  const auto binomial_one = *PopulationCountInference<Geometric>::of(law, *Alpha::of(0.05), {.sampled = 0.1});
  const Publication rule(law, setting.threshold);
  Search<Geometric> search(setting, as_told);
  for (const auto& [members, covered] : {std::pair{std::int64_t{60}, 0.06}, {80, 0.19}, {100, 0.54}}) {
    EXPECT_LE(search.miss(members, 0), 0.05) << members;
    double missed = 0, all = 0;
    for (std::int64_t k = 1; k <= members; ++k) {
      const double mass = binomial(members, k, 0.1) * rule.chance(k).upper;
      all += mass;
      for (std::int64_t x = -12; x <= 12; ++x) {
        const bool covers = binomial_one.from(k + x)->interval.contains(static_cast<double>(members));
        if (!covers) missed += mass * law.mass(x).upper;
      }
    }
    EXPECT_LT(1 - missed / all, covered) << members;
  }
}

// Each key has its share of alpha, and holds given that it is published itself. That all are tells more of members that
// they share, so that a plan refuses what is said of several such keys at once.
TEST(WorstCase, RefutesPublishedCountsOfSharedMembersThatAreToHoldAtOnce) {
  constexpr double alpha = 0.05;
  for (const auto& [keys, times] : {std::pair{2, 1.15}, {5, 4.0}, {10, 8.0}}) {
    Search<Geometric> search({3, 40, 0.1, alpha / keys}, as_told);
    EXPECT_LE(search.miss(60, 0), alpha / keys) << keys;
    EXPECT_GT(search.miss_of_some(60, keys), times * alpha) << keys;
  }
}

// Members at one value, or a third of them at the upper bound, hardly any noise in the sums.
Worst worst_sum(const std::vector<double>& alphas, const std::vector<std::int64_t>& sizes, Ends ends) {
  const auto nodes = *interval::MeanNodes::of(interval::Basis::bernstein, 1024);
  const auto bounds = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  Worst worst;
  for (const double alpha : alphas) {
    for (const double part : {0.1, 0.5}) {
      const auto law = law_at<Geometric>(0.01);
      const Publication rule(law_at<Geometric>(2.0 / 3), 16);
      const auto made = *PublishedSumInference<Geometric>::of(law, nodes, bounds, rule, *Alpha::of(alpha),
                                                              Assurance::usual, {.sampled = part});
      std::map<std::pair<std::int64_t, std::int64_t>, Interval> known;
      for (const std::int64_t members : sizes) {
        const std::int64_t high = members / 3, low = members - high;
        double missed = 0, all = 0;
        for (std::int64_t k = 0; k <= high; ++k) {
          for (std::int64_t j = 0; j <= low; ++j) {
            const double mass = binomial(high, k, part) * binomial(low, j, part) * rule.chance(j + k).upper;
            all += mass;
            if (mass < 1e-6 * alpha) continue;
            const auto [found, is_new] = known.try_emplace({j, k});
            const std::vector<std::int64_t> sums{j << 20, 0, k << 20};
            if (is_new) {
              const interval::PopulationInterval one = *made.from(sums);
              found->second = ends({one.value, one.interval});
            }
            if (!contains(found->second, static_cast<double>(high))) missed += mass;
          }
        }
        worst.add(missed / all, alpha, "part " + std::to_string(part) + " members " + std::to_string(members));
      }
    }
  }
  return worst;
}

// Of two intervals at half of alpha a tenth is not missed.
Interval half_as_long(const Told& told) {
  return {(told.value + told.interval.low) / 2, (told.value + told.interval.high) / 2};
}

TEST(WorstCase, NoPopulationRefutesItsSumGivenThatItsKeyIsPublished) {
  const Worst worst = worst_sum({0.5, 0.05, 1e-3, 1e-6}, {6, 30, 60}, as_told);
  EXPECT_LE(worst.ratio, 1) << worst.cell;
  tell(worst);
  EXPECT_GT(worst_sum({0.05}, {30, 60}, half_as_long).ratio, 1);
}

TEST(PublishedCount, RefusesWeights) {
  const auto law = law_at<Geometric>(1);
  const Publication rule(law, 10);
  EXPECT_FALSE(PublishedCountInference<Geometric>::of(law, rule, *Alpha::of(0.05), {.sampled = 0}));
  EXPECT_FALSE(PublishedCountInference<Geometric>::of(law, rule, *Alpha::of(0.05),
                                                      {.greatest_weight = 3, .members_of_weight = 1}));
}

// Far above the threshold publication is certain, and the interval is the binomial one.
TEST(PublishedCount, IsThatOfTheBinomialLawWherePublicationIsCertain) {
  const auto law = law_at<Geometric>(2);
  const auto plain = *PopulationCountInference<Geometric>::of(law, *Alpha::of(0.05), {.sampled = 0.1});
  const auto given =
      *PublishedCountInference<Geometric>::of(law, Publication(law, 40), *Alpha::of(0.05), {.sampled = 0.1});
  const Interval one = plain.from(2000)->interval, other = given.from(2000)->interval;
  EXPECT_NEAR(one.low, other.low, 4);
  EXPECT_NEAR(one.high, other.high, 4);
  EXPECT_LT(given.from(41)->interval.low, plain.from(41)->interval.low);
}

}  // namespace
}  // namespace vernier::worst_case
