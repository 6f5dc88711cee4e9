#include "vernier/numeric/rational.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include <flint/fmpz.h>
#include <mpfr.h>

#include "vernier/core/text.hpp"

namespace vernier::numeric {
namespace {

static_assert(std::numeric_limits<long>::digits == 63, "GMP's long is taken as the 64-bit integer here");

// A decimal as text: sign, digits without the point, and the power of ten behind them.
struct Decimal {
  bool negative;
  std::string digits;
  long exponent;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the leading digits off the text.
std::string take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  std::string digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

// Takes a sign off the text, if there is one; true for minus.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

bool take(char c, std::string_view& text) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// The exponent behind e or E, 0 where there is none; sizes beyond the limit become one more than the limit.
std::optional<long> take_exponent(std::string_view& text) {
  if (text.empty()) return 0;
  if (!take('e', text) && !take('E', text)) return std::nullopt;
  const bool negative = take_sign(text);
  const std::string digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  long size = 0;
  for (const char c : digits) size = std::min(10 * size + (c - '0'), greatest_decimal_exponent + 1);
  return negative ? -size : size;
}

Failure not_a_decimal(std::string_view text) {
  return invalid("a decimal number such as 0.05 or 1e-6 is needed, but the text is '" + std::string(text) + "'");
}

Result<Decimal> read_decimal(const std::string_view text) {
  if (text.size() > greatest_decimal_digits) {
    return invalid("a decimal number may have at most " + std::to_string(greatest_decimal_digits) + " characters");
  }
  std::string_view rest = text;
  const bool negative = take_sign(rest);
  const std::string whole = take_digits(rest);
  const std::string fraction = take('.', rest) ? take_digits(rest) : std::string();
  const std::optional<long> exponent = take_exponent(rest);
  if (whole.empty() && fraction.empty()) return not_a_decimal(text);
  if (!exponent || !rest.empty()) return not_a_decimal(text);
  if (std::abs(*exponent) > greatest_decimal_exponent) {
    return invalid("the exponent of a decimal number must lie between -" + std::to_string(greatest_decimal_exponent) +
                   " and " + std::to_string(greatest_decimal_exponent) + ", but the text is '" + std::string(text) +
                   "'");
  }
  return Decimal{negative, whole + fraction, *exponent - static_cast<long>(fraction.size())};
}

Result<std::int64_t> checked_integer(mpz_srcptr value) {
  if (mpz_fits_slong_p(value)) return std::int64_t{mpz_get_si(value)};
  return invalid("the whole number does not fit in 64 bits", "use a value below 9.2e18 in size");
}

// Two roundings in one direction, to 53 bits and then to the doubles, are one.
double rounded(mpq_srcptr value, mpfr_rnd_t direction) {
  MPFR_DECL_INIT(result, DBL_MANT_DIG);
  mpfr_set_q(result, value, direction);
  return mpfr_get_d(result, direction);
}

// arb_t with an owner, set to an integer.
class Integer {
 public:
  explicit Integer(mpz_srcptr value) {
    fmpz_t integer;
    fmpz_init(integer);
    fmpz_set_mpz(integer, value);
    arb_init(value_);
    arb_set_fmpz(value_, integer);
    fmpz_clear(integer);
  }
  ~Integer() { arb_clear(value_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  const arb_struct* raw() const { return value_; }

 private:
  arb_t value_;
};

}  // namespace

Rational::Rational() { mpq_init(value_); }

Rational::Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }

Rational::Rational(Rational&& other) noexcept : Rational() { mpq_swap(value_, other.value_); }

Rational& Rational::operator=(Rational other) noexcept {
  mpq_swap(value_, other.value_);
  return *this;
}

Rational::~Rational() { mpq_clear(value_); }

Result<Rational> Rational::of(double value) {
  if (!std::isfinite(value)) return invalid("a finite number is needed, but the value is " + shortest(value));
  Rational result;
  mpq_set_d(result.value_, value);
  return result;
}

Rational Rational::of(std::int64_t value) {
  Rational result;
  mpq_set_si(result.value_, value, 1);
  return result;
}

Result<Rational> Rational::of_decimal(std::string_view text) {
  VERNIER_TRY(const Decimal decimal, read_decimal(text));
  Rational result;
  Rational ten_power;
  mpz_set_str(mpq_numref(result.value_), decimal.digits.c_str(), 10);
  mpz_ui_pow_ui(mpq_numref(ten_power.value_), 10, static_cast<unsigned long>(std::abs(decimal.exponent)));
  if (decimal.exponent < 0) mpq_inv(ten_power.value_, ten_power.value_);
  mpq_mul(result.value_, result.value_, ten_power.value_);
  return decimal.negative ? -result : result;
}

// A fraction has one text alone, so what reads back as other text was none.
Result<Rational> Rational::of_fraction(std::string_view text) {
  const std::string whole(text);
  const Failure refused =
      invalid("a fraction in lowest terms such as 3 or -1/3 is needed, but the text is '" + whole + "'");
  if (text.empty() || text.find_first_not_of("-/0123456789") != std::string_view::npos) return refused;
  Rational result;
  if (mpq_set_str(result.value_, whole.c_str(), 10) != 0 || mpz_sgn(mpq_denref(result.value_)) == 0) return refused;
  mpq_canonicalize(result.value_);
  if (result.text() != whole) return refused;
  return result;
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational result;
  mpq_add(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational result;
  mpq_sub(result.value_, a.value_, b.value_);
  return result;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational result;
  mpq_mul(result.value_, a.value_, b.value_);
  return result;
}

Rational operator-(const Rational& a) {
  Rational result;
  mpq_neg(result.value_, a.value_);
  return result;
}

Result<Rational> quotient(const Rational& a, const Rational& b) {
  if (mpq_sgn(b.value_) == 0) return invalid("a rational number cannot be divided by 0", "give a divisor other than 0");
  Rational result;
  mpq_div(result.value_, a.value_, b.value_);
  return result;
}

bool operator==(const Rational& a, const Rational& b) { return mpq_equal(a.value_, b.value_) != 0; }

std::strong_ordering operator<=>(const Rational& a, const Rational& b) { return mpq_cmp(a.value_, b.value_) <=> 0; }

Result<std::int64_t> Rational::floor() const {
  Rational whole;
  mpz_fdiv_q(mpq_numref(whole.value_), mpq_numref(value_), mpq_denref(value_));
  return checked_integer(mpq_numref(whole.value_));
}

Result<std::int64_t> Rational::ceil() const {
  Rational whole;
  mpz_cdiv_q(mpq_numref(whole.value_), mpq_numref(value_), mpq_denref(value_));
  return checked_integer(mpq_numref(whole.value_));
}

double Rational::round_down() const { return rounded(value_, MPFR_RNDD); }

double Rational::round_up() const { return rounded(value_, MPFR_RNDU); }

Ball Rational::to_ball(Precision precision) const {
  const Integer numerator(mpq_numref(value_));
  const Integer denominator(mpq_denref(value_));
  return Ball::from_raw(numerator.raw(), precision) / Ball::from_raw(denominator.raw(), precision);
}

std::string Rational::text() const {
  std::string digits(mpz_sizeinbase(mpq_numref(value_), 10) + mpz_sizeinbase(mpq_denref(value_), 10) + 3, '\0');
  mpq_get_str(digits.data(), 10, value_);
  digits.resize(digits.find('\0'));
  return digits;
}

double nearest(const Rational& value) {
  const double down = value.round_down(), up = value.round_up();
  if (std::isinf(down) || std::isinf(up)) return std::isinf(down) ? down : up;
  const auto distance = [&](double to) {
    const Rational difference = Rational::of(to).value() - value;
    return difference < Rational::of(0) ? -difference : difference;
  };
  return distance(down) < distance(up) ? down : up;
}

}  // namespace vernier::numeric
