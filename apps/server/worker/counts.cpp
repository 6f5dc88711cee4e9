#include <algorithm>
#include <array>

#include "server/worker/answers.hpp"
#include "server/worker/planned.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/release/ledger/capacity.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/series.hpp"

// What a study would leave, as so many more counts: what people can picture.
namespace vernier::server {
namespace {

using ledger::Balance;
using ledger::Cost;
using Ways = std::vector<release::CountStudy>;

constexpr std::array<std::int64_t, 3> usual_accuracies = {20, 100, 500};

Alpha usual_alpha() { return Alpha::of(numeric::Rational::of_decimal("0.05")->round_down()).value(); }

numeric::Rational left_of(const study::LedgerState& state, std::size_t i) {
  return i < state.amounts.size() ? state.amounts[i].left - state.amounts[i].price
                                  : numeric::Rational::of_decimal("0").value();
}

// Of whoever asks, once the study is paid for. All amounts are whole quanta.
Result<Balance> balance_after(const query::Catalog& catalog, const ledger::Rules& rules,
                              const study::LedgerState& state) {
  VERNIER_TRY(const std::optional<ledger::Book> book, release::read_book(catalog));
  const bool is_open = state.manner == ledger::Manner::divergence || (book && book->balance().is_open);
  return Balance{rules.quanta.spend(left_of(state, 0), left_of(state, 1)), is_open, rules.quanta.budget()};
}

Result<std::vector<Ways>> ways_for(const query::Catalog& catalog, const ledger::Rules& rules, const Balance& balance) {
  const ledger::Opening opening = release::opening_of(catalog.budget);
  std::vector<Ways> all;
  for (const std::int64_t accuracy : usual_accuracies) {
    VERNIER_TRY(Ways ways, release::count_studies(rules, accuracy, usual_alpha(), opening));
    all.push_back(std::move(ways));
  }
  const bool is_enough = std::any_of(
      all.begin(), all.end(), [&](const Ways& ways) { return release::capacity(rules, balance, ways).counts > 0; });
  return is_enough ? all : release::affordable_counts(rules, balance, usual_alpha(), opening);
}

std::string counts_json(const ledger::Rules& rules, const Balance& balance, const std::vector<Ways>& all) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.key("counts");
  json.begin_array();
  for (const Ways& ways : all) {
    json.begin_object();
    json.member("within", ways.front().accuracy);
    json.member("counts", release::capacity(rules, balance, ways).counts);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return text + "\n";
}

}  // namespace

namespace {

// What the ledger would have, of a study or of series.
Result<study::LedgerState> state_of(const Ask& ask, const study::Catalog& catalog) {
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(const study::Text text, study_text(ask, name));
  if (query::has_series(text.text)) {
    VERNIER_TRY(const std::string own, series_name(ask, name));
    VERNIER_TRY(const study::SeriesStudy study, study::SeriesStudy::of(own, text, catalog));
    return study::series_ledger(study, ask.name);
  }
  VERNIER_TRY(const study::Study study, study::Study::of(name, text, catalog));
  VERNIER_TRY(const study::Plan plan, study.plan());
  return plan.ledger(ask.name);
}

}  // namespace

Result<Told> answer_counts(const Ask& ask) {
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  VERNIER_TRY(const study::LedgerState state, state_of(ask, catalog));
  if (!state.is_affordable) return Told{200, "application/json", "{\"counts\":[]}\n"};
  VERNIER_TRY(const ledger::Rules rules, ledger::rules_of(release::terms_of(catalog.content())));
  VERNIER_TRY(const Balance balance, balance_after(catalog.content(), rules, state));
  VERNIER_TRY(const std::vector<Ways> ways, ways_for(catalog.content(), rules, balance));
  return Told{200, "application/json", counts_json(rules, balance, ways)};
}

}  // namespace vernier::server
