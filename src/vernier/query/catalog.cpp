#include "vernier/query/catalog.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/read/budget.hpp"
#include "vernier/query/read/definitions.hpp"
#include "vernier/query/read/engine.hpp"
#include "vernier/query/read/table.hpp"
#include "vernier/query/read/via.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/query/toml/reader.hpp"

namespace vernier::query {
namespace {

template <class Named>
const Named* named(const std::vector<Named>& all, std::string_view name) {
  const std::string folded = fold_case(name);
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Named& one) { return fold_case(one.name) == folded; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::csv:
      return "csv";
    case SourceKind::parquet:
      return "parquet";
    case SourceKind::arrow:
      return "arrow";
    case SourceKind::table:
      break;
  }
  return "table";
}

std::string Source::told() const {
  if (is_file()) {
    std::string files = path.string();
    for (std::size_t i = files.find('\n'); i != std::string::npos; i = files.find('\n')) files.replace(i, 1, ", ");
    return files;
  }
  if (kind == SourceKind::arrow) return "in memory";
  std::string name;
  for (const std::string& part : table) name.append(name.empty() ? "" : ".").append(part);
  return name;
}

std::string_view name_of(Filter filter) {
  if (filter == Filter::pure) return "pure";
  return filter == Filter::zcdp ? "zcdp" : "rdp";
}

std::string_view name_of(Conversion conversion) {
  if (conversion == Conversion::never) return "never";
  return conversion == Conversion::early ? "early" : "worthwhile";
}

numeric::Rational Budget::reserve() const {
  numeric::Rational rest = numeric::Rational::of(shares.empty() ? 0 : 1);
  for (const BudgetShare& share : shares) rest = rest - share.part;
  return rest;
}

const Column* Table::column(std::string_view column_name) const { return named(columns, column_name); }

const Table* Catalog::table(std::string_view table_name) const { return named(tables, table_name); }

const Table* Catalog::public_table(std::string_view table_name) const { return named(public_tables, table_name); }

Result<Reading<Catalog>> examine_catalog(const std::filesystem::path& path) {
  return read_text_file(path).map([&](const std::string& text) { return examine_catalog_text(path, text); });
}

Result<Catalog> read_catalog(const std::filesystem::path& path) {
  VERNIER_TRY(Reading<Catalog> reading, examine_catalog(path));
  if (!reading.content) return Failure(problems_in(path, reading.problems));
  return *std::move(reading.content);
}

namespace {

// Two catalogs in a folder spend from one budget only where they say so.
std::string usual_ledger(const std::filesystem::path& catalog) {
  const std::string name = catalog.stem().string();
  const bool is_a_name =
      !name.empty() && name.front() != '<' && !fault_of_text(name);  // a text has a place such as <catalog>
  return (is_a_name ? name : "catalog") + ".ledger";
}

Budget read_budget_of(TableReader& reader, const std::filesystem::path& path, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.require("budget", "[budget] and below it epsilon = 1.0");
  const TomlTable* const table = reader.table("budget", "[budget]");
  const TomlTable empty;
  std::vector<Problem> none;
  TableReader budget(table != nullptr ? *table : empty, node != nullptr ? node->place : Place{}, term(Term::budget),
                     table != nullptr ? problems : none);
  return read_budget(budget, usual_ledger(path));
}

// What one ledger adds up must be about one relation.
void refuse_other_neighbours(const std::vector<Table>& tables, std::vector<Problem>& problems) {
  for (const Table& table : tables) {
    if (table.neighbours == tables.front().neighbours) continue;
    std::string sentence = "the table " + in_quotes(table.name);
    sentence.append(" has neighbours ").append(name_of(table.neighbours));
    sentence.append(" and the table ").append(in_quotes(tables.front().name)).append(" ");
    sentence.append(name_of(tables.front().neighbours));
    problems.push_back(
        {table.place,
         sentence +
             ", which one budget cannot add up; write the same for both, or make two catalogs with a ledger each"});
  }
}

// By device and inode where both are there, else by their paths. The engine looks again when it opens them.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other) {
  std::error_code failure;
  if (std::filesystem::equivalent(one, other, failure)) return true;
  return std::filesystem::absolute(one).lexically_normal() == std::filesystem::absolute(other).lexically_normal();
}

// Of what is there now.
bool have_one_file(const Result<std::vector<std::filesystem::path>>& some,
                   const Result<std::vector<std::filesystem::path>>& others) {
  if (!some || !others) return false;  // no file has such a name
  return std::any_of(some->begin(), some->end(), [&](const auto& one) {
    return std::any_of(others->begin(), others->end(), [&](const auto& other) { return is_same_file(one, other); });
  });
}

// Engines take names that differ by case alone for one, or not.
bool is_same_source(const Catalog& catalog, const Source& one, const Source& other) {
  if (one.is_file() && other.is_file()) {
    if (one.path.empty() || other.path.empty()) return false;  // which could not be read
    return have_one_file(files_of(catalog.path, one.path), files_of(catalog.path, other.path));
  }
  return one.kind == SourceKind::table && other.kind == SourceKind::table &&
         fold_case(one.told()) == fold_case(other.told());
}

// What one table protects another must not make public.
void refuse_protected_sources(const Catalog& catalog, std::vector<Problem>& problems) {
  for (const Table& open : catalog.public_tables) {
    for (const Table& table : catalog.tables) {
      if (!is_same_source(catalog, open.source, table.source)) continue;
      problems.push_back({open.place,
                          "the table " + in_quotes(open.name) + " is public and has the file of the protected table " +
                              in_quotes(table.name),
                          "leave out " + toml("public = true") + ", or name another file"});
    }
  }
}

void read_tables(TableReader& reader, Catalog& catalog, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.require("tables", "[tables.people] and below it source = \"people.csv\"");
  const TomlTable* const entries = reader.table("tables", "[tables.people]");
  if (entries == nullptr) return;
  if (entries->empty()) return reader.refuse(node->place, "no table is declared", "write for example [tables.people]");
  refuse_duplicates(*entries, "table", problems);
  for (const TomlEntry& entry : *entries) {
    Table table = read_table(entry, problems);
    (table.is_public ? catalog.public_tables : catalog.tables).push_back(std::move(table));
  }
  if (catalog.tables.empty()) {
    return reader.refuse(node->place, "every table is public, so that nothing is protected", "declare one with a unit");
  }
  find_owners(catalog.tables, catalog.public_tables, problems);
  refuse_other_neighbours(catalog.tables, problems);
  refuse_protected_sources(catalog, problems);
}

}  // namespace

Reading<Catalog> examine_catalog_text(const std::filesystem::path& path, std::string_view text) {
  const auto document = parse_toml(text);
  if (!document) return {std::nullopt, {document.error()}};
  std::vector<Problem> problems;
  TableReader reader(*document, {}, "the catalog", problems);
  Catalog catalog{path, read_budget_of(reader, path, problems), {}};
  catalog.engine = read_engine(reader, problems);
  read_tables(reader, catalog, problems);
  refuse_foreign_sources(catalog, problems);
  catalog.views = read_views(reader, catalog.tables, catalog.public_tables, problems);
  reader.finish();
  return settled(std::move(catalog), std::move(problems));
}

}  // namespace vernier::query
