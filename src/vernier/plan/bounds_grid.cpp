#include "vernier/plan/bounds_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "vernier/plan/render/rows.hpp"
#include "vernier/query/quote.hpp"
#include "vernier/query/read/column.hpp"
#include "vernier/query/value.hpp"

namespace vernier::plan {
namespace {

using query::Day;

constexpr int most_steps = 50;
constexpr std::array months_of_steps{1, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000};
constexpr int months = 12;

Day first_of_year(int year) { return *Day::of(year, 1, 1); }

Day first_of_month(int count) { return *Day::of(count / months, static_cast<unsigned>(count % months) + 1, 1); }

// Five years where dates are likely, and further steps outside. From 9000 on stand the dates that mean "never".
std::vector<Day> likely_years() {
  std::vector<Day> days{query::first_day};
  for (const int year : {1000, 1500, 1700, 1800, 1850}) days.push_back(first_of_year(year));
  for (int year = 1900; year <= 2100; year += 5) days.push_back(first_of_year(year));
  for (const int year : {2200, 2500, 3000, 9000}) days.push_back(first_of_year(year));
  days.push_back(query::last_day);
  return days;
}

std::vector<Day> all_days(Day lower, Day upper) {
  std::vector<Day> days;
  for (Day day = lower; day <= upper; ++day.number) days.push_back(day);
  return days;
}

// The first days of months, by a step of which about fifty lie within.
std::vector<Day> some_months(Day lower, Day upper) {
  const int first = query::year_of(lower) * months, last = (query::year_of(upper) + 1) * months;
  const auto step = std::find_if(months_of_steps.begin(), months_of_steps.end(),
                                 [&](int count) { return (upper.number - lower.number) / (count * 30) <= most_steps; });
  const int by = step == months_of_steps.end() ? months_of_steps.back() : *step;
  std::vector<Day> days{lower};
  for (int count = first - first % by; count < last; count += by) {
    if (count < months) continue;  // there is no year 0
    if (const Day day = first_of_month(count); lower < day && day <= upper) days.push_back(day);
  }
  return days;
}

}  // namespace

std::vector<Day> bucket_days(const std::optional<query::Range>& range) {
  if (!range) return likely_years();
  const Day lower = std::get<Day>(range->lower), upper = std::get<Day>(range->upper);
  std::vector<Day> days =
      upper.number - lower.number <= most_steps ? all_days(lower, upper) : some_months(lower, upper);
  days.push_back(Day{upper.number + 1});
  return days;
}

namespace {

using query::Column;
using query::Range;
using query::Type;
using query::Value;

constexpr double greatest_steps = 0x1p53;
constexpr double greatest_real = 1e12;  // of the edges of a real column that declares no granularity
constexpr int greatest_human = 12;      // 10^12 is a multiple of 2^12; coarser grids have powers of two alone
constexpr double steps_within_bounds = 50;
constexpr double near_zero = 10;                   // from 0 to 100 is a ninth wider than from 10 to 100
constexpr double greatest_with_fraction = 0x1p32;  // with 2^-20 that is 2^52 steps

double number(const Value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

Value value_of(Type type, double x) {
  return type == Type::integer ? Value(static_cast<std::int64_t>(x)) : Value(x + 0.0);
}

double usual_granularity(const Range& range) {
  return query::usual_granularity(numeric::Rational::of(number(range.lower)).value(),
                                  numeric::Rational::of(number(range.upper)).value());
}

// What all edges of the column are multiples of.
double step_of(const Column& column) {
  if (column.type == Type::integer) return 1;
  if (column.has_granularity || !column.range) return column.granularity;
  return std::min(column.granularity, query::granularity_without_bounds);
}

double greatest_edge(const Column& column, double step) {
  if (column.type == Type::integer || column.has_granularity) return step * greatest_steps;
  return greatest_real;
}

// Sizes from the step on, rising: powers of two below 1, or as long as 1, 2, 5, 10, ... are no multiples of the step.
std::vector<double> sizes_of(double step, double greatest) {
  const int human = std::max(0, std::ilogb(step));
  const double first_human = human <= greatest_human ? std::pow(10, human) : greatest;
  std::vector<double> sizes;
  for (double x = step; x < first_human && x <= greatest; x *= 2) sizes.push_back(x);
  for (double x = first_human; x <= greatest && human <= greatest_human; x *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) sizes.push_back(factor * x);
  }
  while (!sizes.empty() && sizes.back() > greatest) sizes.pop_back();
  return sizes;
}

std::vector<double> of_both_signs(const std::vector<double>& sizes) {
  std::vector<double> edges{0};
  for (const double size : sizes) edges.insert(edges.end(), {-size, size});
  return edges;
}

// The multiples of a round width, of which about fifty lie within.
void add_steps(std::vector<double>& edges, const std::vector<double>& sizes, double lower, double upper) {
  const auto width = std::lower_bound(sizes.begin(), sizes.end(), (upper - lower) / steps_within_bounds);
  if (width == sizes.end()) return;
  for (double i = std::ceil(lower / *width); i * *width <= upper; ++i) edges.push_back(i * *width);
}

std::vector<double> edges_of(const Column& column) {
  const double step = step_of(column);
  const std::vector<double> sizes = sizes_of(step, greatest_edge(column, step));
  std::vector<double> edges = of_both_signs(sizes);
  if (column.range) {
    const double lower = number(column.range->lower), upper = number(column.range->upper);
    add_steps(edges, sizes, lower, upper);
    std::erase_if(edges, [&](double edge) { return edge < lower || edge > upper; });
    edges.insert(edges.end(), {lower, upper});
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

std::string sql_number(const Value& value) { return query::text_of(value); }

// From a to b; of integers one that holds a single value has it as both bounds.
Bucket between(Type type, double a, double b) {
  const bool is_single = type == Type::integer && b - a == 1;
  const bool is_negative = b <= 0;
  const double lower = is_single && !is_negative ? b : a, upper = is_single && is_negative ? a : b;
  return {value_of(type, lower), value_of(type, upper), (is_negative ? "< " : "<= ") + sql_number(value_of(type, b))};
}

Bucket at(Type type, double edge, const std::string& comparison) {
  return {value_of(type, edge), value_of(type, edge), comparison + sql_number(value_of(type, edge))};
}

// Before the first edge and behind the last one lies what these bounds leave out.
BoundsGrid number_grid(const Column& column) {
  const std::vector<double> edges = edges_of(column);
  BoundsGrid grid{{at(column.type, edges.front(), "< ")}, 1, 0};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i > 0) grid.buckets.push_back(between(column.type, edges[i - 1], edges[i]));
    if (edges[i] == 0) grid.buckets.push_back(at(column.type, 0, "<= "));
  }
  grid.last_end = grid.buckets.size() - 1;
  // The ends belong to their buckets.
  grid.buckets.back().condition = "<= " + sql_number(value_of(column.type, edges.back()));
  if (column.range && edges.front() > 0) grid.buckets[grid.first_end].lower = column.range->lower;
  if (column.range && edges.back() < 0) grid.buckets.back().upper = column.range->upper;
  grid.buckets.push_back(at(column.type, edges.back(), "> "));
  grid.buckets.back().condition.clear();
  return grid;
}

Bucket at(Day day, const std::string& comparison) {
  return {day, day, comparison + "DATE '" + query::text_of(day) + "'"};
}

// Days as the catalog counts them; a bucket ends on the day before the next one.
BoundsGrid day_grid(const Column& column) {
  const std::vector<query::Day> starts = bucket_days(column.range);
  BoundsGrid grid{{}, 0, 0};
  if (column.range) grid = {{at(starts.front(), "< ")}, 1, 0};
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    grid.buckets.push_back(
        {starts[i], query::Day{starts[i + 1].number - 1}, "< DATE '" + query::text_of(starts[i + 1]) + "'"});
  }
  grid.last_end = grid.buckets.size() - 1;
  if (column.range) {
    const Day upper = std::get<Day>(column.range->upper);
    grid.buckets.back().upper = upper;
    grid.buckets.back().condition = at(upper, "<= ").condition;
    grid.buckets.push_back(at(upper, "> "));
  } else {
    grid.buckets.back().upper = starts.back();
  }
  grid.buckets.back().condition.clear();
  return grid;
}

bool is_zero(const Bucket& bucket) {
  return bucket.lower == bucket.upper && (bucket.lower == Value(0.0) || bucket.lower == Value(std::int64_t{0}));
}

// A fraction beside a number of many digits would need a finer grid than there is: it is moved outward.
Range within_one_grid(const Range& range) {
  const auto* const lower = std::get_if<double>(&range.lower);
  const auto* const upper = std::get_if<double>(&range.upper);
  if (lower == nullptr || std::max(std::abs(*lower), std::abs(*upper)) < greatest_with_fraction) return range;
  return {std::floor(*lower) + 0.0, std::ceil(*upper) + 0.0};
}

bool divides(double step, double x) { return std::fmod(x, step) == 0; }

double granularity_for(const Column& column, const Range& range) {
  if (column.has_granularity) return column.granularity;
  double step = usual_granularity(range);
  while (!divides(step, number(range.lower)) || !divides(step, number(range.upper))) step /= 2;
  return step;
}

// All digits, since a catalog is read exactly; a whole number beyond 64 bits is written with a point.
std::string exact_text(const Value& value) {
  const auto* const real = std::get_if<double>(&value);
  if (real == nullptr) return query::text_of(value);
  std::array<char, 512> text{};
  std::snprintf(text.data(), text.size(), "%.400g", *real);
  const std::string digits = text.data();
  return digits.size() > 15 && digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

}  // namespace

Result<BoundsGrid> bounds_grid(const Column& column) {
  if (column.type == Type::date) return day_grid(column);
  if (column.type == Type::integer || column.type == Type::real) return number_grid(column);
  return invalid("the column '" + column.name + "' is of type " + std::string(name_of(column.type)) +
                 ", which has no bounds; only integers, reals and dates have");
}

std::string bounds_statement(const query::Table& table, const Column& column, const BoundsGrid& grid) {
  const std::string name = query::quoted_identifier(column.name);
  std::string sql = "SELECT CASE WHEN " + name + " IS NULL THEN NULL";
  for (std::size_t i = 0; i + 1 < grid.buckets.size(); ++i) {
    sql.append(" WHEN ").append(name).append(" ").append(grid.buckets[i].condition);
    sql.append(" THEN ").append(std::to_string(i));
  }
  sql.append(" ELSE ").append(std::to_string(grid.buckets.size() - 1));
  return sql + " END AS bucket, COUNT(*) AS n FROM " + query::quoted_identifier(table.name) + " GROUP BY 1";
}

BucketRange rounded_outward(const BoundsGrid& grid, BucketRange range) {
  range.first = std::clamp(range.first, grid.first_end, grid.last_end);
  range.last = std::clamp(range.last, grid.first_end, grid.last_end);
  const auto zero = std::find_if(grid.buckets.begin(), grid.buckets.end(), is_zero);
  if (zero != grid.buckets.end()) {
    const auto place = static_cast<std::size_t>(zero - grid.buckets.begin());
    const double lower = number(grid.buckets[range.first].lower), upper = number(grid.buckets[range.last].upper);
    if (lower > 0 && lower <= upper / near_zero) range.first = place;
    if (upper < 0 && upper >= lower / near_zero) range.last = place;
  }
  if (grid.buckets[range.first].lower < grid.buckets[range.last].upper) return range;
  return range.last < grid.last_end ? BucketRange{range.first, range.last + 1}
                                    : BucketRange{range.first - 1, range.last};
}

query::Range range_of(const BoundsGrid& grid, BucketRange range) {
  return within_one_grid({grid.buckets[range.first].lower, grid.buckets[range.last].upper});
}

std::string declaration(const Column& column, const query::Range& range) {
  std::string text = "{ type = \"" + std::string(name_of(column.type)) + "\", lower = " + exact_text(range.lower) +
                     ", upper = " + exact_text(range.upper);
  if (column.type != Type::real) return text + " }";
  const double granularity = granularity_for(column, range);
  if (granularity != usual_granularity(range)) text += ", granularity = " + exact_text(granularity);
  return text + " }";
}

}  // namespace vernier::plan
