#include "cli/law/law.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.hpp"
#include "cli/chart_json.hpp"
#include "errors.hpp"
#include "law_noise.hpp"
#include "numbers.hpp"
#include "vernier/core/text.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

using cli::LawFunction;
using cli::Number;

constexpr std::size_t points_between_signals = 4096;

// A law is kept in a capsule, on which nothing can be called.
nb::tuple law_named(nb::handle mechanism, nb::handle scale) {
  const auto law = value_of(noise::law_named(text("mechanism", mechanism, "laplace"), real("scale", scale)));
  const auto destroy = [](void* noise) noexcept { delete static_cast<LawNoise*>(noise); };
  return nb::make_tuple(nb::capsule(new LawNoise(law), capsule_name, destroy), std::string(noise::name_of(law)),
                        noise::scale_of(law), noise::standard_deviation(law), cli::is_over_integers(law));
}

// The functions that have a value with bounds.
LawFunction function_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, LawFunction>, 3> functions = {{
      {"density", LawFunction::density},
      {"cumulative", LawFunction::cumulative},
      {"tail", LawFunction::tail},
  }};
  for (const auto& [known, function] : functions) {
    if (known == name) return function;
  }
  raise_invalid(fmt::format("the function must be density, cumulative or tail, but it is '{}'", name));
}

std::int64_t whole_at(double value, std::size_t i) {
  if (std::trunc(value) == value && std::abs(value) < 0x1p53) return static_cast<std::int64_t>(value);
  raise_invalid(fmt::format("x[{}] must be a whole number below 2^53 in size, but it is {}", i, shortest(value)));
}

double finite_at(double value, std::size_t i) {
  if (std::isfinite(value)) return value;
  raise_invalid(fmt::format("x[{}] must be a finite number, but it is {}", i, shortest(value)));
}

// The points as the law takes them: integers or doubles.
std::vector<Number> points_of(const noise::AnyLaw& law, const Numbers& given) {
  const bool is_whole = cli::is_over_integers(law);
  std::vector<Number> points;
  std::visit(
      [&]<class Value>(const std::vector<Value>& values) {
        points.reserve(values.size());
        for (const Value value : values) {
          if constexpr (std::is_same_v<Value, double>) {
            points.push_back(is_whole ? Number(whole_at(value, points.size())) : finite_at(value, points.size()));
          } else {
            points.push_back(is_whole ? Number(value) : static_cast<double>(value));
          }
        }
      },
      given.values);
  return points;
}

std::vector<Bounds> bounds_at(const noise::AnyLaw& law, LawFunction function, const std::vector<Number>& points) {
  const nb::gil_scoped_release others_may_run;
  std::vector<Bounds> all;
  all.reserve(points.size());
  for (const Number& point : points) {
    if (all.size() % points_between_signals == 0) raise_on_signal();
    all.push_back(cli::law_bounds(law, function, point));
  }
  return all;
}

template <class Get>
nb::object column(const std::vector<Bounds>& all, const nb::tuple& shape, Get get) {
  std::vector<double> values;
  values.reserve(all.size());
  for (const Bounds& one : all) values.push_back(get(one));
  return numpy_array(std::move(values)).attr("reshape")(shape);
}

// A figure, or with `bounds` its two ends; arrays where x is one.
nb::object figure(nb::handle capsule, const std::string& function, nb::handle x, bool bounds) {
  const noise::AnyLaw& law = noise_of(capsule).law();
  const LawFunction chosen = function_named(function);
  if (!is_several(x)) {
    const bool is_whole = cli::is_over_integers(law);
    const Bounds found = cli::law_bounds(law, chosen, is_whole ? Number(whole("x", x)) : Number(real("x", x)));
    return bounds ? nb::object(nb::make_tuple(found.lower, found.upper)) : nb::float_(cli::middle(found));
  }
  const Numbers given = numbers_of("x", x);
  const std::vector<Bounds> found = bounds_at(law, chosen, points_of(law, given));
  if (!bounds) return column(found, given.shape, cli::middle);
  return nb::make_tuple(column(found, given.shape, [](const Bounds& one) { return one.lower; }),
                        column(found, given.shape, [](const Bounds& one) { return one.upper; }));
}

std::vector<Probability> probabilities_of(const Numbers& given) {
  std::vector<Probability> all;
  std::visit(
      [&](const auto& values) {
        for (const auto value : values) all.push_back(value_of(Probability::of(static_cast<double>(value))));
      },
      given.values);
  return all;
}

// Integers have no infinities, so an array of them has no place for the quantiles of 0 and 1.
void check_inside(const std::vector<Probability>& all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value() > 0 && all[i].value() < 1) continue;
    raise_invalid(
        fmt::format("p[{}] is {}, whose quantile is infinite and has no place in an array of integers; ask "
                    "for it alone",
                    i, all[i].value()));
  }
}

template <class Value>
Result<std::vector<Value>> quantiles(const noise::AnyLaw& law, const std::vector<Probability>& all) {
  const nb::gil_scoped_release others_may_run;
  std::vector<Value> found;
  found.reserve(all.size());
  for (const Probability p : all) {
    if (found.size() % points_between_signals == 0) raise_on_signal();
    VERNIER_TRY(const Number one, cli::law_quantile(law, p));
    found.push_back(std::get<Value>(one));
  }
  return found;
}

nb::object number_object(const Number& value) {
  return std::visit([](auto one) { return nb::cast(one); }, value);
}

nb::object quantile(nb::handle capsule, nb::handle p) {
  const noise::AnyLaw& law = noise_of(capsule).law();
  if (!is_several(p)) {
    const Probability one = value_of(Probability::of(real("p", p)));
    return number_object(value_of(cli::law_quantile(law, one)));
  }
  const Numbers given = numbers_of("p", p);
  const std::vector<Probability> all = probabilities_of(given);
  if (!cli::is_over_integers(law)) {
    return numpy_array(value_of(quantiles<double>(law, all))).attr("reshape")(given.shape);
  }
  check_inside(all);
  return numpy_array(value_of(quantiles<std::int64_t>(law, all))).attr("reshape")(given.shape);
}

nb::tuple shape_of(nb::handle size) {
  nb::list sides;
  std::int64_t draws = 1;
  const auto add = [&](nb::handle side) {
    const std::int64_t length = whole("size", side);
    if (length < 0) raise_invalid(fmt::format("size must not be negative, but it is {}", length));
    if (length > greatest_length || draws * length > greatest_length) {
      raise_invalid(fmt::format("size must be at most {} draws; draw more in several calls", greatest_length));
    }
    draws *= length;
    sides.append(length);
  };
  if (PyTuple_Check(size.ptr()) || PyList_Check(size.ptr())) {
    for (const nb::handle side : nb::iter(size)) add(side);
  } else {
    add(size);
  }
  return nb::tuple(sides);
}

// The memory is numpy's own; noise goes straight into it.
nb::object empty_array(const nb::tuple& shape, const char* type) {
  try {
    return nb::module_::import_("numpy").attr("empty")(shape, type);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_MemoryError) && !error.matches(PyExc_ValueError)) throw;
  }
  raise({ErrorKind::system, "there is no memory for so many draws; draw fewer at a time"});
}

template <class Value>
nb::object draws_of(LawNoise& noise, nb::handle size, const char* type) {
  noise.build();
  if (size.is_none()) {
    Value one{};
    noise.fill(std::span<Value>(&one, 1));
    return nb::cast(one);
  }
  const nb::object array = empty_array(shape_of(size), type);
  const auto view = nb::cast<nb::ndarray<Value, nb::c_contig, nb::device::cpu>>(array);
  noise.fill(std::span<Value>(view.data(), view.size()));
  return array;
}

nb::object sample(nb::handle capsule, nb::handle size) {
  LawNoise& noise = noise_of(capsule);
  return cli::is_over_integers(noise.law()) ? draws_of<std::int64_t>(noise, size, "int64")
                                            : draws_of<double>(noise, size, "float64");
}

constexpr std::size_t charted_draws = 100'000;

Result<std::string> chart(const noise::AnyLaw& law) {
  const nb::gil_scoped_release others_may_run;
  return cli::draw(law, charted_draws)
      .and_then([&](const cli::Draws& draws) { return cli::law_chart(law, draws); })
      .map(cli::chart_json);
}

// Values with noise, as it has to be added: noise/grid.md.

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

void bind_law(nb::module_& module) {
  module.def(
      "law_named", &law_named, nb::arg("mechanism").none(), nb::arg("scale").none(),
      "The law of a mechanism at a scale: itself, name, scale, standard deviation, whether it is over integers.");
  module.def("law_figure", &figure, nb::arg("law"), nb::arg("function"), nb::arg("x").none(), nb::arg("bounds"),
             "density, cumulative or tail at x, or the bounds between which it lies.");
  module.def("law_quantile", &quantile, nb::arg("law"), nb::arg("p").none(), "The least x with P[noise <= x] >= p.");
  module.def("law_sample", &sample, nb::arg("law"), nb::arg("size").none(),
             "Independent draws: one where the size is None, else an array.");
  module.def(
      "law_chart", [](nb::handle capsule) { return value_of(chart(noise_of(capsule).law())); }, nb::arg("law"),
      "The law over draws, as JSON.");
  module.def("law_perturb", &perturb, nb::arg("law"), nb::arg("values").none(), nb::arg("lower").none(),
             nb::arg("upper").none(),
             "The values with noise: clamped, put on the grid of the noise, noise added in integers, scaled last.");
}

}  // namespace vernier::python
