#include <fmt/format.h>

#include "cli/catalog_skeleton.hpp"
#include "cli/demo.hpp"
#include "cli/demo_people.hpp"

namespace vernier::cli {
namespace {

template <class Texts>
std::string toml_list(const Texts& texts) {
  std::string list;
  for (const std::string_view text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  return "[" + list + "]";
}

std::string education_keys() {
  std::string keys, labels;
  for (std::size_t i = 0; i < demo_education.size(); ++i) {
    keys += fmt::format("{}{}", i == 0 ? "" : ", ", i + 1);
    labels += fmt::format("{}{} = {}", i == 0 ? "" : ", ", i + 1, toml_text(demo_education[i]));
  }
  return fmt::format("keys = [{}], labels = {{ {} }}", keys, labels);
}

}  // namespace

std::string demo_catalog() {
  return fmt::format(
      R"(# What is protected, what may be spent, and what is public about the data. Written by a steward who has not looked at it.
[budget]
epsilon = 3.0
delta = 1e-6

# One line per person.
[tables.people]
source = "people.csv"
unit = "person_id"
row_limit = 1_000_000

[tables.people.columns]
person_id = {{ type = "integer" }}
age       = {{ type = "integer", lower = 0, upper = 99 }}
sex       = {{ type = "string", keys = ["female", "male"] }}
educ      = {{ type = "integer", {} }}
income    = {{ type = "real", lower = 0, upper = 150000, granularity = 1 }}
region    = {{ type = "string", keys = {} }}

# None or several lines per person.
[tables.visits]
source = "visits.csv"
unit = "person_id"
row_limit = 10_000_000

[tables.visits.columns]
person_id  = {{ type = "integer" }}
day        = {{ type = "date", lower = 2025-01-01, upper = 2025-12-31 }}
department = {{ type = "string", keys = {} }}
clinic     = {{ type = "string" }}   # which clinics there are is private
cost       = {{ type = "real", lower = 0, upper = 1000, granularity = 0.25 }}
)",
      education_keys(), toml_list(demo_regions), toml_list(demo_departments));
}

std::string demo_study() {
  return R"(# What an analyst wants to publish, how accurate, and for how much.
catalog = "catalog.toml"
alpha = 0.05
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "people by region and sex"
sql = "SELECT region, sex, COUNT(*) AS people FROM people GROUP BY region, sex"
accuracy = { people = 100 }

[[statistic]]
name = "people by age"
sql = "SELECT BUCKET(age, 10) AS decade, COUNT(*) AS people FROM people GROUP BY decade"
accuracy = { people = 100 }

[[statistic]]
name = "income by education"
sql = "SELECT educ, COUNT(*) AS people, AVG(income) AS income FROM people WHERE age >= 25 GROUP BY educ"
weight = 2

[[statistic]]
name = "income by region"
sql = "SELECT region, AVG(income) AS income FROM people WHERE age >= 25 GROUP BY region"

[[statistic]]
name = "incomes of women and men"
sql = """SELECT sex, MEDIAN(income) AS median, QUANTILE(income, 0.9) AS top_tenth, STDDEV(income) AS deviation
         FROM people WHERE age >= 25 GROUP BY sex"""
accuracy = { median = 1000, top_tenth = 2000 }   # in ranks
weight = 0.5

[[statistic]]
name = "visits by department"
sql = """SELECT department, COUNT(DISTINCT person_id) AS patients, COUNT(*) AS visits, SUM(cost) AS cost
         FROM visits GROUP BY department"""
max_groups = 3
max_rows = 3

[[statistic]]
name = "visits by clinic"
sql = "SELECT clinic, COUNT(*) AS visits FROM visits GROUP BY clinic ORDER BY clinic"
max_groups = 2
max_rows = 2
)";
}

}  // namespace vernier::cli
