#include "vernier/release/record/record.hpp"

#include <algorithm>
#include <set>

#include "vernier/core/hash.hpp"
#include "vernier/core/version.hpp"
#include "vernier/plan/tables/description.hpp"
#include "vernier/plan/tables/summary.hpp"
#include "vernier/query/study_alpha.hpp"
#include "vernier/release/number/public_count.hpp"
#include "vernier/release/record/event_parts.hpp"
#include "vernier/release/record/json_in.hpp"
#include "vernier/release/record/table_description.hpp"
#include "vernier/release/signing/signing_key.hpp"

namespace vernier::release {
namespace {

using numeric::Rational;
using plan::BoundStatistic;
using plan::Measurement;

constexpr int most_depth = 12;
constexpr std::size_t most_statistics = 10'000, most_events = 1'000'000, most_rows = 100'000'000;
constexpr std::size_t most_public_files = 9'000, most_documents = 100'000;

constexpr Rule hash_of_bytes{[](const std::string& text) {
                               return text.size() == 64 &&
                                      text.find_first_not_of("0123456789abcdef") == std::string::npos;
                             },
                             "must be 64 hex digits"};

template <class V>
void describe_releases(V& v, Parts<V>& parts) {
  v.exactly("releases", parts.statistic.measurements.size(), [&](V& one, std::size_t i) {
    plan::describe_release(one, parts.statistic, parts.statistic.measurements[i], parts.planned.noise[i]);
  });
  parts.figures = figures_of(parts.statistic);
  if constexpr (V::reads) {
    query::Query& query = parts.statistic.query;
    for (std::size_t i = query.keys.size(); i > 0; --i) query.outputs.insert(query.outputs.begin(), {true, i - 1});
  }
}

// Those that the statement leaves out stand behind: they were paid for, and show that the others were chosen rightly.
template <class V>
void describe_rows(V& v, const Parts<V>& parts) {
  Of<V, Table>& table = parts.table;
  const std::size_t shown = table.shown();
  v.exactly("rows", shown, [&](V& row, std::size_t i) { describe_row(row, parts, table.rows[i]); });
  if (!v.has("omitted", table.omitted > 0)) return;
  v.exactly("omitted", table.omitted, [&](V& row, std::size_t i) { describe_row(row, parts, table.rows[shown + i]); });
}

template <class V>
void describe_statistic(V& v, Of<V, Record>& record, std::size_t place) {
  Parts<V> parts = parts_of<V>(record, place);
  if constexpr (V::reads) describe_releases(v, parts);  // which name the columns of the rows
  parts.figures = figures_of(parts.statistic);
  v("name", parts.statistic.name);
  v("sql", record.sql[place]);
  plan::describe_key_names(v, parts.statistic.query);
  plan::describe_formulas(v, parts.statistic.query);
  plan::describe_selection(v, parts.statistic.query);
  describe_rows(v, parts);
  describe_denoising(v, parts);
  describe_differences(v, parts);
  if constexpr (!V::reads) describe_releases(v, parts);
}

// What scripts read of a [[table]]: how accurate each of its tables is. The cells are in files beside the record.
template <class V>
void describe_table_set(V& v, Of<V, Record>& record, std::size_t place) {
  const plan::BoundTables& tables = record.plan.study.tables[place];
  const plan::PlannedTables& planned = record.plan.tables[place];
  const table::Lattice& lattice = *tables.lattice;
  v.same("name", tables.name);
  v.same("confidence", confidence_of(record.alpha));
  if (tables.is_simultaneous) v.same("simultaneous", true);
  v.exactly("tables", lattice.tables().size(), [&](V& one, std::size_t i) {
    std::vector<std::string> names;
    for (const std::size_t column : lattice.tables()[i]) names.push_back(tables.columns[column].name);
    std::vector<std::string> stated = names;
    one("columns", stated);
    one.require("columns", stated == names, "must be those that the certificate has");
    one.same("cells", lattice.cells(lattice.tables()[i]));
    one.same("deviation", planned.deviations[i]);
    one.same("accuracy", planned.accuracies[i]);
    one.same("coverage", interval::Status::proven);
  });
}

// All but the certificate: for readers.
template <class V>
void describe_record(V& v, Of<V, Record>& record) {
  v("release", record.id);
  v("study", record.study);
  plan::describe_protection(v, record.plan);
  v.exactly("statistics", record.tables.size(), [&](V& one, std::size_t i) { describe_statistic<V>(one, record, i); });
  if (v.has("tables", !record.plan.tables.empty())) {
    v.exactly("tables", record.plan.tables.size(),
              [&](V& one, std::size_t i) { describe_table_set<V>(one, record, i); });
  }
  v("catalog_hash", record.catalog_hash);
  v("plan_hash", record.plan_hash);
  v.object("ledger", [&](V& receipt) {
    receipt("index", record.receipt.index, Whole{1, INT64_MAX});
    receipt("head", record.receipt.head);
  });
  v.object("versions", [&](V& versions) {
    versions("vernier", record.software);
    versions("engine", record.engine);
    if (versions.has("snapshot", record.snapshot.has_value())) {
      if constexpr (V::reads) record.snapshot = engine::Snapshot::study;
      versions("snapshot", *record.snapshot);
    }
  });
  v("assumptions", record.assumptions);
}

enum class BudgetOf : std::uint8_t { study, catalog };
constexpr BudgetOf last_of(BudgetOf) { return BudgetOf::catalog; }
constexpr std::string_view name_of(BudgetOf of) { return of == BudgetOf::study ? "study" : "catalog"; }

// What the planner shared out, and whose it is.
template <class V>
void describe_budget(V& v, Of<V, plan::BoundStudy>& study) {
  auto of = study.budget ? BudgetOf::study : BudgetOf::catalog;
  Rational epsilon = study.budget ? study.budget->epsilon : study.catalog.budget.epsilon;
  Rational delta = study.budget ? study.budget->delta : study.catalog.budget.delta;
  v.object("budget", [&](V& budget) {
    budget("of", of);
    budget("epsilon", epsilon);
    budget("delta", delta);
  });
  if constexpr (V::reads) {
    if (of == BudgetOf::study) study.budget = query::StudyBudget{epsilon, delta};
    study.catalog.budget.epsilon = epsilon;
    study.catalog.budget.delta = delta;
  }
}

template <class V>
void describe_measurements(V& v, const Parts<V>& parts) {
  auto& measurements = parts.statistic.measurements;
  const auto grow = [&] {
    if constexpr (V::reads) {
      measurements.push_back(Measurement{});
      parts.planned.noise.push_back({plan::law_of(plan::LawName::geometric, 1).value(), 0, 0, 0});
    }
  };
  v.objects("measurements", measurements.size(), plan::most_columns, grow, [&](V& one, std::size_t i) {
    plan::describe_measurement(one, parts.statistic, measurements[i], parts.planned.noise[i]);
    const auto& source = measurements[i].source;
    one.require("source", !source || *source < i, "must come before what shares it");
  });
  v.require("measurements", !measurements.empty(), "must be one at least");
}

// All integers with noise, row by row: what was paid for.
template <class V>
void describe_noisy(V& v, const Parts<V>& parts) {
  auto& rows = parts.table.rows;
  const auto grow = [&] {
    if constexpr (V::reads) rows.emplace_back();
  };
  v.lists(
      "noisy", rows.size(), most_rows, grow, [&](std::size_t i) -> auto& { return rows[i].noisy; });
  std::size_t width = 0;
  for (const Measurement& one : parts.statistic.measurements) width += one.width;
  std::optional<std::int64_t> omitted;
  if (parts.table.omitted > 0) omitted = static_cast<std::int64_t>(parts.table.omitted);
  v.maybe("omitted_rows", omitted, Whole{1, static_cast<std::int64_t>(most_rows)});
  if constexpr (V::reads) {
    const auto left_out = static_cast<std::size_t>(omitted.value_or(0));
    v.require("omitted_rows", left_out <= rows.size(), "must not be more than there are rows");
    parts.table.omitted = std::min(left_out, rows.size());
  }
  v.require("noisy", std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return row.noisy.size() == width; }),
            "must have every number of a row");
}

template <class V>
void describe_certified(V& v, Of<V, Record>& record, std::size_t place) {
  const Parts<V> parts = parts_of<V>(record, place);
  plan::describe_bounds(v, parts.statistic);
  v.maybe("public_count", record.public_counts[place], Whole{0, parts.statistic.table.row_limit});
  if constexpr (V::reads) parts.statistic.table.public_count = record.public_counts[place].has_value();
  plan::describe_keys(v, parts.statistic, parts.planned.keys);
  describe_measurements(v, parts);
  v.object("engine", [&](V& engine) { plan::describe_engine(engine, parts.statistic, record.texts[place]); });
  describe_noisy(v, parts);
}

void add_statistic(Record& record, const std::optional<std::string>& unit) {
  record.plan.study.statistics.push_back({{}, {}, {}, {1, 1}, Rational::of(1), 1, {}, {}, {}, {}});
  record.plan.study.statistics.back().table.unit = unit;
  record.plan.statistics.emplace_back();
  record.tables.emplace_back();
  record.texts.emplace_back();
  record.sql.emplace_back();
  record.public_counts.emplace_back();
}

// Of a [[table]] before it is read.
plan::BoundTables blank_tables(const std::optional<std::string>& unit) {
  plan::BoundTables blank{.name = {},
                          .counted = {{}, {}, {}, {1, 1}, Rational::of(1), 1, {}, {}, {}, {}},
                          .sql = {},
                          .columns = {},
                          .rest = {},
                          .lattice = std::make_shared<const table::Lattice>(*table::Lattice::of({1}, {{}})),
                          .targets = {},
                          .even = query::Evenness::cells,
                          .weight = Rational::of(1),
                          .is_simultaneous = false,
                          .level = *Alpha::of(0.05),
                          .design = {},
                          .scale = {}};
  blank.counted.table.unit = unit;
  return blank;
}

template <class V>
void describe_all_tables(V& v, Of<V, Record>& record, const std::optional<std::string>& unit) {
  if (!v.has("tables", !record.plan.tables.empty())) return;
  auto& tables = record.plan.study.tables;
  const auto grow = [&] {
    if constexpr (V::reads) {
      tables.push_back(blank_tables(unit));
      record.plan.tables.push_back({0, 0, {}, {}, {}});
    }
  };
  v.objects("tables", record.plan.tables.size(), plan::most_table_sets, grow,
            [&](V& one, std::size_t i) { plan::describe_tables(one, tables[i], record.plan.tables[i]); });
  v.require("tables", !record.plan.tables.empty(), "must be left out where there are none");
}

template <class V>
void describe_statistics(V& v, Of<V, Record>& record) {
  std::optional<std::string> unit;
  if constexpr (!V::reads) unit = first_table(record.plan.study).unit;
  v("unit_column", unit);
  const auto grow = [&] {
    if constexpr (V::reads) add_statistic(record, unit);
  };
  v.objects("statistics", record.tables.size(), most_statistics, grow,
            [&](V& one, std::size_t i) { describe_certified<V>(one, record, i); });
  describe_all_tables(v, record, unit);
  v.require("statistics", !record.tables.empty() || !record.plan.tables.empty(), "must be one at least");
}

template <class V>
void describe_event(V& v, Of<V, accounting::Event>& event) {
  EventParts parts = event_parts(event);
  v("mechanism", parts.mechanism);
  v.maybe("epsilon", parts.epsilon);
  v.maybe("delta", parts.delta);
  v.maybe("rho", parts.rho);
  v.maybe("scale", parts.scale);
  v.maybe("sensitivity", parts.sensitivity);
  v.maybe("threshold", parts.threshold);
  v.maybe("groups", parts.groups);
  v("neighbours", parts.neighbours);
  v("times", parts.times);
  if constexpr (V::reads) {
    const Result<accounting::Event> read = event_of(parts);
    v.require("mechanism", read.has_value(), "has parameters outside of what can be");
    if (read) event = *read;
  }
}

// The public tables that were joined; the files beside the record, which was made after them.
template <class V>
void describe_files(V& v, Of<V, Record>& record) {
  const auto grow = [&](auto& list) {
    if constexpr (V::reads) list.emplace_back();
  };
  v.objects(
      "public_files", record.public_files.size(), most_public_files, [&] { grow(record.public_files); },
      [&](V& file, std::size_t i) {
        file("table", record.public_files[i].table);
        file("sha256", record.public_files[i].sha256);
      });
  std::optional<std::string> sources;
  if (!record.plan.study.origin.sources.empty()) sources = record.plan.study.origin.sources;
  v.maybe("sources", sources);
  if constexpr (V::reads) record.plan.study.origin.sources = sources.value_or("");
  std::set<std::string> names = {std::string(record_name)};
  v.objects(
      "documents", record.documents.size(), most_documents, [&] { grow(record.documents); },
      [&](V& document, std::size_t i) {
        document("name", record.documents[i].name);
        document.require("name", names.insert(record.documents[i].name).second, "is there twice");
        document("sha256", record.documents[i].sha256, hash_of_bytes);
      });
}

// What the ledger of these terms took, and why it may add it up.
template <class V>
void describe_charge(V& v, Of<V, StatedCharge>& charge) {
  v("accountant", charge.terms.accountant);
  v("budget_epsilon", charge.terms.epsilon);
  v("budget_delta", charge.terms.delta);
  v("manner", charge.manner);
  v("epsilon", charge.epsilon);
  v("delta", charge.delta);
  if (v.has("opening", charge.opening.has_value())) {
    if constexpr (V::reads) charge.opening = StatedOpening{Rational::of(0), Rational::of(0), {}};
    v.object("opening", [&](V& opening) {
      opening("epsilon", charge.opening->epsilon);
      opening("delta", charge.opening->delta);
      opening("room_with_conversion", charge.opening->room.with_conversion, Whole{0, INT64_MAX});
      opening("room_by_totals", charge.opening->room.by_totals, Whole{0, INT64_MAX});
    });
  }
  if (v.has("witness", charge.witnessed != ledger::Witnessed::remembered)) {
    v("witness", charge.witnessed);
    v.require("witness", charge.witnessed != ledger::Witnessed::remembered, "must be left out where one remembers");
  }
  v("theorem", charge.theorem);
}

// Everything from which the figures of the record follow and that is not in it already; the public key and a place for
// the signature come last.
template <class V>
void describe_certificate(V& v, Of<V, Record>& record) {
  std::int64_t number = certificate_version;
  v("version", number);
  v.require("version", number == certificate_version,
            "must be " + std::to_string(certificate_version) +
                "; verify this record with the version of vernier that it names under versions");
  v("alpha", record.alpha);
  if constexpr (V::reads) {
    const Result<Alpha> alpha = Alpha::of(record.alpha.round_down());
    v.require("alpha", alpha && query::is_study_alpha(record.alpha), "is outside of what can be");
    if (alpha) record.plan.study.alpha = *alpha;
  }
  describe_budget(v, record.plan.study);
  describe_statistics(v, record);
  auto& events = record.plan.events;
  const auto grow = [&] {
    if constexpr (V::reads) events.push_back(any_event());
  };
  v.objects("events", events.size(), most_events, grow,
            [&](V& one, std::size_t i) { describe_event<V>(one, events[i]); });
  describe_files(v, record);
  v.object("charge", [&](V& charge) { describe_charge(charge, record.charge); });
  v("public_key", record.public_key);
  v("signature", record.signature);
}

// Before anything is read.
Record empty_record() {
  plan::BoundStudy study{{{}, {Rational::of(1), Rational::of(0), {}, query::Filter::pure}, {}},
                         *Alpha::of(0.05),
                         {},
                         privacy::Neighbours::add_remove,
                         {}};
  plan::Plan plan{std::move(study), {}, {}, privacy::Delta::zero(), 0, accounting::Method::basic};
  return {.id = {},
          .study = {},
          .plan = std::move(plan),
          .texts = {},
          .alpha = Rational::of(1),
          .sql = {},
          .tables = {},
          .public_counts = {},
          .catalog_hash = {},
          .plan_hash = {},
          .receipt = {},
          .software = {},
          .engine = {},
          .snapshot = {},
          .assumptions = {},
          .public_files = {},
          .documents = {},
          .charge = {{ledger::Accountant::pure, Rational::of(1), Rational::of(0)},
                     ledger::Manner::total,
                     Rational::of(0),
                     Rational::of(0),
                     {}},
          .public_key = {}};
}

// What the parts of a record have from each other.
void join_parts(Record& record) {
  plan::BoundStudy& study = record.plan.study;
  record.charge.terms.neighbours = study.neighbours;
  for (BoundStatistic& one : study.statistics) one.table.neighbours = study.neighbours;
  for (plan::BoundTables& one : study.tables) one.counted.table.neighbours = study.neighbours;
  if (!study.origin.sources.empty()) study.origin.catalog = record.catalog_hash;
}

StatedCharge charge_of(const Release& release, const ledger::Rules& rules) {
  const ledger::Offer& taken = release.taken;
  StatedCharge charge{rules.terms,
                      taken.manner,
                      rules.quanta.epsilon(taken.cost.epsilon),
                      rules.quanta.delta(taken.cost.delta),
                      std::string(rules.theorem),
                      {},
                      release.witnessed};
  if (taken.opening != ledger::Cost{}) {
    charge.opening =
        StatedOpening{rules.quanta.epsilon(taken.opening.epsilon), rules.quanta.delta(taken.opening.delta), taken.room};
  }
  return charge;
}

Record record_of(const Release& release, const Asked& asked, const ledger::Rules& rules, const PublicKey& key) {
  Record record{.id = release.id,
                .study = asked.study,
                .plan = release.plan,
                .texts = {},
                .alpha = asked.alpha,
                .sql = asked.sql,
                .tables = release.tables,
                .public_counts = {},
                .catalog_hash = release.catalog_hash,
                .plan_hash = release.plan_hash,
                .receipt = release.receipt,
                .software = std::string(version()),
                .engine = release.engine,
                .snapshot = release.snapshot,
                .assumptions = assumptions_of(release.plan, release.public_files, release.tables, release.snapshot),
                .public_files = release.public_files,
                .documents = asked.documents,
                .charge = charge_of(release, rules),
                .public_key = key.hex()};
  for (std::size_t i = 0; i < release.tables.size(); ++i) {
    const BoundStatistic& statistic = release.plan.study.statistics[i];
    record.texts.push_back(plan::texts_of(statistic));
    record.public_counts.push_back(public_rows(statistic, release.tables[i]));
  }
  return record;
}

}  // namespace

std::vector<plan::Figure> figures_of(const BoundStatistic& statistic) {
  std::vector<plan::Figure> figures(statistic.query.aggregations.size());
  for (const Measurement& one : statistic.measurements) {
    if (one.aggregation) figures[*one.aggregation] = one.figure;  // units of private keys are measured first
  }
  return figures;
}

std::string event_json(const accounting::Event& event) {
  return json_of([&](JsonOut& out) { describe_event(out, event); });
}

double confidence_of(const Rational& alpha) { return nearest(Rational::of(1) - alpha); }

Result<std::vector<DocumentHash>> hashes_of(const ledger::Documents& documents) {
  std::vector<DocumentHash> hashes;
  for (const ledger::Document& one : documents) {
    VERNIER_TRY(std::string hash, sha256(one.content));
    hashes.push_back({one.name, std::move(hash)});
  }
  return hashes;
}

Result<std::string> signed_release_json(const Release& release, const Asked& asked, const SigningKey& key) {
  if (asked.sql.size() != release.tables.size()) return invalid("the release has other statistics than were asked");
  VERNIER_TRY(const ledger::Rules rules, ledger::rules_of(release.terms));
  const Record record = record_of(release, asked, rules, key.public_key());
  std::string text = json_of([&](JsonOut& out) {
    describe_record(out, record);
    out.object("certificate", [&](JsonOut& certificate) { describe_certificate(certificate, record); });
  });
  return with_signature(std::move(text) + "\n", key);
}

Result<Record> read_record(std::string_view text) {
  VERNIER_TRY(const Json json, parse_strictly(text, most_depth));
  Reading reading;
  Record record = empty_record();
  JsonIn in(reading, json);
  in.object("certificate", [&](JsonIn& certificate) { describe_certificate(certificate, record); });
  if (!reading.is_refused()) {  // the rest is read by what the certificate says
    describe_record(in, record);
    in.done();
  }
  if (reading.problem()) return invalid(*reading.problem());
  join_parts(record);
  return record;
}

}  // namespace vernier::release
