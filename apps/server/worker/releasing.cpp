#include <charconv>
#include <csignal>
#include <ctime>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/release/documents.hpp"
#include "server/slots.hpp"
#include "server/worker/answers.hpp"
#include "server/worker/planned.hpp"
#include "server/worker/stored.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/query/series.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/ledger.hpp"
#include "vernier/study/plan.hpp"

// Releases: the plan that was reviewed, charged to whoever the token names, once for each key.
namespace vernier::server {
namespace {

using ledger::Entry;
using ledger::Kind;

std::string request_of(const Ask& ask, const std::string& key) { return ask.name + "/" + key; }

Told not_there() { return told_error(404, {ErrorKind::invalid, "there is no such release, or it is not yours"}); }

}  // namespace

Result<std::optional<Stored>> stored_by(const study::Catalog& catalog, bool by_request, const std::string& id) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(catalog.content(), ledger::Missing::is_none));
  if (!store) return std::nullopt;
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> view, store->begin(ledger::Access::read));
  VERNIER_TRY(std::optional<Entry> reserve,
              by_request ? view->find_request(id) : view->find_release(Kind::reserve, id));
  if (!reserve) return std::nullopt;
  VERNIER_TRY(const std::optional<Entry> settle, view->find_release(Kind::settle, reserve->release));
  VERNIER_TRY(ledger::Documents documents, view->documents(reserve->release));
  return Stored{*std::move(reserve), settle.has_value(), std::move(documents)};
}

namespace {

void write_names(JsonWriter& json, const ledger::Documents& documents) {
  json.key("documents");
  json.begin_array();
  for (const ledger::Document& one : documents) json.value(std::string_view(one.name));
  json.end_array();
}

// {"release", "entry", "study", "repeated", "documents"}
Told answered(const Stored& stored, bool is_repeated) {
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.member("release", std::string_view(stored.reserve.release));
  json.member("entry", stored.reserve.index);
  json.member("study", std::string_view(stored.reserve.study));
  json.key("repeated");
  json.boolean(is_repeated);
  write_names(json, stored.documents);
  json.end_object();
  told.body += "\n";
  return told;
}

// A run that failed after it was paid for is told apart from one that cost nothing.
Result<Told> failed(const study::Catalog& catalog, const std::string& request, const std::string& hash,
                    const Error& error) {
  const Result<std::optional<Stored>> stored = stored_by(catalog, true, request);
  if (!stored) return Failure(error);
  if (!*stored) return told_error(error.kind == ErrorKind::invalid ? 422 : 500, error);
  if ((*stored)->reserve.plan != hash) {
    return told_error(409, {ErrorKind::invalid,
                            "this key was used for another plan",
                            {},
                            "nothing was spent for this one, so ask with a new key"});
  }
  Told told = told_error(409, error);
  told.is_paid = true;
  return told;
}

milliseconds number_of(const Ask& ask, std::string_view name) {
  std::int64_t value = 0;
  const auto found = ask.parameters.find(name);
  if (found == ask.parameters.end()) return milliseconds(0);
  std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
  return milliseconds(value);
}

milliseconds steady_now() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

// Cut short by SIGTERM, which a process that releases takes nowhere else.
bool pause_for(milliseconds wait) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGTERM);
  const timespec time{wait.count() / 1000, (wait.count() % 1000) * 1'000'000};
  return ::sigtimedwait(&signals, nullptr, &time) != SIGTERM;
}

// Ends a run that takes too long also where the server that would end it was killed; that one comes first.
class Alarm {
 public:
  explicit Alarm(const Slots& slots) {
    if (slots.are_kept()) ::alarm(static_cast<unsigned>((slots.last() + 2 * settling_time).count() / 1000));
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() { ::alarm(0); }
};

// The documents, which are there to be stored once their slot has come.
study::MakeDocuments held(study::MakeDocuments make, Hold& hold) {
  return [make = std::move(make), &hold](const study::Published& published) -> Result<ledger::Documents> {
    VERNIER_TRY(ledger::Documents made, make(published));
    VERNIER_TRY(hold.wait());
    return made;
  };
}

Result<Told> released(const Ask& ask, Hold& hold) {
  VERNIER_TRY(const std::string key, ask.parameter_of("key"));
  VERNIER_TRY(const std::string catalog_name, ask.text("catalog"));
  VERNIER_TRY(const std::string wanted, ask.text("plan_hash"));
  VERNIER_TRY(const std::string name, study_name(ask));
  VERNIER_TRY(const study::Text text, study_text(ask, name));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, catalog_name));
  if (query::has_series(text.text)) return released_step(ask, catalog, name, text, hold);
  if (ask.body.contains("step"))
    return invalid("step", "is of a study with [[series]], and this one has none", "leave it out");
  VERNIER_TRY(const study::Study study, study::Study::of(name, text, catalog));
  VERNIER_TRY(const study::Plan plan, study.plan());
  VERNIER_TRY(const std::string hash, plan_hash_of(plan));
  if (hash != wanted) return told_changed();
  const study::Request request{.analyst = ask.name,
                               .request = request_of(ask, key),
                               .documents = held(cli::documents_beside(cli::Files::all()), hold)};
  const Result<study::Answer> answer = plan.release(request);
  if (!answer) return failed(catalog, request.request, hash, answer.error());
  VERNIER_TRY(const std::optional<Stored> stored, stored_by(catalog, true, request.request));
  if (!stored)
    return fail(ErrorKind::system,
                "the ledger does not have what was just stored; look into it before anything else is released");
  return answered(*stored, answer->is_repeated);
}

}  // namespace

Told told_changed() {
  return told_error(409, {ErrorKind::invalid,
                          "the plan is no longer the one that was reviewed",
                          {},
                          "nothing was spent, so review it again"});
}

Result<Told> answer_release(const Ask& ask) {
  const Slots slots{number_of(ask, "slot"), number_of(ask, "longest")};
  const Alarm alarm(slots);
  Hold hold(slots, steady_now, pause_for);
  Result<Told> told = released(ask, hold);
  VERNIER_TRY(hold.wait());  // whatever has failed is told no sooner
  return told;
}

Result<Told> answer_request_state(const Ask& ask) {
  VERNIER_TRY(const std::string key, ask.parameter_of("key"));
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, name));
  VERNIER_TRY(const std::optional<Stored> stored, stored_by(catalog, true, request_of(ask, key)));
  if (!stored || stored->reserve.analyst != ask.name) return not_there();
  Told told = answered(*stored, true);
  told.body.pop_back();
  told.body = fmt::format("{{\"request\":\"{}\",\"state\":\"{}\",\"answer\":{}}}\n", key,
                          stored->is_answered ? "ready" : "unanswered", told.body);
  return told;
}

Result<Told> answer_releases(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  study::HistoryRequest asked{.analyst = ask.is_steward ? std::nullopt : std::optional(ask.name), .last = 1000};
  VERNIER_TRY(const study::LedgerHistory history, study::ledger_history(text, asked, nobody_watches));
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("releases");
  json.begin_array();
  for (const auto& [entry, is_answered] : history.lines) {
    if (entry.kind != Kind::reserve) continue;
    json.begin_object();
    json.member("release", std::string_view(entry.release));
    json.member("entry", entry.index);
    json.member("study", std::string_view(entry.study));
    json.member("analyst", std::string_view(entry.analyst));
    json.member("time", entry.time);
    json.member("state", std::string_view(is_answered ? "ready" : "unanswered"));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

std::string type_of_document(const std::string& name) {
  const auto ends = [&](std::string_view end) {
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  };
  if (ends(".json")) return "application/json; charset=utf-8";
  if (ends(".csv")) return "text/csv; charset=utf-8";
  if (ends(".html")) return "text/html; charset=utf-8";
  if (ends(".svg")) return "image/svg+xml";
  return ends(".txt") ? "text/plain; charset=utf-8" : "application/octet-stream";
}

Result<Told> answer_document(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const std::string release, ask.parameter_of("release"));
  VERNIER_TRY(const std::string document, ask.parameter_of("document"));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, name));
  VERNIER_TRY(const std::optional<Stored> stored, stored_by(catalog, false, release));
  if (!stored || (!ask.is_steward && stored->reserve.analyst != ask.name)) return not_there();
  const ledger::Document* const found = ledger::document_named(stored->documents, document);
  if (found == nullptr) return not_there();
  return Told{200, type_of_document(document), found->content};
}

}  // namespace vernier::server
