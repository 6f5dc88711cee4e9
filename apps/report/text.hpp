#pragma once

#include <string>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/ledger/units.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/release.hpp"

namespace vernier::report {

// What a plan promises of a column: "± 100", "about ± 3,088" where it depends on the rows, "-" where the column is not
// published.
std::string accuracy_text(const plan::Measurement& measurement, double accuracy);

// The same of a column of this statistic, whose intervals may be for a population.
std::string accuracy_text(const plan::BoundStatistic& statistic, const plan::Measurement& measurement, double accuracy);

// Of each column beside which moved rows are counted: that it is about bounded values, and how many rows the bounds
// have changed. Nothing is corrected: how far the moved values lay outside cannot be known.
std::vector<std::string> clamped_sentences(const plan::BoundStatistic& statistic, const release::Table& table);

// What is to be said of the intervals of a statistic, each a sentence; nothing where they are as usual.
std::vector<std::string> inference_sentences(const plan::BoundStatistic& statistic);

// Whether any statistic of the study asks for it.
bool any_of_population(const plan::BoundStudy& study);
bool any_simultaneous(const plan::BoundStudy& study);

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
