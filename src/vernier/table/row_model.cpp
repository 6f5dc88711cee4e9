#include "vernier/table/row_model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace vernier::table {
namespace {

// Half of the mean distance of a normal number from 0: by so much noise of deviation 1 in one cell moves half of the
// distance between two tables.
constexpr double noise_in_distance = 0.4;

bool is_part(const Columns& part, const Columns& whole) { return std::ranges::includes(whole, part); }

// The released table of the fewest cells that has these columns.
std::size_t table_around(const Lattice& lattice, const Columns& set) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < lattice.tables().size(); ++i) {
    const Columns& table = lattice.tables()[i];
    if (!is_part(set, table)) continue;
    if (!found || lattice.cells(table) < lattice.cells(lattice.tables()[*found])) found = i;
  }
  return *found;
}

std::vector<double> estimates_of(const Lattice& lattice, std::size_t table, const Noisy& noisy) {
  const auto cells = static_cast<double>(lattice.cells(lattice.tables()[table]));
  std::vector<double> estimates;
  for (const Wide numerator : numerators_of(lattice, table, noisy)) {
    estimates.push_back(static_cast<double>(numerator) / cells / cells);
  }
  return estimates;
}

// A table's cells added up over the columns that `set` has not.
std::vector<double> added_up(const Lattice& lattice, const std::vector<double>& cells, const Columns& table,
                             const Columns& set) {
  std::vector<double> sums(static_cast<std::size_t>(lattice.cells(set)), 0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::size_t rest = i, place = 0, step = 1;
    for (std::size_t k = table.size(); k-- > 0;) {
      const auto keys = static_cast<std::size_t>(lattice.keys()[table[k]]);
      if (std::ranges::binary_search(set, table[k])) place += rest % keys * step, step *= keys;
      rest /= keys;
    }
    sums[place] += cells[i];
  }
  return sums;
}

// What is negative is noise.
std::vector<double> cut(std::vector<double> cells) {
  for (double& one : cells) one = std::max(one, 0.0);
  return cells;
}

double total_of(const std::vector<double>& cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); }

// The cells with the column's keys running fastest.
std::vector<double> with_last(const Lattice& lattice, const std::vector<double>& cells, const Columns& set,
                              std::size_t column) {
  const auto place = static_cast<std::size_t>(std::ranges::find(set, column) - set.begin());
  std::size_t behind = 1;
  for (std::size_t k = place + 1; k < set.size(); ++k) behind *= static_cast<std::size_t>(lattice.keys()[set[k]]);
  const auto keys = static_cast<std::size_t>(lattice.keys()[column]);
  std::vector<double> turned(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t before = i / (behind * keys), key = i / behind % keys, after = i % behind;
    turned[(before * behind + after) * keys + key] = cells[i];
  }
  return turned;
}

// Half of the distance of a table from one in which the column goes with none of the others, less what noise alone
// makes of it; of shares. Its keys run fastest.
double tie_of(const std::vector<double>& cells, std::size_t keys, double deviation) {
  const double total = total_of(cells);
  if (!(total > 0)) return 0;
  std::vector<double> own(keys, 0), others(cells.size() / keys, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) own[i % keys] += cells[i], others[i / keys] += cells[i];
  double distance = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    distance += std::abs(cells[i] - own[i % keys] * others[i / keys] / total);
  }
  return (distance / 2 - noise_in_distance * deviation * static_cast<double>(cells.size())) / total;
}

// What a column could depend on, and how much it seems to.
struct Tie {
  std::size_t column;
  Columns set;  // it and its parents
  double strength;
};

std::vector<Columns> sets_of(const Lattice& lattice) {
  std::vector<Columns> all;
  for (const Columns& table : lattice.tables()) {
    for (Columns& set : subsets_of(table)) all.push_back(std::move(set));
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<Tie> ties_of(const Lattice& lattice, const Laws& laws, const Noisy& noisy) {
  const std::vector<double> deviations = deviations_of(lattice, laws);
  std::vector<Tie> ties;
  for (const Columns& set : sets_of(lattice)) {
    if (set.size() < 2) continue;
    const std::size_t table = table_around(lattice, set);
    const Columns& whole = lattice.tables()[table];
    const std::vector<double> cells = cut(added_up(lattice, estimates_of(lattice, table, noisy), whole, set));
    const double added = std::sqrt(static_cast<double>(lattice.cells(whole)) / static_cast<double>(lattice.cells(set)));
    for (const std::size_t column : set) {
      const auto keys = static_cast<std::size_t>(lattice.keys()[column]);
      ties.push_back({column, set, tie_of(with_last(lattice, cells, set, column), keys, deviations[table] * added)});
    }
  }
  return ties;
}

std::vector<double> sums_over_keys(std::vector<double> cells, std::size_t keys) {
  for (std::size_t i = 0; i < cells.size(); i += keys) {
    std::partial_sum(cells.begin() + static_cast<std::ptrdiff_t>(i),
                     cells.begin() + static_cast<std::ptrdiff_t>(i + keys),
                     cells.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return cells;
}

// Where nothing is known of a key of the parents, the column's keys are as they are in all rows.
void fill_empty(std::vector<double>& cells, std::size_t keys) {
  std::vector<double> own(keys, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) own[i % keys] += cells[i];
  if (!(total_of(own) > 0)) own.assign(keys, 1);
  for (std::size_t i = 0; i < cells.size(); i += keys) {
    const auto from = cells.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(from, from + static_cast<std::ptrdiff_t>(keys), [](double one) { return one > 0; })) continue;
    std::copy(own.begin(), own.end(), from);
  }
}

RowModel::Part part_of(const Lattice& lattice, const Noisy& noisy, std::size_t column, const Columns& set) {
  const std::size_t table = table_around(lattice, set);
  const Columns& whole = lattice.tables()[table];
  const std::vector<double> cells = cut(added_up(lattice, estimates_of(lattice, table, noisy), whole, set));
  const auto keys = static_cast<std::size_t>(lattice.keys()[column]);
  std::vector<double> turned = with_last(lattice, cells, set, column);
  fill_empty(turned, keys);
  return {column, without(set, {column}), sums_over_keys(std::move(turned), keys)};
}

bool has_table(const Lattice& lattice, std::size_t column) {
  return std::ranges::any_of(lattice.tables(),
                             [&](const Columns& one) { return std::ranges::binary_search(one, column); });
}

// Of a column that no table has, every key is as likely as any other.
RowModel::Part even_part(const Lattice& lattice, std::size_t column) {
  const auto keys = static_cast<std::size_t>(lattice.keys()[column]);
  return {column, {}, sums_over_keys(std::vector<double>(keys, 1), keys)};
}

}  // namespace

double RowDraws::next() {  // splitmix64
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t x = state_;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

RowModel RowModel::of(const Lattice& lattice, const Laws& laws, const Noisy& noisy) {
  RowModel model;
  model.keys_ = lattice.keys();
  std::vector<Tie> ties = ties_of(lattice, laws, noisy);
  std::ranges::stable_sort(ties, [](const Tie& a, const Tie& b) { return a.strength > b.strength; });
  std::vector<bool> is_placed(lattice.keys().size(), false);
  const auto place = [&](RowModel::Part part) {
    is_placed[part.column] = true;
    model.parts_.push_back(std::move(part));
  };
  const auto fits = [&](const Tie& tie) {
    return tie.strength > 0 && !is_placed[tie.column] &&
           std::ranges::all_of(tie.set, [&](std::size_t one) { return one == tie.column || is_placed[one]; });
  };
  while (model.parts_.size() < is_placed.size()) {
    const auto found = std::ranges::find_if(ties, fits);
    if (found != ties.end()) {
      place(part_of(lattice, noisy, found->column, found->set));
      continue;
    }
    // One that goes with others first, so that these can depend on it.
    const auto begins = std::ranges::find_if(ties, [&](const Tie& tie) { return !is_placed[tie.column]; });
    const auto next = std::ranges::find(is_placed, false) - is_placed.begin();
    const std::size_t column = begins != ties.end() ? begins->column : static_cast<std::size_t>(next);
    place(has_table(lattice, column) ? part_of(lattice, noisy, column, {column}) : even_part(lattice, column));
  }
  return model;
}

void RowModel::draw(RowDraws& draws, std::span<std::uint32_t> row) const {
  for (const Part& part : parts_) {
    std::size_t above = 0;
    for (const std::size_t parent : part.parents) above = above * static_cast<std::size_t>(keys_[parent]) + row[parent];
    const auto keys = static_cast<std::size_t>(keys_[part.column]);
    const auto from = part.sums.begin() + static_cast<std::ptrdiff_t>(above * keys);
    const auto to = from + static_cast<std::ptrdiff_t>(keys);
    const auto found = std::upper_bound(from, to, draws.next() * *(to - 1));
    row[part.column] = static_cast<std::uint32_t>(std::min(found - from, static_cast<std::ptrdiff_t>(keys) - 1));
  }
}

}  // namespace vernier::table
