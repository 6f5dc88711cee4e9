#include "vernier/table/contrast.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/table/cells.hpp"

namespace vernier::table {
namespace {

// Along one axis: `outer` blocks of `keys` runs of `stride` cells.
template <class Number>
void contrast_along(std::span<Number> cells, std::size_t keys, std::size_t stride) {
  random::Wiped<Number> sums(stride);
  const auto times = static_cast<Number>(keys);
  for (std::size_t block = 0; block < cells.size(); block += keys * stride) {
    std::ranges::fill(sums, Number{0});
    for (std::size_t k = 0; k < keys; ++k) {
      for (std::size_t i = 0; i < stride; ++i) sums[i] += cells[block + k * stride + i];
    }
    for (std::size_t k = 0; k < keys; ++k) {
      for (std::size_t i = 0; i < stride; ++i) {
        Number& one = cells[block + k * stride + i];
        one = one * times - sums[i];
      }
    }
  }
}

template <class Number>
void contrast_all(std::span<Number> cells, std::span<const std::int64_t> shape) {
  std::size_t stride = cells.size();
  for (const std::int64_t keys : shape) {
    stride /= static_cast<std::size_t>(keys);
    contrast_along(cells, static_cast<std::size_t>(keys), stride);
  }
}

random::Wiped<std::uint64_t> counted(const Lattice& lattice, const Columns& set, const CountedRows& rows) {
  random::Wiped<std::uint64_t> cells(static_cast<std::size_t>(lattice.cells(set)), 0);
  const std::size_t columns = lattice.keys().size();
  for (std::size_t group = 0; group < rows.rows.size(); ++group) {
    std::size_t place = 0;
    for (const std::size_t column : set)
      place = place * static_cast<std::size_t>(lattice.keys()[column]) + rows.codes[group * columns + column];
    cells[place] += rows.rows[group];
  }
  return cells;
}

// The table without one of its columns.
random::Wiped<std::uint64_t> summed_out(const Lattice& lattice, const Columns& finer, const Columns& set,
                                        const random::Wiped<std::uint64_t>& cells) {
  const std::size_t out = without(finer, set).front();
  std::size_t stride = 1;
  for (const std::size_t column : finer) stride *= column > out ? static_cast<std::size_t>(lattice.keys()[column]) : 1;
  const auto keys = static_cast<std::size_t>(lattice.keys()[out]);
  random::Wiped<std::uint64_t> sums(cells.size() / keys, 0);
  for (std::size_t block = 0; block * keys * stride < cells.size(); ++block) {
    for (std::size_t k = 0; k < keys; ++k) {
      for (std::size_t i = 0; i < stride; ++i) sums[block * stride + i] += cells[(block * keys + k) * stride + i];
    }
  }
  return sums;
}

// How far the number of a cell of `set` moves where that of one of `table` moves by one along each axis.
std::vector<std::size_t> strides_in(const Lattice& lattice, const Columns& table, const Columns& set) {
  std::vector<std::size_t> strides(table.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = table.size(); i-- > 0;) {
    if (!std::ranges::binary_search(set, table[i])) continue;
    strides[i] = stride;
    stride *= static_cast<std::size_t>(lattice.keys()[table[i]]);
  }
  return strides;
}

// Adds `times` of the cells of a smaller table to every cell that has the same keys.
template <class Number>
void add_broadcast(std::span<Number> sum, std::span<const std::int64_t> shape, std::span<const Number> part,
                   std::span<const std::size_t> strides, Number times) {
  if (shape.empty()) {
    sum.front() += times * part.front();
    return;
  }
  const std::size_t last = shape.size() - 1;
  const auto run = static_cast<std::size_t>(shape[last]);
  std::vector<std::int64_t> at(shape.size(), 0);
  for (std::size_t first = 0, from = 0; first < sum.size(); first += run) {
    if (strides[last] == 0) {
      const Number one = times * part[from];
      for (std::size_t i = 0; i < run; ++i) sum[first + i] += one;
    } else {
      for (std::size_t i = 0; i < run; ++i) sum[first + i] += times * part[from + i * strides[last]];
    }
    for (std::size_t axis = last; axis-- > 0;) {
      from += strides[axis];
      if (++at[axis] < shape[axis]) break;
      from -= strides[axis] * static_cast<std::size_t>(shape[axis]);
      at[axis] = 0;
    }
  }
}

}  // namespace

void contrast(std::span<std::uint64_t> cells, std::span<const std::int64_t> shape) { contrast_all(cells, shape); }

Exact contrasts_of(const Lattice& lattice, const CountedRows& rows) {
  const std::vector<Columns>& sets = lattice.residuals();
  const std::vector<std::optional<std::size_t>> finer = lattice.finer();
  Exact exact(sets.size());
  for (std::size_t i = sets.size(); i-- > 0;) {
    exact[i] =
        finer[i] ? summed_out(lattice, sets[*finer[i]], sets[i], exact[*finer[i]]) : counted(lattice, sets[i], rows);
  }
  for (std::size_t i = 0; i < sets.size(); ++i) contrast(exact[i], lattice.shape(sets[i]));
  return exact;
}

namespace {

// N_W^2 times the estimate is the sum over A of N_(W without A) times the contrasts of y_A.
template <class Number>
std::vector<Number> sums_of(const Lattice& lattice, std::size_t table, const Noisy& noisy) {
  const Columns& wanted = lattice.tables()[table];
  const std::vector<std::int64_t> shape = lattice.shape(wanted);
  std::vector<Number> sum(static_cast<std::size_t>(lattice.cells(wanted)), 0);
  for (const Lattice::Part& part : lattice.parts(table)) {
    const Columns& set = lattice.residuals()[part.residual];
    std::vector<Number> twice(noisy[part.residual].begin(), noisy[part.residual].end());
    contrast_all(std::span<Number>(twice), lattice.shape(set));
    add_broadcast<Number>(sum, shape, twice, strides_in(lattice, wanted, set), lattice.cells(without(wanted, set)));
  }
  return sum;
}

// Whether all of these sums, and all that is on the way to them, lie within 62 bits: a contrast along an axis of n keys
// is at most 2 n times as large as what it is of.
bool are_narrow(const Lattice& lattice, std::size_t table, const Noisy& noisy) {
  constexpr double most = 0x1p62;
  const Columns& wanted = lattice.tables()[table];
  const auto cells = static_cast<double>(lattice.cells(wanted));
  double sum = 0;
  for (const Lattice::Part& part : lattice.parts(table)) {
    double largest = 0;
    for (const std::int64_t one : noisy[part.residual]) largest = std::max(largest, std::abs(static_cast<double>(one)));
    sum += std::ldexp(largest * cells, static_cast<int>(lattice.residuals()[part.residual].size()));
  }
  return sum < most && cells * cells < most;
}

template <class Number>
Cell published(Number numerator, Number square, double reach, std::int64_t row_limit) {
  constexpr double of_rounding = 0x1p-48;  // of the estimate, and of the reach; three roundings, each 2^-53 at most
  const auto whole = static_cast<double>(numerator / square);
  const double estimate = whole + static_cast<double>(numerator % square) / static_cast<double>(square);
  const double far = reach + (std::abs(estimate) + reach) * of_rounding;
  const auto most = static_cast<double>(row_limit);
  double low = std::max(std::ceil(estimate - far), 0.0), high = std::min(std::floor(estimate + far), most);
  const double value = std::clamp(std::round(estimate), 0.0, most);
  if (low > high) low = high = value;  // the count was missed: no whole number that can be is so near
  return {estimate, static_cast<std::int64_t>(std::clamp(value, low, high)), static_cast<std::int64_t>(low),
          static_cast<std::int64_t>(high)};
}

template <class Number>
std::vector<Cell> all_published(const Lattice& lattice, std::size_t table, const Noisy& noisy, double reach,
                                std::int64_t row_limit) {
  const auto cells = static_cast<Number>(lattice.cells(lattice.tables()[table]));
  std::vector<Cell> made;
  made.reserve(static_cast<std::size_t>(cells));
  for (const Number one : sums_of<Number>(lattice, table, noisy))
    made.push_back(published<Number>(one, cells * cells, reach, row_limit));
  return made;
}

}  // namespace

std::vector<Wide> numerators_of(const Lattice& lattice, std::size_t table, const Noisy& noisy) {
  return sums_of<Wide>(lattice, table, noisy);
}

Cell cell_of(Wide numerator, std::int64_t cells, double reach, std::int64_t row_limit) {
  return published<Wide>(numerator, Wide{cells} * cells, reach, row_limit);
}

std::vector<Cell> cells_of(const Lattice& lattice, std::size_t table, const Noisy& noisy, double reach,
                           std::int64_t row_limit) {
  if (are_narrow(lattice, table, noisy)) return all_published<std::int64_t>(lattice, table, noisy, reach, row_limit);
  return all_published<Wide>(lattice, table, noisy, reach, row_limit);
}

}  // namespace vernier::table
