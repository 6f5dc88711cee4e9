#pragma once

#include "vernier/plan/statistic/parts.hpp"

namespace vernier::plan {

// COUNT(*), COUNT(x), SUM(x) and AVG(x) of one statement, released together with the noise of a box: one Laplace event
// however many numbers there are. A way beside the usual one (bind/ways.md). Page: statistic/boxed.md.
struct Boxed {
  Measured in;

  static constexpr MeasurementKind kind{"box"};
  static constexpr std::array kinds = {kind};
  static constexpr std::array served = {
      Served{query::Aggregate::count_rows, Figure::count}, Served{query::Aggregate::count, Figure::count},
      Served{query::Aggregate::sum, Figure::sum}, Served{query::Aggregate::average, Figure::mean}};
  static constexpr Sharing sharing = Sharing::same_box;
  static constexpr GridNumbers numbers = GridNumbers::bounds;
  static constexpr bool is_boxed = true;

  static bool serves(const BoundStatistic& statistic, const query::Aggregation& aggregation);
  static Result<Measurement> bind(BoundStatistic& statistic, const query::Aggregation& aggregation);

  bool is_fine() const { return !in.is_weighted(); }
  bool is_as_shared() const;                          // of the first, which has the integers of all
  bool is_made_from(const Measurement& first) const;  // of the others
  std::size_t width() const { return in.one.tallies.size(); }
  Result<Sensitivity> sensitivity() const;
  Range range() const;
  Brought brought() const;
  void write(std::span<const Int128> tallies, std::span<Int128> out) const;

  Result<Told> told(const Law& law, Alpha alpha) const;
  Result<Scales> scales_for(const numeric::Rational& target, Alpha alpha) const;
  Result<std::int64_t> steps_for(const numeric::Rational& target, Alpha alpha) const;
  Result<Scales> free_scales(const Scales& about, Alpha level) const;
  double published_scale(double scale) const;
  Result<Drawing> drawing(const Law& law, Alpha level) const;
  Result<Estimator> estimator(const Law& law, Alpha level, std::optional<std::int64_t> threshold) const;

 private:
  const Measurement& first() const;             // that has the integers
  const Tally* tally(std::size_t place) const;  // of its own; none where there is none, as a record may have it
  std::int64_t half(std::size_t place) const;   // how far a row moves that integer, at most
  std::int64_t greatest_half() const;
  bool has_its_own() const;
  bool fits() const;  // into 62 bits
  double accuracy_of_mean(double in_ranges) const;
};

// Whether several numbers of the statement could be released so.
bool can_be_boxed(const BoundStatistic& statistic);

}  // namespace vernier::plan
