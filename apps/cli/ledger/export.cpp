#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/ledger/amounts.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/ledger/yaml.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/texts.hpp"
#include "vernier/core/version.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;
using privacy::Neighbours;

constexpr std::string_view fill_in = "fill in";
constexpr std::size_t most_listed = 1000;  // releases

using Names = std::set<std::string, std::less<>>;

// The mechanisms that a stored release.json names.
void add_mechanisms(Names& found, const ledger::Documents& documents) {
  const ledger::Document* const stored = ledger::document_named(documents, "release.json");
  if (stored == nullptr) return;
  const nlohmann::json content = nlohmann::json::parse(stored->content, nullptr, false);
  if (!content.is_object()) return;
  for (const nlohmann::json& statistic : content.value("statistics", nlohmann::json::array())) {
    for (const nlohmann::json& release : statistic.value("releases", nlohmann::json::array())) {
      found.insert(release.value("mechanism", ""));
    }
  }
  found.erase("");
}

Result<Names> mechanisms_of(const study::LedgerReading& reading, const RegistryFacts& facts) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(reading.catalog, ledger::Missing::is_none));
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> transaction, store->begin(ledger::Access::read));
  Names found;
  for (const std::string& release : facts.answered()) {
    VERNIER_TRY(const ledger::Documents documents, transaction->documents(release));
    add_mechanisms(found, documents);
  }
  return found;
}

class Record {
 public:
  Record(const study::LedgerReading& reading, const RegistryFacts& facts, const Names& mechanisms)
      : reading_(reading), facts_(facts), mechanisms_(mechanisms), text_(reading.rules.quanta) {}

  std::string text() {
    yaml_.remark("A record for the Differential Privacy Deployments Registry (opendp/deployments-registry-data,");
    yaml_.remark("schemas/deployments-schema.yaml of commit 057e5d8). What only people know says: fill in.");
    yaml_.field("url_slug", slug());
    yaml_.begin("deployment");
    write_basic();
    write_variant();
    write_loss();
    write_model();
    write_implementation();
    write_administrative();
    return yaml_.text();
  }

 private:
  const query::Catalog& catalog() const { return reading_.catalog; }
  const ledger::Terms& terms() const { return reading_.rules.terms; }
  bool is_pure() const { return terms().accountant == ledger::Accountant::pure; }
  std::string slug() const { return catalog().path.stem().string(); }

  Names units() const {
    Names units;
    for (const query::Table& table : catalog().tables) units.insert(table.unit.value_or("row"));
    return units;
  }

  Names tables() const {
    Names names;
    for (const query::Table& table : catalog().tables) names.insert(table.name);
    return names;
  }

  void write_basic() {
    yaml_.begin("basic");
    yaml_.field("name", slug(), fill_in);
    yaml_.begin("data_curators");
    yaml_.first_of_item("data_curator_name", "", fill_in);
    yaml_.field("  data_curator_type", "Government", "fill in: Government, Industry or Nonprofit");
    yaml_.end();
    yaml_.field("description", fmt::format("Statistics of the tables {}, published with noise and margins of error "
                                           "under one budget",
                                           fmt::join(tables(), ", ")));
    yaml_.field("intended_use", "", fill_in);
    yaml_.field("data_product_type", "Summary statistics");
    yaml_.field("data_product_region", "", fill_in);
    yaml_.field("publication_date", utc_text(facts_.first_time()).substr(0, 10));
    yaml_.end();
  }

  void write_variant() {
    yaml_.begin("dp_variant");
    yaml_.field("variant_name", is_pure() ? "Pure DP" : "Approximate DP");
    std::string domain;
    for (const query::Table& table : catalog().tables) {
      std::vector<std::string> columns;
      for (const query::Column& column : table.columns) columns.push_back(column.name);
      domain +=
          fmt::format("table {}: columns {}, at most {} rows\n", table.name, fmt::join(columns, ", "), table.row_limit);
    }
    yaml_.lines("data_domain", domain);
    yaml_.field(
        "unprotected_quantities",
        "None is released. What the catalog declares is public and was not taken from the data: tables, columns, "
        "types, bounds, public keys, row limits");
    yaml_.end();
  }

  static std::string adjacent(const std::string& unit, Neighbours neighbours) {
    const std::string rows = unit == "row" ? "one row" : fmt::format("the rows of one unit, named by {},", unit);
    return neighbours == Neighbours::replace
               ? fmt::format("two data sets are adjacent where {} may say anything else, its presence being public",
                             rows)
               : fmt::format("two data sets are adjacent where one has {} and the other has not", rows);
  }

  std::string adjacent() const {
    std::string text = fmt::format("Neighbours {}", name_of(terms().neighbours));
    for (const std::string& unit : units()) text += "; " + adjacent(unit, terms().neighbours);
    return text;
  }

  void write_loss() {
    const ledger::Balance balance = reading_.balance();
    const ledger::Cost spent = balance.most - balance.left;
    yaml_.begin("privacy_loss");
    yaml_.field("privacy_unit", fmt::format("{}", fmt::join(units(), ", ")));
    yaml_.field("privacy_unit_details", adjacent());
    yaml_.begin("privacy_parameters");
    yaml_.number("epsilon", text_.epsilon.exact(balance.most.epsilon));
    if (!is_pure()) yaml_.number("delta", text_.delta.exact(balance.most.delta));
    yaml_.end();
    yaml_.field(
        "privacy_parameters_details",
        fmt::format("The budget of everything that is ever released from these tables, of which epsilon {}{} is "
                    "spent",
                    text_.epsilon.up(spent.epsilon), is_pure() ? "" : " and delta " + text_.delta.up(spent.delta)));
    yaml_.end();
  }

  std::string shares() const {
    const query::Budget& budget = catalog().budget;
    if (budget.shares.empty()) return "All analysts spend from one budget";
    return fmt::format("The budget is divided into the shares of {} analysts and a reserve", budget.shares.size());
  }

  void write_model() {
    yaml_.begin("deployment_model");
    yaml_.field("model_name", "Central");
    yaml_.field("release_type", facts_.paid().size() == 1 ? "One release" : "Many releases");
    yaml_.field(
        "release_type_details",
        "The budget is fixed when the ledger is begun and never resets; a release that it cannot pay is refused");
    yaml_.field("data_source_type", "Static", "fill in: Static or Dynamic");
    yaml_.field("access_type", "Interactive", "fill in: Interactive or Non-interactive");
    yaml_.field("access_type_details",
                shares() + ". What all of them spend adds up, so that no assumption is made that they do not collude");
    yaml_.end();
  }

  std::string mechanisms() const {
    return fmt::format(
        "noise: {}\n"
        "implementation: Vernier {}; noise is drawn as exact integers from the operating system's randomness and added "
        "to integers,\n"
        "so that no floating-point number stands between data and noise\n"
        "each unit's contribution is bounded inside the engine; no message tells anything of the data\n",
        mechanisms_.empty() ? "none yet" : fmt::format("{}", fmt::join(mechanisms_, ", ")), version());
  }

  std::string releases() const {
    std::string lines = fmt::format("The ledger has {} entries, its head is {}.\n", reading_.book->position().index,
                                    reading_.book->position().head);
    const std::size_t count = facts_.paid().size(), first = count - std::min(count, most_listed);
    if (first > 0) lines += fmt::format("Of {} releases the last {} are listed.\n", count, most_listed);
    for (std::size_t i = first; i < count; ++i) lines += release_line(facts_.paid()[i]);
    return lines;
  }

  std::string release_line(const Entry& entry) const {
    return fmt::format("- entry {}, {}: {}, unit {}, epsilon {}, delta {} by {}{}\n", entry.index,
                       utc_text(entry.time).substr(0, 10), one_line(entry.study), one_line(entry.unit),
                       text_.epsilon.exact(entry.cost.epsilon), text_.delta.exact(entry.cost.delta),
                       name_of(entry.manner), facts_.was_answered(entry.release) ? "" : ", not answered");
  }

  void write_implementation() {
    yaml_.begin("implementation");
    yaml_.field("preprocessing_and_hyperparameter_tuning",
                "Values are moved into declared bounds and onto a declared grid; nothing is tuned on the data");
    yaml_.lines("mechanisms", mechanisms());
    yaml_.field("composition", "Across releases that were chosen one after the other: " + reading_.rules.theorem);
    yaml_.field("post_processing", "Means and intervals are computed from noisy numbers alone");
    yaml_.field("justification", "", fill_in);
    yaml_.lines("additional_information", releases());
    yaml_.end();
  }

  void write_administrative() {
    yaml_.begin("administrative");
    yaml_.field("status", "Draft");
    yaml_.begin("registry_authors");
    yaml_.item("", fill_in);
    yaml_.end();
    yaml_.number("tier", "2");
    yaml_.end();
  }

  const study::LedgerReading& reading_;
  const RegistryFacts& facts_;
  const Names& mechanisms_;
  CostText text_;
  YamlWriter yaml_;
};

}  // namespace

void RegistryFacts::see(const Entry& entry) {
  if (entry.kind == ledger::Kind::terms) begun_ = entry.time;
  if (entry.kind == ledger::Kind::reserve) paid_.push_back(entry);
  if (entry.kind != ledger::Kind::settle) return;
  answered_.insert(entry.release);
  if (!first_answer_) first_answer_ = entry.time;
}

Result<std::string> registry_record(const study::LedgerReading& reading, const RegistryFacts& facts) {
  return mechanisms_of(reading, facts).map([&](const Names& mechanisms) {
    return Record(reading, facts, mechanisms).text();
  });
}

namespace {

Result<std::string> checked_format(const std::string& format) {
  if (format == "jsonl" || format == "registry") return format;
  return invalid(
      parameter("format"),
      fmt::format("must be jsonl or registry, but it is '{}'{}", format, suggestion(format, {"jsonl", "registry"})),
      "");
}

Result<std::string> format_of(const Arguments& arguments) {
  return checked_format(arguments.has("--format") ? arguments.one("--format") : "jsonl");
}

// The entries of a ledger, one JSON object a line.
class JsonLines {
 public:
  void see(const Entry& entry) {
    if (!text_) text_ = text_of(entry);
    if (!text_) return;
    JsonWriter json(lines_);
    json.begin_object();
    write_entry_members(json, entry, *text_);
    json.end_object();
    lines_.write("\n");
  }
  const std::string& lines() const { return lines_.text(); }

 private:
  // What a quantum is worth stands in the first entry.
  static std::optional<CostText> text_of(const Entry& first) {
    const Result<ledger::Terms> terms = ledger::terms_in(first.content);
    if (!terms) return std::nullopt;
    return CostText(ledger::Quanta::of(terms->epsilon, terms->delta));
  }
  std::optional<CostText> text_;
  Output lines_;
};

Result<std::string> exported(const study::Text& catalog, const std::string& format, const Progress& progress,
                             std::string& name) {
  JsonLines lines;
  const bool is_registry = format == "registry";
  RegistryFacts facts;
  VERNIER_TRY(const auto reading, study::read_ledger(catalog, progress, [&](const Entry& entry) -> Result<void> {
                is_registry ? facts.see(entry) : lines.see(entry);
                return {};
              }));
  if (!reading.book) {
    return fail(ErrorKind::system, fmt::format("the ledger '{}' does not exist yet: nothing was spent, and there is "
                                               "nothing to export; publish a first release",
                                               reading.name));
  }
  name = reading.name;
  return is_registry ? registry_record(reading, facts) : lines.lines();
}

void write_answer(Output& output, const Arguments& arguments, const std::string& name, const std::string& format,
                  const std::string& content) {
  const bool to_file = arguments.has("--out");
  if (!arguments.has("--json")) {
    if (!to_file) return output.write(content);
    return output.write(fmt::format("{} holds the ledger {}\n", one_line(arguments.one("--out")), one_line(name)));
  }
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(name));
  json.member("format", std::string_view(format));
  if (to_file) {
    json.member("file", std::string_view(arguments.one("--out")));
  } else {
    json.member("content", std::string_view(content));
  }
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<std::string> ledger_export(const study::Text& catalog, const std::string& format, const Progress& progress) {
  VERNIER_TRY(const std::string checked, checked_format(format));
  std::string name;
  return exported(catalog, checked, progress, name);
}

Result<void> run_ledger_export(const Arguments& arguments, Output& output) {
  VERNIER_TRY(const std::string format, format_of(arguments));
  if (arguments.has("--out")) {
    if (Result<void> is_new = study::check_new(arguments.one("--out")); !is_new) return is_new;
  }
  std::string name;
  VERNIER_TRY(const study::Text catalog, study::read_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  VERNIER_TRY(const std::string content, exported(catalog, format, bar.shown(), name));
  if (arguments.has("--out")) {
    if (Result<void> written = study::write_file(arguments.one("--out"), content); !written) return written;
  }
  write_answer(output, arguments, name, format, content);
  return {};
}

}  // namespace vernier::cli
