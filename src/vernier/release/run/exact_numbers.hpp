#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::release {

// Integers that are wiped when they go, and cannot be copied.
class Integers {
 public:
  explicit Integers(std::size_t count) : values_(count) {}
  Integers(Integers&&) = default;
  Integers& operator=(Integers&&) = delete;
  Integers(const Integers&) = delete;
  Integers& operator=(const Integers&) = delete;
  ~Integers() = default;

  std::span<std::int64_t> all() { return values_; }
  std::span<const std::int64_t> all() const { return values_; }

 private:
  random::Wiped<std::int64_t> values_;
};

// The one way into exact numbers. They are wiped when it goes.
class Opening {
 public:
  explicit Opening(engine::RawAggregates raw) : raw_(std::move(raw)) {}
  std::span<const engine::RawGroup> groups() const { return raw_.groups_; }

 private:
  engine::RawAggregates raw_;
};

// The integers of a statistic, before noise, in an order that does not depend on the engine: public groups as they are
// declared, those without rows with zeros; private ones by their keys, those without units left out. Each integer lies
// between its measurement's least and greatest.
class ExactNumbers {
 public:
  // An error, which says nothing of the data, where the engine brought something else than was asked, or where the
  // number of rows is public and above the row limit. Private groups are those of `like`, which must outlive it, where
  // keys are chosen by the number of units there: one that is absent here has zeros.
  static Result<ExactNumbers> of(const plan::BoundStatistic& statistic, engine::RawAggregates raw,
                                 const ExactNumbers* like = nullptr);

  std::size_t groups() const { return keys_.size(); }
  const std::vector<query::Value>& keys(std::size_t group) const { return *keys_[group]; }
  // `width` numbers of the measurement for every group, one group after the other.
  std::span<const std::int64_t> of_measurement(std::size_t place) const { return numbers_[place].all(); }
  // Rows by point; none where the group is absent.
  std::span<const noise::Occupied> histogram(std::size_t group, std::size_t place) const;

 private:
  explicit ExactNumbers(engine::RawAggregates raw) : opening_(std::move(raw)) {}
  bool is_as_asked(const plan::BoundStatistic& statistic) const;
  std::vector<const engine::RawGroup*> arrange_public(const plan::Keys& keys);
  std::vector<const engine::RawGroup*> arrange_private(std::size_t units);
  std::vector<const engine::RawGroup*> arrange_like(const ExactNumbers& other);
  std::vector<const engine::RawGroup*> arrange(const plan::BoundStatistic& statistic, const ExactNumbers* like);
  void fill(const plan::BoundStatistic& statistic);
  bool has_more_rows_than_may_be(const plan::BoundStatistic& statistic) const;

  Opening opening_;
  std::vector<const std::vector<query::Value>*> keys_;  // of the statistic, or of an opening
  std::vector<Integers> numbers_;                       // one per measurement
  std::vector<const engine::RawGroup*> groups_;         // null where a group is absent
};

}  // namespace vernier::release
