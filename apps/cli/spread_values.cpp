#include "cli/spread_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

Result<long long> count_of(std::string_view option, std::string_view text) {
  const Result<long long> count = read_integer(fmt::format("the number of points of {}", option), text);
  if (!count || (*count >= 2 && *count <= most_spread_values)) return count;
  return invalid(
      fmt::format("the number of points of {} must be from 2 to {}, but it is {}", option, most_spread_values, *count));
}

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
  VERNIER_TRY(const auto count, count_of(option, text.substr(second + 1)));
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
