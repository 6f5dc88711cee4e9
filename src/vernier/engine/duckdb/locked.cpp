#include "vernier/engine/duckdb/locked.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <utility>

#include "vernier/core/files_say.hpp"
#include "vernier/engine/duckdb/sources.hpp"
#include "vernier/engine/duckdb/views.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/source_files.hpp"

namespace vernier::engine {
namespace {

using query::quoted_text;

Failure unavailable(const std::string& what) {
  return fail(ErrorKind::system, "the embedded engine could not be started: " + what, "nothing was read");
}

// Empty where none could be made.
std::filesystem::path make_spill_folder() {
  std::error_code failure;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failure);
  if (failure) return {};
  std::string name = (folder / "vernier-XXXXXX").string();
  return ::mkdtemp(name.data()) == nullptr ? std::filesystem::path() : std::filesystem::path(name);
}

std::string allowed_paths(const std::vector<SourceColumns>& sources) {
  std::string list;
  for (const SourceColumns& source : sources) {
    for (const SourceFile& file : source.files)
      if (!file.csv) list += (list.empty() ? "" : ", ") + quoted_text(file.path.string());
  }
  return "SET allowed_paths = [" + list + "]";
}

bool is_same_file(const SourceFile& file, const std::filesystem::path& path) {
  return file.identity && identity_of(path) == file.identity;
}

// Whether the source has one of the files of the other table, as they are now.
bool has_one_of(const SourceColumns& source, const query::Catalog& catalog, const query::Table& other) {
  const auto paths = query::files_of(catalog.path, other.source.path);
  if (!paths) return false;  // that table cannot be read
  return std::any_of(source.files.begin(), source.files.end(), [&](const SourceFile& file) {
    return std::any_of(paths->begin(), paths->end(), [&](const auto& path) { return is_same_file(file, path); });
  });
}

// A catalog was checked when it was read; since then a path may have come to lead elsewhere.
Result<void> refuse_protected(const query::Catalog& catalog, const query::Table& table, const SourceColumns& source) {
  for (const query::Table& other : catalog.tables) {
    if (!table.is_public || other.is_public || other.source.path.empty()) continue;
    if (!has_one_of(source, catalog, other)) continue;
    return invalid(
        "the table '" + table.name + "' is public and has the file of the protected table '" + other.name + "'",
        "name another file in the catalog, or leave out " + toml("public = true") + " there");
  }
  return {};
}

Result<std::vector<SourceColumns>> sources_of(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                                              const MemoryTables& memory) {
  VERNIER_TRY(check_memory(catalog, memory));
  std::vector<SourceColumns> sources;
  for (const query::Table& table : tables) {
    VERNIER_TRY(SourceColumns source, source_columns(catalog, table, memory));
    VERNIER_TRY(refuse_protected(catalog, table, source));
    for (SourceFile& file : source.files) {
      std::error_code failure;
      file.path = std::filesystem::canonical(file.path, failure);
      if (failure) return unavailable("a file of the table '" + table.name + "' is no longer there");
    }
    sources.push_back(std::move(source));
  }
  return sources;
}

std::int64_t bytes_of_lines(const SourceColumns& source) {
  std::int64_t bytes = 0;
  for (const SourceFile& file : source.files) bytes += file.csv->end() - file.csv->first_row();
  return bytes;
}

}  // namespace

bool LockedDuckDb::start() {
  duckdb_config config = nullptr;
  if (duckdb_create_config(&config) != DuckDBSuccess) return false;
  constexpr std::array<std::pair<const char*, const char*>, 3> settings{{{"autoinstall_known_extensions", "false"},
                                                                         {"autoload_known_extensions", "false"},
                                                                         {"allow_community_extensions", "false"}}};
  bool ready = true;
  for (const auto& [name, value] : settings) ready = ready && duckdb_set_config(config, name, value) == DuckDBSuccess;
  ready = ready && duckdb_open_ext(nullptr, &database_, config, nullptr) == DuckDBSuccess;
  duckdb_destroy_config(&config);
  return ready && duckdb_connect(database_, &connection_) == DuckDBSuccess;
}

bool LockedDuckDb::run(const std::string& sql) {
  return duckdb_query(connection_, sql.c_str(), nullptr) == DuckDBSuccess;
}

bool LockedDuckDb::set(const DuckDbOptions& options) {
  const auto threads = std::to_string(options.threads);
  const auto memory = std::to_string(options.memory_megabytes);
  return (options.threads == 0 || run("SET threads = " + threads)) &&
         (options.memory_megabytes == 0 || run("SET memory_limit = '" + memory + "MB'")) &&
         run("SET temp_directory = " + quoted_text(spill_.string())) && run("SET TimeZone = 'UTC'") &&
         run("SET preserve_insertion_order = false") && run("SET enable_progress_bar = true") &&
         run("SET enable_progress_bar_print = false") && run("SET progress_bar_time = 0");
}

Result<void> LockedDuckDb::take_in_memory(const query::Table& table, const SourceColumns& source) {
  const std::string name = std::string("rows_in_memory_").append(std::to_string(memory_tables_++));
  if (create_memory_view(connection_, name, table, source)) return {};
  return unavailable("it does not take the rows of the table '" + table.name + "'");
}

// The engine sees the file under its overlay alone: one that is not laid over the very columns that were checked, or
// that the engine does not read, is none.
Result<void> LockedDuckDb::take_in_parquet(const query::Table& table, const SourceColumns& source) {
  ParquetSource parquet{table.name, read_all_cells(table, source), {}};
  for (const SourceFile& file : source.files) {
    VERNIER_TRY(std::unique_ptr<ParquetOverlay> overlay, ParquetOverlay::of(file.path.string()));
    if (overlay->columns() != file.stored)
      return unavailable("the file '" + file.path.string() + "' changed while it was looked at");
    parquet.overlays.push_back(std::move(overlay));
  }
  parquet_.push_back(std::move(parquet));
  if (const Result<void> taken = take_in_file(table, source); !taken) return taken;
  for (const auto& overlay : parquet_.back().overlays)
    if (!overlay->was_read()) return unavailable("it reads files in a way of its own");
  if (table.is_public) parquet_.pop_back();  // all of it was read
  return {};
}

// A public table is read now and once, so that what is checked and hashed is what is joined.
Result<void> LockedDuckDb::take_in_file(const query::Table& table, const SourceColumns& source) {
  const std::string path = source.files.front().path.string();
  const auto not_taken = [&] { return unavailable("it does not take the file '" + path + "'"); };
  if (source.has_lines() && !register_csv(connection_, table, source, csv_read_)) return not_taken();
  if (source.has_lines() && !table.is_public) csv_bytes_ = std::max(csv_bytes_, bytes_of_lines(source));
  if (!table.is_public) return run(create_view(table, source)) ? Result<void>() : not_taken();
  VERNIER_TRY(const std::string before, sha256_of_files(source));
  if (!run(create_copy(table, source))) return not_taken();
  VERNIER_TRY(const std::string after, sha256_of_files(source));
  const auto is_still_there = [](const SourceFile& file) { return is_same_file(file, file.path); };
  if (before != after || !std::all_of(source.files.begin(), source.files.end(), is_still_there))
    return unavailable("the file '" + path + "' changed while it was read");
  public_files_.push_back({table.name, after});
  return {};
}

Result<void> LockedDuckDb::take_in(const query::Table& table, const SourceColumns& source) {
  switch (table.source.kind) {
    case query::SourceKind::arrow:
      return take_in_memory(table, source);
    case query::SourceKind::parquet:
      return take_in_parquet(table, source);
    case query::SourceKind::csv:
    case query::SourceKind::table:
      break;
  }
  return take_in_file(table, source);
}

Result<std::unique_ptr<LockedDuckDb>> LockedDuckDb::open(const query::Catalog& catalog,
                                                         const std::vector<query::Table>& tables,
                                                         const DuckDbOptions& options, const MemoryTables& memory) {
  VERNIER_TRY(const std::vector<SourceColumns> sources, sources_of(catalog, tables, memory));
  std::unique_ptr<LockedDuckDb> engine(new LockedDuckDb());
  engine->spill_ = make_spill_folder();
  if (engine->spill_.empty()) return unavailable("there is no folder for temporary files (see TMPDIR)");
  if (!engine->start()) return unavailable("it did not open");
  if (!engine->set(options)) return unavailable("a setting was refused; see threads and memory");
  if (!engine->run(allowed_paths(sources)) || !register_stored(engine->connection_))
    return unavailable("it could not be confined");
  for (std::size_t i = 0; i < tables.size(); ++i) {
    VERNIER_TRY(engine->take_in(tables[i], sources[i]));
  }
  if (!engine->run("SET enable_external_access = false") || !engine->run("SET lock_configuration = true"))
    return unavailable("it could not be locked");
  return engine;
}

Progress LockedDuckDb::with_files(const Progress& progress) const {
  const auto part = [this, start = csv_read_->load()] {
    return csv_bytes_ == 0 ? 0.0 : static_cast<double>(*csv_read_ - start) / static_cast<double>(csv_bytes_);
  };
  return [=, most = 0.0](double done) mutable {
    most = std::max({most, done, std::min(part(), 1.0)});
    return progress(most);
  };
}

const LockedDuckDb::ParquetSource* LockedDuckDb::parquet(const std::string& table) const {
  const auto found =
      std::find_if(parquet_.begin(), parquet_.end(), [&](const ParquetSource& one) { return one.table == table; });
  return found == parquet_.end() ? nullptr : &*found;
}

bool LockedDuckDb::has_current_files() const {
  return std::all_of(parquet_.begin(), parquet_.end(), [](const ParquetSource& one) {
    return std::all_of(one.overlays.begin(), one.overlays.end(), [](const auto& file) { return file->is_current(); });
  });
}

LockedDuckDb::~LockedDuckDb() {
  duckdb_disconnect(&connection_);
  duckdb_close(&database_);
  std::error_code ignored;
  if (!spill_.empty()) std::filesystem::remove_all(spill_, ignored);
}

}  // namespace vernier::engine
