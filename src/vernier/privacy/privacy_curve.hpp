#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "vernier/core/types.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::privacy {

// What a release gives away, at every epsilon: the least delta for which it is (epsilon, delta)-private, and the other
// way round. Certified from both sides: the exact value lies in the Bounds, at most 1e-12 apart relatively.
// A value type over any Curve with
//     Bounds delta(Epsilon) const;     the least delta; upper is never 0 unless the exact value is
//     Result<Bounds> epsilon(Delta) const;     the least epsilon, 0 included; an error where none does (delta 0 for
//     Gaussian noise)
class PrivacyCurve {
 public:
  template <class Curve>
  requires(!std::same_as<Curve, PrivacyCurve>) explicit PrivacyCurve(Curve curve)
      : curve_(std::make_shared<const Held<Curve>>(std::move(curve))) {}

  Bounds delta(Epsilon epsilon) const { return curve_->delta(epsilon); }
  Result<Bounds> epsilon(Delta delta) const { return curve_->epsilon(delta); }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual Bounds delta(Epsilon epsilon) const = 0;
    virtual Result<Bounds> epsilon(Delta delta) const = 0;
  };
  template <class Curve>
  struct Held final : Any {
    explicit Held(Curve held) : curve(std::move(held)) {}
    Bounds delta(Epsilon epsilon) const override { return curve.delta(epsilon); }
    Result<Bounds> epsilon(Delta delta) const override { return curve.epsilon(delta); }
    Curve curve;
  };
  std::shared_ptr<const Any> curve_;
};

}  // namespace vernier::privacy
