#pragma once

#include <cstdint>
#include <string>

#include "vernier/ledger/price.hpp"

// Amounts of a ledger as decimals. They are whole numbers of a power of ten, so nothing passes through a double.
namespace vernier::cli {

class QuantaText {
 public:
  // What one quantum is worth: a power of ten.
  explicit QuantaText(const numeric::Rational& quantum);

  std::string exact(std::int64_t quanta) const;  // every digit: "0.75", "1.25e-7"
  // A few significant digits, not below the amount or not above it.
  std::string up(std::int64_t quanta, int digits = 5) const;
  std::string down(std::int64_t quanta, int digits = 5) const;

 private:
  std::string rounded(std::int64_t quanta, int digits, bool is_up) const;
  int exponent_;
};

// Both amounts of a ledger.
struct CostText {
  QuantaText epsilon;
  QuantaText delta;
  explicit CostText(const ledger::Quanta& quanta) : epsilon(quanta.epsilon(1)), delta(quanta.delta(1)) {}
};

// So many of a thousand, rounded up or down; of nothing, nothing.
std::int64_t thousandths_up(std::int64_t part, std::int64_t whole);
std::int64_t thousandths_down(std::int64_t part, std::int64_t whole);

// "41.3 %"
std::string percent_text(std::int64_t thousandths);

// Seconds since 1970 as "2026-11-15T18:30:00Z".
std::string utc_text(std::int64_t seconds);

}  // namespace vernier::cli
