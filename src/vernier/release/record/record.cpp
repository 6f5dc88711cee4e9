#include "vernier/release/record/record.hpp"

#include <set>

#include "vernier/release/record/certificate_json.hpp"
#include "vernier/release/record/record_statistic.hpp"

namespace vernier::release {
namespace {

using accounting::Method;
using numeric::Rational;

constexpr int most_depth = 12;
constexpr std::size_t most_statistics = 10'000;
constexpr std::size_t most_sentences = 10'000;
constexpr std::size_t most_public_files = 9'000;
constexpr std::size_t most_documents = 100'000;

template <class Parameter>
Parameter read_parameter(Fields& fields, const std::string& key, double value, double instead) {
  const Result<Parameter> read = Parameter::of(value);
  if (read) return *read;
  fields.refuse(key, "is outside of what can be");
  return *Parameter::of(instead);
}

// Before anything is read.
Record empty_record() {
  plan::BoundStudy study{{{}, {Rational::of(1), Rational::of(0), {}, query::Filter::pure}, {}},
                         *Alpha::of(0.05),
                         {},
                         privacy::Neighbours::add_remove,
                         {}};
  study.catalog.tables.emplace_back();
  plan::Plan plan{std::move(study), {}, {}, privacy::Delta::zero(), 0, Method::basic};
  Record record{.id = {},
                .study = {},
                .unit = {},
                .plan = std::move(plan),
                .alpha = Rational::of(1),
                .sql = {},
                .tables = {},
                .confidences = {},
                .difference_confidences = {},
                .steps = {},
                .public_counts = {},
                .catalog_hash = {},
                .plan_hash = {},
                .receipt = {},
                .software = {},
                .engine = {},
                .assumptions = {},
                .public_files = {},
                .documents = {},
                .conversion_method = Method::basic,
                .conversion_delta = 0,
                .charge = {{ledger::Accountant::pure, Rational::of(1), Rational::of(0)},
                           ledger::Manner::total,
                           Rational::of(0),
                           Rational::of(0),
                           {}},
                .plan_text = {},
                .public_key = {},
                .signature = {}};
  return record;
}

void read_guarantee(Record& record, Fields guarantee) {
  record.plan.epsilon = guarantee.number("epsilon");
  record.plan.delta = read_parameter<privacy::Delta>(guarantee, "delta", guarantee.number("delta"), 0);
  record.plan.method = read_method(guarantee);
  guarantee.done();
}

// What the planner shared out: the study's budget, or the catalog's.
void read_budget(plan::BoundStudy& study, Fields budget) {
  const std::string of = budget.text("of");
  const Rational epsilon = budget.exact("epsilon"), delta = budget.exact("delta");
  if (of != "study" && of != "catalog") budget.refuse("of", "must be study or catalog");
  if (of == "study") study.budget = query::StudyBudget{epsilon, delta};
  study.catalog.budget.epsilon = epsilon;
  study.catalog.budget.delta = delta;
  budget.done();
}

void read_receipt(Record& record, Fields receipt) {
  record.receipt = {receipt.whole("index", {1, INT64_MAX}), receipt.text("head")};
  receipt.done();
}

void read_versions(Record& record, Fields versions) {
  record.software = versions.text("vernier");
  record.engine = versions.text("engine");
  versions.done();
}

void read_conversion(Record& record, Fields conversion) {
  record.conversion_method = read_method(conversion);
  record.conversion_delta = conversion.number("delta");
  conversion.done();
}

StatedOpening read_opening(Fields opening) {
  StatedOpening read{
      opening.exact("epsilon"),
      opening.exact("delta"),
      {opening.whole("room_with_conversion", {0, INT64_MAX}), opening.whole("room_by_totals", {0, INT64_MAX})}};
  opening.done();
  return read;
}

void read_charge(Record& record, Fields charge) {
  using ledger::Accountant, ledger::Manner;
  record.charge = {
      {read_name(charge, "accountant", {Accountant::pure, Accountant::approximate, Accountant::zcdp, Accountant::rdp}),
       charge.exact("budget_epsilon"), charge.exact("budget_delta"), record.plan.study.neighbours},
      read_name(charge, "manner", {Manner::total, Manner::divergence}),
      charge.exact("epsilon"),
      charge.exact("delta"),
      charge.text("theorem")};
  if (charge.has("opening")) record.charge.opening = read_opening(charge.object("opening"));
  if (charge.has("witness") && charge.text("witness") != "none")
    charge.refuse("witness", "must be none, or be left out");
  charge.done();
}

// Records of before have no hashes of the files beside them, and other plans.
std::string other_version() {
  return "must be " + std::to_string(certificate_version) +
         "; verify this record with the version of vernier that it names under versions";
}

// What the statistics are read with.
void read_frame(Record& record, Fields& top, Fields& certificate) {
  plan::BoundStudy& study = record.plan.study;
  if (certificate.whole("version") != certificate_version) certificate.refuse("version", other_version());
  record.id = top.text("release");
  record.study = top.text("study");
  record.unit = top.text("unit");
  study.neighbours = read_neighbours(top);
  study.catalog.tables.front().unit = certificate.text_or_null("unit_column");
  record.alpha = certificate.exact("alpha");
  study.alpha = read_parameter<Alpha>(certificate, "alpha", record.alpha.round_down(), 0.05);
  read_guarantee(record, top.object("guarantee"));
  read_budget(study, certificate.object("budget"));
}

void read_statistics(Record& record, Fields& top, Fields& certificate) {
  const Json& stated = top.list("statistics", most_statistics);
  const Json& certified = certificate.list("statistics", most_statistics);
  if (stated.size() != certified.size() || stated.empty()) {
    certificate.refuse("statistics", "must be as many as the record has, and one at least");
  }
  for (std::size_t i = 0; i < std::min(stated.size(), certified.size()) && !top.reading().is_refused(); ++i) {
    read_statistic(record, {top.reading(), stated[i], top.where("statistics", i)},
                   {top.reading(), certified[i], certificate.where("statistics", i)});
  }
}

void read_events(Record& record, Fields& certificate) {
  const Json& events = certificate.list("events", most_statistics);
  for (std::size_t i = 0; i < events.size() && !certificate.reading().is_refused(); ++i) {
    record.plan.events.push_back(read_event({certificate.reading(), events[i], certificate.where("events", i)}));
  }
}

void read_public_files(Record& record, Fields& certificate) {
  const Json& files = certificate.list("public_files", most_public_files);
  for (std::size_t i = 0; i < files.size() && !certificate.reading().is_refused(); ++i) {
    Fields file(certificate.reading(), files[i], certificate.where("public_files", i) + ".");
    record.public_files.push_back({file.text("table"), file.text("sha256")});
    file.done();
  }
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void read_documents(Record& record, Fields& certificate) {
  const Json& documents = certificate.list("documents", most_documents);
  std::set<std::string> names = {std::string(record_name)};
  for (std::size_t i = 0; i < documents.size() && !certificate.reading().is_refused(); ++i) {
    Fields document(certificate.reading(), documents[i], certificate.where("documents", i));
    record.documents.push_back({document.text("name"), document.text("sha256")});
    if (!names.insert(record.documents.back().name).second) document.refuse("name", "is there twice");
    if (!is_sha256(record.documents.back().sha256)) document.refuse("sha256", "must be 64 hex digits");
    document.done();
  }
}

// Only a program that knows where the data lies says it; the catalog is part of the plan then, too.
void read_origin(Record& record, Fields& certificate) {
  if (!certificate.has("sources")) return;
  record.plan.study.origin = {record.catalog_hash, certificate.text("sources")};
}

void read_rest(Record& record, Fields& top, Fields& certificate) {
  record.catalog_hash = top.text("catalog_hash");
  record.plan_hash = top.text("plan_hash");
  read_receipt(record, top.object("ledger"));
  read_versions(record, top.object("versions"));
  for (const Json& one : top.list("assumptions", most_sentences)) {
    record.assumptions.push_back(text_in(top.reading(), one, "assumptions"));
  }
  read_events(record, certificate);
  read_public_files(record, certificate);
  read_origin(record, certificate);
  read_documents(record, certificate);
  read_conversion(record, certificate.object("conversion"));
  read_charge(record, certificate.object("charge"));
  record.plan_text = certificate.text("plan");
  record.public_key = certificate.text("public_key");
  record.signature = certificate.text("signature");
}

}  // namespace

Result<Record> read_record(std::string_view text) {
  VERNIER_TRY(const Json json, parse_strictly(text, most_depth));
  Reading reading;
  Record record = empty_record();
  Fields top(reading, json, "");
  Fields certificate = top.object("certificate");
  read_frame(record, top, certificate);
  read_statistics(record, top, certificate);
  read_rest(record, top, certificate);
  certificate.done();
  top.done();
  if (reading.problem()) return invalid(*reading.problem());
  return record;
}

}  // namespace vernier::release
