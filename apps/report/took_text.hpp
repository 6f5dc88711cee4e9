#pragma once

#include <string>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/ledger/units.hpp"
#include "vernier/release/release.hpp"

namespace vernier::report {

// "epsilon 0.5 and delta 1e-07", rounded up.
std::string cost_text(const ledger::Quanta& quanta, const ledger::Cost& cost);

// "person_id of people and visits": whom the tables protect that are not public, as a study has them all by one unit.
std::string protected_text(const ledger::Units& units);

// What paying for the conversion buys: "room for 8 such studies in place of 3".
std::string room_text(const ledger::Room& room);

// What the ledger took for a release, and for whom; and, where that is so, that no witness is kept. Sentences without
// an end.
std::vector<std::string> took_sentences(const release::Release& release, const ledger::Rules& rules);

}  // namespace vernier::report
