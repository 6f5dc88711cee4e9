#pragma once

#include <cstdint>
#include <string_view>

// What an interval says of itself. A release prints these words.
namespace vernier::interval {

// Whether an interval's coverage holds for every data set by an argument that its page gives, or was only never
// refuted.
enum class Status : std::uint8_t { proven, tested };

// What the interval is about.
enum class Covers : std::uint8_t {
  bounded_value,  // the statistic of the rows after bounding and clamping, before noise
  population,     // that of the population, clamped likewise, of which the rows are a random sample
  // Where a unit may have more rows and groups than count: that of the population after the same bounding, of which the
  // units are a random sample. What bounding leaves out of a unit is in no interval.
  bounded_population,
};

constexpr bool is_of_population(Covers covers) { return covers != Covers::bounded_value; }

constexpr std::string_view name_of(Status status) { return status == Status::proven ? "proven" : "tested"; }
constexpr std::string_view name_of(Covers covers) {
  if (covers == Covers::bounded_value) return "bounded-value";
  return covers == Covers::population ? "population" : "bounded-population";
}

// Both ends included.
struct Interval {
  double low;
  double high;
  bool contains(double x) const { return low <= x && x <= high; }
};

// Intervals for the population of which the rows are a random sample: sampling error and noise together.
// Where there are two intervals, the usual one is short and was never refuted, the guaranteed one is proven.
enum class Assurance : std::uint8_t { usual, guaranteed };

// What is public about how the rows came to be a sample.
struct Design {
  double sampled = 0;          // the part of the population that was drawn, without replacement; 0: it is not known, or
                               // the population is without end
  double greatest_weight = 1;  // survey weights lie between 0 and this; 1: rows are not weighted
  double members_of_weight = 0;  // for so many members a weight of 1 stands; 0: weights tell ratios, or there are none
};

// The statistic of the population lies in the interval with probability 1 - alpha at least, by proof or by test. Of a
// statistic that is not defined for the rows every number counts.
struct PopulationInterval {
  static constexpr Covers covers = Covers::population;
  double value;       // within the interval: what the rows say
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within what the bounds allow
  Status status;
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;  // true: that there are too few rows for it is not excluded, at the same alpha
};

}  // namespace vernier::interval
