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
};

constexpr std::string_view name_of(Status status) { return status == Status::proven ? "proven" : "tested"; }
constexpr std::string_view name_of(Covers covers) {
  return covers == Covers::population ? "population" : "bounded-value";
}

// Both ends included.
struct Interval {
  double low;
  double high;
  bool contains(double x) const { return low <= x && x <= high; }
};

}  // namespace vernier::interval
