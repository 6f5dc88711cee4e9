#pragma once

#include <filesystem>
#include <memory>
#include <utility>

#include "twin/twin_plan.hpp"
#include "vernier/engine/duckdb/session.hpp"
#include "vernier/plan/render/sql.hpp"

namespace vernier::twin {

// Plans of these numbers with their tables in one folder, and one engine that has them all: opening one for each would
// take most of the time. The folder goes with it.
class TwinSession {
 public:
  TwinSession(std::uint64_t first, std::size_t count);
  TwinSession(const TwinSession&) = delete;
  TwinSession& operator=(const TwinSession&) = delete;
  ~TwinSession();

  const std::vector<TwinPlan>& plans() const { return plans_; }
  Result<engine::RawAggregates> run(const plan::Sql& sql, const engine::Secret& secret);

 private:
  std::filesystem::path folder_;
  std::vector<TwinPlan> plans_;
  std::unique_ptr<engine::Session> session_;
};

// Calls visit(session, plan) for the plans of numbers from `first` on, until it says no.
template <class Visit>
void for_plans(std::uint64_t first, std::size_t count, Visit visit) {
  constexpr std::size_t together = 50;
  for (std::size_t done = 0; done < count; done += together) {
    TwinSession session(first + done, std::min(together, count - done));
    for (const TwinPlan& plan : session.plans()) {
      if (!visit(session, plan)) return;
    }
  }
}

}  // namespace vernier::twin
