#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/numeric/rational.hpp"
#include "vernier/query/problem.hpp"

// A [[table]] of a study: counts by several columns at once, in all tables up to an order, that add up.
namespace vernier::query {

// What is made even where a budget is shared out.
enum class Evenness : std::uint8_t {
  cells,   // the worst accuracy of a cell is least
  tables,  // the mean variance of a cell, over tables
  total,   // the mean variance of a cell, over all cells
};
std::string_view name_of(Evenness evenness);
constexpr Evenness last_of(Evenness) { return Evenness::total; }

// A wanted accuracy: of all tables of so many columns, of the table of these columns, or of all tables.
struct TableTarget {
  std::optional<std::int64_t> order = {};
  std::optional<std::vector<std::string>> table = {};
  numeric::Rational accuracy;
  Place place = {};
};

inline constexpr std::int64_t greatest_up_to = 10;

struct TableSet {
  std::string name;
  std::string from;                                   // as in FROM
  std::optional<std::string> where = {};              // as in WHERE
  std::vector<std::string> columns = {};              // as in SELECT; each has public keys
  std::optional<std::int64_t> up_to = {};             // the order of the greatest tables; or
  std::vector<std::vector<std::string>> tables = {};  // these alone
  std::vector<TableTarget> accuracy = {};             // none: the budget is shared
  Evenness even = Evenness::cells;
  numeric::Rational weight;
  std::optional<std::int64_t> max_rows = {};
  std::optional<std::string> rest = "other";  // the key of what has no declared one; none: such rows are left out
  bool is_simultaneous = false;
  Place place = {};

  // The SELECT that counts its rows by all of its columns.
  std::string statement() const;
};

}  // namespace vernier::query
