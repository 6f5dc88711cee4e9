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

// With what probability each interval holds: of a statistic, "95 %", by its own alpha or that of its study; of a study,
// "50 % or 95 %" where statistics have several.
std::string confidence_of(const plan::BoundStatistic& statistic, const numeric::Rational& of_study);
std::string confidences_of(const plan::BoundStudy& study, const numeric::Rational& alpha);
bool has_several_confidences(const plan::BoundStudy& study);  // whether a statistic has an alpha of its own

// What is to be said of the intervals of a statistic, each a sentence; nothing where they are as usual.
std::vector<std::string> inference_sentences(const plan::BoundStatistic& statistic);

// What is made of statistics, of which, and that groups were left out by the statement.
std::vector<std::string> formula_sentences(const plan::BoundStatistic& statistic, std::size_t omitted);

// What it costs in width that rows are chosen by their numbers; empty where they are not, or where nobody can tell.
std::string selection_sentence(const plan::Plan& plan, std::size_t statistic);

// What counts of one unit that may have several rows: "of each customer 1 row counts", "... 3 rows in each of 2 groups
// count". Empty where every row is a unit.
std::string limits_sentence(const plan::BoundStatistic& statistic);

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
