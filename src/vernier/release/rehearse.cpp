#include "vernier/release/rehearse.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/release/run/run_with.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;

// What a release is prepared with; it has no data, and can run nothing.
class NoSession final : public engine::Session {
 public:
  plan::BoundingForm form(const BoundStatistic&) const override { return plan::BoundingForm::rows; }
  Result<engine::RawAggregates> run(const plan::Sql&, const engine::Secret&, const Progress&) override {
    return engine::failed_run();
  }
  std::string version() const override { return "none"; }
  Result<void> check_joins(const BoundStatistic&) const override { return {}; }
};

// ---- invented rows

// Where the value of row i of n lies between its bounds, from 0 to 1.
double place_of(InventedValues values, std::int64_t i, std::int64_t n) {
  const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
  if (values == InventedValues::even) return u;
  constexpr double logistic = 1.702, deviations = 6;  // about a normal law, of which the bounds are 6 deviations apart
  return std::clamp(0.5 + std::log(u / (1 - u)) / (logistic * deviations), 0.0, 1.0);
}

std::int64_t step_at(const plan::Steps& steps, double place) {
  const double width = static_cast<double>(steps.upper) - static_cast<double>(steps.lower) + 1;
  return std::min(steps.upper, steps.lower + static_cast<std::int64_t>(place * width));
}

std::int64_t integer_of(const plan::Argument& argument, double place) {
  if (!argument.square) return step_at(argument.steps, place);
  const auto& [steps, fineness, is_from_above] = *argument.square;
  const std::int64_t k = step_at({0, steps}, place);
  return interval::rounded_square(is_from_above ? steps - k : k, steps, fineness);
}

std::int64_t tally_of(const BoundStatistic& statistic, const plan::Tally& tally, InventedValues values,
                      std::int64_t rows) {
  if (tally.kind != plan::TallyKind::sum) return rows;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    sum += integer_of(statistic.arguments[tally.argument], place_of(values, i, rows));
  }
  return sum;
}

std::vector<noise::Occupied> points_of(const BoundStatistic& statistic, const plan::Histogram& histogram,
                                       InventedValues values, std::int64_t rows) {
  std::vector<noise::Occupied> points;
  const plan::Argument& argument = statistic.arguments[histogram.argument];
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t point = integer_of(argument, place_of(values, i, rows)) >> histogram.halvings;
    if (points.empty() || points.back().point != point) points.push_back({point, 0});
    ++points.back().rows;
  }
  return points;
}

// Few enough that no sum comes near the end of 64 bits, nor the whole beyond the row limit.
std::int64_t row_count(const BoundStatistic& statistic, std::int64_t wanted, std::size_t groups) {
  constexpr std::int64_t enough = 100'000;
  const std::int64_t most = statistic.table.row_limit / static_cast<std::int64_t>(std::max<std::size_t>(groups, 1));
  return std::clamp<std::int64_t>(wanted, 0, std::min(enough, most));
}

// Of public groups the first ones; of private ones such as pass seldom, sometimes and nearly always.
std::vector<RehearsedGroup> groups_of(const BoundStatistic& statistic, const plan::PlannedStatistic& planned,
                                      InventedSizes sizes) {
  std::vector<RehearsedGroup> groups;
  const auto size = [&](std::size_t i) {
    return sizes == InventedSizes::equal ? statistic.typical_rows
                                         : statistic.typical_rows / static_cast<std::int64_t>(i + 1);
  };
  const auto add = [&](std::vector<query::Value> keys, std::int64_t rows) {
    groups.push_back({std::move(keys), rows, {}});
  };
  if (statistic.keys.are_public) {
    for (const auto& cell : statistic.keys.cells) add(cell, size(groups.size()));
  } else {
    std::vector<std::int64_t> rows = {statistic.typical_rows};
    for (const plan::PublishedChance& one : planned.keys->forecast) rows.push_back(one.units);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const std::int64_t one : rows) {
      const query::Value name(static_cast<std::int64_t>(groups.size()));
      add(std::vector<query::Value>(statistic.query.keys.size(), name), one);
    }
  }
  for (RehearsedGroup& group : groups) group.rows = row_count(statistic, group.rows, groups.size());
  return groups;
}

std::vector<engine::RawGroup> raw_groups(const BoundStatistic& statistic, const std::vector<RehearsedGroup>& groups,
                                         InventedValues values) {
  std::vector<engine::RawGroup> raw;
  for (const RehearsedGroup& group : groups) {
    engine::RawGroup& one = raw.emplace_back();
    if (statistic.keys.are_public) one.cell = static_cast<std::int64_t>(raw.size()) - 1;
    if (!statistic.keys.are_public) one.keys = group.keys;
    for (const plan::Tally& tally : statistic.tallies) {
      one.tallies.push_back(tally_of(statistic, tally, values, group.rows));
    }
    for (const plan::Histogram& histogram : statistic.histograms) {
      one.histograms.push_back(points_of(statistic, histogram, values, group.rows));
    }
  }
  return raw;
}

// Why invented rows of one kind of value would say nothing of it; empty where they do.
std::string fault_of(const BoundStatistic& statistic) {
  const bool has_pair = std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                                    [](const plan::Measurement& one) { return one.paired || !one.regressors.empty(); });
  if (has_pair) return "relations of columns are not rehearsed";
  if (statistic.weighted) return "weighted rows are not rehearsed";
  const bool is_large = statistic.inference.is_simultaneous && statistic.keys.cells.size() > 1000;
  return is_large ? "so many groups whose intervals hold at once are not rehearsed" : "";
}

// ---- what the figures of the invented rows are

std::optional<double> value_at_rank(const BoundStatistic& statistic, const plan::Measurement& one,
                                    const engine::RawGroup& group) {
  const plan::Histogram& histogram = statistic.histograms[one.tallies.front()];
  const auto& points = group.histograms[one.tallies.front()];
  std::int64_t rows = 0, passed = 0;
  for (const noise::Occupied& point : points) rows += point.rows;
  const double rank = std::max(1.0, std::ceil(static_cast<double>(rows) * static_cast<double>(one.fraction.parts) /
                                              static_cast<double>(one.fraction.whole)));
  const plan::Argument& argument = statistic.arguments[histogram.argument];
  for (const noise::Occupied& point : points) {
    passed += point.rows;
    if (static_cast<double>(passed) < rank) continue;
    return static_cast<double>((point.point << histogram.halvings) + argument.origin) * argument.granularity;
  }
  return std::nullopt;
}

// A figure that is made from sums is what its estimator makes of them without noise.
std::optional<double> exact_value(const Prepared& prepared, const ExactNumbers& exact, const engine::RawGroup& group,
                                  std::size_t place, std::size_t number) {
  const std::vector<plan::Measurement>& all = prepared.statistic->measurements;
  const std::size_t source = all[place].source.value_or(place);
  if (plan::has_histogram(all[source].kind)) {
    if (all[source].tallies.empty()) return std::nullopt;
    plan::Measurement read = all[place];
    read.tallies = all[source].tallies;
    return value_at_rank(*prepared.statistic, read, group);
  }
  const std::size_t width = all[source].width;
  const Result<Number> found = prepared.makers[place](exact.of_measurement(source).subspan(number * width, width));
  return found && std::isfinite(found->value) ? std::optional(found->value) : std::nullopt;
}

// ---- errors that are as likely as each other

// A decimal such as 0.05 is rounded down to a double.
std::size_t dots_of(Alpha alpha) { return alpha.value() < 0.0499 ? 100 : 20; }

// The sizes of the noise at the middles of so many equal parts, with alternate signs.
std::optional<std::vector<double>> errors_of_law(const BoundStatistic& statistic, std::size_t place,
                                                 const plan::Law& law, std::size_t count) {
  const plan::Measured in = plan::measured_at(statistic, place);
  const auto noise = plan::additive(law);
  if (!noise || in.one.source || !plan::is_one_integer(in) || in.is_of_population()) return std::nullopt;
  std::vector<double> errors;
  for (std::size_t i = 0; i < count; ++i) {
    const Result<Alpha> beyond = Alpha::of(1 - (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    if (!beyond) return std::nullopt;
    const auto told =
        std::visit([&](const auto& one) { return accuracy::of(one, *beyond, accuracy::Cells::one()); }, *noise);
    if (!told) return std::nullopt;
    errors.push_back((i % 2 == 0 ? 1 : -1) * told->accuracy * in.one.granularity);
  }
  return errors;
}

std::vector<double> errors_of_frames(const RehearsedStatistic& made, std::size_t column, std::size_t count) {
  std::vector<double> all, errors;
  for (const RehearsedFrame& frame : made.frames) {
    for (std::size_t i = 0; i < frame.size(); ++i) {
      const auto& exact = made.groups[i].exact[column];
      if (frame[i][column] && exact) all.push_back(frame[i][column]->value - *exact);
    }
  }
  std::sort(all.begin(), all.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (std::size_t i = 0; i < count && !all.empty(); ++i) errors.push_back(all[(2 * i + 1) * all.size() / (2 * count)]);
  return errors;
}

void add_columns(RehearsedStatistic& made, const Prepared& prepared) {
  const BoundStatistic& statistic = *prepared.statistic;
  const std::size_t count = dots_of(plan::alpha_of(statistic, prepared.alpha));
  for (std::size_t i = 0; i < prepared.measurements.size(); ++i) {
    const std::size_t place = prepared.measurements[i];
    const plan::PlannedNoise& noise = prepared.planned->noise[place];
    const auto known = errors_of_law(statistic, place, noise.law, count);
    RehearsedColumn column{plan::column_of(statistic, statistic.measurements[place]), noise.accuracy,
                           known ? *known : errors_of_frames(made, i, count), 0, known.has_value()};
    column.within = static_cast<std::size_t>(std::count_if(
        column.errors.begin(), column.errors.end(), [&](double error) { return std::abs(error) <= noise.accuracy; }));
    made.columns.push_back(std::move(column));
  }
}

// ---- frames

RehearsedFrame frame_of(const Table& table, const RehearsedStatistic& made, std::size_t columns) {
  RehearsedFrame frame(made.groups.size(), std::vector<std::optional<Number>>(columns));
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < made.groups.size(); ++i) {
      if (made.groups[i].keys != row.keys) continue;
      for (std::size_t j = 0; j < columns; ++j) frame[i][j] = row.numbers[j];
    }
  }
  return frame;
}

// All statistics with what they copy from each other.
class Stage {
 public:
  Stage(const std::vector<Prepared>& prepared, const RehearsalRequest& request) : prepared_(prepared) {
    for (const Prepared& one : prepared) {
      const std::optional<std::size_t> like = copied_from(one);
      made_.push_back({one.statistic->name,
                       like ? made_[*like].groups : groups_of(*one.statistic, *one.planned, request.sizes),
                       {},
                       {},
                       fault_of(*one.statistic)});
      if (like && !made_[*like].why_not.empty()) made_.back().why_not = made_[*like].why_not;
      raw_.push_back(raw_groups(*one.statistic, made_.back().groups, request.values));
    }
  }

  Result<void> find_exact() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      if (!made_[i].why_not.empty()) continue;
      VERNIER_TRY(const ExactNumbers exact, opened(i));
      for (std::size_t j = 0; j < made_[i].groups.size(); ++j) {
        for (const std::size_t place : prepared_[i].measurements) {
          made_[i].groups[j].exact.push_back(exact_value(prepared_[i], exact, raw_[i][j], place, j));
        }
      }
    }
    return {};
  }

  Result<void> add_frame(random::Source& source) {
    detail::AllDrawn before;
    before.reserve(prepared_.size());
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      if (!made_[i].why_not.empty()) {
        before.emplace_back();
        continue;
      }
      VERNIER_TRY(ExactNumbers exact, opened(i));
      VERNIER_TRY(std::vector<Integers> noisy, detail::with_noise(prepared_[i], exact, before, source));
      VERNIER_TRY(const Table table, published(prepared_[i], exact, noisy));
      made_[i].frames.push_back(frame_of(table, made_[i], prepared_[i].measurements.size()));
      before.emplace_back(detail::Drawn{std::move(exact), std::move(noisy)});
    }
    return {};
  }

  std::vector<RehearsedStatistic> taken() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      if (made_[i].why_not.empty()) add_columns(made_[i], prepared_[i]);
    }
    return std::move(made_);
  }

 private:
  // A statistic before it, of whose numbers it has some: its groups have the same rows.
  std::optional<std::size_t> copied_from(const Prepared& prepared) const {
    for (const plan::Measurement& one : prepared.statistic->measurements) {
      if (one.copied && one.copied->statistic < made_.size()) return one.copied->statistic;
    }
    return std::nullopt;
  }

  Result<ExactNumbers> opened(std::size_t i) const {
    return ExactNumbers::of(*prepared_[i].statistic, engine::RawAggregates(raw_[i]));
  }

  const std::vector<Prepared>& prepared_;
  std::vector<RehearsedStatistic> made_;
  std::vector<std::vector<engine::RawGroup>> raw_;
};

// As many groups as are looked at. What intervals hold for all groups at once depends on their number.
plan::Plan shortened(plan::Plan plan) {
  for (BoundStatistic& statistic : plan.study.statistics) {
    auto& cells = statistic.keys.cells;
    if (statistic.inference.is_simultaneous || cells.size() <= most_rehearsed_groups) continue;
    cells.resize(most_rehearsed_groups);
  }
  return plan;
}

}  // namespace

Result<std::vector<RehearsedStatistic>> rehearse(const plan::Plan& plan, const RehearsalRequest& request,
                                                 random::Source& source) {
  const plan::Plan shown = shortened(plan);
  const NoSession session;
  VERNIER_TRY(const std::vector<Prepared> prepared, prepare(shown, session));
  Stage stage(prepared, request);
  VERNIER_TRY(stage.find_exact());
  for (std::size_t i = 0; i < request.frames; ++i) {
    VERNIER_TRY(stage.add_frame(source));
  }
  return stage.taken();
}

}  // namespace vernier::release
