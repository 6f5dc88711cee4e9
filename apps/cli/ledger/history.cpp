#include <optional>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "text/numbers.hpp"
#include "vernier/study/ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;
using ledger::Kind;

Row row_of(const study::HistoryLine& line, const CostText& text) {
  const Entry& entry = line.entry;
  const bool is_paid = entry.kind == Kind::reserve;
  const auto amount = [&](const QuantaText& quanta, std::int64_t cost) { return is_paid ? quanta.up(cost) : ""; };
  return {text::grouped(entry.index),
          utc_text(entry.time),
          std::string(name_of(entry.kind)),
          shortened(one_line(entry.analyst), 20),
          shortened(one_line(entry.study), 24),
          amount(text.epsilon, entry.cost.epsilon),
          amount(text.delta, entry.cost.delta),
          is_paid ? std::string(name_of(entry.manner)) : "",
          shortened(one_line(entry.release), 9),
          shortened(one_line(entry.request), 16),
          !is_paid           ? ""
          : line.is_answered ? "yes"
                             : "no"};
}

void write_report(Output& output, const study::LedgerHistory& history) {
  const study::LedgerReading& reading = history.reading;
  if (!reading.book) {
    return output.write(fmt::format("the ledger {} does not exist yet: nothing was spent\n", one_line(reading.name)));
  }
  if (history.lines.empty()) return output.write("no such entries\n");
  const CostText text(reading.rules.quanta);
  std::vector<Row> rows;
  for (const study::HistoryLine& line : history.lines) rows.push_back(row_of(line, text));
  write_aligned(output,
                {{"entry", Align::right},
                 {"time"},
                 {"kind"},
                 {"analyst"},
                 {"study"},
                 {"epsilon", Align::right},
                 {"delta", Align::right},
                 {"charged by"},
                 {"release"},
                 {"request"},
                 {"answered"}},
                rows);
}

void write_json(Output& output, const study::LedgerHistory& history) {
  const study::LedgerReading& reading = history.reading;
  const CostText text(reading.rules.quanta);
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(reading.name));
  json.key("exists");
  json.boolean(reading.book.has_value());
  json.key("entries");
  json.begin_array();
  for (const auto& [entry, is_answered] : history.lines) {
    json.begin_object();
    write_entry_members(json, entry, text);
    json.member("utc", std::string_view(utc_text(entry.time)));
    json.key("answered");
    if (entry.kind == Kind::reserve) {
      json.boolean(is_answered);
    } else {
      json.value(std::optional<double>());
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  output.write("\n");
}

Result<std::size_t> most_of(std::optional<std::int64_t> last) {
  if (!last) return SIZE_MAX;
  if (*last < 1) return invalid(parameter("last"), fmt::format("must be at least 1, but it is '{}'", *last), "");
  return static_cast<std::size_t>(*last);
}

Result<AskedHistory> asked_in(const Arguments& arguments) {
  AskedHistory asked;
  if (arguments.has("--analyst")) asked.analyst = arguments.one("--analyst");
  if (!arguments.has("--last")) return asked;
  VERNIER_TRY(asked.last, read_whole("--last", arguments.one("--last")));
  return asked;
}

}  // namespace

void write_entry_members(JsonWriter& json, const Entry& entry, const CostText& text) {
  json.member("index", entry.index);
  json.member("kind", name_of(entry.kind));
  json.member("time", entry.time);
  json.member("release", std::string_view(entry.release));
  json.member("request", std::string_view(entry.request));
  json.member("analyst", std::string_view(entry.analyst));
  json.member("study", std::string_view(entry.study));
  json.member("unit", std::string_view(entry.unit));
  json.member("plan", std::string_view(entry.plan));
  json.member("manner", name_of(entry.manner));
  json.member("epsilon", std::string_view(text.epsilon.exact(entry.cost.epsilon)));
  json.member("delta", std::string_view(text.delta.exact(entry.cost.delta)));
  json.member("epsilon_quanta", std::string_view(std::to_string(entry.cost.epsilon)));
  json.member("delta_quanta", std::string_view(std::to_string(entry.cost.delta)));
  json.member("content", std::string_view(entry.content));
  json.member("hash", std::string_view(entry.hash));
}

Result<void> write_ledger_history(Output& output, const study::Text& catalog, const AskedHistory& asked, bool as_json,
                                  const Progress& progress) {
  VERNIER_TRY(const std::size_t most, most_of(asked.last));
  VERNIER_TRY(const study::LedgerHistory history, study::ledger_history(catalog, {asked.analyst, most}, progress));
  as_json ? write_json(output, history) : write_report(output, history);
  return {};
}

Result<void> run_ledger_history(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const AskedHistory asked, asked_in(arguments));
  VERNIER_TRY(const study::Text catalog, study::read_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  return write_ledger_history(output, catalog, asked, arguments.has("--json"), bar.shown());
}

}  // namespace vernier::cli
