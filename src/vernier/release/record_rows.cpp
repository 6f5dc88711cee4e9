#include "vernier/query/calendar.hpp"
#include "vernier/release/exact_numbers.hpp"
#include "vernier/release/record_statistic.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;

constexpr std::size_t most_rows = 100'000'000;

// In the type that the key was declared with.
query::Value read_value(Fields& row, const std::string& name, query::Type type) {
  switch (type) {
    case query::Type::boolean:
      return row.boolean(name);
    case query::Type::integer:
      return row.whole(name);
    case query::Type::real:
      return row.number(name);
    case query::Type::string:
      return row.text(name);
    case query::Type::date:
      break;
  }
  const std::optional<query::Day> day = query::read_day(row.text(name));
  if (!day) row.refuse(name, "must be a day such as 2026-01-31");
  return day.value_or(query::Day{0});
}

Number read_number(Fields number, bool has_fixed_margin, bool is_simultaneous, double& confidence) {
  using interval::Covers;
  Number read{.value = number.number("value"),
              .accuracy = number.number("accuracy"),
              .interval = {},
              .is_whole = false,
              .coverage = read_name(number, "coverage", {interval::Status::proven, interval::Status::tested}),
              .covers = read_name(number, "covers", {Covers::bounded_value, Covers::population})};
  const Json& ends = number.list("interval", 2);
  if (ends.size() != 2) number.refuse("interval", "must have two ends");
  if (ends.size() == 2) {
    read.interval = {number_in(number.reading(), ends[0], number.where("interval")),
                     number_in(number.reading(), ends[1], number.where("interval"))};
  }
  confidence = number.number("confidence");
  if (is_simultaneous && !number.boolean("simultaneous")) number.refuse("simultaneous", "must be true, or left out");
  if (!has_fixed_margin || read.covers == Covers::population) {
    read.informative = number.boolean("informative");
    read.may_be_empty = number.boolean("may_be_empty");
  }
  number.done();
  return read;
}

// Of each column what it shows, in the order of aggregations.
std::vector<plan::Figure> figures_of(const BoundStatistic& statistic) {
  std::vector<plan::Figure> figures;
  for (const plan::Measurement& one : statistic.measurements) {
    if (one.aggregation) figures.push_back(one.figure);
  }
  return figures;
}

std::vector<std::int64_t> read_noisy(Fields& certified, const Json& numbers, std::size_t width) {
  std::vector<std::int64_t> noisy;
  if (!numbers.is_array() || numbers.size() != width) certified.refuse("noisy", "must have every number of a row");
  if (!numbers.is_array()) return noisy;
  for (const Json& one : numbers) noisy.push_back(whole_in(certified.reading(), one, certified.where("noisy")));
  return noisy;
}

}  // namespace

void read_rows(Record& record, Fields& stated, Fields& certified) {
  BoundStatistic& statistic = record.plan.study.statistics.back();
  const std::vector<plan::Figure> figures = figures_of(statistic);
  std::size_t width = 0;
  for (const plan::Measurement& one : statistic.measurements) width += one.width;
  const Json& rows = stated.list("rows", most_rows);
  const Json& noisy = certified.list("noisy", most_rows);
  if (rows.size() != noisy.size()) certified.refuse("noisy", "must be as many as there are rows");
  Table& table = record.tables.emplace_back();
  std::vector<double>& confidences = record.confidences.emplace_back();
  for (std::size_t i = 0; i < std::min(rows.size(), noisy.size()) && !stated.reading().is_refused(); ++i) {
    Fields row(stated.reading(), rows[i], stated.where("rows", i));
    Row& read = table.rows.emplace_back();
    for (const query::Key& key : statistic.query.keys) {
      read.keys.push_back(read_value(row, key.name, key.expression.type()));
    }
    for (std::size_t j = 0; j < figures.size(); ++j) {
      const std::string& name = statistic.query.aggregations[j].name;
      read.numbers.push_back(read_number(row.object(name), has_fixed_margin(figures[j]),
                                         statistic.inference.is_simultaneous, confidences.emplace_back()));
    }
    read.noisy = read_noisy(certified, noisy[i], width);
    row.done();
    if (statistic.keys.are_public) statistic.keys.cells.push_back(read.keys);
  }
}

}  // namespace vernier::release
