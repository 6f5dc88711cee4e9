#include "vernier/plan/bind/arguments.hpp"

#include <algorithm>
#include <cmath>

namespace vernier::plan {
namespace {

constexpr std::int64_t greatest_steps = std::int64_t{1} << 53;
constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_shift = Int128{1} << 26;  // so that scales stay far below their limit of 1e12
constexpr double finest = 0x1p-100;
constexpr int fineness = 20;               // the span of a real expression has 2^20 to 2^21 steps
constexpr int least_exponent = -200;       // of a grid
constexpr double greatest_real = 0x1p200;  // of the bounds of an expression, so that sums are far from infinite
constexpr int digits = 52;                 // x / g + 1/2 has no rounding error for bounds of at most so many bits

double larger_size(query::RealSpan span) { return std::max(std::abs(span.lower), std::abs(span.upper)); }

// The exponent of the greatest power of two that goes 2^bits times into the size, or of a smaller one.
int exponent_of_grid(double size, int bits) { return size > 0 ? std::ilogb(size) - bits : least_exponent; }

// A function of bounds alone, so that it tells nothing of the data.
double derived_granularity(query::RealSpan span) {
  const double width = span.upper > span.lower ? span.upper - span.lower : larger_size(span);
  const int wanted = exponent_of_grid(width, fineness);
  const int coarsest_needed = exponent_of_grid(larger_size(span), digits - 1);
  return std::ldexp(1.0, std::max({wanted, coarsest_needed, least_exponent}));
}

double granularity_of(const query::Expression& x, const query::Table& table) {
  const auto* const span = std::get_if<query::RealSpan>(&x.span());
  if (span == nullptr) return 1;
  if (x.operation() == query::Operation::column) return table.column(x.column_name())->granularity;
  return derived_granularity(*span);
}

// The same three operations as the engine's, so that every row lies between them.
std::int64_t nearest_step(double value, double granularity) {
  return static_cast<std::int64_t>(std::floor(value / granularity + 0.5));
}

Failure too_far() {
  return invalid("has bounds beyond 2^53 steps of its grid; write CLAMP(x, lower, upper) with nearer bounds");
}

Result<Steps> steps_of(const query::Expression& x, double granularity) {
  if (const auto* const span = std::get_if<query::IntegerSpan>(&x.span())) {
    if (std::max(-span->lower, span->upper) > Int128{greatest_steps}) return too_far();
    return Steps{static_cast<std::int64_t>(span->lower), static_cast<std::int64_t>(span->upper)};
  }
  const auto& span = std::get<query::RealSpan>(x.span());
  if (larger_size(span) > greatest_real || larger_size(span) / granularity > static_cast<double>(greatest_steps)) {
    return too_far();
  }
  return Steps{nearest_step(span.lower, granularity), nearest_step(span.upper, granularity)};
}

// No sum over all rows can leave 64 bits, whatever they hold.
Result<void> check_total(Steps steps, const query::Table& table) {
  const Int128 size = std::max(-Int128{steps.lower}, Int128{steps.upper});
  if (size * table.row_limit <= greatest_total) return {};
  return invalid("could leave 64 bits, with up to " + std::to_string(table.row_limit) + " rows of up to " +
                 std::to_string(static_cast<std::int64_t>(size)) + " steps each; lower row_limit of the table '" +
                 table.name + "', take narrower bounds with CLAMP(x, lower, upper), or a coarser granularity");
}

}  // namespace

Argument presence_of(const query::Expression& x) { return {x, 1, 0, {0, 0}, false, false}; }

Argument value_of(const query::Expression& x) { return {x, 1, 0, {0, 0}, false, true}; }

Result<Argument> summed(const query::Expression& x, const query::Table& table) {
  const double granularity = granularity_of(x, table);
  VERNIER_TRY(const Steps steps, steps_of(x, granularity));
  if (steps.lower == 0 && steps.upper == 0) return invalid("is 0 in all rows; leave it out");
  VERNIER_TRY(check_total(steps, table));
  return Argument{x, granularity, 0, steps};
}

Result<Argument> averaged(const query::Expression& x, const query::Table& table) {
  Result<Argument> made = ranked(x, table);
  if (!made) return made;
  VERNIER_TRY(check_total(made->steps, table));
  return made;
}

bool is_rounded(const query::Expression& x, const query::Table& table) {
  if (!std::holds_alternative<query::RealSpan>(x.span())) return false;
  return x.operation() != query::Operation::column || !table.column(x.column_name())->has_granularity;
}

Argument refined(Argument x, const BoundStatistic& statistic, CountsFrom from) {
  const bool has_parts = statistic.table.unit.has_value();  // of units with more rows than count
  if (!has_parts && !is_rounded(x.expression, statistic.table)) return x;
  const Int128 most =
      std::min(enough_shift / statistic.contribution.max_rows, greatest_total / statistic.table.row_limit);
  Steps bounds{x.origin + x.steps.lower, x.origin + x.steps.upper};
  std::int64_t times = 1;
  while (2 * times * Int128{std::max(-bounds.lower, bounds.upper)} <= most && x.granularity > finest) {
    times *= 2;
    x.granularity /= 2;
  }
  bounds = {times * bounds.lower, times * bounds.upper};
  // The bound of an expression lies between steps: all values, and all finer steps of them (fine_sum.hpp), lie between
  // the next ones outward.
  if (const auto* const span = std::get_if<query::RealSpan>(&x.expression.span())) {
    bounds = {static_cast<std::int64_t>(std::floor(span->lower / x.granularity)),
              static_cast<std::int64_t>(std::ceil(span->upper / x.granularity))};
  }
  x.origin = from == CountsFrom::lower_bound ? bounds.lower : 0;
  x.steps = {bounds.lower - x.origin, bounds.upper - x.origin};
  return x;
}

Result<Argument> ranked(const query::Expression& x, const query::Table& table) {
  const double granularity = granularity_of(x, table);
  VERNIER_TRY(const Steps bounds, steps_of(x, granularity));
  const Steps steps{0, bounds.upper - bounds.lower};
  if (steps.upper == 0) return invalid("is the same in all rows; leave it out, or count the rows");
  return Argument{x, granularity, bounds.lower, steps};
}

Argument squared(const Argument& x, std::int64_t fineness, bool is_from_above) {
  Argument square = x;
  square.square = Argument::Square{x.steps.upper, fineness, is_from_above};
  square.steps.upper = x.steps.upper * fineness;
  return square;
}

}  // namespace vernier::plan
