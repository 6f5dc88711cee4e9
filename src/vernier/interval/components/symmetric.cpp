#include "vernier/interval/components/symmetric.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace vernier::interval {
namespace {

constexpr int most_sweeps = 40;
constexpr double enough = 0x1p-50;   // of the length, left beside the diagonal
constexpr double rounded = 0x1p-38;  // of the length: 40 sweeps of 36 rotations, each off by less than 2^-50 of it

double off_diagonal(const Symmetric& a) {
  double sum = 0;
  for (std::size_t k = 0; k < a.width; ++k) {
    for (std::size_t l = 0; l < a.width; ++l) sum += k == l ? 0 : a.at[k][l] * a.at[k][l];
  }
  return std::sqrt(sum);
}

// Jacobi's rotation, after which the entry (k, l) is 0.
void rotate(Symmetric& a, std::size_t k, std::size_t l) {
  if (a.at[k][l] == 0) return;
  const double theta = (a.at[l][l] - a.at[k][k]) / (2 * a.at[k][l]);
  const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1 / std::hypot(t, 1.0), s = t * c, moved = t * a.at[k][l];
  a.at[k][k] -= moved, a.at[l][l] += moved;
  a.at[k][l] = a.at[l][k] = 0;
  for (std::size_t i = 0; i < a.width; ++i) {
    if (i == k || i == l) continue;
    const double x = a.at[i][k], y = a.at[i][l];
    a.at[i][k] = a.at[k][i] = c * x - s * y;
    a.at[i][l] = a.at[l][i] = s * x + c * y;
  }
}

}  // namespace

Symmetric Symmetric::multiple_of_identity(std::size_t width, double factor) {
  Symmetric made{.width = width};
  for (std::size_t k = 0; k < width; ++k) made.at[k][k] = factor;
  return made;
}

void Symmetric::add(const Symmetric& other, double factor) {
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t l = 0; l < width; ++l) at[k][l] += factor * other.at[k][l];
  }
}

double Symmetric::length() const {
  double sum = 0;
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t l = 0; l < width; ++l) sum += at[k][l] * at[k][l];
  }
  return std::sqrt(sum);
}

double Symmetric::trace() const {
  double sum = 0;
  for (std::size_t k = 0; k < width; ++k) sum += at[k][k];
  return sum;
}

Symmetric square_of(const Symmetric& a) {
  Symmetric made{.width = a.width};
  for (std::size_t k = 0; k < a.width; ++k) {
    for (std::size_t l = k; l < a.width; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < a.width; ++i) sum += a.at[k][i] * a.at[i][l];
      made.at[k][l] = made.at[l][k] = sum;
    }
  }
  return made;
}

Eigenvalues eigenvalues_of(Symmetric a) {
  const double length = a.length();
  for (int sweep = 0; sweep < most_sweeps && off_diagonal(a) > enough * length; ++sweep) {
    for (std::size_t k = 0; k < a.width; ++k) {
      for (std::size_t l = k + 1; l < a.width; ++l) rotate(a, k, l);
    }
  }
  Eigenvalues found{{}, rounded * length + 2 * off_diagonal(a)};
  for (std::size_t k = 0; k < a.width; ++k) found.values.push_back(a.at[k][k]);
  std::sort(found.values.begin(), found.values.end(), std::greater<>());
  return found;
}

}  // namespace vernier::interval
