#include "vernier/interval/population/published.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vernier/interval/noise/noise_sum.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::interval {
namespace {

constexpr double greatest_summed_variance = 1e10;  // above, Bernstein's inequality stands for the sum
constexpr double part_left_out = 1e-4;             // of what is rare
constexpr double blocks_per_deviation = 64;        // neighbouring masses are taken together, at their worst place
constexpr double mass_error = 4e-9;                // of up to 4 million steps of 6 roundings each
constexpr double ratio_raised = 1 + 1e-9;
constexpr std::int64_t most_members = std::int64_t{1} << 53;

// P[X >= t], both ends.
template <class Law>
Bounds tail_from(const Law& law, std::int64_t t) {
  const Bounds both = law.outside(t > 0 ? t - 1 : -t);
  const Bounds half{numeric::divide_down(both.lower, 2), numeric::divide_up(both.upper, 2)};
  if (t > 0) return half;
  return {numeric::subtract_down(1, half.upper), numeric::subtract_up(1, half.lower)};
}

double as_double(std::int64_t x) { return static_cast<double>(x); }

// Mass of k + 1 over that of k, of the binomial law alone.
struct Odds {
  double members, odds;
  double up(std::int64_t k) const { return (members - as_double(k)) / (as_double(k) + 1) * odds; }
  double down(std::int64_t k) const { return as_double(k) / (members - as_double(k) + 1) / odds; }
};

// Where the law given publication has its greatest mass, about: ratios of neighbours fall from 1 unit on.
std::int64_t published_mode(const Odds& odds, std::int64_t members, const Publication& publication) {
  const auto falls = [&](std::int64_t k) {
    const double here = publication.chance(k).upper, next = publication.chance(k + 1).upper;
    return here > 0 && odds.up(k) * next <= here;
  };
  return numeric::least_integer(falls, std::clamp<std::int64_t>(publication.threshold(), 1, members), {1, members})
      .value_or(members);
}

// Sums over the units of the law given publication, in units of its mass at the mode.
struct Sums {
  double reached = 0;    // P[published and lifted], from above
  double published = 0;  // P[published], from below
};

class PublishedSum {
 public:
  PublishedSum(std::int64_t members, Chance sampled, const Publication& publication, const NoiseTail& lifted,
               std::int64_t block, double rest)
      : odds_{as_double(members), sampled.value() / (1 - sampled.value())},
        members_(members),
        publication_(publication),
        lifted_(lifted),
        block_(block),
        rest_(rest) {}

  Sums sums() {
    const std::int64_t mode = published_mode(odds_, members_, publication_);
    add({mode, mode, 1});
    upward(mode);
    downward(mode);
    return {sums_.reached * (1 + 2 * mass_error), sums_.published * (1 - 2 * mass_error)};
  }

 private:
  struct Block {
    std::int64_t first, last;
    double mass;  // of the binomial law
  };

  void add(const Block& block) {
    sums_.reached += block.mass * publication_.chance(block.last).upper * lifted_(block.last);
    sums_.published += block.mass * publication_.chance(block.first).lower;
  }

  // What is beyond `mass` with ratios that fall is a geometric series at most. False: it is too much to leave out.
  bool leaves_out(double mass, double ratio) {
    ratio *= ratio_raised;
    if (!(ratio < 1) || mass * ratio > rest_ * sums_.published * (1 - ratio)) return false;
    sums_.reached += mass * ratio / (1 - ratio);
    return true;
  }

  void upward(std::int64_t from) {
    double mass = 1;
    for (std::int64_t k = from; k < members_;) {
      Block block{k + 1, k, 0};
      for (; k < members_ && k - block.first + 1 < block_; block.last = ++k) {
        mass *= odds_.up(k);
        block.mass += mass;
      }
      add(block);
      if (leaves_out(mass, odds_.up(k))) return;
    }
  }

  void downward(std::int64_t from) {
    double mass = 1;
    for (std::int64_t k = from; k > 1;) {
      Block block{k, k - 1, 0};
      for (; k > 1 && block.last - k + 1 < block_; block.first = --k) {
        mass *= odds_.down(k);
        block.mass += mass;
      }
      add(block);
      if (k <= 1) return;
      const Bounds here = publication_.chance(k);
      const double fewer = publication_.chance(k - 1).upper;
      if (here.lower > 0 && leaves_out(mass * here.upper, odds_.down(k) * fewer / here.lower)) return;
    }
  }

  Odds odds_;
  std::int64_t members_;
  const Publication& publication_;
  const NoiseTail& lifted_;
  std::int64_t block_;
  double rest_;
  Sums sums_;
};

std::int64_t block_for(double variance, double spread, double key_scale) {
  const double width = std::min(std::max(std::sqrt(variance), spread), std::max(key_scale, 1.0) * 4);
  return static_cast<std::int64_t>(width / blocks_per_deviation) + 1;
}

// By how much at most the number drawn is away from its mean, but for exp(-exponent).
double bernstein(double variance, double exponent) {
  return (std::sqrt(2 * variance * exponent) + exponent / 3) * (1 + 1e-12) + 1;
}

// Where the mean is beyond 10^10 units: given publication rare things are at most 1 / P[published] times as frequent.
bool is_too_few_of_many(std::int64_t members, Chance sampled, const Publication& publication, const NoiseTail& lifted,
                        double rare) {
  const double variance = binomial_variance(members, sampled), mean = as_double(members) * sampled.value();
  const double off = bernstein(variance, std::log(2 / rare) + 1e-3);
  const auto least = static_cast<std::int64_t>(mean * (1 - 0x1p-50) - off);
  const auto greatest = static_cast<std::int64_t>(mean * (1 + 0x1p-50) + off) + 1;
  const double published = publication.chance(least).lower * (1 - rare);
  return least > 0 && lifted(greatest) + rare / 2 * 1.0005 <= rare * published;
}

// The ends of what neither test rejects. Nothing where the population may exceed 2^53.
struct Members {
  double low, high;
};
Result<Members> members_from(const std::function<bool(std::int64_t)>& too_few,
                             const std::function<bool(std::int64_t)>& too_many, double guess) {
  const auto start = static_cast<std::int64_t>(std::clamp(guess, 1.0, as_double(most_members)));
  const numeric::IntegerRange range{1, most_members};
  const auto low = numeric::least_integer([&](std::int64_t m) { return !too_few(m); }, start, range);
  const auto beyond = numeric::least_integer(too_many, start, range);
  if (!low || !beyond) {
    return fail(ErrorKind::exhausted, "the population may have more than 2^53 members, which no interval is made for");
  }
  return Members{as_double(*low), as_double(std::max(*beyond - 1, *low))};
}

Result<Chance> chance_of(const Design& design) {
  VERNIER_TRY(check_published_design(design));
  const auto sampled = Chance::of(design.sampled);
  if (sampled) return sampled;
  return invalid(
      "a total of the population needs to know which part of it the table holds; declare `sampled` of the table, above "
      "0 and at most 1");
}

// The sum of three draws, from above.
GeometricSum three_of(const noise::Geometric& law) { return {law, most_nodes}; }
DiscreteGaussianSum three_of(const noise::DiscreteGaussian& law) { return {law, most_nodes}; }
template <class Sum>
double sum_tail(const Sum& sum, double t) {
  if (t < 1) return 1;
  return t < 0x1p62 ? sum.tail(static_cast<std::int64_t>(std::ceil(t))) : sum.tail(std::int64_t{1} << 62);
}

}  // namespace

Publication::Publication(const KeyLaw& law, std::int64_t threshold)
    : law_(law), threshold_(std::clamp<std::int64_t>(threshold, 1, most_members)) {}

double Publication::scale() const {
  return std::visit([](const auto& law) { return law.scale(); }, law_);
}

Bounds Publication::chance(std::int64_t units) const {
  if (units < 1) return {0, 0};
  return std::visit([&](const auto& law) { return tail_from(law, threshold_ - units); }, law_);
}

bool is_too_few_published(std::int64_t members, Chance sampled, const Publication& publication, const NoiseTail& lifted,
                          double spread, double rare) {
  if (members < 1) return true;
  if (sampled.value() == 1) return lifted(members) <= rare;
  const double variance = binomial_variance(members, sampled);
  if (variance > greatest_summed_variance) return is_too_few_of_many(members, sampled, publication, lifted, rare);
  const std::int64_t block = block_for(variance, spread, publication.scale());
  const Sums found = PublishedSum(members, sampled, publication, lifted, block, rare * part_left_out).sums();
  return found.reached <= rare * found.published;
}

bool is_too_many(std::int64_t members, Chance sampled, const NoiseTail& lowered, double spread, double rare) {
  const double variance = binomial_variance(members, sampled);
  if (variance > greatest_summed_variance) {
    const double mean = as_double(members) * sampled.value() * (1 - 0x1p-50);
    const double least = mean - bernstein(variance, std::log(2 / rare) + 1e-3);
    return least > 0 && lowered(static_cast<std::int64_t>(least)) + rare / 2 <= rare;
  }
  const BinomialMasses drawn = binomial_masses(members, sampled, rare * part_left_out);
  const auto block = static_cast<std::size_t>(block_for(variance, spread, 1e300));
  double sum = drawn.beyond;
  for (std::size_t i = 0; i < drawn.masses.size(); i += block) {
    double mass = 0;
    for (std::size_t j = i; j < std::min(i + block, drawn.masses.size()); ++j) mass += drawn.masses[j];
    sum += mass * lowered(drawn.first + static_cast<std::int64_t>(i));
  }
  return sum * ratio_raised <= rare;
}

Result<void> check_published_design(const Design& design) {
  if (design.greatest_weight == 1 && design.members_of_weight == 0) return {};
  return invalid(
      "publication under private keys depends on the sample, and with weights in a way that no interval is known for; "
      "declare the keys, or leave the weight out");
}

template <class Law>
Result<PublishedCountInference<Law>> PublishedCountInference<Law>::of(const Law& law, const Publication& publication,
                                                                      Alpha alpha, const Design& design) {
  VERNIER_TRY(const Chance sampled, chance_of(design));
  return PublishedCountInference(law, publication, sampled, alpha.value());
}

template <class Law>
Result<PopulationInterval> PublishedCountInference<Law>::from(std::int64_t released) const {
  const std::int64_t seen = std::clamp(released, -most_members, most_members);
  const std::int64_t possible = std::max<std::int64_t>(seen, 1);
  const NoiseTail lifted = [&](std::int64_t units) { return tail_from(law_, seen - units).upper; };
  const NoiseTail lowered = [&](std::int64_t units) { return tail_from(law_, units - possible).upper; };
  const double rare = alpha_ / 2, value = as_double(possible) / sampled_.value();
  VERNIER_TRY(
      const Members found,
      members_from(
          [&](std::int64_t m) { return is_too_few_published(m, sampled_, publication_, lifted, law_.scale(), rare); },
          [&](std::int64_t m) { return is_too_many(m, sampled_, lowered, law_.scale(), rare); }, value));
  const Interval interval{found.low, found.high};
  const double inside = std::clamp(value, interval.low, interval.high);
  return PopulationInterval{inside, farthest_end(inside, interval), interval, Status::proven, true, false};
}

template <class Law>
Result<PublishedSumInference<Law>> PublishedSumInference<Law>::of(const Law& law, const MeanNodes& nodes,
                                                                  noise::ValueRange bounds,
                                                                  const Publication& publication, Alpha alpha,
                                                                  Assurance assurance, const Design& design,
                                                                  double off) {
  VERNIER_TRY(const Chance sampled, chance_of(design));
  VERNIER_TRY(const Alpha half, Alpha::of(alpha.value() / 2));
  VERNIER_TRY(const auto mean,
              PopulationMeanInference<Law>::of(law, nodes, bounds, half, assurance, {.sampled = design.sampled}));
  return PublishedSumInference(law, mean, nodes, publication, sampled, half.value(), off);
}

template <class Law>
Result<PopulationInterval> PublishedSumInference<Law>::from(Released released) const {
  VERNIER_TRY(const PopulationInterval mean, mean_.from(released));
  const auto sum = three_of(law_);
  const auto row = as_double(nodes_.weight());
  const double total = total_of(released), error = total_of(released) * 0x1p-48;
  const double least = total - std::abs(error), greatest = std::max(total + std::abs(error), row);
  const NoiseTail lifted = [&](std::int64_t units) { return sum_tail(sum, least - as_double(units) * row); };
  const NoiseTail lowered = [&](std::int64_t units) { return sum_tail(sum, as_double(units) * row - greatest); };
  const double rare = alpha_ / 2, guess = std::max(total / row, 1.0) / sampled_.value(), spread = law_.scale() / row;
  VERNIER_TRY(const Members found,
              members_from(
                  [&](std::int64_t m) { return is_too_few_published(m, sampled_, publication_, lifted, spread, rare); },
                  [&](std::int64_t m) { return is_too_many(m, sampled_, lowered, spread, rare); }, guess));
  const Interval each{numeric::subtract_down(mean.interval.low, off_), numeric::add_up(mean.interval.high, off_)};
  const Interval interval{numeric::multiply_down(each.low, each.low >= 0 ? found.low : found.high),
                          numeric::multiply_up(each.high, each.high >= 0 ? found.high : found.low)};
  const double value = std::clamp(mean.value * std::clamp(guess, found.low, found.high), interval.low, interval.high);
  return PopulationInterval{value, farthest_end(value, interval), interval, mean.status, mean.informative, false};
}

template class PublishedCountInference<noise::Geometric>;
template class PublishedCountInference<noise::DiscreteGaussian>;
template class PublishedSumInference<noise::Geometric>;
template class PublishedSumInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
