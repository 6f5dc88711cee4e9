#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/query_files.hpp"
#include "vernier/query/catalog.hpp"

// Catalogs that break one rule each, and what is said about them.
namespace vernier::query::testing {

// What to write in place of what in the example, and the whole of what is said about it.
struct Rule {
  const char* old;
  const char* now;
  const char* said;
};

inline void expect_said(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    const std::string text = changed(example_catalog, rule.old, rule.now);
    ASSERT_FALSE(text.empty()) << rule.old;
    const Reading<Catalog> reading = examine_catalog_text("c.toml", text);
    std::string said;
    for (const Problem& problem : reading.problems) said += located("", problem).sentence().substr(1) + "\n";
    EXPECT_EQ(said, rule.said) << rule.now;
    EXPECT_FALSE(reading.content);
  }
}

}  // namespace vernier::query::testing
