#include "vernier/interval/components/matrix_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace vernier::interval {
namespace {

constexpr double raised = 1 + 0x1p-36;  // pays for the roundings of scales, squares and logarithms
constexpr double of_square = 0x1p-40;   // of its length, by which a rounded square may be too small
constexpr std::array tilts{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};             // of 1 / the greatest length
constexpr std::array normal_tilts{0.7, 1.0, 1.4, 1.8, 2.2, 2.6, 3.0, 3.5, 4.0, 5.0, 7.0};  // of 1 / the deviation

// At least the square of every matrix within the part, as quadratic forms go: (A + B)^2 <= (1 + h) A^2 + (1 + 1/h) B^2
// with h the ratio of both lengths.
Symmetric square_from_above(const NoisyPart& part) {
  const double length = part.middle.length();
  Symmetric square{.width = part.middle.width};
  if (length > 0) square.add(square_of(part.middle), 1 + part.radius / length);
  const double rest =
      part.radius * (part.radius + length) + of_square * (length + part.radius) * (length + part.radius);
  square.add(Symmetric::multiple_of_identity(square.width, rest), 1);
  return square;
}

struct Squares {
  std::vector<Symmetric> second, fourth;  // Q and Q Q of every part
  std::vector<double> lengths;            // no eigenvalue of Q is greater
  double greatest = 0;

  explicit Squares(std::span<const NoisyPart> parts) {
    for (const NoisyPart& part : parts) {
      second.push_back(square_from_above(part));
      lengths.push_back(second.back().length() * raised);
      fourth.push_back(square_of(second.back()));
      const double rounded = of_square * lengths.back() * lengths.back();
      fourth.back().add(Symmetric::multiple_of_identity(part.middle.width, rounded), 1);
      greatest = std::max(greatest, lengths.back());
    }
  }
};

// At least log tr exp of the matrix.
double log_trace_exp(const Symmetric& a) {
  const Eigenvalues found = eigenvalues_of(a);
  const double most = found.values.front();
  double sum = 0;
  for (const double one : found.values) sum += std::exp(one - most);
  return (most + found.error + std::log(sum)) * raised;
}

// The sum of -log(1 - f Q), from above: -log(1 - x) <= x + x^2 / (2 (1 - x)).
Symmetric laplace_sum(const Squares& squares, double f) {
  Symmetric sum{.width = squares.second.front().width};
  for (std::size_t i = 0; i < squares.second.size(); ++i) {
    sum.add(squares.second[i], f);
    sum.add(squares.fourth[i], f * f / (2 * (1 - f * squares.lengths[i])) * raised);
  }
  return sum;
}

double laplace_reach(const Squares& squares, double alpha) {
  double least = HUGE_VAL;
  for (const double tilt : tilts) {
    const double u = tilt / std::sqrt(squares.greatest);
    least = std::min(least, (std::log(2 / alpha) + log_trace_exp(laplace_sum(squares, u * u))) / u);
  }
  return least;
}

double normal_reach(const Squares& squares, double alpha) {
  Symmetric sum{.width = squares.second.front().width};
  for (const Symmetric& one : squares.second) sum.add(one, 1);
  const double deviation = std::sqrt(eigenvalues_of(sum).values.front());
  double least = HUGE_VAL;
  for (const double tilt : normal_tilts) {
    const double u = tilt / deviation;
    Symmetric half{.width = sum.width};
    half.add(sum, u * u / 2);
    least = std::min(least, (std::log(2 / alpha) + log_trace_exp(half)) / u);
  }
  return least;
}

}  // namespace

MatrixNoise MatrixNoise::of(const PairLaw& law, std::int64_t weight, Alpha alpha) {
  const double step = raised / static_cast<double>(weight);
  return {law.is_normal, alpha.value(), law.scale * step, step};
}

double MatrixNoise::reach(std::span<const NoisyPart> parts) const {
  double steps = 0;  // a draw of the integer law is at most one from one over the reals
  for (const NoisyPart& part : parts) steps += part.length();
  if (!(steps > 0)) return 0;
  const Squares squares(parts);
  const double reach = is_normal_ ? normal_reach(squares, alpha_) : laplace_reach(squares, alpha_);
  return (reach * scale_ + steps * step_) * raised * raised;
}

}  // namespace vernier::interval
