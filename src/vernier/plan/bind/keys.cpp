#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {
namespace {

using query::DatePart;
using query::Expression;
using query::Int128;
using query::Operation;
using query::Type;
using query::Value;

constexpr std::size_t most_cells = 1'000'000;

// The values of a key that are known without data, in the order of publication; none where it has no such list.
using Domain = std::optional<std::vector<Value>>;

Failure too_many() {
  return invalid("the keys have more than 1,000,000 values together; take wider buckets or fewer keys");
}

Result<Domain> domain_of(const Expression& key, const query::Table& table);

Domain declared_keys(const Expression& column, const query::Table& table) {
  const std::vector<Value>& keys = table.column(column.column_name())->keys;
  return keys.empty() ? Domain() : Domain(keys);
}

// lower, lower + width, ... up to upper, both ends among them.
Result<Domain> integers_from(query::IntegerSpan ends, Int128 width) {
  if ((ends.upper - ends.lower) / width >= Int128{most_cells}) return too_many();
  std::vector<Value> values;
  for (Int128 x = ends.lower; x <= ends.upper; x += width) values.emplace_back(static_cast<std::int64_t>(x));
  return Domain(values);
}

// What floor(x / width) * width + 0 can be, computed as the engine does.
Result<Domain> reals_from(query::RealSpan ends, double width) {
  const double first = std::floor(ends.lower / width), last = std::floor(ends.upper / width);
  if (!(last - first < static_cast<double>(most_cells)) || std::max(std::abs(first), std::abs(last)) > 0x1p53) {
    return too_many();
  }
  std::vector<Value> values;
  for (double i = first; i <= last; ++i) values.emplace_back(i * width + 0.0);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return Domain(values);
}

Result<Domain> buckets(const Expression& bucket) {
  const Expression& x = bucket.operands().front();
  const Value& width = bucket.operands().back().value();
  if (!x.bounded() || !bucket.bounded()) return Domain();
  if (const auto* const reals = std::get_if<query::RealSpan>(&x.span())) {
    return reals_from(*reals, std::get<double>(width));
  }
  const auto ends = std::get<query::IntegerSpan>(bucket.span());
  if (!query::is_narrow(ends)) return too_many();
  return integers_from(ends, std::get<std::int64_t>(width));
}

// Years have a list where the date is bounded; the other parts always.
Result<Domain> date_parts(const Expression& part) {
  if (part.part() == DatePart::year && !part.operands().front().bounded()) return Domain();
  return integers_from(std::get<query::IntegerSpan>(part.span()), 1);
}

// The operands that a choice can come out as.
std::vector<Expression> alternatives(const Expression& choice) {
  const std::vector<Expression>& operands = choice.operands();
  if (choice.operation() == Operation::coalesce) return operands;
  if (choice.operation() == Operation::null_if) return {operands.front()};
  std::vector<Expression> values;
  for (std::size_t i = 1; i < operands.size(); i += 2) values.push_back(operands[i]);
  values.push_back(operands.back());
  return values;
}

// The values of all of them, each where it comes up first.
Result<Domain> choices(const Expression& choice, const query::Table& table) {
  std::vector<Value> values;
  std::set<Value> seen;
  for (const Expression& x : alternatives(choice)) {
    if (x.operation() == Operation::null) continue;
    const Result<Domain> domain = domain_of(x, table);
    if (!domain || !*domain) return domain;
    std::copy_if((*domain)->begin(), (*domain)->end(), std::back_inserter(values),
                 [&](const Value& value) { return seen.insert(value).second; });
  }
  return Domain(values);
}

Result<Domain> domain_of(const Expression& key, const query::Table& table) {
  switch (key.operation()) {
    case Operation::literal:
      return Domain({key.value()});
    case Operation::bucket:
      return buckets(key);
    case Operation::date_part:
      return date_parts(key);
    case Operation::case_when:
    case Operation::coalesce:
    case Operation::null_if:
      if (key.type() != Type::boolean) return choices(key, table);
      break;
    case Operation::column:
      if (Domain keys = declared_keys(key, table)) return keys;
      break;
    default:
      break;
  }
  return key.type() == Type::boolean ? Domain({Value(false), Value(true)}) : Domain();
}

// Every tuple with each of the values behind it.
std::vector<std::vector<Value>> extended(const std::vector<std::vector<Value>>& tuples, const std::vector<Value>& by) {
  std::vector<std::vector<Value>> longer;
  longer.reserve(tuples.size() * by.size());
  for (const std::vector<Value>& tuple : tuples) {
    for (const Value& value : by) {
      longer.push_back(tuple);
      longer.back().push_back(value);
    }
  }
  return longer;
}

}  // namespace

Result<Domain> public_values(const Expression& key, const query::Table& table) { return domain_of(key, table); }

Result<Keys> keys_of(const query::Query& query, const query::Table& table) {
  Keys keys{true, {{}}};
  std::vector<std::vector<Value>> domains;
  for (const query::Key& key : query.keys) {
    VERNIER_TRY(Domain domain, domain_of(key.expression, table));
    if (!domain) return Keys{false, {}};
    domains.push_back(std::move(*domain));
  }
  for (const std::vector<Value>& domain : domains) {
    if (keys.cells.size() * domain.size() > most_cells) return too_many();
    keys.cells = extended(keys.cells, domain);
  }
  return keys;
}

}  // namespace vernier::plan
