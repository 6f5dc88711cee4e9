#pragma once

#include <gtest/gtest.h>

#include "vernier/plan/bound_study.hpp"
#include "vernier/query/duckdb/sql.hpp"

// Studies that are bound to a catalog, from texts as users write them.
namespace vernier::testing {

using plan::BoundStatistic;
using plan::BoundStudy;

inline const std::string catalog_head = R"([budget]
epsilon = 3.0
delta = 1e-6
)";

inline const std::string people_table = R"([tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000
[tables.people.columns]
id = { type = "integer" }
region = { type = "string", keys = ["north", "south", "east"] }
city = { type = "string" }
educ = { type = "integer", lower = 1, upper = 16 }
debt = { type = "integer", lower = -50, upper = 20 }
income = { type = "real", lower = 0, upper = 200000, granularity = 0.5 }
share = { type = "real", lower = -0.25, upper = 1 }
born = { type = "date", lower = 1950-06-01, upper = 1953-01-31 }
seen = { type = "date" }
member = { type = "boolean" }
)";

inline query::Catalog catalog_of(const std::string& text) {
  query::Reading<query::Catalog> reading = query::examine_catalog_text("catalog.toml", text);
  EXPECT_TRUE(reading.content) << (reading.problems.empty() ? "" : reading.problems.front().sentence());
  return std::move(reading.content).value();
}

// A statistic of a study.
struct Ask {
  std::string sql;
  std::string more;  // lines of the statistic
};

inline Result<BoundStudy> bound_to(const query::Catalog& catalog, const std::vector<Ask>& asks) {
  std::string text = "catalog = \"catalog.toml\"\nbudget = { epsilon = 1, delta = 1e-7 }\n";
  for (std::size_t i = 0; i < asks.size(); ++i) {
    text +=
        "[[statistic]]\nname = \"s" + std::to_string(i) + "\"\nsql = \"" + asks[i].sql + "\"\n" + asks[i].more + "\n";
  }
  query::Reading<query::Study> reading = query::examine_study_text("work/study.toml", text);
  EXPECT_TRUE(reading.content) << (reading.problems.empty() ? "" : reading.problems.front().sentence());
  std::vector<query::Query> queries;
  for (const query::Statistic& statistic : reading.content->statistics) {
    const Result<query::Query> query = query::read_query(statistic.sql, catalog);
    EXPECT_TRUE(query) << query.error().sentence();
    queries.push_back(query.value());
  }
  return plan::bind(*reading.content, catalog, queries);
}

inline Result<BoundStudy> bound(const std::vector<Ask>& asks, const std::string& tables = people_table) {
  return bound_to(catalog_of(catalog_head + tables), asks);
}

inline BoundStatistic statistic_of(const std::string& sql, const std::string& more = "",
                                   const std::string& tables = people_table) {
  const Result<BoundStudy> study = bound({{sql, more}}, tables);
  EXPECT_TRUE(study) << study.error().sentence();
  return study.value().statistics.front();
}

// The sentence of the error; empty where there is none.
inline std::string said(const std::string& sql, const std::string& more = "",
                        const std::string& tables = people_table) {
  const Result<BoundStudy> study = bound({{sql, more}}, tables);
  return study ? "" : study.error().sentence();
}

}  // namespace vernier::testing
