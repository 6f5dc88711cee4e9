#pragma once

#include <random>
#include <string>
#include <vector>

#include "vernier/query/expression/expression.hpp"

namespace vernier::testing {

// Texts that are long, or that a matcher may try in very many ways, for the cells of a column.
inline std::vector<std::string> adversarial_texts() {
  const std::string a(60, 'a');
  return {a,
          a + "b",
          std::string(5000, 'a'),
          std::string(40'000, 'a') + "b",
          std::string(65'536, '0'),
          std::string(70'000, ' '),
          std::string(65'535, 'a') + "\u00df",
          "x" + std::string(200'000, 'a')};
}

// Expressions drawn at random over the columns of a table, which has texts and dates among them: of every operation,
// with ordinary and extreme literals. The same seed gives the same ones.
class RandomExpressions {
 public:
  // Where they must be the same on all engines, without those that differ in the last digits.
  RandomExpressions(std::uint64_t seed, const query::Table& table, bool is_exact = false)
      : bits_(seed), table_(table), is_exact_(is_exact) {}

  query::Expression any(int depth) {
    if (depth <= 0 || below(8) == 0) return leaf();
    for (;;) {
      const Result<query::Expression> made = operation(depth - 1);
      if (made) return *made;
    }
  }

  query::Expression condition(int depth) {
    for (;;) {
      const query::Expression x = any(depth);
      if (x.type() == query::Type::boolean && x.operation() != query::Operation::literal) return x;
    }
  }

  std::size_t below(std::size_t n) { return bits_() % n; }

 private:
  using Operation = query::Operation;
  using Expression = query::Expression;

  Expression leaf() {
    if (below(3) != 0) return query::column(table_.columns[below(table_.columns.size())]);
    return query::literal(value());
  }

  query::Value value() {
    static const std::vector<query::Value> values{std::int64_t{0},
                                                  std::int64_t{1},
                                                  std::int64_t{-7},
                                                  std::int64_t{10},
                                                  std::int64_t{65536},
                                                  INT64_MAX,
                                                  INT64_MIN,
                                                  0.0,
                                                  0.5,
                                                  -2.5,
                                                  0.1,
                                                  1e16,
                                                  1e308,
                                                  5e-324,
                                                  std::string("north"),
                                                  std::string("it's \"odd\"; --"),
                                                  std::string("12"),
                                                  std::string("%a_%a%"),
                                                  std::string("2020-02-29 23:59:59.5"),
                                                  query::Day{0},
                                                  query::Day{-719162},
                                                  query::Day{2932896},
                                                  true,
                                                  false};
    return values[below(values.size())];
  }

  Expression number(int depth) {
    for (;;) {
      const Expression x = any(depth);
      if (x.type() == query::Type::integer || x.type() == query::Type::real) return x;
    }
  }

  Expression of_type(query::Type type, int depth) {
    for (int i = 0; i < 50; ++i) {
      const Expression x = any(depth);
      if (x.type() == type) return x;
    }
    std::vector<query::Column> columns;
    for (const query::Column& one : table_.columns) {
      if (one.type == type) columns.push_back(one);
    }
    return query::column(columns[below(columns.size())]);
  }

  // Among them such as take for ever where each % is tried at every place, in a text of one letter alone.
  std::string pattern() {
    static const std::vector<std::string> pieces{
        "%",  "%",  "_",    "a",      "aa",    "b", "\n",     "x",
        "\\", "!",  "%a",   "%_%",    "north", "2", "\u00df", "%a%a%a%a%a%a%a%",
        "_a", "a_", "%aab", "%a_a_%", "(?i)."};
    std::string text;
    for (std::size_t left = below(7); left > 0; --left) text += pieces[below(pieces.size())];
    return text;
  }

  query::Expression part() {
    static const std::vector<std::string> parts{"a", "aa", "n", "%", "'", "2020-"};
    return query::literal(parts[below(parts.size())]);
  }

  query::Expression place_in_text() {
    static const std::vector<std::int64_t> places{1, 2, 3, 60, 65'536, 1'000'000'000};
    return query::literal(places[below(places.size())]);
  }

  Result<Expression> operation(int depth) {
    const auto chosen = static_cast<Operation>(first_drawn + below(past_drawn - first_drawn));
    switch (chosen) {
      case Operation::lower_case:
      case Operation::upper_case:
      case Operation::trim:
      case Operation::trim_left:
      case Operation::trim_right:
      case Operation::length:
        return query::apply(chosen, {of_type(query::Type::string, depth)});
      case Operation::text_part:
        return query::apply(chosen, {of_type(query::Type::string, depth), place_in_text(), place_in_text()});
      case Operation::concatenate:
        return query::apply(chosen, {of_type(query::Type::string, depth), of_type(query::Type::string, depth)});
      case Operation::like:
        return query::apply(chosen, {of_type(query::Type::string, depth), query::literal(pattern())});
      case Operation::days_between:
        return query::apply(chosen, {of_type(query::Type::date, depth), of_type(query::Type::date, depth)});
      case Operation::add_days:
        return query::apply(chosen, {of_type(query::Type::date, depth), of_type(query::Type::integer, depth)});
      case Operation::logarithm:
      case Operation::logarithm_ten:
      case Operation::exponential:
      case Operation::sine:
      case Operation::cosine:
        if (is_exact_) return invalid("engines differ in the last digits of it");
        return query::apply(chosen, {number(depth)});
      case Operation::square_root:
        return query::apply(chosen, {number(depth)});
      case Operation::place_in_text:
        return query::apply(chosen, {of_type(query::Type::string, depth), part()});
      case Operation::replaced:
        return query::apply(chosen, {of_type(query::Type::string, depth), part(), part()});
      case Operation::read_instant:
        return query::apply(chosen, {of_type(query::Type::string, depth)});
      case Operation::instant:
      case Operation::elapsed:
        return query::apply(chosen, {of_type(query::Type::integer, depth)});
      case Operation::cast:
        return query::cast(any(depth), static_cast<query::Type>(below(5)));
      case Operation::date_part:
        return query::date_part(static_cast<query::DatePart>(below(8)), any(depth));
      case Operation::clamp:
      case Operation::bucket:
        return query::apply(chosen, with_literals(depth, chosen == Operation::clamp ? 2 : 1));
      case Operation::case_when:
        return query::apply(chosen, {condition_or_column(depth), any(depth), condition_or_column(depth), any(depth),
                                     maybe_null(depth)});
      case Operation::in:
      case Operation::coalesce:
        return query::apply(chosen, {any(depth), maybe_null(depth), any(depth)});
      case Operation::between:
        return query::apply(chosen, {any(depth), any(depth), any(depth)});
      case Operation::is_null:
      case Operation::is_clamped:
      case Operation::logical_not:
        return query::apply(chosen, {any(depth)});
      case Operation::negate:
      case Operation::absolute:
      case Operation::floor:
      case Operation::ceil:
      case Operation::round:
        return query::apply(chosen, {number(depth)});
      case Operation::logical_and:
      case Operation::logical_or:
        return query::apply(chosen, {condition_or_column(depth), condition_or_column(depth)});
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide:
      case Operation::divide_truncated:
      case Operation::remainder:
        return query::apply(chosen, {number(depth), number(depth)});
      default:
        return query::apply(chosen, {any(depth), any(depth)});
    }
  }

  Expression condition_or_column(int depth) {
    for (int i = 0; i < 50; ++i) {
      const Expression x = any(depth);
      if (x.type() == query::Type::boolean) return x;
    }
    return query::literal(true);
  }

  Expression maybe_null(int depth) { return below(3) == 0 ? query::null_of(query::Type::integer) : any(depth); }

  std::vector<Expression> with_literals(int depth, int count) {
    std::vector<Expression> operands{any(depth)};
    for (int i = 0; i < count; ++i) operands.push_back(query::literal(value()));
    return operands;
  }

  static constexpr auto first_drawn = static_cast<std::size_t>(Operation::add);
  static constexpr std::size_t past_drawn = static_cast<std::size_t>(Operation::elapsed) + 1;

  std::mt19937_64 bits_;
  query::Table table_;
  bool is_exact_;
};

}  // namespace vernier::testing
