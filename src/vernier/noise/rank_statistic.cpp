#include "vernier/noise/rank_statistic.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <utility>

namespace vernier::noise {
namespace {

using numeric::Rational;

std::optional<std::int64_t> read(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// a/b in lowest terms, where both fit.
std::optional<std::pair<std::int64_t, std::int64_t>> terms(const Rational& fraction) {
  const std::string text = fraction.text();
  const std::size_t bar = text.find('/');
  if (bar == std::string::npos) return std::nullopt;
  const auto a = read(std::string_view(text).substr(0, bar)), b = read(std::string_view(text).substr(bar + 1));
  if (!a || !b) return std::nullopt;
  return std::pair{*a, *b};
}

Result<void> check_points(std::int64_t points) {
  if (points >= 2 && points <= most_rank_points) return {};
  return invalid("the grid of a quantile has from 2 to 2^20 points, but it has " + std::to_string(points));
}

}  // namespace

Result<RankGrid> RankGrid::of(std::int64_t steps) {
  if (steps < 1 || steps > (std::int64_t{1} << 53)) {
    return invalid("the values of a quantile have from 1 to 2^53 steps, but these have " + std::to_string(steps));
  }
  int halvings = 0;
  while ((steps >> halvings) + 1 > most_rank_points) ++halvings;
  return RankGrid(steps, halvings);
}

Result<RankStatistic> RankStatistic::quantile(const Rational& fraction, std::int64_t points) {
  if (const Result<void> checked = check_points(points); !checked) return Failure(checked.error());
  if (!(Rational::of(0) < fraction && fraction < Rational::of(1))) {
    return invalid("the fraction of a quantile must lie between 0 and 1, both excluded; MIN and MAX are the ends");
  }
  const auto read = terms(fraction);
  if (!read || read->second > greatest_fraction_denominator) {
    return invalid("the fraction of a quantile may have at most six decimals, as 0.999999 has");
  }
  return RankStatistic(read->first, read->second, 0, points, Ends::both);
}

Result<RankStatistic> RankStatistic::least(std::int64_t points) {
  if (const Result<void> checked = check_points(points); !checked) return Failure(checked.error());
  return RankStatistic(0, 1, 1, points, Ends::upper);
}

Result<RankStatistic> RankStatistic::greatest(std::int64_t points) {
  if (const Result<void> checked = check_points(points); !checked) return Failure(checked.error());
  return RankStatistic(1, 1, 0, points, Ends::lower);
}

}  // namespace vernier::noise
