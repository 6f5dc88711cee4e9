#include "cli/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/output.hpp"
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

Result<Sweep> read_sweep(std::string_view text, const std::vector<std::string>& keys, const std::string& option,
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

namespace {

double rounded(double value) { return *read_number("a value", fmt::format("{:.12g}", value)); }

std::vector<double> values_between(double first, double last, long long count) {
  std::vector<double> values = {first};
  for (long long i = 1; i < count - 1; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    values.push_back(rounded(first + (last - first) * part));
  }
  values.push_back(last);
  return values;
}

// "0.1,0.3,1"
Result<std::vector<double>> read_listed(std::string_view option, std::string_view text) {
  std::vector<double> values;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    VERNIER_TRY(const auto value, read_number(option, text.substr(0, comma)));
    if (!values.empty() && !(values.back() < value)) {
      return invalid(fmt::format("the numbers of {} must ascend, but {} comes after {}", option, shortest(value),
                                 shortest(values.back())));
    }
    values.push_back(value);
    is_last = comma == std::string_view::npos;
    if (!is_last) text.remove_prefix(comma + 1);
  }
  if (static_cast<long long>(values.size()) <= most_spread_values) return values;
  return invalid(fmt::format("{} has {} numbers, but at most {} can be asked together; give fewer", option,
                             values.size(), most_spread_values));
}

Failure no_spread(std::string_view option, std::string_view text) {
  return invalid(
      fmt::format("{} must be a number or FIRST:LAST:POINTS with a last value above the first, such as "
                  "0.1:1:10, but it is '{}'",
                  option, text));
}

}  // namespace

Result<std::vector<double>> read_spread(std::string_view option, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return read_listed(option, text);
  const std::size_t second = text.find(':', colon + 1);
  if (second == std::string_view::npos) return no_spread(option, text);
  VERNIER_TRY(const auto first, read_number(fmt::format("the first value of {}", option), text.substr(0, colon)));
  VERNIER_TRY(const auto last,
              read_number(fmt::format("the last value of {}", option), text.substr(colon + 1, second - colon - 1)));
  VERNIER_TRY(const auto count, count_of(text.substr(second + 1), option, most_spread_values));
  if (!(first < last)) return no_spread(option, text);
  return values_between(first, last, count);
}

Result<std::vector<double>> read_whole_spread(std::string_view option, std::string_view text) {
  Result<std::vector<double>> values = read_spread(option, text);
  if (!values) return values;
  const bool is_written = text.find(':') == std::string_view::npos;
  const bool is_whole = std::all_of(values->begin(), values->end(), [](double v) { return std::floor(v) == v; });
  if (is_written && !is_whole) {
    return invalid(fmt::format("{} must be a whole number such as 500, but it is {}", option, text));
  }
  for (double& value : *values) value = std::round(value);
  values->erase(std::unique(values->begin(), values->end()), values->end());
  return values;
}

}  // namespace vernier::cli
