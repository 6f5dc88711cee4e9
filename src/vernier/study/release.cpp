#include "vernier/study/release.hpp"

#include <algorithm>
#include <utility>

#include "vernier/engine/duckdb/session.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/signing/key_file.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::study {
namespace {

// Whether all data is there and has the declared columns.
Result<void> check_sources(const Study& study, const engine::MemoryTables& memory) {
  const query::Catalog& catalog = study.bound.catalog;
  VERNIER_TRY(engine::check_memory(catalog, memory));
  for (const query::Table& table : study.tables()) {
    VERNIER_TRY(engine::check_source(catalog, table, memory));
  }
  return {};
}

// What was made, behind the record that vouches for it; the text for a person comes last.
Result<ledger::Documents> with_record(ledger::Documents made, const Published& published,
                                      const release::SigningKey& key) {
  const auto texts =
      std::stable_partition(made.begin(), made.end(), [](const ledger::Document& one) { return one.name != spoken; });
  ledger::Documents documents(std::make_move_iterator(made.begin()), std::make_move_iterator(texts));
  release::Asked asked = asked_of(published.study);
  VERNIER_TRY(asked.documents, release::hashes_of(documents));
  VERNIER_TRY(std::string record, release::signed_release_json(published.release, asked, key));
  documents.insert(documents.begin(), {std::string(release::record_name), std::move(record)});
  documents.insert(documents.end(), std::make_move_iterator(texts), std::make_move_iterator(made.end()));
  return documents;
}

// One run of a plan, with all that it opens. The key is read first: without one nothing could be signed.
class Run {
 public:
  static Result<Run> prepare(const Plan& plan, const Request& request) {
    const Study& study = plan.study();
    VERNIER_TRY(release::SigningKey key, release::installation_key());
    VERNIER_TRY(std::unique_ptr<engine::Session> session,
                engine::open_duckdb(study.bound.catalog, study.tables(), {}, request.memory));
    for (const plan::BoundStatistic& statistic : study.bound.statistics) {
      VERNIER_TRY(session->check_joins(statistic));
    }
    VERNIER_TRY(std::unique_ptr<ledger::Ledger> ledger, release::open_ledger(study.bound.catalog));
    return Run(plan, request, std::move(key), std::move(session), std::move(ledger));
  }

  Result<Answer> go() {
    VERNIER_TRY(random::Source* const source, random::thread_source());
    if (!request_.progress(0)) {
      return fail(ErrorKind::stopped, "the run was stopped before it began", "nothing was charged");
    }
    const plan::BoundStudy& bound = plan_.study().bound;
    VERNIER_TRY(release::Answer answer,
                release::publish(plan_.content(), *session_, *ledger_, *source,
                                 {plan_.study().name, bound.origin.catalog, request_.progress, request_.analyst,
                                  request_.request, release::marks_of(bound.catalog)},
                                 [&](const release::Release& release) { return documents_of(release); }));
    return Answer{std::move(answer.receipt), std::move(answer.documents), answer.is_repeated, std::move(published_)};
  }

 private:
  Run(const Plan& plan, const Request& request, release::SigningKey key, std::unique_ptr<engine::Session> session,
      std::unique_ptr<ledger::Ledger> ledger)
      : plan_(plan),
        request_(request),
        key_(std::move(key)),
        session_(std::move(session)),
        ledger_(std::move(ledger)) {}

  Result<ledger::Documents> documents_of(const release::Release& release) {
    if (!request_.progress(1)) return engine::stopped_run();
    published_ = std::make_shared<const Published>(Published{plan_.study(), release, ledger_->book().balance()});
    VERNIER_TRY(ledger::Documents made, request_.documents(*published_));
    return with_record(std::move(made), *published_, key_);
  }

  const Plan& plan_;
  const Request& request_;
  release::SigningKey key_;
  std::unique_ptr<engine::Session> session_;
  std::unique_ptr<ledger::Ledger> ledger_;
  std::shared_ptr<const Published> published_;
};

Result<Answer> answer_to(const Plan& plan, const Request& request) {
  VERNIER_TRY(Run run, Run::prepare(plan, request));
  return run.go();
}

Failure not_written(Error error, const Request& request) {
  if (!error.advice.empty()) error.advice += "; ";
  error.advice += "the budget stays spent";
  if (!request.request.empty()) error.advice += "; the same request gives the answer again";
  return fail(ErrorKind::system, std::move(error));
}

}  // namespace

Result<ledger::Documents> record_alone(const Published&) { return ledger::Documents(); }

// The one sequence that spends.
Result<Answer> Plan::release(const Request& request) const {
  VERNIER_TRY(check_sources(study_, request.memory));
  if (!request.folder) return answer_to(*this, request);
  VERNIER_TRY(Folder folder, Folder::begin(*request.folder));
  VERNIER_TRY(Answer answer, answer_to(*this, request));
  if (const Result<void> written = write_documents(folder, answer.documents); !written) {
    return not_written(written.error(), request);
  }
  return answer;
}

release::Asked asked_of(const Study& study) {
  std::vector<std::string> sql;
  for (const query::Statistic& statistic : study.question.statistics) sql.push_back(statistic.sql);
  return {study.name, std::move(sql), study.question.alpha};
}

const std::string& Answer::record_text() const {
  static const std::string nothing;
  const ledger::Document* const record = ledger::document_named(documents, release::record_name);
  return record == nullptr ? nothing : record->content;
}

Result<release::Record> Answer::record() const { return release::read_record(record_text()); }

}  // namespace vernier::study
