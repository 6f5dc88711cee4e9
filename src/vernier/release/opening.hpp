#pragma once

#include <span>
#include <utility>

#include "vernier/engine/raw_aggregates.hpp"

namespace vernier::release {

// The one way into exact numbers. They are wiped when it goes.
class Opening {
 public:
  explicit Opening(engine::RawAggregates raw) : raw_(std::move(raw)) {}
  std::span<const engine::RawGroup> groups() const { return raw_.groups_; }

 private:
  engine::RawAggregates raw_;
};

}  // namespace vernier::release
