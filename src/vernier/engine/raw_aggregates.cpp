#include "vernier/engine/raw_aggregates.hpp"

#include <span>

#include "vernier/random/wipe.hpp"

namespace vernier::engine {
namespace {

void wipe(query::Value& value) {
  if (auto* const text = std::get_if<std::string>(&value)) random::wipe(std::as_writable_bytes(std::span(*text)));
  value.emplace<std::int64_t>(0);
}

}  // namespace

RawAggregates::~RawAggregates() {
  for (RawGroup& group : groups_) {
    random::wipe(std::as_writable_bytes(std::span(group.tallies)));
    for (query::Value& key : group.keys) wipe(key);
  }
}

}  // namespace vernier::engine
