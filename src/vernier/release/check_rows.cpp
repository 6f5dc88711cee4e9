#include <algorithm>
#include <set>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/levels.hpp"
#include "vernier/plan/plan_names.hpp"
#include "vernier/release/exact_numbers.hpp"
#include "vernier/release/examination.hpp"
#include "vernier/release/figure_maker.hpp"
#include "vernier/release/release_json.hpp"

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
  Column(const Examination& all, std::size_t statistic, std::size_t measurement)
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
    const std::vector<Row>& rows = all_.record.tables[place_].rows;
    const auto groups = plan::released_groups(statistic_, rows.size());
    const auto maker = plan::level_of(statistic_, number_, all_.study.alpha, groups).and_then([&](Alpha level) {
      return figure_maker(statistic_, number_, all_.record.plan.statistics[place_], level);
    });
    if (!maker) return invalid(place_of(statistic_, measurement_) + ": " + maker.error().sentence);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      VERNIER_TRY(check(rows[i], i, *maker));
    }
    return static_cast<std::int64_t>(rows.size());
  }

 private:
  Result<void> check(const Row& row, std::size_t place, const NumberMaker& maker) const {
    const std::string where =
        place_of(statistic_) + row_text(place) + ", " + statistic_.query.aggregations[*measurement_.aggregation].name;
    const auto noisy = std::span(row.noisy).subspan(first_, width_);
    const Result<Number> found = maker(noisy);
    if (!found) return invalid(where + ": " + found.error().sentence);
    const double confidence = all_.record.confidences[place_][place * row.numbers.size() + *measurement_.aggregation];
    if (confidence != confidence_of(all_.record.alpha)) {
      return differs(where, "confidence", shortest(confidence), shortest(confidence_of(all_.record.alpha)));
    }
    return compare(where, row.numbers[*measurement_.aggregation], *found,
                   plan::is_about(statistic_, measurement_) || plan::is_in_ranks(measurement_.figure) ||
                       measurement_.source.has_value());
  }

  const Examination& all_;
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

}  // namespace vernier::release
