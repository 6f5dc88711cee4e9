#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cli/law_figures.hpp"
#include "errors.hpp"
#include "law_noise.hpp"
#include "numbers.hpp"

namespace nb = nanobind;

// Values with noise, as it has to be added: noise/grid.md.
namespace vernier::python {
namespace {

// The nearest whole number, halves upward, as noise/grid.md has it. What is no number counts as the lower end.
std::int64_t nearest_whole(double value, std::int64_t lower, std::int64_t upper) {
  if (!(value > static_cast<double>(lower))) return lower;
  if (!(value < static_cast<double>(upper))) return upper;
  const double below = std::floor(value);
  return static_cast<std::int64_t>(value - below >= 0.5 ? below + 1 : below);
}

std::int64_t whole_end(const char* name, nb::handle value) {
  constexpr std::int64_t greatest = std::int64_t{1} << 62;
  const std::int64_t end = whole(name, value);
  if (-greatest <= end && end <= greatest) return end;
  raise_invalid(fmt::format("{} must be at most 2^62 in size, but it is {}", name, end));
}

std::vector<std::int64_t> perturbed_integers(const LawNoise& noise, const Numbers& given, nb::handle lower,
                                             nb::handle upper) {
  const std::int64_t least = whole_end("lower", lower), greatest = whole_end("upper", upper);
  if (least > greatest)
    raise_invalid(fmt::format("lower must not exceed upper, but they are {} and {}", least, greatest));
  std::vector<std::int64_t> values;
  std::visit(
      [&]<class Value>(const std::vector<Value>& all) {
        values.reserve(all.size());
        for (const Value one : all) {
          values.push_back(std::is_same_v<Value, double> ? nearest_whole(static_cast<double>(one), least, greatest)
                                                         : static_cast<std::int64_t>(one));
        }
      },
      given.values);
  noise.perturb(least, greatest, values);
  return values;
}

std::vector<double> perturbed_reals(const LawNoise& noise, const Numbers& given, nb::handle lower, nb::handle upper) {
  const noise::ValueRange range = value_of(
      noise::ValueRange::of(value_of(Real::of(real("lower", lower))), value_of(Real::of(real("upper", upper)))));
  std::vector<double> values;
  std::visit([&](const auto& all) { values.assign(all.begin(), all.end()); }, given.values);
  noise.perturb(range, values);
  return values;
}

// Only its type, never its value, can make a number fail: an error that depends on data would tell of them.
nb::object perturb(nb::handle capsule, nb::handle values, nb::handle lower, nb::handle upper) {
  LawNoise& noise = noise_of(capsule);
  noise.build();
  const bool is_one = !is_several(values);
  const Numbers given = numbers_of("values", is_one ? nb::object(nb::make_tuple(values)) : nb::borrow(values));
  const auto answer = [&](auto all) {
    return is_one ? nb::cast(all.front()) : nb::object(numpy_array(std::move(all)).attr("reshape")(given.shape));
  };
  return cli::is_over_integers(noise.law()) ? answer(perturbed_integers(noise, given, lower, upper))
                                            : answer(perturbed_reals(noise, given, lower, upper));
}

}  // namespace

void bind_law_perturb(nb::module_& module) {
  module.def("law_perturb", &perturb, nb::arg("law"), nb::arg("values").none(), nb::arg("lower").none(),
             nb::arg("upper").none(),
             "The values with noise: clamped, put on the grid of the noise, noise added in integers, scaled last.");
}

}  // namespace vernier::python
