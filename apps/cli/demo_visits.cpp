#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "cli/demo_people.hpp"
#include "vernier/query/value.hpp"

namespace vernier::cli {
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
