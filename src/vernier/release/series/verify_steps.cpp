#include <algorithm>
#include <exception>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/core/version.hpp"
#include "vernier/release/series/step_record.hpp"
#include "vernier/release/verify/examination.hpp"

namespace vernier::release {
namespace {

constexpr double planner_of_series_agrees = 1e-6;

std::string step_place(const StepRecord& record) {
  return "step " + query::text_of(record.plan.series.front().calendar.first_day(record.step));
}

Result<void> check_hash(const StepRecord& record) {
  VERNIER_TRY(const std::string hash, sha256(plan::canonical(record.plan)));
  return hash == record.plan_hash ? Result<void>() : differs("plan", "hash", record.plan_hash, hash);
}

// Everything that follows from matrices and scales.
Result<plan::SeriesPlan> check_total_of(const plan::SeriesPlanFacts& stated) {
  Result<plan::SeriesPlan> found = plan::planned_as_stated(stated);
  if (!found) return invalid(after("guarantee: it cannot be recomputed, since ", found.error()));
  const double epsilon = found->facts.epsilon;
  if (!(stated.epsilon >= epsilon * (1 - last_digits)) || !(stated.epsilon <= epsilon * (1 + overstated)))
    return differs("guarantee", "epsilon", shortest(stated.epsilon), shortest(epsilon));
  if (stated.method != found->facts.method) {
    return differs("guarantee", "method", std::string(name_of(stated.method)),
                   std::string(name_of(found->facts.method)));
  }
  if (stated.epsilon > stated.epsilon_limit.round_up() || stated.delta.value() > stated.delta_limit.round_up()) {
    return differs("guarantee", "epsilon", shortest(stated.epsilon), "within the budget");
  }
  for (std::size_t i = 0; i < stated.series.size(); ++i) {
    if (is_close(stated.series[i].share, found->facts.series[i].share, overstated)) continue;
    return differs("series '" + stated.series[i].name + "'", "share", shortest(stated.series[i].share),
                   shortest(found->facts.series[i].share));
  }
  return found;
}

Result<void> check_scales_of(const StepRecord& record) {
  if (record.software != version()) return {};
  const Result<plan::SeriesPlan> found = plan::plan_series(record.plan);
  if (!found) return invalid(after("scales: they cannot be recomputed, since ", found.error()));
  for (std::size_t i = 0; i < record.plan.series.size(); ++i) {
    const plan::SeriesFacts &stated = record.plan.series[i], &one = found->facts.series[i];
    if (stated.family() != one.family()) {
      return differs("series '" + stated.name + "'", "matrix", series::name_of(stated.family()),
                     series::name_of(one.family()));
    }
    if (is_close(stated.scale, one.scale, planner_of_series_agrees)) continue;
    return differs("series '" + stated.name + "'", "scale", shortest(stated.scale), shortest(one.scale));
  }
  return {};
}

Result<void> check_accuracies_of(const StepRecord& record, const plan::SeriesPlan& plan) {
  for (std::size_t i = 0; i < plan.series.size(); ++i) {
    for (const series::Kind kind : series::all_kinds) {
      const double stated = record.accuracies[i][static_cast<std::size_t>(kind)];
      const double found = plan.series[i].accuracy(kind, static_cast<std::size_t>(record.step));
      if (is_close(stated, found, overstated)) continue;
      return differs("series '" + record.plan.series[i].name + "'", "accuracy", shortest(stated), shortest(found));
    }
  }
  return {};
}

// The ledger took at least what the plan costs, in the manner that it names.
Result<void> check_charge_of(const StepRecord& record, const plan::SeriesPlan& plan) {
  const SeriesCharge& charge = record.charge;
  const ledger::Terms terms{charge.accountant, charge.budget_epsilon, charge.budget_delta};
  const Result<ledger::Rules> rules = ledger::rules_of(terms);
  const auto epsilon = numeric::Rational::of(record.plan.epsilon);
  const auto delta = numeric::Rational::of(record.plan.delta.value());
  if (!rules || !epsilon || !delta) return differs("charge", "terms", "as stated", "those of a ledger");
  const ledger::Statement total{*epsilon, *delta};
  const auto price =
      ledger::price(*rules, plan.events, record.plan.has_budget ? total : ledger::without_delta(plan.events, total));
  if (!price) return invalid(after("charge: ", price.error()));
  const bool is_total = charge.manner == ledger::Manner::total;
  if (!is_total && !price->divergence) return differs("charge", "manner", "divergence", "total");
  const ledger::Cost& needed = is_total ? price->total : *price->divergence;
  const bool is_enough =
      charge.epsilon >= rules->quanta.epsilon(needed.epsilon) && charge.delta >= rules->quanta.delta(needed.delta);
  return is_enough ? Result<void>() : differs("charge", "epsilon", charge.epsilon.text(), "what the plan costs");
}

Result<void> check_assumptions_of(const StepRecord& record) {
  if (record.assumptions == assumptions_of(record.plan)) return {};
  return differs("assumptions", "sentences", "as stated", "those of the plan");
}

bool is_same(const series::Number& a, const series::Number& b) {
  return a.value == b.value && a.low == b.low && a.high == b.high && is_close(a.estimate, b.estimate, last_digits, 1);
}

// All numbers, from the noisy ones of all steps.
Result<std::int64_t> check_numbers_of(const StepRecord& record, const plan::SeriesPlan& plan,
                                      const std::vector<NoisyCells>& noisy) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < plan.series.size(); ++i) {
    const auto found =
        numbers_at(plan.series[i], record.plan.series[i], noisy[i], static_cast<std::size_t>(record.step));
    for (std::size_t cell = 0; cell < found.size(); ++cell) {
      for (std::size_t kind = 0; kind < 3; ++kind, ++count) {
        if (is_same(record.numbers[i][cell][kind], found[cell][kind])) continue;
        return differs(step_place(record) + ", series '" + record.plan.series[i].name + "'",
                       "number " + std::to_string(cell * 3 + kind + 1),
                       std::to_string(record.numbers[i][cell][kind].value), std::to_string(found[cell][kind].value));
      }
    }
  }
  return count;
}

class SeriesExamination {
 public:
  explicit SeriesExamination(SeriesVerdict& verdict) : verdict_(verdict) {}

  Result<void> all(const std::vector<std::string>& texts, const std::optional<PublicKey>& expected) {
    VERNIER_TRY(read(texts, expected));
    VERNIER_TRY(links());
    VERNIER_TRY(const plan::SeriesPlan plan, facts());
    return numbers(plan);
  }

 private:
  void note(std::string_view name, std::string_view what, std::size_t count) {
    verdict_.checks.push_back({name, what, static_cast<std::int64_t>(count)});
  }

  Result<void> read(const std::vector<std::string>& texts, const std::optional<PublicKey>& expected) {
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    std::vector<StepRecord> records;
    for (const std::string& text : texts) {
      VERNIER_TRY(verdict_.signer, signer_of(text, expected ? expected : verdict_.signer));
      Result<StepRecord> record = read_step_record(text);
      if (!record) return invalid("record: " + record.error().sentence());
      order.emplace_back(record->step, records.size());
      records.push_back(*std::move(record));
    }
    std::ranges::sort(order);
    for (const auto& [step, place] : order) {
      VERNIER_TRY(std::string hash, sha256(texts[place]));
      hashes_.push_back(std::move(hash));
      verdict_.records.push_back(std::move(records[place]));
    }
    note("signature", "signatures of the whole texts", texts.size());
    return {};
  }

  // Each record names the one before, and no step is drawn twice.
  Result<void> links() {
    const auto& records = verdict_.records;
    if ((records.front().first == 0) != records.front().previous.empty())
      return differs(step_place(records.front()), "previous", "as stated", "empty of the first steps alone");
    for (std::size_t i = 1; i < records.size(); ++i) {
      const StepRecord &before = records[i - 1], &one = records[i];
      if (one.id != before.id || one.plan_hash != before.plan_hash || one.receipt.index != before.receipt.index ||
          one.receipt.head != before.receipt.head)
        return differs(step_place(one), "series", one.id, before.id);
      if (one.first != before.step + 1)
        return differs(step_place(one), "first step with noise of its own", std::to_string(one.first + 1),
                       std::to_string(before.step + 2));
      if (one.previous != hashes_[i - 1]) return differs(step_place(one), "previous", one.previous, hashes_[i - 1]);
    }
    note("chain", "steps that follow one another, each naming the record before it", records.size());
    return {};
  }

  Result<plan::SeriesPlan> facts() {
    const StepRecord& first = verdict_.records.front();
    VERNIER_TRY(check_hash(first));
    note("plan", "hash of the plan that the record states", 1);
    VERNIER_TRY(plan::SeriesPlan plan, check_total_of(first.plan));
    note("total", "epsilon and delta of all steps together, from the matrices and their sensitivities", 1);
    VERNIER_TRY(check_scales_of(first));
    note("scales", "matrices and scales recomputed from targets and budget, as this version plans", plan.series.size());
    for (const StepRecord& one : verdict_.records) {
      VERNIER_TRY(check_hash(one));
      VERNIER_TRY(check_accuracies_of(one, plan));
      VERNIER_TRY(check_charge_of(one, plan));
      VERNIER_TRY(check_assumptions_of(one));
    }
    const std::size_t count = verdict_.records.size();
    note("accuracies", "accuracies recomputed from the laws at alpha", 3 * count * plan.series.size());
    note("charge", "charge of the ledger, once for all steps", count);
    note("assumptions", "assumptions follow from the plan", first.assumptions.size());
    return plan;
  }

  Result<void> numbers(const plan::SeriesPlan& plan) {
    if (verdict_.records.front().first != 0) return {};
    std::vector<NoisyCells> noisy;
    std::int64_t count = 0;
    for (const StepRecord& one : verdict_.records) {
      add_noisy_cells(noisy, plan, one.noisy);
      VERNIER_TRY(const std::int64_t found, check_numbers_of(one, plan, noisy));
      count += found;
    }
    note("intervals", "numbers and intervals recomputed from the noisy integers of all steps",
         static_cast<std::size_t>(count));
    return {};
  }

  SeriesVerdict& verdict_;
  std::vector<std::string> hashes_ = {};
};

}  // namespace

SeriesVerdict verify_steps(const std::vector<std::string>& texts, const std::optional<PublicKey>& expected) {
  SeriesVerdict verdict;
  try {
    const Result<void> done = SeriesExamination(verdict).all(texts, expected);
    if (!done) verdict.first_problem = done.error().sentence();
  } catch (const std::exception&) {
    verdict.first_problem =
        "the figures of the record cannot be recomputed: they are outside of what a release can have";
  }
  return verdict;
}

}  // namespace vernier::release
