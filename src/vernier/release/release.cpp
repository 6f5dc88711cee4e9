#include "vernier/release/release.hpp"

#include <algorithm>
#include <array>

#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/run/run_with.hpp"

namespace vernier::release {

namespace {

Failure has_no_answer(const std::string& request, const ledger::Receipt& receipt) {
  return fail(ErrorKind::system, "the request '" + request + "' was paid for as entry " +
                                     std::to_string(receipt.index) +
                                     " of the ledger and has no answer: it still runs, or was cut off; ask again "
                                     "later, or with another id, which is charged anew");
}

std::string unit_of(const plan::Plan& plan) { return first_table(plan.study).unit.value_or("row"); }

}  // namespace

Result<ledger::Reservation> reserved(const plan::Plan& plan, ledger::Ledger& ledger, const std::string& id,
                                     const std::string& plan_hash, const Request& request) {
  VERNIER_TRY(check_files(plan.study, ledger.book().units()));
  VERNIER_TRY(const ledger::Price price, price_of(plan, ledger.rules()));
  Result<ledger::Reservation> reservation = ledger.reserve({.release = id,
                                                            .study = request.study,
                                                            .plan = plan_hash,
                                                            .unit = unit_of(plan),
                                                            .price = price,
                                                            .analyst = request.analyst,
                                                            .request = request.request,
                                                            .tables = units_of(plan.study)});
  if (!reservation) return reservation;
  if (const auto* pending = std::get_if<ledger::Unanswered>(&*reservation)) {
    return has_no_answer(request.request, pending->receipt);
  }
  return reservation;
}

ledger::Witnessed witnessed(const plan::Plan& plan, const ledger::Granted& paid) {
  if (plan.study.catalog.budget.without_witness) return ledger::Witnessed::none;
  return paid.is_witness_new ? ledger::Witnessed::is_new : ledger::Witnessed::remembered;
}

Result<Release> new_release(Outcome outcome) {
  if (auto* release = std::get_if<Release>(&outcome)) return std::move(*release);
  return invalid("the request was answered before; publish it to get the stored answer, or give it another id");
}

Result<Answer> answered(Outcome outcome, ledger::Ledger& ledger, const Write& write) {
  if (auto* before = std::get_if<ledger::Answered>(&outcome)) {
    return Answer{before->receipt, std::move(before->documents), true};
  }
  const Release& release = std::get<Release>(outcome);
  VERNIER_TRY(ledger::Documents documents, write(release));
  return ledger.settle(release.id, documents).map([&](const ledger::Receipt&) {
    return Answer{release.receipt, std::move(documents), false};
  });
}

Failure run_error(const Error& error) {
  return error.kind == ErrorKind::stopped ? engine::stopped_run() : engine::failed_run();
}

std::vector<std::string> tables_of(const plan::Plan& plan) {
  std::vector<std::string> tables;
  for (const plan::BoundStatistic* const statistic : statements_of(plan.study)) {
    for (const query::Table& one : plan::protected_tables(*statistic)) {
      if (std::find(tables.begin(), tables.end(), one.name) == tables.end()) tables.push_back(one.name);
    }
  }
  return tables;
}

Result<void> look_through(const std::vector<std::string>& tables, engine::Session& session, const Request& request) {
  const Progress stays = [&](double) { return request.progress(0); };
  for (const std::string& table : tables) {
    const std::string state = session.state_of(table);
    if (!state.empty() && request.marks.has_seen(table, state)) continue;
    if (const Result<void> looked = session.look_through(table, stays); !looked) return run_error(looked.error());
    if (!state.empty()) request.marks.remember(table, state);
  }
  return {};
}

Failure closing_error(const Error& error, const std::vector<std::string>& tables, const TableMarks& marks) {
  if (error.kind != ErrorKind::engine) return Failure(error);
  return fail(error.kind, error.problem + marks.close(tables), error.advice);
}

std::string id_of(std::uint64_t first, std::uint64_t second) {
  std::string bytes;
  for (const std::uint64_t word : {first, second}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> static_cast<unsigned>(shift));
  }
  return hex(bytes);
}

Result<Release> run(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                    const Request& request) {
  return run_with(plan, session, ledger, source, request);
}

Result<Answer> publish(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger, random::Source& source,
                       const Request& request, const Write& write) {
  return outcome_with(plan, session, ledger, source, request).and_then([&](Outcome outcome) {
    return answered(std::move(outcome), ledger, write);
  });
}

}  // namespace vernier::release
