#include "vernier/noise/any_law.hpp"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>

#include "vernier/numeric/rounding.hpp"

namespace vernier::noise {
namespace {

template <class Law>
AnyLaw any(const Law& law) {
  return AnyLaw(law);
}

// A law over the reals takes every valid scale; an integer law may refuse it.
template <class Law, class Scale>
Result<AnyLaw> make_real(double scale) {
  return Scale::of(scale).map(Law::of).map(any<Law>);
}

template <class Law, class Scale>
Result<AnyLaw> make_integer(double scale) {
  return Scale::of(scale).and_then(Law::of).map(any<Law>);
}

// The one list of names. The place of a law in AnyLaw links name and law; its first entry is its name.
struct Entry {
  std::string_view name;
  std::size_t alternative;
  Result<AnyLaw> (*make)(double scale);
};

constexpr Entry laws[] = {
    {"laplace", 0, make_real<Laplace, LaplaceScale>},
    {"geometric", 1, make_integer<Geometric, LaplaceScale>},
    {"discrete-laplace", 1, make_integer<Geometric, LaplaceScale>},
    {"gaussian", 2, make_real<Gaussian, Sigma>},
    {"discrete-gaussian", 3, make_integer<DiscreteGaussian, Sigma>},
};

std::string all_names() {
  std::string names;
  for (const std::string& name : law_names()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

}  // namespace

Result<AnyLaw> law_named(std::string_view mechanism, double scale) {
  const auto* const found =
      std::find_if(std::begin(laws), std::end(laws), [&](const Entry& entry) { return entry.name == mechanism; });
  if (found != std::end(laws)) return found->make(scale);
  return invalid("the mechanism must be one of " + all_names() + ", but it is '" + std::string(mechanism) + "'");
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const Entry& entry : laws) names.emplace_back(entry.name);
  return names;
}

std::string_view name_of(const AnyLaw& law) {
  return std::find_if(std::begin(laws), std::end(laws),
                      [&](const Entry& entry) { return entry.alternative == law.index(); })
      ->name;
}

double scale_of(const AnyLaw& law) {
  return std::visit([](const auto& one) { return one.scale(); }, law);
}

double standard_deviation(const AnyLaw& law) {
  return std::visit(
      []<class Law>(const Law& one) {
        if constexpr (std::same_as<Law, Gaussian>) {
          return one.scale();
        } else {
          return numeric::sqrt_up(one.variance().upper);
        }
      },
      law);
}

}  // namespace vernier::noise
