#include "vernier/interval/regression/solve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vernier::interval {
namespace {

constexpr std::size_t most = most_moment_columns + 1;
constexpr double operations = 0x1p-47;  // of the sizes that a sum of at most ten products has, from above

using Wide = std::array<std::array<long double, 2 * most>, most>;

// By rows, each with its largest pivot.
bool eliminate(Wide& rows, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
    }
    if (!(std::abs(rows[pivot][k]) > 0)) return false;
    std::swap(rows[k], rows[pivot]);
    const long double by = 1 / rows[k][k];
    for (std::size_t j = 0; j < 2 * n; ++j) rows[k][j] *= by;
    for (std::size_t i = 0; i < n; ++i) {
      const long double factor = rows[i][k];
      for (std::size_t j = 0; i != k && j < 2 * n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  return true;
}

}  // namespace

std::optional<Inverse> inverse_of(const MomentMatrix& matrix, const std::vector<std::size_t>& at) {
  const std::size_t n = at.size();
  Wide rows{};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) rows[i][j] = matrix.at[at[i]][at[j]];
    rows[i][n + i] = 1;
  }
  if (!eliminate(rows, n)) return std::nullopt;
  Inverse made{at, {}, 0};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) made.about[at[i]][at[j]] = static_cast<double>(rows[i][n + j]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    double off = 0;
    for (std::size_t j = 0; j < n; ++j) {
      long double sum = i == j ? -1 : 0, size = 1;
      for (std::size_t k = 0; k < n; ++k) {
        const long double one = static_cast<long double>(made.about[at[i]][at[k]]) * matrix.at[at[k]][at[j]];
        sum += one, size += std::abs(one);
      }
      off += static_cast<double>(std::abs(sum) + size * operations);
    }
    made.off = std::max(made.off, off);
  }
  if (!(made.off < 0x1p-10)) return std::nullopt;
  return made;
}

Place Inverse::times(const Place& column) const {
  Place found{};
  for (const std::size_t i : at) {
    long double sum = 0;
    for (const std::size_t k : at) sum += static_cast<long double>(about[i][k]) * column[k];
    found[i] = static_cast<double>(sum);
  }
  return found;
}

// M^-1 = (I - (I - about M))^-1 about, and the first factor moves a vector by at most 2 off of its greatest entry.
Place Inverse::bound(const Place& sizes) const {
  Place found{};
  double greatest = 0;
  for (const std::size_t i : at) {
    for (const std::size_t k : at) found[i] += std::abs(about[i][k]) * sizes[k];
    greatest = std::max(greatest, found[i]);
  }
  for (const std::size_t i : at) found[i] = (found[i] + 2 * off * greatest) * (1 + 0x1p-40);
  return found;
}

Place Inverse::errors(const MomentMatrix& matrix, const Place& v) const {
  Place found{};
  for (const std::size_t i : at) {
    long double sum = 0, size = 0;
    for (std::size_t k = 0; k < v.size(); ++k) {
      const long double one = static_cast<long double>(matrix.at[i][k]) * v[k];
      sum += one, size += std::abs(one);
    }
    found[i] = static_cast<double>(std::abs(sum) + size * operations);
  }
  return found;
}

}  // namespace vernier::interval
