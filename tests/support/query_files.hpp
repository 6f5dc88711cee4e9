#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vernier/query/problem.hpp"

// A catalog and a study in which nothing is wrong, for tests to break.
namespace vernier::query {

inline const std::string example_catalog = R"([budget]
epsilon = 3.0
delta = 1e-6
ledger = "census.ledger"
accountant = "zcdp"

[tables.people]
source = "people.parquet"
unit = "person_id"

[tables.people.columns]
# Beside the type stands what is public.
person_id = { type = "integer" }
region = { type = "string", keys = ["north", "south", "east", "west"] }
educ = { type = "integer", lower = 1, upper = 16, labels = { 1 = "No schooling completed", 16 = "Doctorate degree" } }
income = { type = "real", lower = 0, upper = 200000, granularity = 0.5 }
born = { type = "date", lower = 1900-01-01, upper = 2025-12-31 }
member = { type = "boolean", keys = [true, false] }
)";

// A catalog but for its budget.
inline const std::string rest_of_catalog = R"([tables.t]
source = "t.csv"
unit = "row"
[tables.t.columns]
x = { type = "integer" }
)";

inline const std::string example_study = R"(catalog = "catalog.toml"
alpha = 0.05
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "income by region"
sql = "SELECT region, COUNT(*) AS people, AVG(income) AS income FROM people WHERE age >= 18 GROUP BY region"
accuracy = { people = 50, income = 800.5 }
max_groups = 2
max_rows = 3

[[statistic]]
name = "all"
sql = """
SELECT COUNT(*) AS people
FROM people"""
weight = 2.5
)";

// One line for each.
inline std::string problems_text(const std::filesystem::path& file, const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += located(file, problem).sentence() + "\n";
  return text;
}

// The text with the one place where `old` stands changed; empty when there is none, or a second.
inline std::string changed(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  if (at == std::string::npos || text.find(old, at + 1) != std::string::npos) return {};
  return text.replace(at, old.size(), now);
}

}  // namespace vernier::query
