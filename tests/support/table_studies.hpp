#pragma once

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "vernier/study.hpp"

// Studies of [[table]]s over a small file of people.
namespace vernier::testing {

namespace fs = std::filesystem;

inline const std::string tables_catalog = R"([budget]
epsilon = 60
delta = 1e-6
[tables.people]
source = "people.csv"
unit = "person_id"
row_limit = 100000
[tables.people.columns]
person_id = { type = "integer" }
sex = { type = "string", keys = ["f", "m"] }
region = { type = "string", keys = ["north", "south", "east"] }
age = { type = "integer", lower = 0, upper = 99 }
)";

inline const std::string tables_study = R"(catalog = "catalog.toml"
budget = { epsilon = 20, delta = 1e-7 }
[[table]]
name = "people"
from = "people"
columns = ["sex", "region", "BUCKET(age, 50) AS age"]
up_to = 2
)";

using TableCells = std::map<std::string, std::array<double, 4>>;  // by keys: estimate, value, low, high

inline TableCells table_cells(const fs::path& file, std::size_t columns) {
  std::ifstream in(file);
  TableCells cells;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < columns; ++i) end = line.find(',', end) + 1;
    std::istringstream numbers(line.substr(end));
    std::array<double, 4> cell{};
    char comma = 0;
    numbers >> cell[0] >> comma >> cell[1] >> comma >> cell[2] >> comma >> cell[3];
    cells[line.substr(0, end)] = cell;
  }
  return cells;
}

class TableStudies : public ::testing::Test {
 protected:
  TableStudies() {
    ::setenv("XDG_CONFIG_HOME", (folder_.path() / "config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
    std::string rows = "person_id,sex,region,age\n";
    for (int i = 0; i < 1000; ++i) {
      const char* const region = i % 10 == 0 ? "" : i % 10 == 1 ? "mars" : i % 2 == 0 ? "north" : "south";
      rows += std::to_string(i) + (i % 4 == 0 ? ",f," : ",m,") + region + "," + std::to_string(i % 100) + "\n";
    }
    for (int i = 0; i < 50; ++i) rows += "7,f,east,30\n";  // one unit with many rows
    write("people.csv", rows);
    write("catalog.toml", tables_catalog);
    write("study.toml", tables_study);
  }

  void write(const std::string& name, const std::string& content) const { std::ofstream(path(name)) << content; }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  Result<study::Plan> planned(const std::string& text) const {
    write("study.toml", text);
    return study::Study::read(path("study.toml")).and_then([](const study::Study& study) { return study.plan(); });
  }
  Result<study::Answer> released(const std::string& text = tables_study) const {
    return planned(text).and_then([&](const study::Plan& plan) { return plan.release({.folder = path("published")}); });
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  release::Verdict verdict() const { return study::verify(path("published"), std::nullopt).value(); }
  std::string sentence_of(const std::string& text) const {
    const Result<study::Plan> plan = planned(text);
    return plan ? "" : plan.error().sentence();
  }

  TemporaryFolder folder_;
};

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace vernier::testing
