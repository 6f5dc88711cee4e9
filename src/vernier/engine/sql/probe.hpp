#pragma once

#include <string>
#include <vector>

#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/dialect/dialect.hpp"

// Whether an engine means what we mean: statements over constants, of no table, whose answers are known. A server that
// speaks a dialect almost is refused by name, before anything is spent.
namespace vernier::engine {

struct Probe {
  std::string what;  // "-7 divided by 2 is cut toward zero"
  std::string sql;   // a BIGINT or NULL
  std::optional<std::int64_t> answer;
};
std::vector<Probe> probes(const query::Dialect& dialect);

struct ProbeAnswer {
  std::string what;
  bool is_as_expected;
};
// Each of them. An error where the engine cannot be asked at all.
Result<std::vector<ProbeAnswer>> probe(const query::Dialect& dialect, Connection& connection);

// An error that names the first that the engine answers otherwise.
Result<void> check_meaning(const query::Dialect& dialect, Connection& connection);

}  // namespace vernier::engine
