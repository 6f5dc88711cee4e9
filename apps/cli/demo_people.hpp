#pragma once

#include <array>
#include <string>
#include <string_view>

#include "cli/demo_random.hpp"

namespace vernier::cli {

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
