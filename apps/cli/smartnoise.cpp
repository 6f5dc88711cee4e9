#include "cli/smartnoise.hpp"

#include <algorithm>
#include <map>

#include "cli/catalog_skeleton.hpp"
#include "cli/smartnoise_column.hpp"
#include "vernier/core/names.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::cli {
namespace {

using query::in_quotes;

constexpr std::size_t most_tables = 10'000;

Imported<const YamlMap*> map_of(const YamlNode& node, const std::string& what, const std::string& example) {
  const auto* const map = std::get_if<YamlMap>(&node.content);
  if (map != nullptr && !map->empty()) return map;
  return refused(node.place, what + " must have " + example + " below it, but it is " +
                                 (map != nullptr ? "empty" : described(node)));
}

// What a table says beside its columns, and what a catalog has instead.
const std::map<std::string_view, std::string_view>& table_keys() {
  static const std::map<std::string_view, std::string_view> keys{
      {"rows",
       "is about how many rows there are; where you know that there are never more than so many, write "
       "row_limit, which is a promise"},
      {"rows_exact", "makes the number of rows public; a catalog does so by neighbours = \"replace\""},
      {"max_ids", "belongs to the study: write max_rows and max_groups at a statistic"},
      {"sample_max_ids",
       "is no choice here: rows and groups of a unit are always bounded, rows by scaling and not by "
       "lot"},
      {"clamp_counts", "is no choice here: a count is never published below 0, and its interval stays true"},
      {"clamp_columns", "is no choice here: values are always moved into lower and upper"},
      {"censor_dims",
       "is no choice here: keys that are not declared pass a threshold; declare keys = [...] where all "
       "are public"},
      {"use_dpsu", "is not taken: private keys are chosen by a threshold on the number of units"},
      {"tau", "is not taken: the threshold follows from delta"}};
  return keys;
}

// Reads one table; what concerns several columns is put together at its end.
class TableImport {
 public:
  TableImport(const YamlEntry& entry, ImportedCatalog& catalog) : entry_(entry), catalog_(catalog) {}

  Imported<ImportedTable> read(const std::string& schema) {
    table_.name = entry_.key;
    table_.told_name = schema + "." + entry_.key;
    const Imported<const YamlMap*> content = map_of(entry_.node, subject(), "its columns");
    if (!content) return tl::unexpected(content.error());
    for (const YamlEntry& entry : **content) {
      const Imported<void> done = table_keys().contains(entry.key) ? read_key(entry) : read_column(entry);
      if (!done) return tl::unexpected(done.error());
    }
    if (table_.columns.empty()) return refused(entry_.place, subject() + " has no columns that can be used");
    choose_unit();
    return std::move(table_);
  }

 private:
  std::string subject() const { return "the table " + in_quotes(entry_.key); }

  void note(std::uint32_t line, bool is_open, std::string sentence) {
    catalog_.notes.push_back({line, is_open, std::move(sentence)});
  }

  Imported<void> read_key(const YamlEntry& entry) {
    const auto* const scalar = std::get_if<YamlScalar>(&entry.node.content);
    if (scalar == nullptr) {
      return refused(entry.node.place,
                     entry.key + " of " + subject() + " must be one value, but it is " + described(entry.node));
    }
    note(entry.place.line, false,
         entry.key + ": " + in_quotes(scalar->text) + " of " + subject() + " " +
             std::string(table_keys().at(entry.key)));
    return {};
  }

  Imported<void> read_column(const YamlEntry& entry) {
    if (entry.key == "row_privacy") {
      const Imported<bool> truth = truth_of(entry.node, "row_privacy of " + subject());
      if (!truth) return tl::unexpected(truth.error());
      has_rows_ = *truth;
      return {};
    }
    const Imported<ReadColumn> read = read_smartnoise_column(entry, catalog_.notes);
    if (!read) return tl::unexpected(read.error());
    if (const ImportedColumn* const other = same_name(entry.key)) {
      return refused(entry.place, "the column " + in_quotes(entry.key) + " differs only by case from " +
                                      in_quotes(other->name) + ", and engines take them for one; rename one of them");
    }
    if (read->is_known) table_.columns.push_back(read->column);
    if (read->is_private_id && read->is_known) ids_.push_back(entry.key);
    return {};
  }

  const ImportedColumn* same_name(const std::string& name) const {
    const auto found = std::find_if(table_.columns.begin(), table_.columns.end(), [&](const ImportedColumn& column) {
      return fold_case(column.name) == fold_case(name);
    });
    return found == table_.columns.end() ? nullptr : &*found;
  }

  void choose_unit() {
    const std::uint32_t line = entry_.place.line;
    if (has_rows_) {
      table_.unit = "row";
      note(line, false,
           "row_privacy of " + subject() +
               " protects each row by itself; a person with several rows is protected only by unit = the "
               "column that names the person");
      if (same_name("row") != nullptr) {
        table_.unit.reset();
        note(line, true,
             "the unit of " + subject() + " would be \"row\", which also names a column; rename the column");
      }
    } else if (ids_.size() == 1) {
      table_.unit = ids_.front();
    } else {
      note(line, true,
           "the unit of " + subject() + " is open: SmartNoise has " +
               (ids_.empty() ? "neither private_id nor row_privacy"
                             : "several columns with private_id, " + query::listed(ids_)) +
               "; choose whose presence is protected");
    }
  }

  const YamlEntry& entry_;
  ImportedCatalog& catalog_;
  ImportedTable table_;
  std::vector<std::string> ids_;
  bool has_rows_ = false;
};

// The one collection; `engine` may stand beside it.
Imported<const YamlEntry*> collection_of(const YamlMap& top, std::vector<ImportNote>& notes) {
  const YamlEntry* found = nullptr;
  for (const YamlEntry& entry : top) {
    const bool is_engine = entry.key == "engine" && std::holds_alternative<YamlScalar>(entry.node.content);
    if (is_engine) {
      notes.push_back(
          {entry.place.line, false, "engine is not taken: tables are CSV or Parquet files, named by source"});
    } else if (found != nullptr) {
      return refused(entry.place, "there are two collections, " + in_quotes(found->key) + " and " +
                                      in_quotes(entry.key) + "; leave one, since a file has one");
    } else {
      found = &entry;
    }
  }
  if (found == nullptr) return refused({}, "there is no collection; write Database: and below it schemas and tables");
  return found;
}

bool is_taken(const ImportedCatalog& catalog, const std::string& name) {
  return std::any_of(catalog.tables.begin(), catalog.tables.end(),
                     [&](const ImportedTable& table) { return fold_case(table.name) == fold_case(name); });
}

Imported<void> read_table(const YamlEntry& entry, const std::string& schema, ImportedCatalog& catalog) {
  Imported<ImportedTable> table = TableImport(entry, catalog).read(schema);
  if (!table) return tl::unexpected(table.error());
  if (is_taken(catalog, table->name)) table->name = table->told_name;
  const auto fault = fault_of_name(table->name);
  if (fault) return refused(entry.place, "a table cannot have this name, since " + *fault + "; choose another");
  if (is_taken(catalog, table->name) || catalog.tables.size() == most_tables)
    return refused(entry.place,
                   "the table " + in_quotes(table->told_name) + " is there already, or there are too many");
  catalog.notes.push_back({entry.place.line, true,
                           "source of the table " + in_quotes(table->name) + " is open: the CSV or Parquet file of " +
                               in_quotes(table->told_name)});
  catalog.tables.push_back(*std::move(table));
  return {};
}

Imported<void> read_schemas(const YamlEntry& collection, ImportedCatalog& catalog) {
  const Imported<const YamlMap*> schemas =
      map_of(collection.node, "the collection " + in_quotes(collection.key), "schemas");
  if (!schemas) return tl::unexpected(schemas.error());
  for (const YamlEntry& schema : **schemas) {
    const Imported<const YamlMap*> tables = map_of(schema.node, "the schema " + in_quotes(schema.key), "tables");
    if (!tables) return tl::unexpected(tables.error());
    for (const YamlEntry& table : **tables) {
      if (const Imported<void> done = read_table(table, schema.key, catalog); !done)
        return tl::unexpected(done.error());
    }
  }
  return {};
}

}  // namespace

tl::expected<ImportedCatalog, query::Problem> read_smartnoise(std::string_view text) {
  const auto document = parse_yaml(text);
  if (!document) return tl::unexpected(document.error());
  ImportedCatalog catalog;
  const Imported<const YamlMap*> top = map_of(*document, "the file", "a collection, its schemas and their tables");
  if (!top) return tl::unexpected(top.error());
  const Imported<const YamlEntry*> collection = collection_of(**top, catalog.notes);
  if (!collection) return tl::unexpected(collection.error());
  if (const Imported<void> done = read_schemas(**collection, catalog); !done) return tl::unexpected(done.error());
  std::stable_sort(catalog.notes.begin(), catalog.notes.end(),
                   [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
  return catalog;
}

}  // namespace vernier::cli
