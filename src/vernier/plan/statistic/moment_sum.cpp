#include "vernier/plan/statistic/moment_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/statistic/moments.hpp"
#include "vernier/plan/statistic/sum.hpp"

namespace vernier::plan {
namespace {

constexpr double part_for_rows = 0x1p-10;  // of alpha
constexpr double raised = 1 + 0x1p-40;     // more than all roundings of doubles here

double noise_reach(const AdditiveLaw& law, double alpha) {
  const interval::Coefficients ones{1, 1, 1};
  return std::visit(
      [&]<class Law>(const Law& known) {
        return interval::CombinedNoise<Law>::of(known, *Alpha::of(alpha), interval::most_nodes).reach(ones);
      },
      law);
}

// The rows, or steps of their weights, that there are at most, but for alpha.
struct MostRows {
  double row, reach;

  double of(std::span<const std::int64_t> noisy) const {
    double total = reach;
    for (const std::int64_t one : noisy) total += static_cast<double>(one);
    return std::max(total, 0.0) / row * raised;
  }
};
MostRows most_rows(const Measured& in, const AdditiveLaw& law, double alpha) {
  return {static_cast<double>(in.one.steps) * static_cast<double>(in.one.fineness), noise_reach(law, alpha)};
}

// Members of a population of whom so many were drawn at most, each drawn for `heaviest` of them at most (rounding.md).
double most_members(double drawn, double heaviest, double log_of_rare) {
  const double half = log_of_rare / 2;
  const double root = std::sqrt(drawn / heaviest + half) + std::sqrt(half);
  return heaviest * root * root * raised;
}

bool has_no_less_than_0(const Measurement& one) { return one.kind == Sum::kind ? one.least >= 0 : one.origin >= 0; }
bool has_no_more_than_0(const Measurement& one) {
  return one.kind == Sum::kind ? one.greatest <= 0 : one.origin + one.steps <= 0;
}

}  // namespace

double moved_by_member(const Measured& in) {
  const double between = in.one.is_rounded ? in.one.granularity / 2 : 0;
  const double part = in.has_scaled_rows() ? in.one.granularity / static_cast<double>(in.one.fineness) : 0;
  return (between + part) * raised;
}

Result<SumLevels> sum_levels(Alpha level) {
  VERNIER_TRY(const Alpha of_sum, Alpha::of(level.value() * (1 - part_for_rows)));
  VERNIER_TRY(const Alpha of_rows, Alpha::of(level.value() * part_for_rows * (1 - 0x1p-40)));
  return SumLevels{of_sum, of_rows};
}

bool is_rounded_moment_sum(const Measured& in) {
  return in.one.kind == Moments::kind && in.one.figure == Figure::sum && moved_by_member(in) > 0;
}

SumReach sum_reach(const Measured& in, const AdditiveLaw& law, Alpha of_rows) {
  if (!in.is_of_population()) {
    return [rows = most_rows(in, law, of_rows.value()), by = moved_by_member(in)](std::span<const std::int64_t> noisy) {
      return rows.of(noisy) * by * raised;
    };
  }
  const interval::Design design = design_of(in.statistic);
  const double members = design.sampled > 0 ? 1 / design.sampled : design.members_of_weight;
  const double heaviest = members * design.greatest_weight, log_of_rare = std::log(2 / of_rows.value()) * raised;
  return [=, rows = most_rows(in, law, of_rows.value() / 2),
          by = moved_by_member(in)](std::span<const std::int64_t> noisy) {
    return most_members(rows.of(noisy) * members, heaviest, log_of_rare) * by * raised;
  };
}

Estimate widened_sum(const Measurement& one, Estimate found, double by) {
  interval::Interval all{numeric::subtract_down(found.interval.low, by), numeric::add_up(found.interval.high, by)};
  if (has_no_less_than_0(one)) all.low = std::max(all.low, std::min(found.interval.low, 0.0));
  if (has_no_more_than_0(one)) all.high = std::min(all.high, std::max(found.interval.high, 0.0));
  found.interval = all;
  found.accuracy = numeric::add_up(found.accuracy, by);
  found.is_whole = false;
  return found;
}

}  // namespace vernier::plan
