#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include <nanobind/nanobind.h>

#include "vernier/noise/any_law.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"

namespace vernier::python {

// A law and what draws from it, which is built at the first draw, takes a fraction of a millisecond and is kept.
class LawNoise {
 public:
  explicit LawNoise(const noise::AnyLaw& law) : law_(law) {}
  const noise::AnyLaw& law() const { return law_; }

  // Called with the interpreter's lock, so that two threads never build at once.
  void build();

  // Independent draws from the randomness of the operating system; Value is the integer for integer noise, else the
  // double. After build(); gives the interpreter's lock to others while it draws.
  template <class Value>
  void fill(std::span<Value> out) const;

  // values + noise, in place: clamped to the range, put on the grid of the noise, noise added in integers, scaled last.
  // What is no number counts as the lower end, so that no value causes an error. Ends of integer noise are whole
  // numbers up to 2^62 in size. After build(); without the interpreter's lock.
  void perturb(const noise::ValueRange& range, std::span<double> values) const;
  void perturb(std::int64_t lower, std::int64_t upper, std::span<std::int64_t> values) const;

 private:
  using Integers =
      std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
  using Reals = std::variant<noise::LaplaceNoise, noise::GaussianNoise>;

  noise::AnyLaw law_;
  std::optional<Integers> integers_;
  std::optional<Reals> reals_;
};

// Of the capsule in which a law is kept.
inline constexpr const char* capsule_name = "vernier.LawNoise";
LawNoise& noise_of(nanobind::handle capsule);

}  // namespace vernier::python
