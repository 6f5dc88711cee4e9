#include "cli/ledger/history.hpp"

#include <deque>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/decimal.hpp"
#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/study/ledger_reading.hpp"
#include "text/numbers.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;
using ledger::Kind;

// The last entries that were asked for, as they come.
class History {
 public:
  History(std::optional<std::string> analyst, std::size_t most) : analyst_(std::move(analyst)), most_(most) {}

  Result<void> see(const Entry& entry) {
    if (entry.kind == Kind::settle) answered_.insert(entry.release);
    if (!is_asked_for(entry)) return {};
    entries_.push_back(entry);
    if (entries_.size() > most_) entries_.pop_front();
    return {};
  }

  const std::deque<Entry>& entries() const { return entries_; }
  bool was_answered(const Entry& entry) const { return answered_.contains(entry.release); }

 private:
  // What the analyst paid for, and its answers.
  bool is_asked_for(const Entry& entry) {
    if (!analyst_) return true;
    if (entry.kind == Kind::reserve && entry.analyst == *analyst_) releases_.insert(entry.release);
    return !entry.release.empty() && releases_.contains(entry.release);
  }

  std::optional<std::string> analyst_;
  std::size_t most_;
  std::set<std::string, std::less<>> releases_;
  std::set<std::string, std::less<>> answered_;
  std::deque<Entry> entries_;
};

Row row_of(const Entry& entry, const History& history, const CostText& text) {
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
          !is_paid                      ? ""
          : history.was_answered(entry) ? "yes"
                                        : "no"};
}

void write_report(Output& output, const LedgerReading& reading, const History& history) {
  if (!reading.book) {
    return output.write(fmt::format("the ledger {} does not exist yet: nothing was spent\n", one_line(reading.name)));
  }
  if (history.entries().empty()) return output.write("no such entries\n");
  const CostText text(reading.rules.quanta);
  std::vector<Row> rows;
  for (const Entry& entry : history.entries()) rows.push_back(row_of(entry, history, text));
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

void write_json(Output& output, const LedgerReading& reading, const History& history) {
  const CostText text(reading.rules.quanta);
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(reading.name));
  json.key("exists");
  json.boolean(reading.book.has_value());
  json.key("entries");
  json.begin_array();
  for (const Entry& entry : history.entries()) {
    json.begin_object();
    write_entry_members(json, entry, text);
    json.member("utc", std::string_view(utc_text(entry.time)));
    json.key("answered");
    if (entry.kind == Kind::reserve) {
      json.boolean(history.was_answered(entry));
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
  if (*last < 1) return invalid(fmt::format("--last must be at least 1, but it is '{}'", *last));
  return static_cast<std::size_t>(*last);
}

Result<HistoryRequest> request_in(const Arguments& arguments) {
  HistoryRequest request;
  if (arguments.has("--analyst")) request.analyst = arguments.one("--analyst");
  if (!arguments.has("--last")) return request;
  return read_whole("--last", arguments.one("--last")).map([&](std::int64_t last) {
    request.last = last;
    return request;
  });
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

Result<void> write_ledger_history(Output& output, const LocatedText& catalog, const HistoryRequest& request,
                                  bool as_json, const Progress& progress) {
  VERNIER_TRY(const std::size_t most, most_of(request.last));
  History history(request.analyst, most);
  VERNIER_TRY(const LedgerReading reading,
              read_ledger(catalog, progress, [&](const Entry& entry) { return history.see(entry); }));
  as_json ? write_json(output, reading, history) : write_report(output, reading, history);
  return {};
}

Result<void> run_ledger_history(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const HistoryRequest request, request_in(arguments));
  VERNIER_TRY(const LocatedText catalog, located_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  return write_ledger_history(output, catalog, request, arguments.has("--json"), bar.shown());
}

}  // namespace vernier::cli
