#include "cli/law/law.hpp"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "answer.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/any_law.hpp"

// Density, distribution, quantiles and draws of the four laws.
namespace vernier::r {
namespace {

using cli::LawFunction;
using cli::Number;

constexpr std::size_t points_between_looks = 4096;
constexpr std::size_t draws_at_once = 1'000'000;

double as_double(const Number& number) {
  return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

Result<Number> point_at(const noise::AnyLaw& law, double value) {
  if (!cli::is_over_integers(law)) {
    if (std::isfinite(value)) return value;
    return invalid("x", fmt::format("must be a finite number, but it is {}", shortest(value)), "");
  }
  if (std::trunc(value) == value && std::abs(value) < 0x1p53) return static_cast<std::int64_t>(value);
  return invalid("x", fmt::format("must be a whole number below 2^53 in size, but it is {}", shortest(value)), "");
}

Result<double> value_at(const noise::AnyLaw& law, vernier_function function, double point) {
  if (function == VERNIER_QUANTILE) {
    VERNIER_TRY(const Probability p, Probability::of(point));
    return cli::law_quantile(law, p).map(as_double);
  }
  VERNIER_TRY(const Number number, point_at(law, point));
  const LawFunction asked = function == VERNIER_DENSITY      ? LawFunction::density
                            : function == VERNIER_CUMULATIVE ? LawFunction::cumulative
                                                             : LawFunction::tail;
  return cli::middle(cli::law_bounds(law, asked, number));
}

Failure stopped() { return fail(ErrorKind::stopped, "the work was stopped"); }

// Independent draws, a part at a time.
Result<void> fill(const noise::AnyLaw& law, std::span<double> out, const Progress& progress) {
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), draws_at_once);
    VERNIER_TRY(const cli::Draws drawn, cli::draw(law, count));
    std::visit([&](const auto& values) { std::copy(values.begin(), values.end(), out.begin()); }, drawn.values);
    out = out.subspan(count);
    if (!progress(0)) return stopped();
  }
  return {};
}

Result<void> evaluate(const noise::AnyLaw& law, vernier_function function, std::span<const double> points,
                      double* values, const Progress& progress) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % points_between_looks == 0 && !progress(0)) return stopped();
    VERNIER_TRY(values[i], value_at(law, function, points[i]));
  }
  return {};
}

Texts description(const noise::AnyLaw& law) {
  return {std::string(noise::name_of(law)), shortest(noise::scale_of(law)), shortest(noise::standard_deviation(law)),
          cli::is_over_integers(law) ? "integers" : "reals"};
}

}  // namespace
}  // namespace vernier::r

extern "C" vernier_answer* vernier_law(const char* mechanism, double scale, vernier_function function,
                                       const double* points, double* values, size_t length, vernier_watch watch) {
  using namespace vernier;
  return r::answered([&]() -> Result<r::Texts> {
    VERNIER_TRY(const noise::AnyLaw law, noise::law_named(mechanism, scale));
    if (function == VERNIER_SAMPLE) {
      VERNIER_TRY(r::fill(law, {values, length}, r::watched(watch)));
    } else {
      VERNIER_TRY(r::evaluate(law, function, {points, length}, values, r::watched(watch)));
    }
    return r::description(law);
  });
}
