#include "vernier/ledger/summary.hpp"

namespace vernier::ledger {

void Summary::take(const Entry& entry) {
  last_time_ = entry.time;
  if (entry.kind == Kind::reserve) take_reserve(entry);
  if (entry.kind == Kind::settle) (unanswered_.erase(entry.release) > 0 ? answered_ : strays_) += 1;
}

void Summary::take_reserve(const Entry& entry) {
  Spending& manner = entry.manner == Manner::total ? by_total_ : by_divergence_;
  for (Spending* const part : {&all_, &manner, &by_analyst_[entry.analyst], &by_study_[entry.study]}) {
    part->cost = part->cost + entry.cost;
    part->releases += 1;
  }
  unanswered_.emplace(entry.release, entry);
}

}  // namespace vernier::ledger
