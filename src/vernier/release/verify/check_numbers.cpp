#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/number/number_maker.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/release/verify/examination.hpp"

// What was published, row by row.
namespace vernier::release {
namespace {

using plan::BoundStatistic;

std::string row_text(std::size_t row) { return ", row " + std::to_string(row + 1); }

std::string interval_text(const interval::Interval& one) {
  std::string text = "[";
  return text.append(shortest(one.low)).append(", ").append(shortest(one.high)).append("]");
}

// Where it rests on functions of real numbers but for their last digits; else exactly.
class Same {
 public:
  Same(const Number& found, bool is_real) : size_(found.accuracy), is_real_(is_real) {}
  bool operator()(double stated, double found) const {
    return is_real_ ? is_close(stated, found, last_digits, size_) : stated == found;
  }

 private:
  double size_;
  bool is_real_;
};

Result<void> compare(const std::string& place, const Number& stated, const Number& found, bool is_real) {
  const Same same(found, is_real);
  if (!same(stated.value, found.value)) return differs(place, "value", shortest(stated.value), shortest(found.value));
  if (!same(stated.accuracy, found.accuracy)) {
    return differs(place, "accuracy", shortest(stated.accuracy), shortest(found.accuracy));
  }
  if (!same(stated.interval.low, found.interval.low) || !same(stated.interval.high, found.interval.high)) {
    return differs(place, "interval", interval_text(stated.interval), interval_text(found.interval));
  }
  if (stated.covers != found.covers) {
    return differs(place, "covers", std::string(name_of(stated.covers)), std::string(name_of(found.covers)));
  }
  if (stated.coverage != found.coverage) return differs(place, "coverage", "as it is stated", "the other");
  if (is_real && stated.informative != found.informative) {
    return differs(place, "informative", stated.informative ? "true" : "false", found.informative ? "true" : "false");
  }
  if (is_real && stated.may_be_empty != found.may_be_empty) {
    return differs(place, "may_be_empty", stated.may_be_empty ? "true" : "false",
                   found.may_be_empty ? "true" : "false");
  }
  return {};
}

// The numbers of one measurement in all rows.
class Column {
 public:
  Column(Examination& all, std::size_t statistic, std::size_t measurement)
      : all_(all),
        place_(statistic),
        number_(measurement),
        statistic_(all.study.statistics[statistic]),
        measurement_(statistic_.measurements[measurement]) {
    const std::size_t source = measurement_.source.value_or(measurement);
    for (std::size_t i = 0; i < source; ++i) first_ += statistic_.measurements[i].width;
    width_ = statistic_.measurements[source].width;
  }

  Finding check() const {
    if (!measurement_.aggregation) return 0;
    std::vector<Row>& rows = all_.record.tables[place_].rows;
    const auto groups = plan::released_groups(statistic_, rows.size());
    const auto maker = plan::level_of(statistic_, number_, all_.study.alpha, groups).and_then([&](Alpha level) {
      return figure_maker(statistic_, number_, all_.record.plan.statistics[place_], level);
    });
    if (!maker) return invalid(after(place_of(statistic_, measurement_) + ": ", maker.error()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      VERNIER_TRY(check(rows[i], i, *maker));
    }
    return static_cast<std::int64_t>(rows.size());
  }

 private:
  // Of a part of a formula the record states nothing, and what is made of it is looked at later.
  Result<void> check(Row& row, std::size_t place, const NumberMaker& maker) const {
    const std::string where =
        place_of(statistic_) + row_text(place) + ", " + statistic_.query.aggregations[*measurement_.aggregation].name;
    const auto noisy = std::span(row.noisy).subspan(first_, width_);
    const Result<Number> found = maker(noisy);
    if (!found) return invalid(after(where + ": ", found.error()));
    if (!statistic_.query.is_shown(*measurement_.aggregation)) {
      row.numbers[*measurement_.aggregation] = *found;
      return {};
    }
    Number& stated = row.numbers[*measurement_.aggregation];
    VERNIER_TRY(compare(where, stated, *found,
                        plan::is_about(statistic_, measurement_) || plan::is_in_ranks(measurement_.figure) ||
                            measurement_.source.has_value()));
    // What a record leaves out, and formulas look at.
    stated.is_whole = found->is_whole;
    stated.informative = found->informative;
    stated.may_be_empty = found->may_be_empty;
    return {};
  }

  Examination& all_;
  std::size_t place_;
  std::size_t number_;
  const BoundStatistic& statistic_;
  const plan::Measurement& measurement_;
  std::size_t first_ = 0;  // of the noisy integers of a row
  std::size_t width_ = 0;
};

}  // namespace

Finding check_rows(Examination& all) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    const BoundStatistic& statistic = all.study.statistics[i];
    const auto& keys = all.record.plan.statistics[i].keys;
    std::set<std::vector<query::Value>> seen;
    const std::vector<Row>& rows = all.record.tables[i].rows;
    for (std::size_t j = 0; j < rows.size(); ++j, ++count) {
      const std::string place = place_of(statistic) + row_text(j);
      if (!seen.insert(rows[j].keys).second) return differs(place, "key", "that was there before", "another");
      if (keys && !accounting::KeyRule(keys->threshold).keeps(rows[j].noisy.front())) {
        return differs(place, "noisy number of units", std::to_string(rows[j].noisy.front()),
                       "at least " + std::to_string(keys->threshold));
      }
    }
  }
  return count;
}

Finding check_numbers(Examination& all) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    for (std::size_t j = 0; j < all.study.statistics[i].measurements.size(); ++j) {
      const Finding found = Column(all, i, j).check();
      if (!found) return found;
      count += *found;
    }
  }
  return count;
}

// What was made of released numbers.
namespace {

// Linear algebra over many numbers adds up what machines differ in.
constexpr double many_digits = 1e-9;

bool is_near(double stated, double found, double size) { return is_close(stated, found, many_digits, size); }

bool is_near(const interval::Interval& stated, const interval::Interval& found, double size) {
  return is_near(stated.low, found.low, size) && is_near(stated.high, found.high, size);
}

Result<void> compare_denoised(const std::string& place, const Number& stated, const Number& found) {
  if (stated.denoised.has_value() != found.denoised.has_value()) {
    return differs(place, "denoised value", stated.denoised ? "given" : "missing", found.denoised ? "given" : "none");
  }
  if (found.denoised && !is_near(*stated.denoised, *found.denoised, found.accuracy)) {
    return differs(place, "denoised value", shortest(*stated.denoised), shortest(*found.denoised));
  }
  if (stated.denoised_interval.has_value() != found.denoised_interval.has_value() ||
      (found.denoised_interval && !is_near(*stated.denoised_interval, *found.denoised_interval, found.accuracy))) {
    return differs(place, "denoised interval", "as it is stated", "that of the noisy integers");
  }
  return {};
}

Result<void> compare_column(const std::string& place, const DenoisedColumn& stated, const DenoisedColumn& found) {
  if (stated.aggregation != found.aggregation) return differs(place, "denoised column", "that is named", "another");
  if (stated.used != found.used) return differs(place, "denoising used", stated.used, found.used);
  if (!is_near(stated.risk, found.risk, 1)) {
    return differs(place, "risk of denoising", shortest(stated.risk), shortest(found.risk));
  }
  if (stated.coverage != found.coverage) return differs(place, "coverage of denoising", "as it is stated", "the other");
  return {};
}

Result<void> compare_difference(const std::string& place, const Number& stated, const Number& found,
                                bool has_fixed_margin) {
  if (stated.denoised) return differs(place, "denoised value", "given", "none");
  if (!is_near(stated.value, found.value, found.accuracy)) {
    return differs(place, "value", shortest(stated.value), shortest(found.value));
  }
  if (!is_near(stated.accuracy, found.accuracy, 0)) {
    return differs(place, "accuracy", shortest(stated.accuracy), shortest(found.accuracy));
  }
  if (!is_near(stated.interval, found.interval, found.accuracy)) {
    return differs(place, "interval", "as it is stated", "that of the noisy integers");
  }
  if (stated.coverage != found.coverage || stated.covers != found.covers) {
    return differs(place, "coverage", "as it is stated", "the other");
  }
  const bool says_the_same = stated.informative == found.informative && stated.may_be_empty == found.may_be_empty;
  if ((!has_fixed_margin || interval::is_of_population(found.covers)) && !says_the_same) {
    return differs(place, "what it says of its interval", "as it is stated", "the other");
  }
  return {};
}

Finding compare_differences(const Examination& all, std::size_t place, const Table& found) {
  const BoundStatistic& statistic = all.study.statistics[place];
  const Table& stated = all.record.tables[place];
  const std::vector<plan::Figure> figures = figures_of(statistic);
  std::int64_t count = 0;
  if (stated.differences.size() != found.differences.size()) {
    return differs(place_of(statistic), "number of differences", std::to_string(stated.differences.size()),
                   std::to_string(found.differences.size()));
  }
  for (std::size_t i = 0; i < found.differences.size(); ++i) {
    const GroupDifference &one = stated.differences[i], &other = found.differences[i];
    const std::string where = place_of(statistic) + ", difference " + std::to_string(i + 1);
    if (one.groups != other.groups) return differs(where, "groups", "that are named", "those of the certificate");
    for (std::size_t j = 0; j < other.numbers.size(); ++j, ++count) {
      const std::string number = where + ", " + statistic.query.aggregations[j].name;
      VERNIER_TRY(compare_difference(number, one.numbers[j], other.numbers[j], has_fixed_margin(figures[j])));
    }
  }
  return count;
}

Finding compare_denoising(const Examination& all, std::size_t place, const Table& found) {
  const BoundStatistic& statistic = all.study.statistics[place];
  const Table& stated = all.record.tables[place];
  std::int64_t count = 0;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    for (std::size_t j = 0; j < found.rows[i].numbers.size(); ++j) {
      if (!statistic.query.is_shown(j)) continue;
      const Number &one = stated.rows[i].numbers[j], &other = found.rows[i].numbers[j];
      const std::string where =
          place_of(statistic) + ", row " + std::to_string(i + 1) + ", " + statistic.query.aggregations[j].name;
      VERNIER_TRY(compare_denoised(where, one, other));
      count += other.denoised ? 1 : 0;
    }
  }
  if (stated.denoised.size() != found.denoised.size()) {
    return differs(place_of(statistic), "number of denoised columns", std::to_string(stated.denoised.size()),
                   std::to_string(found.denoised.size()));
  }
  for (std::size_t i = 0; i < found.denoised.size(); ++i) {
    VERNIER_TRY(compare_column(place_of(statistic), stated.denoised[i], found.denoised[i]));
  }
  return count;
}

// What the statement makes of its statistics, and that it chose the rows that are shown.
Finding compare_formulas(const Examination& all, std::size_t place, const Table& found) {
  const BoundStatistic& statistic = all.study.statistics[place];
  const Table& stated = all.record.tables[place];
  std::int64_t count = 0;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const std::string where = place_of(statistic) + row_text(i);
    if (stated.rows[i].keys != found.rows[i].keys) {
      return differs(where, "group", "that is stated", "the one that HAVING, ORDER BY and LIMIT put there");
    }
    for (const query::Output& output : statistic.query.outputs) {
      if (!output.is_formula) continue;
      const Number &one = stated.rows[i].derived[output.place], &other = found.rows[i].derived[output.place];
      const std::string name = statistic.query.formulas[output.place].name;
      VERNIER_TRY(compare_difference(where + ", " + name, one, other, false));
      ++count;
    }
  }
  if (stated.omitted == found.omitted) return count;
  return differs(place_of(statistic), "number of rows that are left out", std::to_string(stated.omitted),
                 std::to_string(found.omitted));
}

// That it may be asked at all.
Result<void> check_asked(const BoundStatistic& statistic) {
  if (statistic.query.selects_by_numbers() && !statistic.inference.is_simultaneous) {
    return differs(place_of(statistic), "simultaneous", "false", "true, since rows are chosen by their numbers");
  }
  bool has_family = false;
  for (const plan::Measurement& one : statistic.measurements) has_family = has_family || one.family;
  if (has_family != (statistic.inference.denoise == query::Denoise::consistent)) {
    return differs(place_of(statistic), "columns that add up", has_family ? "given" : "missing",
                   has_family ? "none" : "given");
  }
  const Result<void> checked = plan::check_derived(statistic);
  if (checked) return {};
  return invalid(about(place_of(statistic), checked.error()));
}

}  // namespace

Finding check_derived(Examination& all) {
  for (const BoundStatistic& statistic : all.study.statistics) {
    VERNIER_TRY(check_asked(statistic));
  }
  plan::Plan plan = all.record.plan;
  plan.study = all.study;
  const Result<Derivation> derivation = Derivation::of(plan);
  if (!derivation) return invalid(after("derived numbers: ", derivation.error()));
  std::vector<Table> found = all.record.tables;
  if (const Result<void> made = derivation->add_to(found); !made) {
    return invalid(after("derived numbers: ", made.error()));
  }
  std::int64_t count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Finding formulas = compare_formulas(all, i, found[i]);
    if (!formulas) return formulas;
    const Finding denoised = compare_denoising(all, i, found[i]);
    if (!denoised) return denoised;
    const Finding differences = compare_differences(all, i, found[i]);
    if (!differences) return differences;
    count += *formulas + *denoised + *differences;
  }
  return count;
}

}  // namespace vernier::release
