// Intervals of weighted rows, over designs in which weights go with the values: nowhere refuted at 1e-6 for all cells
// together, and what takes no notice of the weights is.
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/coverage/share.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/population/spread.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;
using testing::SeededBits;

constexpr std::int64_t heaviest = 20;  // steps
constexpr int members = 1000;
constexpr double false_refutation = 1e-6;
constexpr std::size_t family = 600;  // cells, in all tests of this file
const MeanNodes nodes = MeanNodes::of(Basis::bernstein, 40).value();

struct Member {
  std::int64_t place;   // of 40 steps
  std::int64_t weight;  // from 1 to the heaviest
};

// How members are drawn: each once, with a chance that is inversely proportional to its weight, where the mean is that
// of all members; or rows independently with the weights they have, where the mean is the weighted one.
enum class Drawn : std::uint8_t { once, independently };

struct Shape {
  std::string name;
  Member (*member)(double part);  // at parts from 0 to 1 of the population
};

std::int64_t at(double place) { return std::llround(std::clamp(place, 0.0, 1.0) * 40); }
std::int64_t heavy(double part) { return 1 + std::llround(part * (heaviest - 1)); }

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"weights rise with values",
       [](double u) {
         return Member{at(u), heavy(u)};
       }},
      {"weights fall with values",
       [](double u) {
         return Member{at(u * u), heavy(1 - u)};
       }},
      {"the upper bound is rare and heavy",
       [](double u) {
         return u < 0.02 ? Member{40, heaviest} : Member{at(0.1 + 0.2 * u), 2};
       }},
      {"a share, its half heavy",
       [](double u) {
         return u < 0.3 ? Member{40, heaviest} : Member{0, 1 + static_cast<std::int64_t>(u * 5)};
       }},
  };
  return all;
}

// Shares of members, and what is true of them.
struct Survey {
  std::vector<Member> all;
  Drawn drawn;
  double rows;  // expected

  Survey(const Shape& shape, Drawn manner, double expected_rows) : drawn(manner), rows(expected_rows) {
    for (int i = 0; i < members; ++i) all.push_back(shape.member((i + 0.5) / members));
  }
  double part_of(const Member& one) const { return drawn == Drawn::once ? 1.0 : static_cast<double>(one.weight); }
  double mean_of(const std::function<double(double)>& value) const {
    double sum = 0, parts = 0;
    for (const Member& one : all) {
      sum += part_of(one) * value(static_cast<double>(one.place) / 40);
      parts += part_of(one);
    }
    return sum / parts;
  }
  double mean() const {
    return mean_of([](double x) { return x; });
  }
  double deviation() const {
    return std::sqrt(mean_of([middle = mean()](double x) { return (x - middle) * (x - middle); }));
  }
};

double uniform(SeededBits& bits) { return static_cast<double>(*bits.next() >> 11) * 0x1p-53; }

using Sums = std::vector<std::int64_t>;

void add(Sums& sums, const Member& one, bool takes_weights) {
  const auto row = nodes.row(one.place);
  for (std::size_t i = 0; i < 3; ++i) sums[i] += (takes_weights ? one.weight : 1) * row[i];
}

// The node sums of a sample.
class Draw {
 public:
  explicit Draw(const Survey& survey) : survey_(survey) {
    double chances = 0;
    for (const Member& one : survey.all) chances += 1 / static_cast<double>(one.weight);
    rate_ = survey.rows / chances;
  }
  Sums sums(SeededBits& bits, bool takes_weights) const {
    Sums found(3);
    if (survey_.drawn == Drawn::once) {
      for (const Member& one : survey_.all) {
        if (uniform(bits) * static_cast<double>(one.weight) < rate_) add(found, one, takes_weights);
      }
      return found;
    }
    for (int i = 0; i < static_cast<int>(survey_.rows); ++i) {
      add(found, survey_.all[static_cast<std::size_t>(uniform(bits) * members)], takes_weights);
    }
    return found;
  }

 private:
  const Survey& survey_;
  double rate_;
};

enum class Claim : std::uint8_t { usual_mean, guaranteed_mean, deviation };

struct Belief {
  Design design = {0, heaviest};
  bool takes_weights = true;
};

using Inference = std::function<Result<PopulationInterval>(std::span<const std::int64_t>)>;

template <class Law>
Inference inference_of(Claim claim, const Law& law, const Design& design) {
  const Alpha alpha = *Alpha::of(0.05);
  if (claim == Claim::deviation) {
    return [found = *PopulationSpreadInference<Law>::of(law, nodes, *Real::of(1), alpha, {Divisor::rows, true},
                                                        design)](auto sums) { return found.from(sums); };
  }
  const auto bounds = *noise::ValueRange::of(*Real::of(0), *Real::of(1));
  const Assurance assurance = claim == Claim::usual_mean ? Assurance::usual : Assurance::guaranteed;
  return [found = *PopulationMeanInference<Law>::of(law, nodes, bounds, alpha, assurance, design)](auto sums) {
    return found.from(sums);
  };
}

template <class Law>
coverage::Hits hits(const Survey& survey, double epsilon, Claim claim, std::int64_t trials, const Belief& belief) {
  const auto scale = testing::scale_in_rows(static_cast<const Law*>(nullptr), epsilon);
  const Law law = law_at<Law>(scale * static_cast<double>(nodes.weight() * (belief.takes_weights ? heaviest : 1)));
  const Inference inference = inference_of(claim, law, belief.design);
  const noise::IntegerSampler<Law> sampler(law);
  const double truth = claim == Claim::deviation ? survey.deviation() : survey.mean();
  const Draw draw(survey);
  SeededBits bits(7);
  auto source = testing::seeded_source(8);
  coverage::Hits found{0, trials};
  for (std::int64_t i = 0; i < trials; ++i) {
    Sums released = draw.sums(bits, belief.takes_weights);
    for (std::int64_t& sum : released) sum += *sampler.draw(source);
    found.hits += inference(released)->interval.contains(truth) ? 1 : 0;
  }
  return found;
}

bool is_refuted(const coverage::Hits& found) {
  return coverage::is_refuted(found, 0.95, false_refutation / static_cast<double>(family));
}

// The cells that are, one a line.
template <class Law>
std::string refuted(Claim claim, std::int64_t trials, const std::vector<double>& sizes,
                    const std::vector<double>& epsilons) {
  std::ostringstream cells;
  for (const Shape& shape : shapes()) {
    for (const Drawn drawn : {Drawn::once, Drawn::independently}) {
      for (const double size : sizes) {
        for (const double epsilon : epsilons) {
          const auto found = hits<Law>({shape, drawn, size}, epsilon, claim, trials, {});
          if (!is_refuted(found)) continue;
          cells << shape.name << ", " << size << " rows, epsilon " << epsilon << ": " << found.hits << " of "
                << found.trials << "\n";
        }
      }
    }
  }
  return cells.str();
}

template <class Law>
class SlowWeightedCoverage : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(SlowWeightedCoverage, Laws);

TYPED_TEST(SlowWeightedCoverage, OfMeansIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Claim::usual_mean, 1000, {15, 150}, {0.5, 5, 100}), "");
}

TYPED_TEST(SlowWeightedCoverage, OfGuaranteedMeansIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Claim::guaranteed_mean, 100, {150}, {5}), "");
}

TYPED_TEST(SlowWeightedCoverage, OfDeviationsIsNowhereRefuted) {
  EXPECT_EQ(refuted<TypeParam>(Claim::deviation, 500, {15, 150}, {2, 100}), "");
}

template <class Law>
class HeavyWeightedCoverage : public ::testing::Test {};
TYPED_TEST_SUITE(HeavyWeightedCoverage, Laws);

TYPED_TEST(HeavyWeightedCoverage, OfMeansAndDeviationsIsNowhereRefuted) {
  for (const Claim claim : {Claim::usual_mean, Claim::deviation}) {
    EXPECT_EQ(refuted<TypeParam>(claim, 4'000, {2, 30, 300}, {0.2, 1, 10, 1000}), "");
  }
}

// The same harness sees intervals that are about something else.
TYPED_TEST(SlowWeightedCoverage, OfRowsAsTheyAreIsRefuted) {
  const Survey survey(shapes()[0], Drawn::once, 150);
  const Belief no_weights{.design = {}, .takes_weights = false};
  EXPECT_TRUE(is_refuted(hits<TypeParam>(survey, 100, Claim::usual_mean, 200, no_weights)));
  EXPECT_FALSE(is_refuted(hits<TypeParam>(survey, 100, Claim::usual_mean, 200, {})));
}

TYPED_TEST(SlowWeightedCoverage, OfHeavyRowsThatAreTakenForLightOnesIsRefuted) {
  const Survey survey(shapes()[0], Drawn::once, 150);
  const Belief light{.design = {0, 1}, .takes_weights = true};
  EXPECT_TRUE(is_refuted(hits<TypeParam>(survey, 100, Claim::usual_mean, 1000, light)));
  EXPECT_TRUE(is_refuted(hits<TypeParam>(survey, 100, Claim::deviation, 1000, light)));
}

}  // namespace
}  // namespace vernier::interval
