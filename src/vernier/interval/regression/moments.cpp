#include "vernier/interval/regression/moments.hpp"

#include <cmath>
#include <numeric>

namespace vernier::interval {
namespace {

__extension__ using Wide = __int128;

constexpr std::array<std::size_t, 5> powers_of_three{1, 3, 9, 27, 81};

double place_of(std::size_t part) { return static_cast<double>(part) - 1; }  // of a node between -1 and 1

double node_part(double u, std::size_t part) {
  const double v = 1 - u;
  return part == 0 ? v * v : part == 1 ? 2 * u * v : u * u;
}

std::int64_t whole(double x) { return static_cast<std::int64_t>(std::floor(x)); }

std::vector<std::int64_t> node_row(const MomentShape& shape, std::span<const double> u) {
  const auto weight = static_cast<double>(shape.weight);
  std::vector<std::int64_t> row(shape.numbers());
  std::int64_t rest = shape.weight;
  for (std::size_t node = 0; node < row.size(); ++node) {
    if (node == shape.middle()) continue;
    double product = node_part(u[0], shape.part(node, 0));
    for (std::size_t k = 1; k < u.size(); ++k) product *= node_part(u[k], shape.part(node, k));
    row[node] = whole(product * weight);
    rest -= row[node];
  }
  row[shape.middle()] = rest;
  return row;
}

std::vector<std::int64_t> feature_row(const MomentShape& shape, std::span<const double> u) {
  const auto weight = static_cast<double>(shape.weight);
  const std::size_t d = u.size();
  std::vector<std::int64_t> row(shape.numbers());
  row[0] = shape.weight;
  const auto z = [&](std::size_t k) { return 2 * u[k] - 1; };
  for (std::size_t k = 0; k < d; ++k) {
    row[1 + k] = whole(z(k) * weight + 0.5);
    row[1 + d + k] = whole(2 * u[k] * (1 - u[k]) * weight);
  }
  for (std::size_t place = 0; place < d * (d - 1) / 2; ++place) {
    const auto [i, j] = product_at(d, place);
    row[1 + 2 * d + place] = whole(z(i) * z(j) * weight + 0.5);
  }
  return row;
}

// The ends of v . (1, p_1, ...) at a node.
Ends at_node(const MomentShape& shape, const PlaceEnds& v, std::size_t node) {
  Ends sum = v[0];
  for (std::size_t k = 0; k < shape.columns.size(); ++k) sum = sum + place_of(shape.part(node, k)) * v[k + 1];
  return sum;
}

// z^2 is p^2 but at the middle part, where it is p^2 - 1.
template <class Product>
Ends bends(const MomentShape& shape, std::size_t node, const Product& product) {
  Ends sum{0, 0};
  for (std::size_t k = 0; k < shape.columns.size(); ++k) {
    if (shape.part(node, k) == 1) sum = sum + product(k + 1);
  }
  return sum;
}

template <class Product>
NumberEnds feature_form(const MomentShape& shape, const Product& product) {
  const std::size_t d = shape.columns.size();
  NumberEnds all(shape.numbers());
  all[0] = product(0, 0);
  for (std::size_t k = 1; k <= d; ++k) {
    const Ends square = product(k, k);
    all[0] = all[0] + square;
    all[k] = product(0, k) + product(k, 0);
    all[d + k] = -2.0 * square;
  }
  for (std::size_t place = 0; place < d * (d - 1) / 2; ++place) {
    const auto [i, j] = product_at(d, place);
    all[1 + 2 * d + place] = product(i + 1, j + 1) + product(j + 1, i + 1);
  }
  return all;
}

}  // namespace

std::size_t MomentShape::numbers() const {
  const std::size_t d = columns.size();
  return layout() == MomentLayout::nodes ? powers_of_three[d] : 1 + 2 * d + d * (d - 1) / 2;
}

std::size_t MomentShape::part(std::size_t node, std::size_t column) const {
  return node / powers_of_three[columns.size() - 1 - column] % 3;
}

std::pair<std::size_t, std::size_t> product_at(std::size_t columns, std::size_t place) {
  std::size_t i = 0;
  for (std::size_t row = columns - 1; place >= row; --row) place -= row, ++i;
  return {i, i + 1 + place};
}

std::vector<std::int64_t> moment_row(const MomentShape& shape, std::span<const double> u) {
  return shape.layout() == MomentLayout::nodes ? node_row(shape, u) : feature_row(shape, u);
}

namespace {

MomentMatrix of_nodes(const MomentShape& shape, std::span<const std::int64_t> released) {
  const std::size_t width = shape.width();
  const auto weight = static_cast<double>(shape.weight);
  MomentMatrix found;
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t l = k; l < width; ++l) {
      Wide sum = 0;
      for (std::size_t node = 0; node < released.size(); ++node) {
        const int p = k == 0 ? 1 : static_cast<int>(shape.part(node, k - 1)) - 1;
        const int q = l == 0 ? 1 : static_cast<int>(shape.part(node, l - 1)) - 1;
        sum += Wide{k == l && k > 0 ? (p == 0 ? -1 : 1) : p * q} * released[node];
      }
      found.at[k][l] = found.at[l][k] = static_cast<double>(sum) / weight;
    }
  }
  return found;
}

MomentMatrix of_features(const MomentShape& shape, std::span<const std::int64_t> released) {
  const std::size_t d = shape.columns.size();
  const auto weight = static_cast<double>(shape.weight);
  const auto rows = [&](std::size_t place) { return static_cast<double>(released[place]) / weight; };
  MomentMatrix found;
  found.at[0][0] = rows(0);
  for (std::size_t k = 1; k <= d; ++k) {
    found.at[0][k] = found.at[k][0] = rows(k);
    found.at[k][k] = static_cast<double>(Wide{released[0]} - Wide{2} * released[d + k]) / weight;
  }
  for (std::size_t place = 0; place < d * (d - 1) / 2; ++place) {
    const auto [i, j] = product_at(d, place);
    found.at[i + 1][j + 1] = found.at[j + 1][i + 1] = rows(1 + 2 * d + place);
  }
  return found;
}

}  // namespace

MomentMatrix moments_of(const MomentShape& shape, std::span<const std::int64_t> released) {
  MomentMatrix found = shape.layout() == MomentLayout::nodes ? of_nodes(shape, released) : of_features(shape, released);
  for (const std::int64_t one : released) {
    found.size += 2 * std::abs(static_cast<double>(one)) / static_cast<double>(shape.weight);
  }
  return found;
}

NumberEnds form_of(const MomentShape& shape, const PlaceEnds& q, const PlaceEnds& a) {
  if (shape.layout() == MomentLayout::features) {
    return feature_form(shape, [&](std::size_t k, std::size_t l) { return q[k] * a[l]; });
  }
  NumberEnds all(shape.numbers());
  for (std::size_t node = 0; node < all.size(); ++node) {
    all[node] = at_node(shape, q, node) * at_node(shape, a, node) -
                bends(shape, node, [&](std::size_t k) { return q[k] * a[k]; });
  }
  return all;
}

NumberEnds square_of(const MomentShape& shape, const PlaceEnds& a) {
  if (shape.layout() == MomentLayout::features) {
    return feature_form(shape, [&](std::size_t k, std::size_t l) { return k == l ? squared(a[k]) : a[k] * a[l]; });
  }
  NumberEnds all(shape.numbers());
  for (std::size_t node = 0; node < all.size(); ++node) {
    all[node] = squared(at_node(shape, a, node)) - bends(shape, node, [&](std::size_t k) { return squared(a[k]); });
  }
  return all;
}

double rounding_of(const MomentShape& shape, std::span<const double> sizes) {
  double steps = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  if (shape.layout() == MomentLayout::nodes) steps += static_cast<double>(sizes.size()) * sizes[shape.middle()];
  return 2 * steps / static_cast<double>(shape.weight);
}

}  // namespace vernier::interval
