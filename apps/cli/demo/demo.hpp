#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/random/source.hpp"

namespace vernier::cli {

// The catalog and the study of the demo.
std::string demo_catalog();
std::string demo_study();
std::string demo_tables();

// Data, catalog and study into a new folder, all or nothing.
Result<void> write_demo(const std::filesystem::path& place);

// Invented people, drawn from the randomness of the operating system: every demo is about others. A failure of the
// source is kept, and told at the end.
class DemoRandom {
 public:
  explicit DemoRandom(random::Source& source) : source_(source) {}

  // In [0, 1).
  double uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

  // From 0 to below `count`.
  int below(int count) { return static_cast<int>(uniform() * count); }

  // About normal, with mean 0 and deviation 1: the number of ones in a word, smoothed.
  double normal() { return (std::popcount(word()) - 32 + uniform() - 0.5) / 4.01; }

  // A place in the list, in proportion to the weights.
  std::size_t choose(std::span<const double> weights);

  const Result<void>& state() const { return state_; }

 private:
  std::uint64_t word();
  random::Source& source_;
  Result<void> state_;
};

inline constexpr int demo_persons = 200'000;

inline constexpr std::array<std::string_view, 10> demo_regions = {
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west", "centre", "islands"};

// Education, from 1 on: the codebook of the 5 % census sample.
inline constexpr std::array<std::string_view, 16> demo_education = {"No schooling completed",
                                                                    "Nursery school to 4th grade",
                                                                    "5th grade or 6th grade",
                                                                    "7th grade or 8th grade",
                                                                    "9th grade",
                                                                    "10th grade",
                                                                    "11th grade",
                                                                    "12th grade, no diploma",
                                                                    "High school graduate",
                                                                    "Some college, but less than 1 year",
                                                                    "One or more years of college, no degree",
                                                                    "Associate degree",
                                                                    "Bachelor's degree",
                                                                    "Master's degree",
                                                                    "Professional degree",
                                                                    "Doctorate degree"};

// A census extract as CSV, one line per person: person_id, age, sex, educ, income, region.
std::string demo_people(DemoRandom& random);

inline constexpr std::array<std::string_view, 8> demo_departments = {"emergency", "general", "surgery",   "cardiology",
                                                                     "children",  "eyes",    "maternity", "psychiatry"};

// Visits to hospitals in 2025, none or several per person: person_id, day, department, clinic, cost.
std::string demo_visits(DemoRandom& random);

}  // namespace vernier::cli
