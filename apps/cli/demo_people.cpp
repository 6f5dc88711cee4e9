#include "cli/demo_people.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

constexpr std::array<double, 10> region_weights = {9, 4, 11, 16, 14, 6, 10, 7, 21, 2};
constexpr std::array<double, 16> adult_education = {1.4, 0.8, 1.5, 2, 2.2, 2.8, 3,   3.3,
                                                    25,  8,   15,  6, 18,  7.5, 2.3, 1.2};

// Between 0 and 99, with fewer people the older they are from 60 on.
int draw_age(DemoRandom& random) {
  const double old = 85 * random.uniform();
  return std::clamp(static_cast<int>(old + std::max(0.0, 5 * random.normal())), 0, 99);
}

// Those who still go to school are about where their age is.
int draw_education(DemoRandom& random, int age) {
  if (age >= 25) return 1 + static_cast<int>(random.choose(adult_education));
  constexpr std::array<int, 25> by_age = {1, 1, 1, 1, 2, 2, 2, 2,  2,  2,  3,  3, 4,
                                          4, 5, 6, 7, 8, 9, 9, 10, 11, 11, 12, 13};
  return std::max(1, by_age[static_cast<std::size_t>(age)] - random.below(2));
}

// Whole and skewed: more with education, most around the age of 50; every eighth adult has none.
int draw_income(DemoRandom& random, int age, int education) {
  const double spread = random.normal();
  if (age < 16 || random.below(8) == 0) return 0;
  const double from_peak = age - 50;
  const double logarithm = 9.35 + 0.085 * education - 0.0007 * from_peak * from_peak + 0.7 * spread;
  return static_cast<int>(std::exp(logarithm));
}

}  // namespace

std::string demo_people(DemoRandom& random) {
  std::string csv = "person_id,age,sex,educ,income,region\n";
  csv.reserve(std::size_t{demo_persons} * 40);
  for (int person = 1; person <= demo_persons; ++person) {
    const int age = draw_age(random), education = draw_education(random, age);
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{}\n", person, age,
                   random.below(2) == 0 ? "female" : "male", education, draw_income(random, age, education),
                   demo_regions[random.choose(region_weights)]);
  }
  return csv;
}

}  // namespace vernier::cli
