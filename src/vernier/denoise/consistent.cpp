#include "vernier/denoise/consistent.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>

namespace vernier::denoise {
namespace {

// A square matrix, row by row.
struct Square {
  explicit Square(std::size_t n) : size(n), entries(n * n, 0.0) {}
  double& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  double at(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
  std::size_t size;
  std::vector<double> entries;
};

// The product of the first `length` entries of two rows.
double product(const Square& a, std::size_t i, const Square& b, std::size_t j, std::size_t length) {
  const double *const x = &a.entries[i * a.size], *const y = &b.entries[j * b.size];
  return std::inner_product(x, x + length, y, 0.0);
}

// L with L L^T the matrix, in its lower half.
void factorise(Square& matrix) {
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix.at(i, j) = (matrix.at(i, j) - product(matrix, i, matrix, j, j)) / matrix.at(j, j);
    }
    matrix.at(i, i) = std::sqrt(matrix.at(i, i) - product(matrix, i, matrix, i, i));
  }
}

// The inverse of L, transposed: row j holds column j, so that rows meet rows.
Square transposed_inverse(const Square& lower) {
  Square columns(lower.size);
  for (std::size_t j = 0; j < lower.size; ++j) {
    columns.at(j, j) = 1 / lower.at(j, j);
    for (std::size_t i = j + 1; i < lower.size; ++i) {
      columns.at(j, i) = -product(lower, i, columns, j, i) / lower.at(i, i);
    }
  }
  return columns;
}

// The inverse of a symmetric matrix all of whose eigenvalues are positive, by Cholesky's factors. What rounding does to
// it costs the estimates a little of their accuracy and their intervals nothing: consistent.md.
Square inverse_of(Square matrix) {
  factorise(matrix);
  const Square columns = transposed_inverse(matrix);
  Square inverse(matrix.size);
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      inverse.at(i, j) = inverse.at(j, i) = product(columns, i, columns, j, matrix.size);
    }
  }
  return inverse;
}

__extension__ using Wide = __int128;

using Indexes = std::vector<std::size_t>;

constexpr double most_work = 6e8;  // additions, for all reaches together: about a second
constexpr double most_work_of_one = 3e7;
constexpr double least_part = 1e-30;  // of the greatest variance: noise that is 0 but for less than nothing

Result<void> examine(const Layout& layout, std::size_t laws) {
  if (layout.cells == 0) return invalid("numbers that add up need one cell at least");
  const std::size_t totals = layout.totals.size();
  if (totals > most_totals || layout.cells > most_gains / std::max<std::size_t>(totals, 1)) {
    return invalid("numbers are made to add up for at most " + std::to_string(most_totals) + " totals, and " +
                       std::to_string(most_gains) + " cells times totals, but there are " + std::to_string(totals) +
                       " totals of " + std::to_string(layout.cells) + " cells",
                   "ask for fewer groups");
  }
  if (laws != layout.cells + totals) {
    return invalid("numbers that add up need one law each, " + std::to_string(layout.cells + totals) +
                   ", but there are " + std::to_string(laws));
  }
  for (const Indexes& total : layout.totals) {
    const bool ascends = std::ranges::adjacent_find(total, std::greater_equal<>()) == total.end();
    if (total.empty() || !ascends || total.back() >= layout.cells) {
      return invalid("a total must list its cells once each and in ascending order, from 0 to " +
                     std::to_string(layout.cells - 1));
    }
  }
  return {};
}

std::vector<Indexes> totals_of_cells(const Layout& layout) {
  std::vector<Indexes> found(layout.cells);
  for (std::size_t l = 0; l < layout.totals.size(); ++l) {
    for (const std::size_t cell : layout.totals[l]) found[cell].push_back(l);
  }
  return found;
}

// The covariance of the discrepancies: that of two totals is the variance of the cells that they share.
Square discrepancies(const std::vector<Indexes>& totals_of, std::span<const double> variances) {
  Square covariance(variances.size() - totals_of.size());
  for (std::size_t l = 0; l < covariance.size; ++l) covariance.at(l, l) = variances[totals_of.size() + l];
  for (std::size_t cell = 0; cell < totals_of.size(); ++cell) {
    for (const std::size_t a : totals_of[cell]) {
      for (const std::size_t b : totals_of[cell]) covariance.at(a, b) += variances[cell];
    }
  }
  return covariance;
}

// Neighbours have the same law mostly, and its variance takes some microseconds. It is 0 in doubles at scales below
// 1/745; weights need not be those of the variances (consistent.md), and must be finite.
std::vector<double> variances_of(const std::vector<IntegerLaw>& laws) {
  std::vector<double> variances;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const bool is_same = i > 0 && are_alike(laws[i], laws[i - 1]);
    variances.push_back(is_same ? variances.back() : variance_of(laws[i]));
  }
  return variances;
}

Wide sum_of(const Indexes& cells, std::span<const std::int64_t> released) {
  Wide sum = 0;
  for (const std::size_t cell : cells) sum += released[cell];
  return sum;
}

}  // namespace

Layout one_total(std::size_t cells) {
  Layout layout{cells, {Indexes(cells)}};
  std::iota(layout.totals[0].begin(), layout.totals[0].end(), std::size_t{0});
  return layout;
}

Layout margins_of_table(std::size_t rows, std::size_t columns) {
  Layout layout{rows * columns, std::vector<Indexes>(rows + columns)};
  for (std::size_t cell = 0; cell < layout.cells; ++cell) {
    layout.totals[cell / columns].push_back(cell);
    layout.totals[rows + cell % columns].push_back(cell);
  }
  return layout;
}

Result<Consistency> Consistency::of(Layout layout, std::vector<IntegerLaw> laws) {
  VERNIER_TRY(examine(layout, laws.size()));
  Consistency consistency(std::move(layout), std::move(laws));
  consistency.solve();
  return consistency;
}

// The gains K = D A^T (A D A^T + S)^-1, D the variances of cells, S those of totals, A which cells a total has; and A
// K.
void Consistency::solve() {
  const std::size_t totals = layout_.totals.size();
  totals_of_ = totals_of_cells(layout_);
  variances_ = variances_of(laws_);
  greatest_variance_ = *std::ranges::max_element(variances_);
  for (double& variance : variances_) {
    variance = greatest_variance_ > 0 ? std::max(variance / greatest_variance_, least_part) : 1;
  }
  const Square inverse = inverse_of(discrepancies(totals_of_, variances_));
  gains_.assign(numbers() * totals, 0.0);
  for (std::size_t cell = 0; cell < layout_.cells; ++cell) {
    for (const std::size_t l : totals_of_[cell]) {
      for (std::size_t k = 0; k < totals; ++k) gains_[cell * totals + k] += variances_[cell] * inverse.at(l, k);
    }
  }
  for (std::size_t l = 0; l < totals; ++l) {
    double* const gains = gains_.data() + (layout_.cells + l) * totals;
    for (const std::size_t cell : layout_.totals[l]) {
      for (std::size_t k = 0; k < totals; ++k) gains[k] += gains_[cell * totals + k];
    }
  }
}

Result<std::vector<double>> Consistency::estimates(std::span<const std::int64_t> released) const {
  if (released.size() != numbers()) {
    return invalid("numbers that add up need one released number per law, " + std::to_string(numbers()) +
                   ", but there are " + std::to_string(released.size()));
  }
  const std::size_t totals = layout_.totals.size();
  std::vector<Wide> sums(totals);
  std::vector<double> discrepancy(totals);
  for (std::size_t l = 0; l < totals; ++l) {
    sums[l] = sum_of(layout_.totals[l], released);
    discrepancy[l] = static_cast<double>(released[layout_.cells + l] - sums[l]);
  }
  std::vector<double> estimates;
  for (std::size_t i = 0; i < numbers(); ++i) {
    const Wide exact = i < layout_.cells ? Wide{released[i]} : sums[i - layout_.cells];
    const double moved = std::inner_product(discrepancy.begin(), discrepancy.end(), gains_of(i), 0.0);
    estimates.push_back(static_cast<double>(exact) + moved);
  }
  return estimates;
}

std::vector<double> Consistency::weights(std::size_t number) const {
  const std::size_t totals = layout_.totals.size();
  std::vector<double> weights(numbers(), 0.0);
  if (number < layout_.cells) {
    weights[number] = 1;
  } else {
    for (const std::size_t cell : layout_.totals[number - layout_.cells]) weights[cell] = 1;
  }
  const double* const gains = gains_of(number);
  for (std::size_t cell = 0; cell < layout_.cells; ++cell) {
    for (const std::size_t l : totals_of_[cell]) weights[cell] -= gains[l];
  }
  std::copy_n(gains, totals, weights.begin() + static_cast<std::ptrdiff_t>(layout_.cells));
  return weights;
}

double Consistency::risk(std::size_t number) const {
  const std::vector<double> weight = weights(number);
  double sum = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) sum += weight[i] * weight[i] * variances_[i];
  return sum / variances_[number];
}

double Consistency::variance(std::size_t number) const {
  return risk(number) * variances_[number] * greatest_variance_;
}

std::optional<std::size_t> Consistency::disagreement(std::span<const std::int64_t> released, Alpha chance) const {
  if (released.size() != numbers()) return std::nullopt;
  const std::size_t totals = layout_.totals.size();
  const auto level = *Alpha::of(chance.value() / static_cast<double>(std::max<std::size_t>(totals, 1)));
  std::map<std::vector<Term>, double> reaches;
  for (std::size_t l = 0; l < totals; ++l) {
    std::vector<double> weights(numbers(), 0.0);
    for (const std::size_t cell : layout_.totals[l]) weights[cell] = 1;
    weights[layout_.cells + l] = 1;
    const std::vector<Term> terms = terms_of(weights, laws_);
    const auto known = reaches.find(terms);
    const double reach =
        known != reaches.end()
            ? known->second
            : reaches.emplace(terms, reach_of(terms, level, most_work_of_one / 10).proven).first->second;
    const Wide apart = released[layout_.cells + l] - sum_of(layout_.totals[l], released);
    if (std::abs(static_cast<double>(apart)) > reach) return l;
  }
  return std::nullopt;
}

// Numbers whose weights are alike reach equally far; in a regular layout these are most.
std::vector<Reach> Consistency::reaches(Alpha alpha) const {
  std::map<std::vector<Term>, Indexes> alike;
  for (std::size_t i = 0; i < numbers(); ++i) alike[terms_of(weights(i), laws_)].push_back(i);
  const double work = std::min(most_work / static_cast<double>(alike.size()), most_work_of_one);
  std::vector<Reach> reaches(numbers());
  for (const auto& [terms, of] : alike) {
    const Reach reach = reach_of(terms, alpha, work);
    for (const std::size_t i : of) reaches[i] = reach;
  }
  return reaches;
}

}  // namespace vernier::denoise
