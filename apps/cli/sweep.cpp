#include "cli/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/errors.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

struct Parts {
  std::string_view key, first, last, count;
};

Result<Parts> parts_of(std::string_view text, std::string_view option) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = text.find(':', equals);
  const std::size_t second = colon == std::string_view::npos ? colon : text.find(':', colon + 1);
  if (equals == std::string_view::npos || second == std::string_view::npos) {
    return invalid(
        fmt::format("{} must be KEY=FIRST:LAST:POINTS, such as epsilon=0.1:10:50, but it is '{}'", option, text));
  }
  return Parts{text.substr(0, equals), text.substr(equals + 1, colon - equals - 1),
               text.substr(colon + 1, second - colon - 1), text.substr(second + 1)};
}

Result<long long> count_of(std::string_view text, std::string_view option, long long most) {
  const std::string subject = fmt::format("the number of points of {}", option);
  const Result<long long> count = read_integer(subject, text);
  if (!count) return count;
  if (*count >= 2 && *count <= most) return count;
  return invalid(fmt::format("{} must be from 2 to {}, but it is {}", subject, most, *count));
}

std::vector<Decimal> spaced(const Decimal& first, const Decimal& last, long long count) {
  const double start = std::log(first.nearest),
               step = (std::log(last.nearest) - start) / static_cast<double>(count - 1);
  std::vector<Decimal> points = {first};
  for (long long i = 1; i < count - 1; ++i) {
    points.push_back(Decimal::exactly(std::exp(start + step * static_cast<double>(i))));
  }
  points.push_back(last);
  return points;
}

Result<void> check_key(std::string_view key, const std::vector<std::string>& keys, std::string_view option) {
  if (std::find(keys.begin(), keys.end(), key) != keys.end()) return {};
  return invalid(fmt::format("{} goes over one of {}, but its key is '{}'{}", option, fmt::join(keys, ", "), key,
                             suggestion(key, keys)));
}

}  // namespace

Result<Sweep> read_sweep(std::string_view text, const std::vector<std::string>& keys, std::string_view option,
                         long long most_points) {
  VERNIER_TRY(const Parts parts, parts_of(text, option));
  VERNIER_TRY(check_key(parts.key, keys, option));
  VERNIER_TRY(const Decimal first, read_decimal(fmt::format("the first value of {}", option), parts.first));
  VERNIER_TRY(const Decimal last, read_decimal(fmt::format("the last value of {}", option), parts.last));
  VERNIER_TRY(const long long count, count_of(parts.count, option, most_points));
  if (first.nearest > 0 && first.nearest < last.nearest) {
    return Sweep{std::string(parts.key), spaced(first, last, count)};
  }
  return invalid(
      fmt::format("{} must rise from a first value above 0 to a larger last one, but it is '{}'", option, text));
}

void round_to_whole(Sweep& sweep) {
  std::vector<Decimal> whole;
  for (const Decimal& point : sweep.points) {
    const double value = std::max(1.0, std::round(point.nearest));
    if (whole.empty() || value > whole.back().nearest) whole.push_back(Decimal::exactly(value));
  }
  sweep.points = std::move(whole);
}

}  // namespace vernier::cli
