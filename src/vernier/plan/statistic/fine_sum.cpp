#include "vernier/plan/statistic/fine_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/statistic/boxed.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/sum.hpp"

namespace vernier::plan {
namespace {

constexpr Int128 greatest_fine = Int128{1} << 51;  // x / g + 1/2 has no rounding error
constexpr int most_halvings = 28;                  // what is left of 2^34 rows, the most there can be, has 62 bits
constexpr std::int64_t most_passes = 1024;         // of a statement on a server: each is rounded by itself

bool is_added_up(MeasurementKind kind) { return kind == Sum::kind || kind == Mean::kind || kind == Boxed::kind; }

bool is_of_rows(const BoundStatistic& statistic) { return !statistic.inference.of_population && !statistic.weighted; }

// The argument that it is the sum of; none where it names no such one, which a record may do.
std::optional<std::size_t> added_argument(const BoundStatistic& statistic, const Measurement& one) {
  for (const std::size_t place : one.tallies) {
    if (place >= statistic.tallies.size()) return std::nullopt;
    const Tally& tally = statistic.tallies[place];
    if (tally.kind == TallyKind::sum)
      return tally.argument < statistic.arguments.size() ? std::optional(tally.argument) : std::nullopt;
  }
  return std::nullopt;
}

bool is_fine_sum(const BoundStatistic& statistic, const Measurement& one) {
  const bool is_rounded = one.is_rounded || statistic.table.unit.has_value();
  return one.figure == Figure::sum && is_rounded && is_added_up(one.kind) && is_of_rows(statistic);
}

// As fine as the larger bound stays within 2^51 steps.
int halvings_of(const Argument& x, int most = most_halvings) {
  const Int128 lower = Int128{x.origin} + x.steps.lower, upper = Int128{x.origin} + x.steps.upper;
  const Int128 size = std::max({-lower, upper, Int128{1}});
  int halvings = 0;
  while (halvings < most && size << (halvings + 1) <= greatest_fine) ++halvings;
  return halvings;
}

}  // namespace

int halvings_of(const BoundStatistic& statistic, std::size_t argument) {
  const Argument& x = statistic.arguments[argument];
  const bool is_plain = x.is_number && !x.is_value && !x.square && !x.weight;
  const std::vector<Measurement>& all = statistic.measurements;
  const bool is_wanted = is_plain && std::any_of(all.begin(), all.end(), [&](const Measurement& one) {
                           return is_fine_sum(statistic, one) && added_argument(statistic, one) == argument;
                         });
  return is_wanted ? halvings_of(x) : 0;
}

Argument finer(const Argument& x, int halvings) {
  const std::int64_t times = std::int64_t{1} << halvings;
  Argument fine = x;
  fine.granularity = std::ldexp(x.granularity, -halvings);
  fine.origin *= times;
  fine.steps = {x.steps.lower * times, x.steps.upper * times};
  return fine;
}

Argument in_finest_steps(const Argument& x) { return finer(x, halvings_of(x, 64)); }

std::int64_t rounded_steps(const Measured& in) {
  if (!is_fine_sum(in.statistic, in.one)) return 0;
  const auto argument = added_argument(in.statistic, in.one);
  if (!argument) return 0;
  const int halvings = halvings_of(in.statistic.arguments[*argument]);
  const int each = (in.one.is_rounded ? 1 : 0) + (in.has_scaled_rows() ? 1 : 0);
  const Int128 parts = Int128{1} << halvings, all = Int128{in.statistic.table.row_limit} * each;
  const auto rows = static_cast<std::int64_t>((all + parts - 1) / parts);
  return halvings == 0 ? rows : rows + most_passes / 2;
}

double sum_rounding(const Measured& in) {
  return numeric::multiply_up(static_cast<double>(rounded_steps(in)), in.one.granularity);
}

bool is_sum_of_rounded(const Measured& in) {
  return in.one.figure == Figure::sum && (in.one.is_rounded || in.has_scaled_rows());
}

}  // namespace vernier::plan
