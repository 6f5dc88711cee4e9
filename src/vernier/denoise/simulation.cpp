#include "vernier/denoise/simulation.hpp"

namespace vernier::denoise {
namespace {

template <class Numbers>
double mean_square(std::span<const std::int64_t> truth, const Numbers& numbers, double variance) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double off = static_cast<double>(numbers[i]) - static_cast<double>(truth[i]);
    sum += off * off;
  }
  return sum / variance / static_cast<double>(truth.size());
}

}  // namespace

void ErrorMean::add(double error) {
  ++count_;
  const double off = error - mean_;
  mean_ += off / static_cast<double>(count_);
  squares_ += off * (error - mean_);
}

double ErrorMean::standard_error() const {
  const auto n = static_cast<double>(count_);
  return count_ < 2 ? HUGE_VAL : std::sqrt(squares_ / (n - 1) / n);
}

void add_column(std::span<const std::int64_t> truth, std::span<const std::int64_t> released, double variance,
                std::span<Contender> contenders) {
  const double raw = mean_square(truth, released, variance);
  for (Contender& one : contenders) {
    const double error = mean_square(truth, one.denoise(released).values, variance);
    one.error.add(error);
    one.above_raw.add(error - raw);
  }
}

}  // namespace vernier::denoise
