#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/result.hpp"

// The lattice of the tables of some columns. table.md has the mathematics, with the same letters.
namespace vernier::table {

using Columns = std::vector<std::size_t>;  // places of columns, ascending and each once

inline constexpr std::size_t most_columns = 200;
inline constexpr std::size_t most_order = 10;              // columns of one table
inline constexpr std::size_t most_tables = 200'000;        // of one lattice
inline constexpr std::int64_t most_cells = 1'000'000'000;  // of one table

// All sets of 0 to `order` of so many columns, the smaller ones first. An error where there are too many.
Result<std::vector<Columns>> all_up_to(std::size_t columns, std::size_t order);

// All subsets, the empty one first and the set itself last.
std::vector<Columns> subsets_of(const Columns& set);
Columns without(const Columns& set, const Columns& part);

// Tables W that are wanted, and the sets A of columns whose contrasts they are made of: all subsets of the tables. A
// set with a column of one key has no contrast, and is none of them.
class Lattice {
 public:
  // A part of a table: the variance of a cell is the sum of weight * (variance of the residual).
  struct Part {
    std::size_t residual;
    double weight;  // p_A / N_(W without A)^2
  };

  // An error where a table has a column twice or one that is not there, is there twice, or has too many cells.
  static Result<Lattice> of(std::vector<std::int64_t> keys, std::vector<Columns> tables);

  const std::vector<std::int64_t>& keys() const { return keys_; }         // how many each column has
  const std::vector<Columns>& tables() const { return tables_; }          // W, as given
  const std::vector<Columns>& residuals() const { return residuals_; }    // A, those of fewer columns first
  std::int64_t cells(const Columns& set) const;                           // N: the product of its keys
  double price(std::size_t residual) const { return prices_[residual]; }  // p: the product of 1 - 1/n
  std::span<const Part> parts(std::size_t table) const;

  std::vector<std::int64_t> shape(const Columns& set) const;  // how many keys each of its columns has
  bool has_one_key(const Columns& set) const;                 // one of its columns has

  // Where the residual of this set is; it must be one of them.
  std::size_t residual_of(const Columns& set) const;

  // For each residual the one of one column more that has the fewest cells; none of those that are part of no other.
  std::vector<std::optional<std::size_t>> finer() const;

 private:
  std::vector<std::int64_t> keys_;
  std::vector<Columns> tables_, residuals_;
  std::vector<double> prices_;
  std::vector<Part> parts_;
  std::vector<std::size_t> first_;  // of each table's parts, and the end of all
};

// The variance of a cell of each table, where each coordinate of residual A has the variance variances[A].
std::vector<double> table_variances(const Lattice& lattice, std::span<const double> variances);

}  // namespace vernier::table
