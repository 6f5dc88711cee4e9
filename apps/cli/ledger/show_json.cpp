#include "cli/ledger/amounts.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/output.hpp"
#include "vernier/numeric/meant.hpp"

namespace vernier::cli {
namespace {

using ledger::Cost;
using ledger::Quanta;

// What was spent is rounded up, what is left is rounded down.
void write_spent(JsonWriter& json, const Quanta& quanta, const Cost& cost) {
  json.member("epsilon", quanta.epsilon(cost.epsilon).round_up());
  json.member("delta", quanta.delta(cost.delta).round_up());
}
void write_left(JsonWriter& json, const Quanta& quanta, const Cost& cost) {
  json.member("epsilon", meant(quanta.epsilon(cost.epsilon)));
  json.member("delta", meant(quanta.delta(cost.delta)));
}

template <class Write>
void write_object(JsonWriter& json, std::string_view name, const Write& write) {
  json.key(name);
  json.begin_object();
  write();
  json.end_object();
}

template <class Range, class Write>
void write_array(JsonWriter& json, std::string_view name, const Range& range, const Write& write) {
  json.key(name);
  json.begin_array();
  for (const auto& item : range) {
    json.begin_object();
    write(item);
    json.end_object();
  }
  json.end_array();
}

void write_terms(JsonWriter& json, const ledger::Rules& rules) {
  const ledger::Terms& terms = rules.terms;
  write_object(json, "budget", [&] {
    json.member("epsilon", meant(terms.epsilon));
    json.member("delta", meant(terms.delta));
  });
  json.member("accountant", name_of(terms.accountant));
  json.member("neighbours", privacy::name_of(terms.neighbours));
  json.member("theorem", std::string_view(rules.theorem));
}

void write_spending(JsonWriter& json, const Quanta& quanta, const ledger::Spending& spending) {
  json.member("releases", spending.releases);
  write_spent(json, quanta, spending.cost);
}

void write_analysts(JsonWriter& json, const study::LedgerShow& show) {
  const Quanta& quanta = show.reading.rules.quanta;
  write_array(json, "analysts", show.analysts, [&](const study::AnalystLine& line) {
    json.member("analyst", std::string_view(line.name));
    write_object(json, "spent", [&] { write_spent(json, quanta, line.spent); });
    write_object(json, "of", [&] { write_left(json, quanta, line.most); });
    write_object(json, "left", [&] { write_left(json, quanta, line.left); });
  });
  json.key("reserve");
  if (!show.has_shares) return json.value(std::optional<double>());
  json.begin_object();
  write_left(json, quanta, show.reserve);
  json.end_object();
}

void write_manners(JsonWriter& json, const study::LedgerShow& show) {
  const Quanta& quanta = show.reading.rules.quanta;
  ledger::Spending divergence = show.reading.summary.by_divergence();
  divergence.cost = divergence.cost - show.conversion;
  write_object(json, "charged", [&] {
    write_object(json, "by_totals", [&] { write_spending(json, quanta, show.reading.summary.by_total()); });
    write_object(json, "by_divergence", [&] { write_spending(json, quanta, divergence); });
    write_object(json, "conversion", [&] { write_spent(json, quanta, show.conversion); });
  });
}

void write_way(JsonWriter& json, const study::CapacityLine& line, const release::Capacity& capacity) {
  const release::CountStudy& study = capacity.study;
  json.key("analyst");
  json.value(line.name.empty() ? std::nullopt : std::optional(std::string_view(line.name)));
  json.member("counts", capacity.counts);
  json.member("mechanism", plan::name_of(study.law));
  json.member("scale", plan::scale_of(study.law));
  json.member("epsilon", study.epsilon);
  json.member("delta", study.delta.value());
}

void write_capacity(JsonWriter& json, const study::LedgerShow& show) {
  std::size_t place = 0;
  write_array(json, "counts", show.accuracies, [&](std::int64_t accuracy) {
    json.member("within", accuracy);
    json.member("confidence", 0.95);
    write_array(json, "more", show.capacity,
                [&](const study::CapacityLine& line) { write_way(json, line, line.capacities[place]); });
    ++place;
  });
}

void write_units(JsonWriter& json, const study::LedgerReading& reading) {
  const ledger::BoundUnits units = reading.book ? reading.book->units() : ledger::BoundUnits();
  write_array(json, "protects", units.tables(), [&](const auto& part) {
    json.member("table", std::string_view(part.second.table));
    json.member("unit", part.second.unit ? std::optional<std::string_view>(*part.second.unit) : std::nullopt);
    json.member("source", std::string_view(part.second.source));
  });
}

void write_witness(JsonWriter& json, const study::LedgerReading& reading) {
  json.key("witness");
  if (!reading.witness) return json.value(std::optional<double>());
  json.begin_object();
  json.member("file", std::string_view(reading.witness->path.string()));
  const auto& memory = reading.witness->memory;
  json.member("index", memory ? memory->position.index : std::int64_t{0});
  json.end_object();
}

}  // namespace

void write_ledger_json(Output& output, const study::LedgerShow& show) {
  const study::LedgerReading& reading = show.reading;
  const Quanta& quanta = reading.rules.quanta;
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(reading.name));
  json.key("exists");
  json.boolean(reading.book.has_value());
  json.member("id", std::string_view(reading.book ? reading.book->id() : ""));
  json.member("entries", reading.book ? reading.book->position().index : std::int64_t{0});
  json.member("head", std::string_view(reading.book ? reading.book->position().head : ""));
  write_terms(json, reading.rules);
  json.member("conversion", query::name_of(reading.catalog.budget.conversion));
  write_units(json, reading);
  write_object(json, "spent", [&] { write_spent(json, quanta, reading.balance().most - reading.balance().left); });
  write_object(json, "left", [&] { write_left(json, quanta, reading.balance().left); });
  write_analysts(json, show);
  write_array(json, "studies", reading.summary.by_study(), [&](const auto& part) {
    json.member("study", std::string_view(part.first));
    write_spending(json, quanta, part.second);
  });
  write_manners(json, show);
  write_capacity(json, show);
  write_witness(json, reading);
  json.member("answered", reading.summary.answered());
  write_array(json, "unanswered", reading.summary.unanswered(), [&](const auto& part) {
    json.member("index", part.second.index);
    json.member("release", std::string_view(part.second.release));
    json.member("analyst", std::string_view(part.second.analyst));
    json.member("study", std::string_view(part.second.study));
  });
  json.end_object();
  output.write("\n");
}

}  // namespace vernier::cli
