#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vernier/table/contrast.hpp"
#include "vernier/table/noise.hpp"

// Rows that look like released tables: a network in which every column depends on some that were placed before it, as
// their table says. Made of noisy contrasts alone, so that it gives nothing more away. synthetic.md.
namespace vernier::table {

// Numbers from 0 up to 1 that are the same wherever they are drawn. They hide nothing.
class RowDraws {
 public:
  explicit RowDraws(std::uint64_t seed) : state_(seed) {}
  double next();

 private:
  std::uint64_t state_;
};

class RowModel {
 public:
  // A column and those that it depends on, with the weights of its keys for each of theirs: sums of them, so that a key
  // is found by halving.
  struct Part {
    std::size_t column;
    Columns parents;
    std::vector<double> sums;  // by the parents' keys, the column's own running fastest
  };

  static RowModel of(const Lattice& lattice, const Laws& laws, const Noisy& noisy);

  const std::vector<Part>& parts() const { return parts_; }  // parents before what depends on them

  // The places of a row's keys in all columns.
  void draw(RowDraws& draws, std::span<std::uint32_t> row) const;

 private:
  std::vector<Part> parts_;
  std::vector<std::int64_t> keys_;
};

}  // namespace vernier::table
