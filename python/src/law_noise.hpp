#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

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

 private:
  using Integers =
      std::variant<noise::IntegerSampler<noise::Geometric>, noise::IntegerSampler<noise::DiscreteGaussian>>;
  using Reals = std::variant<noise::LaplaceNoise, noise::GaussianNoise>;

  noise::AnyLaw law_;
  std::optional<Integers> integers_;
  std::optional<Reals> reals_;
};

}  // namespace vernier::python
