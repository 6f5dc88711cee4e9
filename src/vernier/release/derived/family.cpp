#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/release/derived/derived.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;
using plan::Measurement;

Failure do_not_fit() { return invalid("the columns that are to add up do not fit together"); }

// Of each key of the coarse table its place among those of the fine one; none where one is not there.
Result<std::vector<std::size_t>> places_in(const query::Query& fine, const query::Query& coarse) {
  std::vector<std::size_t> places;
  for (const query::Key& key : coarse.keys) {
    const auto found =
        std::find_if(fine.keys.begin(), fine.keys.end(), [&](const query::Key& one) { return one.name == key.name; });
    if (found == fine.keys.end()) return do_not_fit();
    places.push_back(static_cast<std::size_t>(found - fine.keys.begin()));
  }
  return places;
}

std::vector<query::Value> chosen(const std::vector<query::Value>& cell, const std::vector<std::size_t>& places) {
  std::vector<query::Value> keys;
  for (const std::size_t place : places) keys.push_back(cell[place]);
  return keys;
}

// Which cells of the fine table are in each group of the coarse one, in the order of its groups.
Result<std::vector<std::vector<std::size_t>>> totals_of(const BoundStatistic& fine, const BoundStatistic& coarse) {
  VERNIER_TRY(const std::vector<std::size_t> places, places_in(fine.query, coarse.query));
  std::map<std::vector<query::Value>, std::size_t> groups;
  for (const auto& cell : coarse.keys.cells) groups.try_emplace(cell, groups.size());
  std::vector<std::vector<std::size_t>> totals(groups.size());
  for (std::size_t i = 0; i < fine.keys.cells.size(); ++i) {
    const auto group = groups.find(chosen(fine.keys.cells[i], places));
    if (group == groups.end()) return do_not_fit();
    totals[group->second].push_back(i);
  }
  return totals;
}

bool fits(const BoundStatistic& statistic, std::size_t measurement, double granularity) {
  const Measurement& one = statistic.measurements[measurement];
  return statistic.keys.are_public && one.aggregation && one.granularity == granularity && one.width == 1 &&
         plan::has_plain_noise(statistic, measurement) && !statistic.keys.cells.empty();
}

// The estimate lies in it, and everything that is possible and within the reach of it.
interval::Interval around(double estimate, double reach, double least, double greatest) {
  const double lower = std::min(estimate, greatest) - reach, upper = std::max(estimate, least) + reach;
  return {std::max(lower, std::min(least, estimate)), std::min(upper, std::max(greatest, estimate))};
}

// How often tables that agree are told not to: once in 10^9 releases, or a hundredth of what intervals may miss. They
// have the rest of alpha, since a number misses where its tables are told apart or its own interval does.
Alpha false_alarm(Alpha alpha) { return *Alpha::of(std::min(1e-9, alpha.value() / 100)); }
Alpha left_of(Alpha alpha) { return *Alpha::of(numeric::subtract_down(alpha.value(), false_alarm(alpha).value())); }

}  // namespace

Result<std::vector<Family>> Family::all_of(const plan::Plan& plan) {
  std::map<std::int64_t, std::vector<Member>> members;
  for (std::size_t i = 0; i < plan.study.statistics.size(); ++i) {
    const auto& all = plan.study.statistics[i].measurements;
    for (std::size_t j = 0; j < all.size(); ++j) {
      if (all[j].family) members[*all[j].family].push_back({i, j});
    }
  }
  std::vector<Family> families;
  for (auto& [number, found] : members) {
    VERNIER_TRY(Family family, of(plan, std::move(found)));
    families.push_back(std::move(family));
  }
  return families;
}

Result<Family> Family::of(const plan::Plan& plan, std::vector<Member> members) {
  const auto statistic_of = [&](const Member& one) -> const BoundStatistic& {
    return plan.study.statistics[one.statistic];
  };
  const auto finest = std::max_element(members.begin(), members.end(), [&](const Member& a, const Member& b) {
    return statistic_of(a).query.keys.size() < statistic_of(b).query.keys.size();
  });
  std::iter_swap(members.begin(), finest);
  const BoundStatistic& fine = statistic_of(members.front());
  const double granularity = fine.measurements[members.front().measurement].granularity;
  denoise::Layout layout{fine.keys.cells.size(), {}};
  std::vector<denoise::IntegerLaw> laws;
  for (Member& one : members) {
    const BoundStatistic& statistic = statistic_of(one);
    const auto law = plan::additive(plan.statistics[one.statistic].noise[one.measurement].law);
    if (!law || !fits(statistic, one.measurement, granularity)) return do_not_fit();
    if (laws.size() + statistic.keys.cells.size() > plan::most_consistent_groups) return do_not_fit();
    for (const auto& cell : statistic.keys.cells) {
      if (!one.numbers.try_emplace(cell, laws.size()).second) return do_not_fit();
      laws.push_back(*law);
    }
    if (&one == &members.front()) continue;
    VERNIER_TRY(auto totals, totals_of(fine, statistic));
    std::move(totals.begin(), totals.end(), std::back_inserter(layout.totals));
  }
  return denoise::Consistency::of(std::move(layout), std::move(laws)).map([&](denoise::Consistency made) {
    return Family(plan, std::move(members), std::move(made));
  });
}

Family::Family(const plan::Plan& plan, std::vector<Member> members, denoise::Consistency consistency)
    : plan_(&plan),
      members_(std::move(members)),
      consistency_(std::move(consistency)),
      reaches_(consistency_.reaches(left_of(plan.study.alpha))) {}

Result<std::vector<std::int64_t>> Family::released(const std::vector<Table>& tables) const {
  std::vector<std::int64_t> numbers(consistency_.numbers());
  for (const Member& member : members_) {
    const NoisyColumn column = noisy_column(plan_->study.statistics[member.statistic], member.measurement);
    const std::vector<Row>& rows = tables[member.statistic].rows;
    if (rows.size() != member.numbers.size()) return do_not_fit();
    for (const Row& row : rows) {
      const auto number = member.numbers.find(row.keys);
      if (number == member.numbers.end()) return do_not_fit();
      numbers[number->second] = column.of(row).front();
    }
  }
  return numbers;
}

double Family::reach_of(const Member& member, std::size_t number) const {
  const bool is_guaranteed = plan_->study.statistics[member.statistic].inference.is_guaranteed;
  return is_guaranteed ? reaches_[number].proven : reaches_[number].tested;
}

// In steps: what rounding moves each of the numbers by that the estimate is made from, at most.
double Family::rounding_of(const Member& member, std::size_t number) const {
  const BoundStatistic& statistic = plan_->study.statistics[member.statistic];
  const auto each = static_cast<double>(plan::rounded_steps(plan::measured_at(statistic, member.measurement)));
  if (each == 0) return 0;
  double weights = 0;
  for (const double one : consistency_.weights(number)) weights += std::abs(one);
  return each * weights * (1 + 0x1p-30);
}

interval::Status Family::status_of(const Member& member) const {
  const BoundStatistic& statistic = plan_->study.statistics[member.statistic];
  const bool is_rounded = plan::is_sum_of_rounded(plan::measured_at(statistic, member.measurement));
  return is_rounded ? interval::Status::tested : interval::Status::proven;
}

DenoisedColumn Family::column_of(const Member& member) const {
  const Measurement& one = plan_->study.statistics[member.statistic].measurements[member.measurement];
  DenoisedColumn column{*one.aggregation, "least-squares", 0, status_of(member)};
  for (const auto& [keys, number] : member.numbers) {
    column.risk += consistency_.risk(number);
    if (reach_of(member, number) < reaches_[number].proven) column.coverage = interval::Status::tested;
  }
  column.risk /= static_cast<double>(member.numbers.size());
  return column;
}

void Family::add(const Member& member, const std::vector<double>& estimates, Table& table) const {
  const Measurement& one = plan_->study.statistics[member.statistic].measurements[member.measurement];
  const double step = one.granularity;
  for (Row& row : table.rows) {
    const std::size_t number = member.numbers.at(row.keys);
    const double reach = reach_of(member, number) + rounding_of(member, number);
    const interval::Interval found =
        around(estimates[number], reach, static_cast<double>(one.least), static_cast<double>(one.greatest));
    Number& published = row.numbers[*one.aggregation];
    published.denoised = estimates[number] * step;
    published.denoised_interval = interval::Interval{found.low * step, found.high * step};
  }
  table.denoised.push_back(column_of(member));
}

// Numbers as they were published: what is made of tables that do not count the same rows has no interval.
void Family::leave(const Member& member, Table& table) const {
  const Measurement& one = plan_->study.statistics[member.statistic].measurements[member.measurement];
  DenoisedColumn column{*one.aggregation, "raw-as-tables-disagree", 1, status_of(member)};
  for (Row& row : table.rows) {
    Number& published = row.numbers[*one.aggregation];
    published.denoised = published.value;
    published.denoised_interval = published.interval;
  }
  table.denoised.push_back(column);
}

Result<void> Family::add_to(std::vector<Table>& tables) const {
  VERNIER_TRY(const std::vector<std::int64_t> numbers, released(tables));
  if (consistency_.disagreement(numbers, false_alarm(plan_->study.alpha))) {
    for (const Member& member : members_) leave(member, tables[member.statistic]);
    return {};
  }
  VERNIER_TRY(const std::vector<double> estimates, consistency_.estimates(numbers));
  for (const Member& member : members_) add(member, estimates, tables[member.statistic]);
  return {};
}

}  // namespace vernier::release
