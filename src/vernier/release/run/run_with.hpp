#pragma once

#include <bit>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/run/prepared.hpp"
#include "vernier/release/run/tables.hpp"

// release::run over any source of bits, so that tests can bring their own.
namespace vernier::release {

// What the plan costs is written before this returns; nothing where the request was answered before.
Result<ledger::Reservation> reserved(const plan::Plan& plan, ledger::Ledger& ledger, const std::string& id,
                                     const std::string& plan_hash, const Request& request);
ledger::Witnessed witnessed(const plan::Plan& plan, const ledger::Granted& paid);

// A release that was paid for now, or the answer that was stored before.
using Outcome = std::variant<Release, ledger::Answered>;
Result<Release> new_release(Outcome outcome);  // an error for an answer that was stored before
Result<Answer> answered(Outcome outcome, ledger::Ledger& ledger, const Write& write);

// One of two constant sentences, whatever the engine said.
Failure run_error(const Error& error);

// The protected tables that the plan reads, each once.
std::vector<std::string> tables_of(const plan::Plan& plan);

// Reads all of the tables' files once, where that was not done before with the files as they are now.
Result<void> look_through(const std::vector<std::string>& tables, engine::Session& session, const Request& request);

// The error of a run. Where the engine failed, the tables are closed, and the sentence says so.
Failure closing_error(const Error& error, const std::vector<std::string>& tables, const TableMarks& marks);

// 128 random bits, in hex.
std::string id_of(std::uint64_t first, std::uint64_t second);

namespace detail {

// A statistic whose integers have their noise.
struct Drawn {
  ExactNumbers exact;
  std::vector<Integers> noisy;  // one per measurement
};
using AllDrawn = std::vector<std::optional<Drawn>>;  // one per statistic; none where nobody asks for it again

// The noisy integers of another measurement once more: its groups are the same, in their order.
inline Integers copied(const plan::Copied& from, const std::vector<Integers>& own, const AllDrawn& before) {
  const bool is_own = from.statistic == before.size();
  const auto noisy = (is_own ? own : before[from.statistic]->noisy)[from.measurement].all();
  Integers same(noisy.size());
  std::copy(noisy.begin(), noisy.end(), same.all().begin());
  return same;
}

template <class Stream>
Result<std::vector<Integers>> with_noise(const Prepared& prepared, const ExactNumbers& exact, const AllDrawn& before,
                                         random::BasicSource<Stream>& source) {
  std::vector<Integers> noisy;
  noisy.reserve(prepared.samplers.size());
  for (std::size_t i = 0; i < prepared.samplers.size(); ++i) {
    const auto& from = prepared.statistic->measurements[i].copied;
    VERNIER_TRY(Integers one, from ? Result<Integers>(copied(*from, noisy, before))
                                   : Perturb{exact, i}(prepared.samplers[i], source));
    noisy.push_back(std::move(one));
  }
  return noisy;
}

// Of a statistic by itself.
template <class Stream>
Result<std::vector<Integers>> with_noise(const Prepared& prepared, const ExactNumbers& exact,
                                         random::BasicSource<Stream>& source) {
  return with_noise(prepared, exact, {}, source);
}

// What is released of statistics, and of tables.
struct AllReleased {
  std::vector<Table> tables = {};
  std::vector<table::Noisy> contrasts = {};
};

// One for each statement; that of another where private keys are chosen by its number of units, so that the groups are
// the same.
template <class Stream>
Result<random::Wiped<engine::Asked>> secrets_of(const std::vector<Prepared>& all,
                                                const std::vector<PreparedTables>& sets,
                                                random::BasicSource<Stream>& source) {
  random::Wiped<engine::Asked> asked;
  const auto add = [&](const plan::Sql& sql) -> Result<void> {
    VERNIER_TRY(const auto words, source.draws.next_two());
    asked.push_back({&sql, {std::bit_cast<std::int64_t>(words[0]), std::bit_cast<std::int64_t>(words[1])}});
    return {};
  };
  for (const Prepared& one : all) {
    if (const std::optional<std::size_t> like = one.keys_like()) {
      asked.push_back({&one.sql, asked[*like].secret});
      continue;
    }
    VERNIER_TRY(add(one.sql));
  }
  for (const PreparedTables& one : sets) VERNIER_TRY(add(one.sql));
  return asked;
}

template <class Stream>
Result<Drawn> drawn(const Prepared& prepared, engine::RawAggregates raw, const AllDrawn& before,
                    random::BasicSource<Stream>& source) {
  const std::optional<std::size_t> like = prepared.keys_like();
  VERNIER_TRY(ExactNumbers exact,
              ExactNumbers::of(*prepared.statistic, std::move(raw), like ? &before[*like]->exact : nullptr));
  VERNIER_TRY(std::vector<Integers> noisy, with_noise(prepared, exact, before, source));
  return Drawn{std::move(exact), std::move(noisy)};
}

// Everything is read before noise is drawn: what must be read again meets none.
template <class Stream>
Result<AllReleased> released_of(const std::vector<Prepared>& all, const std::vector<PreparedTables>& sets,
                                engine::Session& session, random::BasicSource<Stream>& source,
                                const Progress& progress) {
  VERNIER_TRY(const random::Wiped<engine::Asked> asked, secrets_of(all, sets, source));
  Result<std::vector<engine::RawAggregates>> raw = session.run_all(asked, progress);
  if (!raw) return run_error(raw.error());
  if (raw->size() != asked.size()) return engine::failed_run();
  AllReleased released;
  AllDrawn before;
  before.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    VERNIER_TRY(Drawn one, drawn(all[i], std::move((*raw)[i]), before, source));
    VERNIER_TRY(Table table, published(all[i], one.exact, one.noisy));
    released.tables.push_back(std::move(table));
    before.emplace_back();
    if (is_copied_later(all, i)) before.back().emplace(std::move(one));
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    VERNIER_TRY(table::Noisy noisy, noisy_contrasts(sets[i], std::move((*raw)[all.size() + i]), source));
    released.contrasts.push_back(std::move(noisy));
  }
  return released;
}

// The same of statistics alone.
template <class Stream>
Result<std::vector<Table>> tables_of(const std::vector<Prepared>& all, engine::Session& session,
                                     random::BasicSource<Stream>& source, const Progress& progress) {
  VERNIER_TRY(AllReleased released, released_of(all, {}, session, source, progress));
  return std::move(released.tables);
}

}  // namespace detail

template <class Stream>
Result<Outcome> outcome_with(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger,
                             random::BasicSource<Stream>& source, const Request& request) {
  VERNIER_TRY(source.refresh());
  VERNIER_TRY(const auto words, source.draws.next_two());
  const std::string id = id_of(words[0], words[1]);
  VERNIER_TRY(const std::string plan_hash, sha256(plan::canonical(plan)));
  VERNIER_TRY(const std::vector<Prepared> prepared, prepare(plan, session));
  VERNIER_TRY(const std::vector<PreparedTables> sets, prepare_tables(plan, session));
  VERNIER_TRY(const Derivation derivation, Derivation::of(plan));
  const std::vector<std::string> read = tables_of(plan);
  VERNIER_TRY(request.marks.check_open(read));
  VERNIER_TRY(ledger::Reservation reservation, reserved(plan, ledger, id, plan_hash, request));
  if (auto* before = std::get_if<ledger::Answered>(&reservation)) return Outcome(std::move(*before));
  const auto& paid = std::get<ledger::Granted>(reservation);
  Result<detail::AllReleased> released = look_through(read, session, request).and_then([&] {
    return detail::released_of(prepared, sets, session, source, request.progress);
  });
  if (!released) return closing_error(released.error(), read, request.marks);
  VERNIER_TRY(derivation.add_to(released->tables));
  return Outcome(Release{.id = id,
                         .plan = plan,
                         .tables = std::move(released->tables),
                         .receipt = paid.receipt,
                         .terms = ledger.rules().terms,
                         .taken = paid.taken,
                         .witnessed = witnessed(plan, paid),
                         .catalog_hash = request.catalog_hash,
                         .plan_hash = plan_hash,
                         .engine = session.version(),
                         .snapshot = session.snapshot(),
                         .public_files = session.public_files(),
                         .contrasts = std::move(released->contrasts)});
}

template <class Stream>
Result<Release> run_with(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger,
                         random::BasicSource<Stream>& source, const Request& request) {
  return outcome_with(plan, session, ledger, source, request).and_then(new_release);
}

}  // namespace vernier::release
