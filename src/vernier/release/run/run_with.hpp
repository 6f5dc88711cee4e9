#pragma once

#include <bit>
#include <utility>

#include "vernier/core/hash.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/run/prepared.hpp"

// release::run over any source of bits, so that tests can bring their own.
namespace vernier::release {

// What the plan costs is written before this returns; nothing where the request was answered before.
Result<ledger::Reservation> reserved(const plan::Plan& plan, ledger::Ledger& ledger, const std::string& id,
                                     const std::string& plan_hash, const Request& request);

// A release that was paid for now, or the answer that was stored before.
using Outcome = std::variant<Release, ledger::Answered>;
Result<Release> new_release(Outcome outcome);  // an error for an answer that was stored before
Result<Answer> answered(Outcome outcome, ledger::Ledger& ledger, const Write& write);

// The watcher of the whole run, for one of `count` parts of it.
Progress part_of(const Progress& progress, std::size_t part, std::size_t count);

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

template <class Stream>
Result<std::vector<Integers>> with_noise(const Prepared& prepared, const ExactNumbers& exact,
                                         random::BasicSource<Stream>& source) {
  std::vector<Integers> noisy;
  noisy.reserve(prepared.samplers.size());
  for (std::size_t i = 0; i < prepared.samplers.size(); ++i) {
    VERNIER_TRY(Integers one, Perturb{exact, i}(prepared.samplers[i], source));
    noisy.push_back(std::move(one));
  }
  return noisy;
}

template <class Stream>
Result<Table> table_of(const Prepared& prepared, engine::Session& session, random::BasicSource<Stream>& source,
                       const Progress& progress) {
  VERNIER_TRY(const auto words, source.draws.next_two());
  engine::Secret secret{std::bit_cast<std::int64_t>(words[0]), std::bit_cast<std::int64_t>(words[1])};
  Result<engine::RawAggregates> raw = session.run(prepared.sql, secret, progress);
  random::wipe(std::as_writable_bytes(std::span(secret)));
  if (!raw) return run_error(raw.error());
  VERNIER_TRY(const ExactNumbers exact, ExactNumbers::of(*prepared.statistic, *std::move(raw)));
  VERNIER_TRY(const std::vector<Integers> noisy, with_noise(prepared, exact, source));
  return published(prepared, exact, noisy);
}

template <class Stream>
Result<std::vector<Table>> tables_of(const std::vector<Prepared>& all, engine::Session& session,
                                     random::BasicSource<Stream>& source, const Progress& progress) {
  std::vector<Table> tables;
  for (std::size_t i = 0; i < all.size(); ++i) {
    VERNIER_TRY(Table table, table_of(all[i], session, source, part_of(progress, i, all.size())));
    tables.push_back(std::move(table));
  }
  return tables;
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
  VERNIER_TRY(const Derivation derivation, Derivation::of(plan));
  const std::vector<std::string> read = tables_of(plan);
  VERNIER_TRY(request.marks.check_open(read));
  VERNIER_TRY(ledger::Reservation reservation, reserved(plan, ledger, id, plan_hash, request));
  if (auto* before = std::get_if<ledger::Answered>(&reservation)) return Outcome(std::move(*before));
  const auto& paid = std::get<ledger::Granted>(reservation);
  Result<std::vector<Table>> tables = look_through(read, session, request).and_then([&] {
    return detail::tables_of(prepared, session, source, request.progress);
  });
  if (!tables) return closing_error(tables.error(), read, request.marks);
  VERNIER_TRY(derivation.add_to(*tables));
  return Outcome(Release{.id = id,
                         .plan = plan,
                         .tables = *std::move(tables),
                         .receipt = paid.receipt,
                         .terms = ledger.rules().terms,
                         .taken = paid.taken,
                         .catalog_hash = request.catalog_hash,
                         .plan_hash = plan_hash,
                         .engine = session.version(),
                         .public_files = session.public_files()});
}

template <class Stream>
Result<Release> run_with(const plan::Plan& plan, engine::Session& session, ledger::Ledger& ledger,
                         random::BasicSource<Stream>& source, const Request& request) {
  return outcome_with(plan, session, ledger, source, request).and_then(new_release);
}

}  // namespace vernier::release
