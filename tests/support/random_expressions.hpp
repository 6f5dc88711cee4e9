#pragma once

#include <random>

#include "vernier/query/expression/expression.hpp"

namespace vernier::testing {

// Expressions drawn at random over the columns of a table: of every operation, with ordinary and extreme literals. The
// same seed gives the same ones.
class RandomExpressions {
 public:
  RandomExpressions(std::uint64_t seed, const query::Table& table) : bits_(seed), table_(table) {}

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

  Result<Expression> operation(int depth) {
    const auto chosen = static_cast<Operation>(3 + below(31));
    switch (chosen) {
      case Operation::cast:
        return query::cast(any(depth), static_cast<query::Type>(below(5)));
      case Operation::date_part:
        return query::date_part(static_cast<query::DatePart>(below(8)), any(depth));
      case Operation::clamp:
      case Operation::bucket:
        return query::apply(chosen, with_literals(depth, chosen == Operation::clamp ? 2 : 1));
      case Operation::case_when:
        return query::apply(chosen, {any(depth), any(depth), any(depth), any(depth), maybe_null(depth)});
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

  std::mt19937_64 bits_;
  query::Table table_;
};

}  // namespace vernier::testing
