#include "vernier/coverage/population.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include <boost/math/special_functions/erf.hpp>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"

namespace vernier::coverage {
namespace {

constexpr double greatest_step = 0x1p53, most_steps = 0x1p30;
constexpr double rounding = 1e-9;  // of decimal bounds over a decimal granularity, in steps

Result<std::int64_t> steps_from_zero(double bound, double granularity) {
  const double steps = bound / granularity;
  if (!(std::abs(steps) <= greatest_step)) {
    return invalid("the granularity " + shortest(granularity) + " is too fine for a bound of " + shortest(bound) +
                   "; make it coarser");
  }
  const double whole = std::round(steps);
  if (std::abs(steps - whole) <= rounding * std::max(1.0, std::abs(whole))) return static_cast<std::int64_t>(whole);
  return invalid("the bounds must be whole multiples of the granularity " + shortest(granularity) + ", but " +
                 shortest(bound) + " is none; give another granularity");
}

}  // namespace

Result<ValueGrid> ValueGrid::of(Real lower, Real upper, Real granularity) {
  if (!(granularity.value() > 0)) {
    return invalid("the granularity must be above 0, but it is " + shortest(granularity.value()));
  }
  if (!(lower.value() < upper.value())) {
    return invalid("the lower bound must be below the upper one, but they are " + shortest(lower.value()) + " and " +
                   shortest(upper.value()));
  }
  VERNIER_TRY(const std::int64_t first, steps_from_zero(lower.value(), granularity.value()));
  VERNIER_TRY(const std::int64_t last, steps_from_zero(upper.value(), granularity.value()));
  const std::int64_t steps = last - first;
  if (steps >= 1 && static_cast<double>(steps) <= most_steps) return ValueGrid(first, steps, granularity.value());
  return invalid("the bounds must be 1 to 2^30 steps of the granularity apart, but they are " + std::to_string(steps) +
                 "; give another granularity");
}

std::int64_t ValueGrid::step_of(double value) const {
  const double step = std::round(value / granularity_ - static_cast<double>(origin_));
  return step > 0 ? static_cast<std::int64_t>(std::min(step, static_cast<double>(steps_))) : 0;
}

noise::ValueRange ValueGrid::bounds() const { return *noise::ValueRange::of(*Real::of(lower()), *Real::of(upper())); }

Result<Population> Population::of(std::vector<double> values) {
  if (values.empty()) return invalid("a population needs at least one value, but there is none");
  if (values.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return invalid("a population may have at most 2^31 values; take a part of them");
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::all_of(values.begin(), values.end(), is_finite)) return Population(std::move(values));
  return invalid("the values of a population must be finite numbers");
}

PlacedPopulation::PlacedPopulation(const Population& population, const ValueGrid& grid) : grid_(grid) {
  std::vector<std::int64_t> each;
  each.reserve(population.values().size());
  for (const double value : population.values()) each.push_back(grid.step_of(value));
  steps_ = each;
  std::sort(steps_.begin(), steps_.end());
  steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
  members_.reserve(each.size());
  for (const std::int64_t step : each) {
    members_.push_back(
        static_cast<std::uint32_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin()));
  }
}

namespace {

using Keys = std::map<std::string, double, std::less<>>;
using Quantile = std::function<double(double p, const Keys& keys)>;

struct Shape {
  std::string name;
  Keys keys;  // with their values unless given
  Quantile quantile;
  double lower, upper, granularity;
};

double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * p); }

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"normal",
       {{"mean", 0}, {"deviation", 1}},
       [](double p, const Keys& k) { return k.at("mean") + k.at("deviation") * normal_quantile(p); },
       -4,
       4,
       0x1p-7},
      {"skewed",
       {{"sigma", 1}},
       [](double p, const Keys& k) { return std::exp(k.at("sigma") * normal_quantile(p)); },
       0,
       20,
       0x1p-6},
      {"two-point",
       {{"share", 0.1}},
       [](double p, const Keys& k) { return p < 1 - k.at("share") ? 0.0 : 1.0; },
       0,
       1,
       1},
      {"constant", {{"value", 0.5}}, [](double, const Keys& k) { return k.at("value"); }, 0, 1, 0x1p-10},
      {"uniform", {}, [](double p, const Keys&) { return p; }, 0, 1, 0x1p-10},
  };
  return all;
}

std::vector<std::string> parts_of(std::string_view words) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    parts.emplace_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

Result<void> read_key(const std::string& part, const Shape& shape, Keys& keys) {
  const std::size_t equals = part.find('=');
  const std::string key = part.substr(0, equals);
  const auto found = keys.find(key);
  if (equals == std::string::npos || found == keys.end()) {
    std::vector<std::string> known;
    for (const auto& [name, value] : shape.keys) known.push_back(name + "=" + shortest(value));
    return invalid("the distribution '" + shape.name + "' takes " +
                   (known.empty() ? std::string("no keys") : listed(known) + " or other values of these") +
                   ", but there is '" + part + "'");
  }
  VERNIER_TRY(const double value, read_number("the key '" + key + "' of the distribution", part.substr(equals + 1)));
  found->second = value;
  return {};
}

Result<void> check(const Keys& keys) {
  for (const char* const scale : {"deviation", "sigma"}) {
    const auto found = keys.find(scale);
    if (found == keys.end() || (found->second > 0 && found->second <= 100)) continue;
    return invalid(std::string("the ") + scale + " of a distribution must be above 0 and at most 100, but it is " +
                   shortest(found->second));
  }
  const auto share = keys.find("share");
  if (share == keys.end() || (share->second >= 0 && share->second <= 1)) return {};
  return invalid("the share of a distribution must be between 0 and 1, but it is " + shortest(share->second));
}

Result<NamedPopulation> population_of(const Shape& shape, const Keys& keys) {
  std::vector<double> values;
  values.reserve(named_members);
  for (int i = 0; i < named_members; ++i) values.push_back(shape.quantile((i + 0.5) / named_members, keys));
  return Population::of(std::move(values)).map([&](Population population) {
    return NamedPopulation{std::move(population), shape.lower, shape.upper, shape.granularity};
  });
}

}  // namespace

std::vector<std::string> population_names() {
  std::vector<std::string> names;
  for (const Shape& shape : shapes()) names.push_back(shape.name);
  return names;
}

Result<NamedPopulation> population_named(std::string_view words) {
  const std::vector<std::string> parts = parts_of(words);
  for (const Shape& shape : shapes()) {
    if (shape.name != parts.front()) continue;
    Keys keys = shape.keys;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      VERNIER_TRY(read_key(parts[i], shape, keys));
    }
    VERNIER_TRY(check(keys));
    return population_of(shape, keys);
  }
  return invalid("the distribution must be one of " + listed(population_names()) + ", but it is '" + parts.front() +
                 "'" + suggestion(parts.front(), population_names()));
}

}  // namespace vernier::coverage
