#include "support/reference.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace vernier::test {
namespace {

std::vector<std::string> cells(std::string line) {
  std::vector<std::string> result;
  if (line.ends_with('\r')) line.pop_back();
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) result.push_back(cell);
  return result;
}

}  // namespace

std::vector<std::vector<std::string>> reference_rows(std::string_view file) {
  std::ifstream table(std::filesystem::path(VERNIER_REFERENCE_DIR) / file);
  if (!table) ADD_FAILURE() << "there is no table " << file << " in tests/reference";
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(table, line);  // the heading
  while (std::getline(table, line)) rows.push_back(cells(line));
  return rows;
}

}  // namespace vernier::test
