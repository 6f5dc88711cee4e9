#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/bound_studies.hpp"
#include "support/recorder.hpp"
#include "vernier/engine/duckdb/session.hpp"

namespace vernier::testing {

// A folder of data files, gone with the test.
class DataFolder {
 public:
  DataFolder() {
    std::string name = ::testing::TempDir() + "vernier-data-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;
  ~DataFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path(const std::string& name) const { return path_ / name; }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary | std::ios::trunc) << content;
  }

  std::string content(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The tables as a catalog writes them; their files lie in this folder.
  query::Catalog catalog(const std::string& tables) const {
    query::Catalog catalog = catalog_of(catalog_head + tables);
    catalog.path = path_ / "catalog.toml";
    return catalog;
  }

 private:
  std::filesystem::path path_;
};

inline std::unique_ptr<engine::Session> session_of(const query::Catalog& catalog,
                                                   const engine::MemoryTables& memory = {}) {
  std::vector<query::Table> tables = catalog.tables;
  tables.insert(tables.end(), catalog.public_tables.begin(), catalog.public_tables.end());
  Result<std::unique_ptr<engine::Session>> session = engine::open_duckdb(catalog, tables, {2, 0}, memory);
  EXPECT_TRUE(session) << session.error().sentence();
  return session ? *std::move(session) : nullptr;
}

// The groups of a statistic in order; none after an error.
inline std::vector<engine::RawGroup> groups_of(engine::Session& session, const plan::Sql& sql,
                                               const engine::Secret& secret = {17, -4}) {
  const Result<engine::RawAggregates> raw = session.run(sql, secret, nobody_watches);
  EXPECT_TRUE(raw) << sql.text;
  return raw ? Recorder::sorted(*raw) : std::vector<engine::RawGroup>();
}

}  // namespace vernier::testing
