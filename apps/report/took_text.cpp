#include "report/took_text.hpp"

#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "vernier/core/rounded_text.hpp"
#include "vernier/release/catalog_ledger.hpp"

namespace vernier::report {
namespace {

using ledger::Cost;
using ledger::Quanta;

std::string amount(const numeric::Rational& value) { return rounded_up_text(nearest(value)); }

std::string studies_text(std::int64_t studies) {
  return studies == std::numeric_limits<std::int64_t>::max() ? "any number of" : std::to_string(studies);
}

std::string opened_text(const ledger::Offer& taken, const Quanta& quanta) {
  return fmt::format("{} of it once, to open the conversion, which gives {}, and {} for this one",
                     cost_text(quanta, taken.opening), room_text(taken.room),
                     cost_text(quanta, taken.cost - taken.opening));
}

}  // namespace

std::string cost_text(const Quanta& quanta, const Cost& cost) {
  return fmt::format("epsilon {} and delta {}", amount(quanta.epsilon(cost.epsilon)), amount(quanta.delta(cost.delta)));
}

std::string protected_text(const ledger::Units& units) {
  std::string unit;
  std::vector<std::string> tables;
  for (const ledger::TableUnit& one : units) {
    if (!one.unit) continue;
    unit = *one.unit;
    tables.push_back(one.table);
  }
  return fmt::format("{} of {}", unit, fmt::join(tables, " and "));
}

std::string room_text(const ledger::Room& room) {
  return fmt::format("room for {} such studies in place of {}", studies_text(room.with_conversion),
                     studies_text(room.by_totals));
}

std::vector<std::string> took_sentences(const release::Release& release, const ledger::Rules& rules) {
  const ledger::Offer& taken = release.taken;
  const bool opens = taken.opening != Cost{};
  const char* const manner = taken.manner == ledger::Manner::divergence ? ", by divergence" : "";
  std::vector<std::string> sentences = {fmt::format("the ledger took {} for each {}{}{}",
                                                    cost_text(rules.quanta, taken.cost),
                                                    protected_text(release::units_of(release.plan.study)), manner,
                                                    opens ? ": " + opened_text(taken, rules.quanta) : "")};
  if (release.plan.study.catalog.budget.without_witness) {
    sentences.emplace_back(
        "no witness is kept of the ledger, as the catalog asks: an older copy of it would go unnoticed");
  }
  return sentences;
}

}  // namespace vernier::report
