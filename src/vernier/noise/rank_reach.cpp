#include "vernier/noise/rank_reach.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/rank_statistic.hpp"

namespace vernier::noise {

using numeric::Rational;

namespace {

__extension__ using Wide = __int128;

constexpr int part_bits = 10;  // squares are counted in parts of 2^-10
constexpr std::int64_t greatest_reach = std::int64_t{1} << 59;

Probability chance(Alpha alpha) { return *Probability::of(alpha.value()); }

std::int64_t quotient_up(Wide x, Wide by) { return static_cast<std::int64_t>((x + by - 1) / by); }

// The least whole number whose square is x or more; x up to 2^118. A long double may be off by one or two.
std::int64_t root_up(Wide x) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<long double>(x)));
  while (Wide{root} * root >= x && root > 0) --root;
  while (Wide{root} * root < x) ++root;
  return root;
}

}  // namespace

// With K the square and s the slope, s x + K / 4s is the tangent of sqrt(K x) at x = K / 4s^2. What is needed is raised
// until it rises by no more than the slope, from the last row back, and until it never falls.
EndReach::EndReach(double constant, double square, std::int64_t slope, std::span<const std::int64_t> needed)
    : constant_(static_cast<std::int64_t>(std::ceil(constant))),
      slope_(slope),
      parts_of_square_(static_cast<Wide>(std::ceil(std::ldexp(square, part_bits)))),
      intercept_(quotient_up(parts_of_square_, Wide{4 << part_bits} * slope)),
      turn_(quotient_up(parts_of_square_, (Wide{4 << part_bits} * slope) * slope)) {
  const auto rows = static_cast<std::int64_t>(needed.size());
  if (rows < turn_) return;
  table_.assign(needed.begin(), needed.end());
  std::int64_t behind = formula(rows);
  for (auto each = table_.rbegin(); each != table_.rend(); ++each) *each = behind = std::max(*each, behind - slope);
  std::int64_t before = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t& each = table_[static_cast<std::size_t>(i)];
    before = std::max(before, each);
    each = std::min(before, formula(i));
  }
}

std::int64_t EndReach::formula(std::int64_t rows) const {
  if (rows < turn_) return constant_ + slope_ * rows + intercept_;
  return constant_ + root_up((parts_of_square_ * rows + (1 << part_bits) - 1) >> part_bits);
}

std::int64_t EndReach::at(std::int64_t rows) const {
  const auto place = static_cast<std::size_t>(rows);
  return place < table_.size() ? table_[place] : formula(rows);
}

std::int64_t RankReach::at(std::int64_t rows, const RankStatistic& statistic) const {
  const std::int64_t up_to = static_cast<std::int64_t>(Wide{rows} * statistic.numerator() / statistic.denominator());
  return reach_ + std::max(of_lower(rows - up_to), of_upper(up_to));
}

// In the midst of the reaches that are as good as any other is that of the value: the page has what more and less give.
Result<ValueReach> value_reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha) {
  const auto least = law.distance_quantile(4 * Margins(statistic.points()).count() + 2, chance(alpha));
  const auto of_value = reach_of(law, statistic, alpha);
  const auto beyond = law.distance_quantile(statistic.candidates() + 1, *Probability::of(0.5));
  if (!least) return Failure(least.error());
  if (!of_value) return Failure(of_value.error());
  if (!beyond) return Failure(beyond.error());
  return ValueReach{*least, std::max<std::int64_t>(*of_value - *least, 0), *least + *beyond};
}

Result<std::int64_t> reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha) {
  return law.distance_quantile(statistic.candidates(), chance(alpha));
}

// Less than the reach; of ends beyond the reach by less than the reach.
Rational ranks_of(std::int64_t reach, const RankStatistic& statistic) {
  const std::int64_t reaches = statistic.has_value() ? 1 : 2;
  return *quotient(Rational::of(reaches * reach - 1), Rational::of(statistic.denominator()));
}

std::int64_t reach_for(const Rational& ranks, const RankStatistic& statistic) {
  const std::int64_t reaches = statistic.has_value() ? 1 : 2;
  const Rational most = ranks * Rational::of(statistic.denominator()) + Rational::of(1);
  return std::clamp<std::int64_t>(most.floor().value_or(2 * greatest_reach) / reaches, 1, greatest_reach);
}

double scale_for(std::int64_t reach, const RankStatistic& statistic, Alpha alpha) {
  return Exponential::scale_for(reach, statistic.candidates(), chance(alpha));
}

}  // namespace vernier::noise
