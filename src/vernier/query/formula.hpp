#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a statement makes of statistics, such as SUM(x) / COUNT(*): arithmetic over published numbers, which costs no
// privacy. Rows play no part in it.
namespace vernier::query {

// A truth is 1 or 0; what is not defined (a quotient by zero, a root of less than zero) is NULL, as in SQL.
enum class FormulaOperation : std::uint8_t {
  number,
  column,  // a statistic
  undefined,
  add,
  subtract,
  multiply,
  divide,
  divide_truncated,
  negate,
  absolute,
  floor,
  ceil,
  round,  // x, digits behind the point, a number; halves away from zero
  truncate,
  square_root,
  exponential,
  logarithm,
  logarithm_10,
  logarithm_2,
  power,  // x, exponent, a number
  least,
  greatest,
  coalesce,
  null_if,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  logical_and,
  logical_or,
  logical_not,
  is_null,
  choose,  // condition, what holds if it is true, what holds if not
};
constexpr FormulaOperation last_of(FormulaOperation) { return FormulaOperation::choose; }

struct FormulaFacts {
  FormulaOperation operation;
  std::string_view name;      // in records
  std::size_t operands = 0;   // that it takes from what was made before
  std::string_view sql = {};  // an operator between two, or a function
  bool is_infix = false;
  bool is_truth = false;
};
const FormulaFacts& facts_of(FormulaOperation operation);
std::string_view name_of(FormulaOperation operation);

struct FormulaStep {
  FormulaOperation operation;
  double number = 0;       // of a number
  std::size_t column = 0;  // of a statistic: its place among the aggregations of the query

  friend bool operator==(const FormulaStep&, const FormulaStep&) = default;
};

inline constexpr std::size_t most_formula_steps = 1000;

// In postfix form: each step takes its operands from what the steps before it have left, and the last one leaves one
// number.
struct Formula {
  std::string name;  // of the published column
  std::vector<FormulaStep> steps;

  std::vector<std::size_t> columns() const;  // the statistics in it, each once, ascending
  bool is_truth() const;                     // of its last step

  friend bool operator==(const Formula&, const Formula&) = default;
};

// Whether every step finds its operands, constants stand where they must, and one number is left.
bool is_well_formed(const std::vector<FormulaStep>& steps, std::size_t columns);

// As SQL, with these texts for the statistics.
std::string text_of(const std::vector<FormulaStep>& steps, const std::vector<std::string>& columns);

// One step as a record writes it, and back: "divide", "number 100", "column people".
std::string step_text(const FormulaStep& step, const std::vector<std::string>& columns);
std::optional<FormulaStep> step_of(std::string_view text, const std::vector<std::string>& columns);

// The same with the quotients in it whose joint law is known told as means are: SUM(x) / COUNT(x) is AVG(x). `place_of`
// gives the place of the mean that may stand for the quotient of the statistics at two places; none: it stays.
template <class MeanOf>
std::vector<FormulaStep> with_means(std::vector<FormulaStep> steps, const MeanOf& mean_of);

namespace detail {

inline bool is_operation(const FormulaStep& step, FormulaOperation operation) { return step.operation == operation; }

// How many steps before the end of a quotient's divisor belong to NULLIF(..., 0) around it.
inline std::size_t guard_at(const std::vector<FormulaStep>& steps, std::size_t end) {
  const bool is_guarded = end >= 3 && is_operation(steps[end - 1], FormulaOperation::null_if) &&
                          is_operation(steps[end - 2], FormulaOperation::number) && steps[end - 2].number == 0;
  return is_guarded ? 2 : 0;
}

}  // namespace detail

template <class MeanOf>
std::vector<FormulaStep> with_means(std::vector<FormulaStep> steps, const MeanOf& mean_of) {
  using enum FormulaOperation;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].operation != divide) continue;
    const std::size_t guard = detail::guard_at(steps, i);
    if (i < guard + 2 || steps[i - guard - 1].operation != column) continue;
    const std::size_t below = i - guard - 1;  // the divisor
    // Either the statistic itself, or c * statistic, or statistic * c: the factor is multiplied afterwards.
    std::size_t first = below - 1;
    std::optional<double> factor;
    std::size_t above = below - 1;
    if (steps[above].operation == multiply && below >= 3) {
      const FormulaStep &a = steps[below - 3], &b = steps[below - 2];
      if (a.operation == number && b.operation == column) factor = a.number, above = below - 2;
      if (a.operation == column && b.operation == number) factor = b.number, above = below - 3;
      if (!factor) continue;
      first = below - 3;
    }
    if (steps[above].operation != column) continue;
    const std::optional<std::size_t> mean = mean_of(steps[above].column, steps[below].column);
    if (!mean) continue;
    std::vector<FormulaStep> made = {{column, 0, *mean}};
    if (factor && *factor != 1) made.insert(made.end(), {{number, *factor}, {multiply}});
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(first), steps.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(first), made.begin(), made.end());
    i = first + made.size() - 1;
  }
  return steps;
}

}  // namespace vernier::query
