#include "vernier/engine/raw_aggregates.hpp"

#include <span>

#include "vernier/random/wipe.hpp"

namespace vernier::engine {
namespace {

template <class T>
void wipe_if(query::Value& value) {
  if (T* const held = std::get_if<T>(&value)) random::wipe(std::as_writable_bytes(std::span(held, 1)));
}

void wipe(query::Value& value) {
  if (auto* const text = std::get_if<std::string>(&value)) random::wipe(std::as_writable_bytes(std::span(*text)));
  wipe_if<std::int64_t>(value);
  wipe_if<double>(value);
  wipe_if<query::Day>(value);
  wipe_if<bool>(value);
}

}  // namespace

RawAggregates::~RawAggregates() {
  for (RawGroup& group : groups_) {
    random::wipe(std::as_writable_bytes(std::span(group.tallies)));
    for (auto& histogram : group.histograms) random::wipe(std::as_writable_bytes(std::span(histogram)));
    for (query::Value& key : group.keys) wipe(key);
  }
}

}  // namespace vernier::engine
