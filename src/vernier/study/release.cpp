#include "vernier/study/release.hpp"

#include <algorithm>
#include <utility>

#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/signing/key_file.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/plan.hpp"
#include "vernier/study/repeat.hpp"
#include "vernier/study/session.hpp"
#include "vernier/study/table_documents.hpp"

namespace vernier::study {
namespace {

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

Left left_of(const ledger::Book& book, const std::string& analyst) {
  const ledger::Cost left = book.balance_of(analyst).value_or(book.balance()).left;
  const ledger::Quanta& quanta = book.rules().quanta;
  return {quanta.epsilon(left.epsilon).round_down(), quanta.delta(left.delta).round_down()};
}

// One run of a plan, with all that it opens. The key is read first: without one nothing could be signed.
class Run {
 public:
  static Result<Run> prepare(const Plan& plan, const Request& request) {
    const Study& study = plan.study();
    VERNIER_TRY(release::SigningKey key, release::installation_key());
    VERNIER_TRY(std::unique_ptr<engine::Session> session,
                open_session(study.bound.catalog, study.tables(), request.memory, request.session));
    for (const plan::BoundStatistic* const statistic : statements_of(study.bound)) {
      VERNIER_TRY(session->check_joins(*statistic));
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
    return Answer{std::move(answer.receipt), std::move(answer.documents), answer.is_repeated,
                  left_of(ledger_->book(), request_.analyst), std::move(published_)};
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
    ledger::Documents tables = table_documents(release.plan, release.contrasts);
    made.insert(made.begin(), std::make_move_iterator(tables.begin()), std::make_move_iterator(tables.end()));
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

// Steps of series are entries under names of their own, which others could take.
bool is_name_of_a_step(std::string_view request) {
  const std::size_t point = request.find('.');
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return request.starts_with("series of ") ||
         (point == 32 && request.size() > 33 && std::ranges::all_of(request.substr(0, point), is_hex) &&
          std::ranges::all_of(request.substr(point + 1), is_digit));
}

Result<void> check_request(const std::string& request) {
  if (!is_name_of_a_step(request)) return {};
  return invalid("the request '" + request + "' has a name that the steps of series go by", "choose another one");
}

}  // namespace

Result<ledger::Documents> record_alone(const Published&) { return ledger::Documents(); }

// The one sequence that spends.
Result<Answer> Plan::release(const Request& request) const {
  VERNIER_TRY(check_request(request.request));
  VERNIER_TRY(check_sources(study_.bound.catalog, study_.tables(), request.memory));
  if (request.same && request.request.empty()) {
    Request named = request;
    named.same = false;
    VERNIER_TRY(named.request, id_of_same(*this, request));
    return release(named);
  }
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
