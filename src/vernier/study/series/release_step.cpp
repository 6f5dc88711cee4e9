#include <algorithm>

#include "vernier/core/hash.hpp"
#include "vernier/core/version.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/run/run_with.hpp"
#include "vernier/release/series/draw_steps.hpp"
#include "vernier/release/signing/key_file.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/series/measured.hpp"
#include "vernier/study/series/standing.hpp"
#include "vernier/study/session.hpp"

namespace vernier::study {
namespace {

constexpr int most_attempts = 100;

std::string day_text(query::Day day) { return query::text_of(day); }

Result<std::int64_t> step_of_day(const SeriesStudy& study, query::Day day) {
  const query::Calendar& calendar = study.calendar();
  if (const auto step = calendar.step_of(day)) return *step;
  return invalid("the day " + day_text(day) + " lies outside of the series, which go from " + day_text(calendar.start) +
                     " to " + day_text(calendar.end),
                 "name a day of one of their steps");
}

// Behind a step that was published no earlier one is: its noise is in the records already.
Failure was_skipped(const SeriesStudy& study, const SeriesStanding& standing, std::int64_t step) {
  const query::Calendar& calendar = study.calendar();
  const auto later = std::ranges::find_if(standing.steps, [&](const StandingStep& one) { return one.step > step; });
  return invalid("the step of " + day_text(calendar.first_day(step)) +
                     " was skipped and made up for in the release of " + day_text(calendar.first_day(later->step)) +
                     ", so that it is not released again",
                 "that release has its numbers among those of past steps");
}

ledger::Spend spend_of(const SeriesStudy& study, const plan::Plan& charge, const std::string& release,
                       const std::string& request, const ledger::Price& price, const std::string& analyst) {
  return {.release = release,
          .study = study.name,
          .plan = study.plan_hash,
          .unit = plan::unit_of(charge.study),
          .price = price,
          .analyst = analyst,
          .request = request,
          .tables = release::units_of(charge.study)};
}

Result<std::string> new_id(random::Source& source) {
  VERNIER_TRY(source.refresh());
  return source.draws.next_two().map([](const auto& words) { return release::id_of(words[0], words[1]); });
}

// The whole series, unless it is reserved already. Durable before it returns.
Result<bool> reserve_all(const SeriesStudy& study, const plan::Plan& charge, ledger::Ledger& ledger,
                         random::Source& source, const std::string& analyst) {
  VERNIER_TRY(const std::string id, new_id(source));
  VERNIER_TRY(release::check_files(charge.study, ledger.book().units()));
  VERNIER_TRY(const ledger::Price price, release::price_of(charge, ledger.rules()));
  return ledger.reserve(spend_of(study, charge, id, reservation_of(study), price, analyst))
      .map([](const ledger::Reservation& made) { return std::holds_alternative<ledger::Granted>(made); });
}

release::SeriesCharge charge_of(const ledger::Rules& rules, const ledger::Entry& entry) {
  return {rules.terms.accountant,
          rules.terms.epsilon,
          rules.terms.delta,
          entry.manner,
          rules.quanta.epsilon(entry.cost.epsilon),
          rules.quanta.delta(entry.cost.delta)};
}

// One run: everything that is opened for it.
class StepRun {
 public:
  static Result<StepRun> prepare(const SeriesStudy& study, const StepRequest& request) {
    VERNIER_TRY(release::SigningKey key, release::installation_key());
    VERNIER_TRY(std::unique_ptr<engine::Session> session, open_session(study.catalog, study.tables(), request.memory));
    for (const plan::BoundSeries& one : study.bound) VERNIER_TRY(session->check_joins(one.counted));
    VERNIER_TRY(std::unique_ptr<ledger::Ledger> ledger, release::open_ledger(study.catalog));
    VERNIER_TRY(random::Source* const source, random::thread_source());
    return StepRun(study, request, std::move(key), std::move(session), std::move(ledger), source);
  }

  Result<StepAnswer> publish(std::int64_t step) {
    bool is_first = false;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
      if (!standing_) {
        VERNIER_TRY(standing_, series_standing(study_));
      }
      const SeriesStanding& standing = *standing_;
      for (std::size_t i = 0; i < standing.steps.size(); ++i) {
        if (standing.steps[i].step == step) return repeated(standing, i);
      }
      if (standing.next() > step) return was_skipped(study_, standing, step);
      if (!standing.reservation) {
        VERNIER_TRY(is_first, reserve_all(study_, charge_, *ledger_, *source_, request_.analyst));
        standing_.reset();
        continue;
      }
      VERNIER_TRY(std::optional<StepAnswer> answer, publish_next(standing, step, is_first));
      if (answer) return remembered(*std::move(answer));
      standing_.reset();
    }
    return fail(ErrorKind::system, "others publish steps of these series at the same time", "try again later");
  }

 private:
  StepRun(const SeriesStudy& study, const StepRequest& request, release::SigningKey key,
          std::unique_ptr<engine::Session> session, std::unique_ptr<ledger::Ledger> ledger, random::Source* source)
      : study_(study),
        request_(request),
        charge_(study.charge()),
        key_(std::move(key)),
        session_(std::move(session)),
        ledger_(std::move(ledger)),
        source_(source) {}

  Result<StepAnswer> repeated(const SeriesStanding& standing, std::size_t place) const {
    const StandingStep& one = standing.steps[place];
    VERNIER_TRY(ledger::Documents documents,
                stored_step(study_, *standing.reservation, static_cast<std::int64_t>(place)));
    return StepAnswer{study_.calendar().first_day(one.step),
                      {standing.reservation->index, standing.reservation->hash},
                      std::move(documents),
                      true,
                      false,
                      one.step - one.first};
  }

  // The next of several steps need not read again what this one was made from. Whether others have published since
  // shows when it is reserved.
  Result<StepAnswer> remembered(StepAnswer answer) {
    const ledger::Document* const measured = ledger::document_named(answer.documents, measured_name);
    VERNIER_TRY(StandingStep step, read_measured(measured->content));
    VERNIER_TRY(standing_->last, sha256(measured->content));
    standing_->steps.push_back(std::move(step));
    answer.documents = shown(std::move(answer.documents));
    return answer;
  }

  // None where somebody else has published in the meantime: what was drawn here is forgotten.
  Result<std::optional<StepAnswer>> publish_next(const SeriesStanding& standing, std::int64_t step, bool is_first) {
    const ledger::Entry& reservation = *standing.reservation;
    const auto place = static_cast<std::int64_t>(standing.steps.size());
    const std::string name = continuation_of(reservation, place);
    VERNIER_TRY(const ledger::Reservation made,
                ledger_->reserve(spend_of(study_, charge_, name, name, {}, reservation.analyst)));
    if (std::holds_alternative<ledger::Answered>(made)) return std::nullopt;
    VERNIER_TRY(const ledger::Documents documents, documents_of(standing, step));
    const Result<ledger::Receipt> settled = ledger_->settle(name, documents);
    if (!settled) {
      VERNIER_TRY(const SeriesStanding now, series_standing(study_));
      if (now.steps.size() > standing.steps.size()) return std::nullopt;
      return Failure(settled.error());
    }
    return StepAnswer{study_.calendar().first_day(step),
                      {reservation.index, reservation.hash},
                      documents,
                      false,
                      is_first,
                      step - standing.next()};
  }

  Result<std::vector<release::NoisySteps>> drawn(std::int64_t first, std::int64_t step) {
    std::vector<release::SeriesToDraw> all;
    for (std::size_t i = 0; i < study_.bound.size(); ++i) all.push_back({study_.bound[i], study_.plan.series[i]});
    const release::Request request{study_.name, study_.plan.facts.catalog,        request_.progress, request_.analyst,
                                   "",          release::marks_of(study_.catalog)};
    return release::drawn_steps(all, first, step, *session_, *source_, request);
  }

  Result<ledger::Documents> documents_of(const SeriesStanding& standing, std::int64_t step) {
    release::StepRecord record{.id = standing.reservation->release,
                               .study = study_.name,
                               .plan = study_.plan.facts,
                               .plan_hash = study_.plan_hash,
                               .step = step,
                               .first = standing.next(),
                               .receipt = {standing.reservation->index, standing.reservation->hash},
                               .charge = charge_of(ledger_->rules(), *standing.reservation),
                               .software = std::string(version()),
                               .engine = session_->version(),
                               .assumptions = release::assumptions_of(study_.plan.facts)};
    if (!standing.steps.empty()) record.previous = standing.steps.back().record;
    VERNIER_TRY(record.noisy, drawn(record.first, step));
    std::vector<release::NoisyCells> noisy;
    for (const StandingStep& one : standing.steps) add_noisy_cells(noisy, study_.plan, one.noisy);
    add_noisy_cells(noisy, study_.plan, record.noisy);
    for (std::size_t i = 0; i < noisy.size(); ++i) add_numbers(record, i, noisy[i]);
    VERNIER_TRY(ledger::Documents made, request_.documents({study_, record, noisy}));
    StandingStep kept{record.step, record.first, {}, standing.last, record.noisy};
    VERNIER_TRY(ledger::Documents documents, with_signed_record(std::move(made), std::move(record)));
    VERNIER_TRY(kept.record, sha256(ledger::document_named(documents, release::record_name)->content));
    documents.push_back({std::string(measured_name), text_of(kept)});
    return documents;
  }

  void add_numbers(release::StepRecord& record, std::size_t place, const release::NoisyCells& noisy) const {
    const auto step = static_cast<std::size_t>(record.step);
    const plan::PlannedSeries& planned = study_.plan.series[place];
    record.numbers.push_back(release::numbers_at(planned, record.plan.series[place], noisy, step));
    record.accuracies.push_back({});
    for (const series::Kind kind : series::all_kinds)
      record.accuracies.back()[static_cast<std::size_t>(kind)] = planned.accuracy(kind, step);
  }

  // The record vouches for the files; the text for a person comes last.
  Result<ledger::Documents> with_signed_record(ledger::Documents made, release::StepRecord record) const {
    const auto texts =
        std::stable_partition(made.begin(), made.end(), [](const ledger::Document& one) { return one.name != spoken; });
    ledger::Documents documents(made.begin(), texts);
    VERNIER_TRY(record.documents, release::hashes_of(documents));
    VERNIER_TRY(std::string text, release::signed_step_record(std::move(record), key_));
    documents.insert(documents.begin(), {std::string(release::record_name), std::move(text)});
    documents.insert(documents.end(), texts, made.end());
    return documents;
  }

  const SeriesStudy& study_;
  const StepRequest& request_;
  std::optional<SeriesStanding> standing_ = {};  // none: it has to be read
  plan::Plan charge_;
  release::SigningKey key_;
  std::unique_ptr<engine::Session> session_;
  std::unique_ptr<ledger::Ledger> ledger_;
  random::Source* source_;
};

Result<StepAnswer> answer_in(StepRun& run, std::int64_t step, const std::optional<std::filesystem::path>& place) {
  if (!place) return run.publish(step);
  VERNIER_TRY(Folder folder, Folder::begin(*place));
  VERNIER_TRY(StepAnswer answer, run.publish(step));
  const Result<void> written = write_documents(folder, answer.documents);
  if (written) return answer;
  Error error = written.error();
  error.advice += (error.advice.empty() ? "" : "; ") + std::string("the step is published; ask for it again");
  return fail(ErrorKind::system, std::move(error));
}

}  // namespace

const std::string& StepAnswer::record_text() const {
  static const std::string nothing;
  const ledger::Document* const record = ledger::document_named(documents, release::record_name);
  return record == nullptr ? nothing : record->content;
}

Result<StepAnswer> release_step(const SeriesStudy& study, query::Day day, const StepRequest& request) {
  VERNIER_TRY(const std::int64_t step, step_of_day(study, day));
  VERNIER_TRY(check_sources(study.catalog, study.tables(), request.memory));
  VERNIER_TRY(StepRun run, StepRun::prepare(study, request));
  return answer_in(run, step, request.folder);
}

namespace {

std::optional<std::filesystem::path> place_of(const StepRequest& request, const query::Calendar& calendar,
                                              std::int64_t step) {
  if (!request.folder) return std::nullopt;
  return *request.folder / day_text(calendar.first_day(step));
}

// Those that have ended and are not published; before them those whose folder is missing, since a run was cut off
// behind the ledger.
std::vector<std::int64_t> due_steps(const SeriesStudy& study, const SeriesStanding& standing, query::Day today,
                                    const StepRequest& request) {
  const query::Calendar& calendar = study.calendar();
  std::vector<std::int64_t> due;
  std::error_code ignored;
  for (const StandingStep& one : standing.steps) {
    const auto place = place_of(request, calendar, one.step);
    if (place && !std::filesystem::exists(*place, ignored)) due.push_back(one.step);
  }
  for (std::int64_t step = standing.next(); step < calendar.steps() && calendar.last_day(step) < today; ++step)
    due.push_back(step);
  return due;
}

}  // namespace

Result<std::vector<StepAnswer>> release_due(const SeriesStudy& study, query::Day today, const StepRequest& request) {
  VERNIER_TRY(check_sources(study.catalog, study.tables(), request.memory));
  VERNIER_TRY(const SeriesStanding standing, series_standing(study));
  const std::vector<std::int64_t> due = due_steps(study, standing, today, request);
  std::vector<StepAnswer> answers;
  if (due.empty()) return answers;
  std::error_code ignored;
  if (request.folder) std::filesystem::create_directories(*request.folder, ignored);
  VERNIER_TRY(StepRun run, StepRun::prepare(study, request));
  for (const std::int64_t step : due) {
    VERNIER_TRY(StepAnswer answer, answer_in(run, step, place_of(request, study.calendar(), step)));
    answers.push_back(std::move(answer));
  }
  return answers;
}

Result<LedgerState> series_ledger(const SeriesStudy& study, const std::string& analyst) {
  return ledger_state(study.charge(), analyst);
}

}  // namespace vernier::study
