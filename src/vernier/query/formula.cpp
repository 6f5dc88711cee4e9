#include "vernier/query/formula.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/core/text.hpp"

namespace vernier::query {
namespace {

using enum FormulaOperation;

constexpr auto all_facts = std::to_array<FormulaFacts>({
    {number, "number"},
    {column, "column"},
    {undefined, "null"},
    {add, "add", 2, "+", true},
    {subtract, "subtract", 2, "-", true},
    {multiply, "multiply", 2, "*", true},
    {divide, "divide", 2, "/", true},
    {divide_truncated, "divide-truncated", 2, "//", true},
    {negate, "negate", 1, "-"},
    {absolute, "absolute", 1, "ABS"},
    {floor, "floor", 1, "FLOOR"},
    {ceil, "ceil", 1, "CEIL"},
    {round, "round", 2, "ROUND"},
    {truncate, "truncate", 1, "TRUNC"},
    {square_root, "square-root", 1, "SQRT"},
    {exponential, "exponential", 1, "EXP"},
    {logarithm, "logarithm", 1, "LN"},
    {logarithm_10, "logarithm-10", 1, "LOG10"},
    {logarithm_2, "logarithm-2", 1, "LOG2"},
    {power, "power", 2, "POWER"},
    {least, "least", 2, "LEAST"},
    {greatest, "greatest", 2, "GREATEST"},
    {coalesce, "coalesce", 2, "COALESCE"},
    {null_if, "null-if", 2, "NULLIF"},
    {equal, "equal", 2, "=", true, true},
    {not_equal, "not-equal", 2, "<>", true, true},
    {less, "less", 2, "<", true, true},
    {less_equal, "less-equal", 2, "<=", true, true},
    {greater, "greater", 2, ">", true, true},
    {greater_equal, "greater-equal", 2, ">=", true, true},
    {logical_and, "and", 2, "AND", true, true},
    {logical_or, "or", 2, "OR", true, true},
    {logical_not, "not", 1, "NOT", false, true},
    {is_null, "is-null", 1, "IS NULL", false, true},
    {choose, "choose", 3, "CASE"},
});
static_assert(all_facts.size() == static_cast<std::size_t>(last_of(number)) + 1);

// What stands before, between and behind the operands.
std::vector<std::string> pieces_of(const FormulaFacts& facts) {
  if (facts.operation == choose) return {"CASE WHEN ", " THEN ", " ELSE ", " END"};
  if (facts.operation == is_null) return {"(", " IS NULL)"};
  if (facts.operation == logical_not) return {"(NOT ", ")"};
  if (facts.operation == negate) return {"(- ", ")"};
  if (facts.is_infix) return {"(", " " + std::string(facts.sql) + " ", ")"};
  std::vector<std::string> pieces(facts.operands, ", ");
  pieces.front() = std::string(facts.sql) + "(";
  pieces.emplace_back(")");
  return pieces;
}

// Into one text, to which every step is added once: its size is all that it takes.
class FormulaText {
 public:
  FormulaText(const std::vector<FormulaStep>& steps, const std::vector<std::string>& columns)
      : steps_(steps), columns_(columns) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::size_t start = i;
      for (std::size_t left = facts_of(steps[i].operation).operands; left > 0; --left) start = starts_[start - 1];
      starts_.push_back(start);
    }
    write(steps.size() - 1);
  }

  std::string take() { return std::move(text_); }

 private:
  void write(std::size_t at) {
    const FormulaStep& step = steps_[at];
    if (step.operation == number) {
      text_ += shortest(step.number);
    } else if (step.operation == column) {
      text_ += columns_[step.column];
    } else if (step.operation == undefined) {
      text_ += "NULL";
    } else {
      write_operands(at, pieces_of(facts_of(step.operation)));
    }
  }

  void write_operands(std::size_t at, const std::vector<std::string>& pieces) {
    std::vector<std::size_t> ends(pieces.size() - 1);
    std::size_t end = at;
    for (auto one = ends.rbegin(); one != ends.rend(); ++one) *one = end - 1, end = starts_[end - 1];
    for (std::size_t i = 0; i < ends.size(); ++i) {
      text_ += pieces[i];
      write(ends[i]);
    }
    text_ += pieces.back();
  }

  const std::vector<FormulaStep>& steps_;
  const std::vector<std::string>& columns_;
  std::vector<std::size_t> starts_;  // of each step: where what it takes begins
  std::string text_;
};

constexpr std::string_view of_number = "number ", of_column = "column ";

// ROUND and POWER take a number as their second operand, so that they are functions of the first alone.
bool needs_number(FormulaOperation operation) { return operation == round || operation == power; }

}  // namespace

const FormulaFacts& facts_of(FormulaOperation operation) { return all_facts[static_cast<std::size_t>(operation)]; }

std::string_view name_of(FormulaOperation operation) { return facts_of(operation).name; }

std::vector<std::size_t> Formula::columns() const {
  std::set<std::size_t> found;
  for (const FormulaStep& step : steps) {
    if (step.operation == column) found.insert(step.column);
  }
  return {found.begin(), found.end()};
}

bool Formula::is_truth() const { return !steps.empty() && facts_of(steps.back().operation).is_truth; }

bool is_well_formed(const std::vector<FormulaStep>& steps, std::size_t columns) {
  if (steps.empty() || steps.size() > most_formula_steps) return false;
  std::vector<bool> is_number;  // of what was left: whether it is a number as written
  for (const FormulaStep& step : steps) {
    const FormulaFacts& facts = facts_of(step.operation);
    if (is_number.size() < facts.operands || !std::isfinite(step.number)) return false;
    if (step.operation == column && step.column >= columns) return false;
    if (needs_number(step.operation) && !is_number.back()) return false;
    is_number.resize(is_number.size() - facts.operands);
    is_number.push_back(step.operation == number);
  }
  return is_number.size() == 1;
}

std::string text_of(const std::vector<FormulaStep>& steps, const std::vector<std::string>& columns) {
  return FormulaText(steps, columns).take();
}

std::string step_text(const FormulaStep& step, const std::vector<std::string>& columns) {
  if (step.operation == number) return std::string(of_number) + shortest(step.number);
  if (step.operation == column) return std::string(of_column) + columns[step.column];
  return std::string(name_of(step.operation));
}

std::optional<FormulaStep> step_of(std::string_view text, const std::vector<std::string>& columns) {
  if (text.starts_with(of_number)) {
    const Result<double> value = read_number("the number", text.substr(of_number.size()));
    return value ? std::optional(FormulaStep{number, *value}) : std::nullopt;
  }
  if (text.starts_with(of_column)) {
    const auto found = std::find(columns.begin(), columns.end(), text.substr(of_column.size()));
    if (found == columns.end()) return std::nullopt;
    return FormulaStep{column, 0, static_cast<std::size_t>(found - columns.begin())};
  }
  for (const FormulaFacts& facts : all_facts) {
    const bool is_plain = facts.operation != number && facts.operation != column;
    if (is_plain && facts.name == text) return FormulaStep{facts.operation};
  }
  return std::nullopt;
}

}  // namespace vernier::query
