#include "vernier/table/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace vernier::table {
namespace {

Failure too_many_tables() {
  return invalid(
      "the columns have too many tables up to this order, more than 200,000 or too wide ones; lower up_to, or take "
      "fewer columns");
}

// Every set of `order` of so many columns behind those that are there.
bool add_sets(std::vector<Columns>& sets, std::size_t columns, std::size_t order) {
  Columns set(order);
  for (std::size_t i = 0; i < order; ++i) set[i] = i;
  while (true) {
    if (sets.size() >= most_tables) return false;
    sets.push_back(set);
    std::size_t place = order;
    while (place > 0 && set[place - 1] == columns - order + place - 1) --place;
    if (place == 0) return true;
    ++set[place - 1];
    for (std::size_t i = place; i < order; ++i) set[i] = set[i - 1] + 1;
  }
}

bool is_smaller(const Columns& a, const Columns& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; }

// Whether the product is at most most_cells; stops before it could overflow.
bool has_cells(const std::vector<std::int64_t>& keys, const Columns& set) {
  std::int64_t cells = 1;
  for (const std::size_t column : set) {
    if (keys[column] > most_cells / cells) return false;
    cells *= keys[column];
  }
  return true;
}

Result<void> check_table(const std::vector<std::int64_t>& keys, const Columns& set) {
  if (set.size() > most_order) return invalid("a table may have 10 columns at most; lower up_to");
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set[i] >= keys.size()) return invalid("a table has a column that is not there");
    if (i > 0 && set[i] <= set[i - 1]) return invalid("a table must name each of its columns once");
  }
  if (has_cells(keys, set)) return {};
  return invalid("a table of " + std::to_string(set.size()) +
                 " columns has more than 1,000,000,000 cells; lower up_to, or take wider buckets");
}

Result<void> check_tables(const std::vector<std::int64_t>& keys, const std::vector<Columns>& tables) {
  if (keys.empty() || keys.size() > most_columns) return invalid("tables are made of 1 to 200 columns");
  if (tables.empty()) return invalid("there must be one table at least");
  if (tables.size() > most_tables) return too_many_tables();
  if (std::ranges::any_of(keys, [](std::int64_t n) { return n < 1; })) return invalid("a column has no key");
  double terms = 0;  // of the errors of all tables
  for (const Columns& one : tables) {
    VERNIER_TRY(check_table(keys, one));
    terms += std::pow(3.0, static_cast<double>(one.size()));
  }
  constexpr double most_terms = 2e7;
  if (terms > most_terms) return too_many_tables();
  if (std::set<Columns>(tables.begin(), tables.end()).size() != tables.size()) {
    return invalid("the same table is asked for twice; name it once");
  }
  return {};
}

double price_of(const std::vector<std::int64_t>& keys, const Columns& set) {
  double price = 1;
  for (const std::size_t column : set) price *= 1 - 1 / static_cast<double>(keys[column]);
  return price;
}

}  // namespace

Result<std::vector<Columns>> all_up_to(std::size_t columns, std::size_t order) {
  std::vector<Columns> sets;
  for (std::size_t k = 0; k <= std::min(order, columns); ++k) {
    if (!add_sets(sets, columns, k)) return too_many_tables();
  }
  return sets;
}

std::vector<Columns> subsets_of(const Columns& set) {
  std::vector<Columns> subsets;
  for (std::size_t bits = 0; bits < (std::size_t{1} << set.size()); ++bits) {
    Columns& subset = subsets.emplace_back();
    for (std::size_t i = 0; i < set.size(); ++i) {
      if ((bits >> i & 1U) != 0) subset.push_back(set[i]);
    }
  }
  return subsets;
}

Columns without(const Columns& set, const Columns& part) {
  Columns rest;
  std::ranges::set_difference(set, part, std::back_inserter(rest));
  return rest;
}

Result<Lattice> Lattice::of(std::vector<std::int64_t> keys, std::vector<Columns> tables) {
  VERNIER_TRY(check_tables(keys, tables));
  Lattice made;
  made.keys_ = std::move(keys);
  made.tables_ = std::move(tables);
  std::map<Columns, std::size_t> places;
  for (const Columns& table : made.tables_) {
    for (Columns& set : subsets_of(table)) {
      if (!made.has_one_key(set)) places.emplace(std::move(set), 0);
    }
  }
  for (const auto& [set, place] : places) made.residuals_.push_back(set);
  std::ranges::sort(made.residuals_, is_smaller);
  for (std::size_t i = 0; i < made.residuals_.size(); ++i) {
    places[made.residuals_[i]] = i;
    made.prices_.push_back(price_of(made.keys_, made.residuals_[i]));
  }
  for (const Columns& table : made.tables_) {
    made.first_.push_back(made.parts_.size());
    for (const Columns& set : subsets_of(table)) {
      if (made.has_one_key(set)) continue;
      const std::size_t place = places.at(set);
      const auto others = static_cast<double>(made.cells(without(table, set)));
      made.parts_.push_back({place, made.prices_[place] / (others * others)});
    }
  }
  made.first_.push_back(made.parts_.size());
  return made;
}

std::int64_t Lattice::cells(const Columns& set) const {
  std::int64_t cells = 1;
  for (const std::size_t column : set) cells *= keys_[column];
  return cells;
}

std::span<const Lattice::Part> Lattice::parts(std::size_t table) const {
  return std::span(parts_).subspan(first_[table], first_[table + 1] - first_[table]);
}

std::vector<std::int64_t> Lattice::shape(const Columns& set) const {
  std::vector<std::int64_t> shape;
  for (const std::size_t column : set) shape.push_back(keys_[column]);
  return shape;
}

bool Lattice::has_one_key(const Columns& set) const {
  return std::ranges::any_of(set, [&](std::size_t column) { return keys_[column] == 1; });
}

std::size_t Lattice::residual_of(const Columns& set) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(residuals_, set, is_smaller) - residuals_.begin());
}

std::vector<std::optional<std::size_t>> Lattice::finer() const {
  std::vector<std::optional<std::size_t>> finer(residuals_.size());
  for (std::size_t i = 0; i < residuals_.size(); ++i) {
    for (const std::size_t column : residuals_[i]) {
      std::optional<std::size_t>& known = finer[residual_of(without(residuals_[i], {column}))];
      if (!known || cells(residuals_[i]) < cells(residuals_[*known])) known = i;
    }
  }
  return finer;
}

std::vector<double> table_variances(const Lattice& lattice, std::span<const double> variances) {
  std::vector<double> found(lattice.tables().size(), 0.0);
  for (std::size_t table = 0; table < found.size(); ++table) {
    for (const Lattice::Part& part : lattice.parts(table)) found[table] += part.weight * variances[part.residual];
  }
  return found;
}

}  // namespace vernier::table
