#include <algorithm>

#include "vernier/query/value.hpp"
#include "vernier/release/record/record_statistic.hpp"
#include "vernier/release/run/exact_numbers.hpp"

namespace vernier::release {
namespace {

using accounting::Event;
using accounting::KeySelection;

Result<KeySelection::Noise> mechanism_of(const noise::Geometric& law, privacy::IntegerSensitivity sensitivity) {
  return LaplaceScale::of(law.scale())
      .and_then([&](LaplaceScale scale) { return mechanism::GeometricMechanism::at_scale(scale, sensitivity); })
      .map([](const auto& noise) { return KeySelection::Noise(noise); });
}
Result<KeySelection::Noise> mechanism_of(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity sensitivity) {
  return Sigma::of(law.scale())
      .and_then([&](Sigma scale) { return mechanism::DiscreteGaussianMechanism::at_scale(scale, sensitivity); })
      .map([](const auto& noise) { return KeySelection::Noise(noise); });
}

Result<KeySelection::Noise> mechanism_of(const noise::Exponential&, privacy::IntegerSensitivity) {
  return invalid("a choice is stated by its epsilon");
}

Result<accounting::Release> release_of(const KeySelection::Noise& noise, Fields& event) {
  if (!event.has("threshold")) {
    return std::visit([](const auto& known) { return accounting::Release(known); }, noise);
  }
  const std::int64_t threshold = event.whole("threshold"), groups = event.whole("groups");
  return KeySelection::of(noise, threshold, groups).map([](const KeySelection& keys) {
    return accounting::Release(keys);
  });
}

Event any_event() {
  return *Event::of(accounting::PureStatement{*privacy::Epsilon::of(1)}, privacy::Neighbours::add_remove);
}

}  // namespace

privacy::Neighbours read_neighbours(Fields& fields) {
  return read_name(fields, "neighbours", {privacy::Neighbours::add_remove, privacy::Neighbours::replace});
}

accounting::Method read_method(Fields& fields) {
  using enum accounting::Method;
  return read_name(fields, "method", {basic, advanced, optimal, zcdp, rdp, loss_distribution, closed_form});
}

// A choice is stated by its epsilon alone.
Event read_choice(Fields& event) {
  const auto epsilon = privacy::Epsilon::of(event.number("epsilon"));
  const privacy::Neighbours neighbours = read_neighbours(event);
  const auto times = accounting::Times::of(event.whole("times"));
  if (event.text("mechanism") != "exponential") event.refuse("mechanism", "is none that is stated by its epsilon");
  event.done();
  const auto read = epsilon.and_then([&](privacy::Epsilon stated) {
    return times.and_then(
        [&](accounting::Times often) { return Event::of(accounting::PureStatement{stated}, neighbours, often); });
  });
  if (read) return *read;
  event.refuse("epsilon", "is outside of what can be");
  return any_event();
}

Event read_event(Fields event) {
  if (event.has("epsilon")) return read_choice(event);
  const plan::Law law = read_law(event);
  const auto sensitivity = privacy::IntegerSensitivity::of(event.whole("sensitivity"));
  const privacy::Neighbours neighbours = read_neighbours(event);
  const auto times = accounting::Times::of(event.whole("times"));
  const auto read = sensitivity.and_then([&](privacy::IntegerSensitivity shift) {
    return std::visit([&](const auto& known) { return mechanism_of(known, shift); }, law)
        .and_then([&](const KeySelection::Noise& noise) { return release_of(noise, event); })
        .and_then([&](const accounting::Release& release) {
          return times.and_then([&](accounting::Times often) { return Event::of(release, neighbours, often); });
        });
  });
  event.done();
  if (read) return *read;
  event.refuse("mechanism", "has parameters outside of what can be");
  return any_event();
}

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

std::optional<interval::Interval> read_ends(Fields& number, const std::string& key) {
  const Json& ends = number.list(key, 2);
  if (ends.size() != 2) return number.refuse(key, "must have two ends"), std::nullopt;
  return interval::Interval{number_in(number.reading(), ends[0], number.where(key)),
                            number_in(number.reading(), ends[1], number.where(key))};
}

void read_denoised(Number& read, Fields& number) {
  if (!number.has("denoised")) return;
  read.denoised = number.number("denoised");
  if (number.has("denoised_interval")) read.denoised_interval = read_ends(number, "denoised_interval");
}

std::vector<std::int64_t> read_noisy(Fields& certified, const Json& numbers, std::size_t width) {
  std::vector<std::int64_t> noisy;
  if (!numbers.is_array() || numbers.size() != width) certified.refuse("noisy", "must have every number of a row");
  if (!numbers.is_array()) return noisy;
  for (const Json& one : numbers) noisy.push_back(whole_in(certified.reading(), one, certified.where("noisy")));
  return noisy;
}

}  // namespace

Number read_number(Fields number, bool has_fixed_margin, bool is_simultaneous, double& confidence) {
  using interval::Covers;
  Number read{.value = number.number("value"),
              .accuracy = number.number("accuracy"),
              .interval = {},
              .is_whole = false,
              .coverage = read_name(number, "coverage", {interval::Status::proven, interval::Status::tested}),
              .covers = read_name(number, "covers", {Covers::bounded_value, Covers::population})};
  read.interval = read_ends(number, "interval").value_or(interval::Interval{});
  confidence = number.number("confidence");
  if (is_simultaneous && !number.boolean("simultaneous")) number.refuse("simultaneous", "must be true, or left out");
  if (!has_fixed_margin || read.covers == Covers::population) {
    read.informative = number.boolean("informative");
    read.may_be_empty = number.boolean("may_be_empty");
  }
  read_denoised(read, number);
  number.done();
  return read;
}

std::vector<plan::Figure> figures_of(const BoundStatistic& statistic) {
  std::vector<plan::Figure> figures;
  for (const plan::Measurement& one : statistic.measurements) {
    if (one.aggregation) figures.push_back(one.figure);
  }
  return figures;
}

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

namespace {

constexpr std::size_t most_columns = 10'000, most_differences = 1'000'000;

std::size_t read_column(const BoundStatistic& statistic, Fields& fields) {
  const std::string name = fields.text("column");
  const auto& all = statistic.query.aggregations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  if (found == all.end()) fields.refuse("column", "must name a column that is published");
  return found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

void read_denoising(const BoundStatistic& statistic, Table& table, Fields denoising) {
  if (denoising.text("asked") != query::name_of(statistic.inference.denoise)) {
    denoising.refuse("asked", "differs from what the certificate has");
  }
  const Json& columns = denoising.list("columns", most_columns);
  for (std::size_t i = 0; i < columns.size() && !denoising.reading().is_refused(); ++i) {
    Fields column(denoising.reading(), columns[i], denoising.where("columns", i));
    table.denoised.push_back({read_column(statistic, column), column.text("used"), column.number("risk"),
                              read_name(column, "coverage", {interval::Status::proven, interval::Status::tested})});
    column.done();
  }
  denoising.done();
}

query::Difference read_groups(Fields& difference) {
  const Json& groups = difference.list("groups", 2);
  if (groups.size() != 2) return difference.refuse("groups", "must be two"), query::Difference{};
  const std::string place = difference.where("groups");
  return {text_in(difference.reading(), groups[0], place), text_in(difference.reading(), groups[1], place)};
}

void read_differences(Record& record, const BoundStatistic& statistic, Fields& stated) {
  const std::vector<plan::Figure> figures = figures_of(statistic);
  const Json& differences = stated.list("differences", most_differences);
  for (std::size_t i = 0; i < differences.size() && !stated.reading().is_refused(); ++i) {
    Fields one(stated.reading(), differences[i], stated.where("differences", i));
    GroupDifference& read = record.tables.back().differences.emplace_back(GroupDifference{read_groups(one), {}});
    for (std::size_t j = 0; j < figures.size(); ++j) {
      double& confidence = record.difference_confidences.back().emplace_back();
      const std::string& name = statistic.query.aggregations[j].name;
      read.numbers.push_back(read_number(one.object(name), has_fixed_margin(figures[j]), false, confidence));
    }
    one.done();
  }
}

}  // namespace

void read_derived(Record& record, Fields& stated) {
  const BoundStatistic& statistic = record.plan.study.statistics.back();
  record.difference_confidences.emplace_back();
  if (statistic.inference.denoise != query::Denoise::none) {
    read_denoising(statistic, record.tables.back(), stated.object("denoise"));
  }
  if (!statistic.inference.differences.empty()) read_differences(record, statistic, stated);
}

}  // namespace vernier::release
