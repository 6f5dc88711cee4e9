#include "vernier/table/file_distance.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::table {
namespace {

// Of a residual: k_A, by which its squares stand for those of all tables; the variance of a coordinate of P y / N; and
// how many of them are free.
struct Weighed {
  double weight, variance, free;
};

std::vector<Weighed> weighed(const Lattice& lattice, const Laws& laws) {
  const std::vector<double> squares = squares_of(lattice, laws);
  std::vector<Weighed> all;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Columns& set = lattice.residuals()[i];
    double free = 1;
    for (const std::size_t column : set) free *= static_cast<double>(lattice.keys()[column] - 1);
    all.push_back({0, squares[i], free});
  }
  for (const Columns& table : lattice.tables()) {
    for (const Columns& set : subsets_of(table)) {
      if (lattice.has_one_key(set)) continue;
      all[lattice.residual_of(set)].weight +=
          static_cast<double>(lattice.cells(set)) / static_cast<double>(lattice.cells(table));
    }
  }
  return all;
}

// The sum of squares of an estimate that lies around the squared distance theta: but for exp(-t) it is at most
// theta + 2 sqrt(V t) + 2 a t, and but for exp(-t) at least theta - 2 sqrt(V t), with V = spread + 2 a theta
// (Birgé 2001, lemma 8.1, for normal noise).
struct Spread {
  double spread, greatest, t;

  double root(double theta) const { return 2 * std::sqrt((spread + 2 * greatest * theta) * t); }

  // The greatest theta of which the estimate is not too small.
  double high(double estimate) const {
    double low = std::max(estimate, 0.0), high = low + 1;
    while (high - root(high) <= estimate) high *= 2;
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (middle - root(middle) <= estimate ? low : high) = middle;
    }
    return high;
  }
  // The least theta of which it is not too large.
  double low(double estimate) const {
    if (root(0) + 2 * greatest * t >= estimate) return 0;
    double low = 0, high = estimate;
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (middle + root(middle) + 2 * greatest * t < estimate ? low : high) = middle;
    }
    return low;
  }
};

Spread spread_of(const Lattice& lattice, const Laws& laws, Alpha alpha) {
  Spread made{0, 0, std::log(2 / alpha.value())};
  const std::vector<Weighed> all = weighed(lattice, laws);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (lattice.residuals()[i].empty()) continue;
    const double a = all[i].weight * all[i].variance;
    made.spread += a * a * all[i].free;
    made.greatest = std::max(made.greatest, a);
  }
  return made;
}

double cells_of(const Lattice& lattice) {
  double cells = 0;
  for (const Columns& table : lattice.tables()) cells += static_cast<double>(lattice.cells(table));
  return cells;
}

// The number of rows, from the residual of no column.
double noisy_rows(const Lattice& lattice, const Noisy& noisy) {
  return static_cast<double>(noisy[lattice.residual_of({})].front());
}

// Takes the mean off along every axis of an array of this shape.
void centre(std::vector<double>& cells, const std::vector<std::int64_t>& shape) {
  std::size_t behind = 1;
  for (std::size_t k = shape.size(); k-- > 0;) {
    const auto keys = static_cast<std::size_t>(shape[k]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i / behind % keys != 0) continue;
      double sum = 0;
      for (std::size_t key = 0; key < keys; ++key) sum += cells[i + key * behind];
      for (std::size_t key = 0; key < keys; ++key) cells[i + key * behind] -= sum / static_cast<double>(keys);
    }
    behind *= keys;
  }
}

// The sum of squares of P (file - y / N), in counts.
double squared_difference(const Lattice& lattice, std::size_t residual, const std::vector<std::int64_t>& noisy,
                          std::span<const std::uint64_t> file, double factor) {
  const Columns& set = lattice.residuals()[residual];
  const auto cells = static_cast<double>(lattice.cells(set));
  std::vector<double> projected;
  for (const std::int64_t one : noisy) projected.push_back(static_cast<double>(one) / cells);
  centre(projected, lattice.shape(set));
  double sum = 0;
  for (std::size_t i = 0; i < projected.size(); ++i) {
    const double of_file = factor * static_cast<double>(static_cast<std::int64_t>(file[i])) / cells;
    sum += (of_file - projected[i]) * (of_file - projected[i]);
  }
  return sum;
}

double rows_of(const CountedRows& file) {
  double rows = 0;
  for (const std::uint64_t one : file.rows) rows += static_cast<double>(one);
  return rows;
}

}  // namespace

FileDistance distance_of(const Lattice& lattice, const Laws& laws, const Noisy& noisy, const CountedRows& file,
                         Alpha alpha) {
  const std::vector<Weighed> all = weighed(lattice, laws);
  const Exact of_file = contrasts_of(lattice, file);
  const double rows = std::max(noisy_rows(lattice, noisy), 1.0);
  const double factor = rows / std::max(rows_of(file), 1.0);
  double estimate = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (lattice.residuals()[i].empty()) continue;
    const double squares = squared_difference(lattice, i, noisy[i], of_file[i], factor);
    estimate += all[i].weight * (squares - all[i].variance * all[i].free);
  }
  const Spread spread = spread_of(lattice, laws, alpha);
  const double cells = cells_of(lattice);
  const auto root = [&](double squares) { return std::sqrt(std::max(squares, 0.0) / cells); };
  return {root(estimate), root(spread.low(estimate)), root(spread.high(estimate)), rows};
}

double distance_limit(const Lattice& lattice, const Laws& laws, Alpha alpha) {
  return std::sqrt(spread_of(lattice, laws, alpha).high(0) / cells_of(lattice));
}

}  // namespace vernier::table
