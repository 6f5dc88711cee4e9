#include "vernier/engine/raw_aggregates.hpp"

#include <algorithm>
#include <span>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/expression/span.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::engine {
namespace {

template <class T>
void wipe_if(query::Value& value) {
  if (T* const held = std::get_if<T>(&value)) random::wipe(std::as_writable_bytes(std::span(held, 1)));
}

}  // namespace

void wipe(query::Value& value) {
  if (auto* const text = std::get_if<std::string>(&value)) random::wipe(std::as_writable_bytes(std::span(*text)));
  wipe_if<std::int64_t>(value);
  wipe_if<double>(value);
  wipe_if<query::Day>(value);
  wipe_if<bool>(value);
}

std::vector<noise::Occupied> weighed(const std::vector<noise::Occupied>& packed, std::int64_t packing) {
  constexpr query::Int128 most = query::Int128{1} << 62;
  std::vector<noise::Occupied> all;
  all.reserve(packed.size());
  for (const noise::Occupied& one : packed) {
    const std::int64_t point = one.point / packing;
    const query::Int128 weight = query::Int128{one.rows} * (one.point % packing);
    if (weight == 0) continue;
    if (all.empty() || all.back().point != point) all.push_back({point, 0});
    all.back().rows = static_cast<std::int64_t>(std::min(weight + all.back().rows, most));
  }
  return all;
}

Cells::~Cells() {
  for (auto& row : rows) {
    for (Cell& cell : row) {
      if (cell) wipe(*cell);
    }
  }
}

Progress part_of(const Progress& progress, std::size_t part, std::size_t count) {
  const double first = static_cast<double>(part) / static_cast<double>(count);
  const double length = 1 / static_cast<double>(count);
  return [&progress, first, length](double done) { return progress(first + length * done); };
}

Result<std::vector<RawAggregates>> Session::run_all(std::span<const Asked> asked, const Progress& progress) {
  std::vector<RawAggregates> all;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    VERNIER_TRY(RawAggregates one, run(*asked[i].sql, asked[i].secret, part_of(progress, i, asked.size())));
    all.push_back(std::move(one));
  }
  return all;
}

RawAggregates::~RawAggregates() {
  for (RawGroup& group : groups_) {
    random::wipe(std::as_writable_bytes(std::span(group.tallies)));
    for (auto& histogram : group.histograms) random::wipe(std::as_writable_bytes(std::span(histogram)));
    for (query::Value& key : group.keys) wipe(key);
  }
}

}  // namespace vernier::engine
