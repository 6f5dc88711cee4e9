#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "cli/demo/demo.hpp"
#include "vernier/query/value.hpp"

namespace vernier::cli {

std::size_t DemoRandom::choose(std::span<const double> weights) {
  double left = uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t place = 0;
  while (place + 1 < weights.size() && left >= weights[place]) left -= weights[place++];
  return place;
}

std::uint64_t DemoRandom::word() {
  Result<std::uint64_t> next = source_.draws.next();
  if (next) return *next;
  state_ = Failure(std::move(next.error()));
  return 0;
}

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

namespace {

constexpr std::array<double, 8> department_weights = {22, 34, 12, 9, 10, 6, 4, 3};
constexpr int clinics = 40;

// Half the people have none, and few have many.
int draw_visits(DemoRandom& random) {
  const double share = random.uniform();
  return share < 0.5 ? 0 : std::min(20, static_cast<int>(-2.2 * std::log(2 * (1 - share))) + 1);
}

// The first clinics are large, the last ones see a handful of people.
int draw_clinic(DemoRandom& random) { return static_cast<int>(std::pow(clinics, random.uniform() * random.uniform())); }

void append_visit(std::string& csv, DemoRandom& random, int person) {
  const query::Day new_year = *query::Day::of(2025, 1, 1);
  const query::Day day{new_year.number + random.below(365)};
  fmt::format_to(std::back_inserter(csv), "{},{},{},clinic {:02},{:.2f}\n", person, query::text_of(day),
                 demo_departments[random.choose(department_weights)], draw_clinic(random),
                 std::exp(5 + 0.9 * random.normal()));
}

}  // namespace

std::string demo_visits(DemoRandom& random) {
  std::string csv = "person_id,day,department,clinic,cost\n";
  csv.reserve(std::size_t{demo_persons} * 80);
  for (int person = 1; person <= demo_persons; ++person) {
    for (int visits = draw_visits(random); visits > 0; --visits) append_visit(csv, random, person);
  }
  return csv;
}

}  // namespace vernier::cli
