#include "cli/ledger/amounts.hpp"

#include <algorithm>
#include <ctime>
#include <string_view>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

__extension__ using Wide = __int128;  // of a thousand times 64 bits

// Below and above these powers of ten a number is written with an exponent.
constexpr int least_plain = -3;
constexpr int greatest_plain = 15;

// The power of ten that a quantum is: "1000" or "1/1000" in lowest terms.
int exponent_of(const std::string& quantum) {
  const auto zeros = static_cast<int>(std::count(quantum.begin(), quantum.end(), '0'));
  return quantum.starts_with("1/") ? -zeros : zeros;
}

// 0.DIGITS times ten to the power: digits without zeros at either end.
std::string decimal(std::string_view digits, int power) {
  const int count = static_cast<int>(digits.size());
  if (power < least_plain || power > greatest_plain) {
    const std::string fraction = count > 1 ? fmt::format(".{}", digits.substr(1)) : "";
    return fmt::format("{}{}e{}{:02}", digits.front(), fraction, power < 1 ? "-" : "+", std::abs(power - 1));
  }
  if (power <= 0) return fmt::format("0.{}{}", std::string(static_cast<std::size_t>(-power), '0'), digits);
  if (power >= count) return fmt::format("{}{}", digits, std::string(static_cast<std::size_t>(power - count), '0'));
  const auto whole = static_cast<std::size_t>(power);
  return fmt::format("{}.{}", digits.substr(0, whole), digits.substr(whole));
}

// The number that the digits are, times ten to the exponent.
std::string written(std::string digits, int exponent) {
  if (digits == "0") return digits;
  const int power = static_cast<int>(digits.size()) + exponent;
  digits.erase(digits.find_last_not_of('0') + 1);
  return decimal(digits, power);
}

}  // namespace

QuantaText::QuantaText(const numeric::Rational& quantum) : exponent_(exponent_of(quantum.text())) {}

std::string QuantaText::exact(std::int64_t quanta) const { return written(std::to_string(quanta), exponent_); }

std::string QuantaText::rounded(std::int64_t quanta, int digits, bool is_up) const {
  std::int64_t unit = 1;
  int dropped = static_cast<int>(std::to_string(quanta).size()) - digits;
  for (int i = 0; i < dropped; ++i) unit *= 10;
  const std::int64_t whole = quanta / unit + (is_up && quanta % unit != 0 ? 1 : 0);
  return written(std::to_string(whole), exponent_ + std::max(dropped, 0));
}

std::string QuantaText::up(std::int64_t quanta, int digits) const { return rounded(quanta, digits, true); }
std::string QuantaText::down(std::int64_t quanta, int digits) const { return rounded(quanta, digits, false); }

std::int64_t thousandths_up(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<std::int64_t>((Wide(1000) * part + whole - 1) / whole) : 0;
}
std::int64_t thousandths_down(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<std::int64_t>(Wide(1000) * part / whole) : 0;
}

std::string percent_text(std::int64_t thousandths) {
  return fmt::format("{}.{} %", thousandths / 10, thousandths % 10);
}

std::string utc_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  if (::gmtime_r(&time, &parts) == nullptr) return fmt::format("{} s", seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + std::int64_t{1900}, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

}  // namespace vernier::cli
