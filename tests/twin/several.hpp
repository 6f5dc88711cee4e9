#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "twin/draw.hpp"
#include "twin/random_table.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/plan/bound_study.hpp"

// Several protected tables in which the rows of one unit come and go: two whose rows name their unit, and one whose
// rows belong to the units that have their key in the second. Keys are shared by units as it happens.
namespace vernier::twin {

struct SeveralTables {
  std::vector<query::Table> tables;  // a, b, and l by way of b
  std::vector<Neighbours> rows;      // of each
};
SeveralTables random_tables(Draw& draw, const std::string& number);

// A statement over them, bound for the tables and for their neighbours.
struct SeveralPlan {
  std::string sql;
  SeveralTables tables;
  plan::BoundStatistic first;
  plan::BoundStatistic second;
  engine::Secret secret;
};
SeveralPlan draw_several(const std::filesystem::path& folder, std::uint64_t number);

// Plans of these numbers in one engine.
class SeveralSession {
 public:
  SeveralSession(std::uint64_t first, std::size_t count);
  ~SeveralSession();
  SeveralSession(const SeveralSession&) = delete;
  SeveralSession& operator=(const SeveralSession&) = delete;

  const std::vector<SeveralPlan>& plans() const { return plans_; }
  Result<engine::RawAggregates> run(const plan::Sql& sql, const engine::Secret& secret);

 private:
  std::filesystem::path folder_;
  std::vector<SeveralPlan> plans_;
  std::unique_ptr<engine::Session> session_;
};

}  // namespace vernier::twin
