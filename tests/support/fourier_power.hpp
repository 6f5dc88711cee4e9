#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace vernier::test {

// The transform of a power-of-two number of values, by halves. In doubles: its round-off is the point of it.
inline std::vector<std::complex<double>> fourier(const std::vector<std::complex<double>>& values, double sign) {
  const std::size_t size = values.size();
  if (size == 1) return values;
  std::vector<std::complex<double>> even, odd;
  for (std::size_t i = 0; i < size; i += 2) {
    even.push_back(values[i]);
    odd.push_back(values[i + 1]);
  }
  even = fourier(even, sign);
  odd = fourier(odd, sign);
  std::vector<std::complex<double>> result(size);
  for (std::size_t i = 0; i < size / 2; ++i) {
    const double angle = sign * 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
    const std::complex<double> turned = std::polar(1.0, angle) * odd[i];
    result[i] = even[i] + turned;
    result[i + size / 2] = even[i] - turned;
  }
  return result;
}

// The masses of a sum of `times` independent values 0 or 1.
inline std::vector<double> masses_by_fourier(double chance_of_one, long times) {
  std::size_t size = 2;
  while (size < static_cast<std::size_t>(times) + 1) size *= 2;
  std::vector<std::complex<double>> values(size);
  values[0] = 1 - chance_of_one;
  values[1] = chance_of_one;
  values = fourier(values, -1);
  for (auto& value : values) value = std::pow(value, static_cast<double>(times));
  values = fourier(values, 1);
  std::vector<double> masses;
  for (const auto& value : values) masses.push_back(value.real() / static_cast<double>(size));
  return masses;
}

}  // namespace vernier::test
