#include "vernier/engine/arrow/table.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"
#include "vernier/engine/arrow/stream.hpp"

namespace vernier::engine {

Failure stopped_short() {
  return fail(ErrorKind::system, "the program that has the rows failed to hand them over",
              "see whether it can read them");
}

namespace {

// More rows than any catalog allows, so that sums of lengths do not overflow.
constexpr std::int64_t most_rows = std::int64_t{1} << 52;
constexpr std::int64_t most_columns = 100'000;

bool has_columns(const ArrowSchema& schema) {
  if (schema.n_children < 0 || schema.n_children > most_columns) return false;
  if (schema.n_children > 0 && schema.children == nullptr) return false;
  return std::all_of(schema.children, schema.children + schema.n_children, [](const ArrowSchema* column) {
    return column != nullptr && column->release != nullptr && column->format != nullptr;
  });
}

}  // namespace

Result<void> check_schema(const ArrowSchema& schema) {
  if (schema.release == nullptr || schema.format == nullptr) return malformed_arrow("its schema is missing");
  if (std::string_view(schema.format) != "+s")
    return invalid("the rows have no columns but are one", "give a table or a frame, in which each column has a name");
  return has_columns(schema) ? Result<void>() : malformed_arrow("a column of its schema is missing");
}

namespace {

bool has_extent(const ArrowArray& array) {
  return array.length >= 0 && array.length <= most_rows && array.offset >= 0 && array.offset <= most_rows;
}

Result<void> check_column(const ArrowArray* column, const ArrowArray& batch) {
  if (column == nullptr || column->release == nullptr) return malformed_arrow("a column of a batch is missing");
  if (!has_extent(*column) || column->length < batch.offset + batch.length)
    return malformed_arrow("a column of a batch has fewer rows than the batch");
  return {};
}

}  // namespace

Result<void> check_batch(const ArrowArray& batch, const ArrowSchema& schema) {
  if (!has_extent(batch)) return malformed_arrow("the length of a batch is out of range");
  if (batch.n_children != schema.n_children || (batch.n_children > 0 && batch.children == nullptr))
    return malformed_arrow("a batch has other columns than its schema");
  if (batch.n_buffers < 0 || batch.n_buffers > 1) return malformed_arrow("a batch has values beside its columns");
  const bool has_bitmap = batch.n_buffers == 1 && batch.buffers != nullptr && batch.buffers[0] != nullptr;
  if (batch.null_count > 0 && !has_bitmap) return malformed_arrow("a batch does not say which of its rows are NULL");
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    if (Result<void> checked = check_column(batch.children[i], batch); !checked) return checked;
  }
  return {};
}

Failure malformed_arrow(const std::string& what) {
  return invalid("the rows are no Arrow data as its specification has it: " + what,
                 "make them anew with the library that holds them");
}

Result<void> check_stream(ArrowArrayStream* stream) {
  if (stream == nullptr || stream->release == nullptr)
    return invalid("the rows were taken before, and a stream of Arrow gives them once", "make a new one");
  if (stream->get_schema != nullptr && stream->get_next != nullptr) return {};
  stream->release(stream);
  return malformed_arrow("its stream has no functions");
}

Result<std::shared_ptr<const ArrowTable>> ArrowTable::take(ArrowArrayStream* stream) {
  VERNIER_TRY(check_stream(stream));
  const OpenStream open(*stream);
  const std::shared_ptr<ArrowTable> table(new ArrowTable());
  VERNIER_TRY(table->read(*stream));
  return table;
}

Result<void> ArrowTable::read(ArrowArrayStream& stream) {
  if (stream.get_schema(&stream, &schema_) != 0) return stopped_short();
  if (Result<void> checked = check_schema(schema_); !checked) return checked;
  while (true) {
    ArrowArray& batch = batches_.emplace_back();
    if (stream.get_next(&stream, &batch) != 0) return stopped_short();
    if (batch.release == nullptr) break;
    if (Result<void> checked = check_batch(batch, schema_); !checked) return checked;
    if (batch.length > most_rows - rows_) return malformed_arrow("it has more rows than memory can hold");
    rows_ += batch.length;
  }
  batches_.pop_back();
  return {};
}

std::vector<std::string> ArrowTable::names() const {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < schema_.n_children; ++i) {
    const char* const name = schema_.children[i]->name;
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

ArrowTable::~ArrowTable() {
  for (ArrowArray& batch : batches_) {
    if (batch.release != nullptr) batch.release(&batch);
  }
  if (schema_.release != nullptr) schema_.release(&schema_);
}

namespace {

std::vector<std::string> names_in_memory(const query::Catalog& catalog) {
  std::vector<std::string> names;
  for (const query::Table& table : catalog.tables) {
    if (table.source.kind == query::SourceKind::arrow) names.push_back(table.name);
  }
  return names;
}

Failure unknown(const query::Catalog& catalog, const std::string& name) {
  return invalid("rows are given for the table '" + name + "', which the catalog does not declare" +
                     suggestion(name, names_in_memory(catalog)),
                 "declare it with " + toml("format = \"arrow\"") + ", or leave them out");
}

Failure has_a_file(const query::Table& table) {
  return invalid("rows are given for the table '" + table.name + "', but the catalog says that they stand in '" +
                     table.source.told() + "'",
                 "write " + toml("format = \"arrow\"") + " instead of its source, or leave them out");
}

}  // namespace

Result<void> check_memory(const query::Catalog& catalog, const MemoryTables& memory) {
  std::map<std::string, std::string> seen;
  for (const auto& [name, rows] : memory) {
    const query::Table* const table = catalog.table(name) != nullptr ? catalog.table(name) : catalog.public_table(name);
    if (table == nullptr) return unknown(catalog, name);
    if (table->source.kind != query::SourceKind::arrow) return has_a_file(*table);
    if (!seen.emplace(fold_case(name), name).second)
      return invalid("rows are given twice for the table '" + table->name + "'", "give them once");
  }
  return {};
}

Result<std::shared_ptr<const ArrowTable>> rows_of(const query::Table& table, const MemoryTables& memory) {
  for (const auto& [name, rows] : memory) {
    if (rows && fold_case(name) == fold_case(table.name)) return rows;
  }
  return invalid("no rows are given for the table '" + table.name + "', which the catalog declares with " +
                     toml("format = \"arrow\"") +
                     ": the program that has them in memory must release, as with the Python package",
                 "or write them to a file and name it in `source`");
}

}  // namespace vernier::engine
