#include "vernier/coverage/release.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>

#include "vernier/mechanism/gaussian.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::coverage {
namespace {

using numeric::Rational;
using query::Aggregate;

// So many rows that no sum leaves 62 bits, and no more than a table has.
std::int64_t most_rows(const ValueGrid& grid) {
  const std::int64_t lower = grid.origin(), upper = grid.origin() + grid.steps();
  const std::int64_t greatest = std::max({std::abs(lower), std::abs(upper), grid.steps()});
  return std::min(query::default_row_limit, (std::int64_t{1} << 62) / greatest);
}

query::Column column_on(const ValueGrid& grid, std::string name) {
  query::Column column;
  column.name = std::move(name);
  column.type = query::Type::real;
  column.range = query::Range{grid.lower(), grid.upper()};
  column.granularity = grid.granularity();
  column.has_granularity = true;
  column.never_null = true;
  return column;
}

// A table of one column, or of the two of a relation, every row of which is a unit.
Result<query::Table> table_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  query::Table table;
  table.name = "sample";
  table.row_limit = most_rows(point.grid);
  if (point.size > table.row_limit) return invalid("the sample is so large that its sums would leave 64 bits");
  table.neighbours = question.public_count ? privacy::Neighbours::replace : privacy::Neighbours::add_remove;
  table.public_count = question.public_count;
  table.columns = {column_on(question.pair ? question.pair->y : point.grid, "x")};
  if (question.pair) table.columns.push_back(column_on(question.pair->x, "other"));
  if (sampled_part(question, point, population) > 0) {
    VERNIER_TRY(const Rational part, quotient(Rational::of(point.size),
                                              Rational::of(static_cast<std::int64_t>(population.members().size()))));
    table.sampled = part;
  }
  return table;
}

query::Query query_of(const Question& question, const query::Table& table) {
  query::Query query;
  query.table = table.name;
  const auto x = question.aggregate == Aggregate::count_rows ? std::optional<query::Expression>()
                                                             : std::optional(query::column(table.columns.front()));
  query.aggregations = {{question.aggregate, x, "x", question.fraction}};
  if (question.pair) query.aggregations.front().other = query::column(table.columns.back());
  query.outputs = {{false, 0}};
  return query;
}

// The study that asks this one statistic, with the whole budget for it.
Result<plan::BoundStudy> study_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(const query::Table table, table_of(question, point, population));
  VERNIER_TRY(const Rational epsilon, Rational::of(point.epsilon.value()));
  VERNIER_TRY(const Rational delta, Rational::of(question.delta.value()));
  const query::StudyBudget budget{epsilon, delta};
  query::Inference inference;
  inference.of_population = question.covers == interval::Covers::population;
  inference.is_guaranteed = question.assurance == interval::Assurance::guaranteed;
  plan::BoundStatistic statistic{.name = "coverage",
                                 .query = query_of(question, table),
                                 .table = table,
                                 .contribution = {1, 1},
                                 .weight = Rational::of(1),
                                 .typical_rows = point.size,
                                 .keys = {true, {{}}},
                                 .arguments = {},
                                 .tallies = {},
                                 .measurements = {},
                                 .inference = inference};
  VERNIER_TRY(plan::measure(statistic, 0));
  const query::Catalog catalog{{}, {epsilon, delta, "", query::Filter::pure}, {table}};
  return plan::BoundStudy{catalog, point.alpha, budget, table.neighbours, {statistic}};
}

// As it would be released, or with noise of the law that is asked for.
Result<plan::Plan> plan_of(const plan::BoundStudy& study, std::optional<LawKind> law) {
  if (!law) return plan::allocate(study);
  VERNIER_TRY(const privacy::Delta delta, plan::delta_of(study));
  if (*law == LawKind::discrete_gaussian && delta.is_pure()) {
    return invalid("discrete Gaussian noise needs a delta above 0", "give " + parameter("delta"));
  }
  VERNIER_TRY(std::vector<plan::NoiseItem> items, plan::items_of(study, delta));
  const plan::Choice choice = plan::all_of(*law, items.size());
  const plan::Pricing pricing(std::move(items), study.neighbours, delta);
  const double epsilon = plan::ceiling_of(study);
  VERNIER_TRY(const double factor, plan::least_factor(pricing, choice, epsilon, 1 / epsilon));
  return plan::planned(study, pricing, {choice, factor});
}

// What one row at a step adds to the exact integers, which are sums over rows.
std::vector<RowSums> rows_of(const plan::Measured& in, const PlacedPopulation& population) {
  std::vector<RowSums> rows;
  for (const std::int64_t step : population.steps()) {
    std::array<plan::Int128, plan::most_tallies> tallies{};
    std::array<plan::Int128, plan::most_integers> exact{};
    for (std::size_t i = 0; i < in.one.tallies.size(); ++i) {
      tallies[i] = plan::tally_of_row(in, i, population.grid().value_of(step));
    }
    plan::write_integers(in, tallies, exact);
    RowSums& sums = rows.emplace_back();
    std::transform(exact.begin(), exact.begin() + most_row_sums, sums.begin(),
                   [](plan::Int128 x) { return static_cast<std::int64_t>(x); });
  }
  return rows;
}

// Intervals that were made already, since one of counts takes milliseconds and the same counts come again and again.
class Remembered {
 public:
  explicit Remembered(IntervalMaker make) : make_(std::move(make)) {}

  Result<interval::Interval> from(std::span<const std::int64_t> released) {
    const std::vector<std::int64_t> counts(released.begin(), released.end());
    if (const auto known = recall(counts)) return *known;
    return make_(released).map([&](const interval::Interval& made) {
      const std::lock_guard lock(mutex_);
      return known_.emplace(counts, made).first->second;
    });
  }

 private:
  std::optional<interval::Interval> recall(const std::vector<std::int64_t>& counts) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(counts);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  IntervalMaker make_;
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, interval::Interval> known_;
};

IntervalMaker interval_of(const plan::Measured& in, const plan::Estimator& estimator) {
  const IntervalMaker make = [estimator](std::span<const std::int64_t> released) {
    return estimator(released).map([](const plan::Estimate& found) { return found.interval; });
  };
  const bool is_of_counts = in.one.kind == plan::Count::kind || in.one.kind == plan::Mean::kind;
  if (!in.is_of_population() || !is_of_counts) return make;
  return [known = std::make_shared<Remembered>(make)](std::span<const std::int64_t> released) {
    return known->from(released);
  };
}

// That the grids of a relation are those that it is released on.
bool has_other_grids(const Question& question, const plan::Measurement& one) {
  if (!question.pair || !one.paired) return question.pair.has_value() != one.paired.has_value();
  return one.steps != question.pair->y.steps() || one.paired->steps != question.pair->x.steps();
}

Result<Release> planned_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(const plan::BoundStudy study, study_of(question, point, population));
  VERNIER_TRY(const plan::Plan plan, plan_of(study, question.law));
  const plan::Measured in = plan::measured_at(plan.study.statistics.front(), 0);
  if (has_other_grids(question, in.one)) {
    return invalid("the grids of x and y are so fine that a release would take coarser ones",
                   "give a coarser " + parameter("granularity"));
  }
  if (const std::string fault = plan::fault_for_population(in); in.is_of_population() && !fault.empty()) {
    return invalid(std::string(in.one.figure.words) + " " + fault);
  }
  const plan::PlannedStatistic& planned = plan.statistics.front();
  VERNIER_TRY(const plan::Estimator estimator, plan::estimator_of(in, planned, point.alpha));
  VERNIER_TRY(const plan::Drawing drawing, plan::drawing_of(in, planned.noise.front().law, point.alpha));
  const IntervalMaker interval = interval_of(in, estimator);
  if (const auto* const added = std::get_if<plan::AddedNoise>(&drawing)) {
    Sampler sampler = std::visit([](const auto& one) { return Sampler(noise::IntegerSampler(one)); }, added->law);
    return SumsRelease{in.one.width, added->kept, rows_of(in, population), std::move(sampler), interval};
  }
  if (std::holds_alternative<plan::BoxedNumbers>(drawing)) {
    return invalid("one number alone is not released in a box", "leave the others out");
  }
  VERNIER_TRY(const noise::RankGrid grid, plan::rank_grid(in.one));
  if (const auto* const ends = std::get_if<plan::ChosenPoints<noise::RankReach>>(&drawing)) {
    return PointsRelease{*ends, grid, interval};
  }
  return PointsRelease{std::get<plan::ChosenPoints<noise::ValueReach>>(drawing), grid, interval};
}

Result<void> check(const Question& question, const Point& point) {
  if (point.size < 1)
    return invalid("a sample needs at least one row, but " + parameter("size") + " is " + std::to_string(point.size));
  if (question.is_proportion && point.grid.steps() != 1) {
    return invalid("a proportion is of two values, so its bounds must be one step of the granularity apart");
  }
  if (plan::truth_maker(plan::figure_of(question.aggregate)) == nullptr) {
    return invalid("of " + std::string(query::name_of(question.aggregate)) + " nobody says what is true of known rows");
  }
  if (query::facts_of(question.aggregate).takes_pair != question.pair.has_value()) {
    return invalid("a relation is of two columns, and all other statistics are of one");
  }
  const bool is_mean = question.aggregate == Aggregate::average;
  if (!is_mean && (question.public_count || is_lecture(question.method))) {
    return invalid("the number of rows can be public for means and proportions only");
  }
  return {};
}

// That a design can draw so many members.
Result<void> check_design(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (sampled_part(question, point, population) <= 1) return {};
  return invalid("of a population of " + std::to_string(population.members().size()) +
                 " no sample of more members can be drawn, but " + parameter("size") + " is " +
                 std::to_string(point.size));
}

double lecture_sigma(double epsilon, double delta, double sensitivity) {
  return sensitivity / epsilon * std::sqrt(2 * std::log(1.25 / delta));
}

Result<noise::Gaussian> lecture_law(const Question& question, const Point& point) {
  const double sensitivity = point.grid.range() / static_cast<double>(point.size);
  if (question.method == Method::lecture_classical) {  // also beyond epsilon 1, where nobody has proven it
    return Sigma::of(lecture_sigma(point.epsilon.value(), question.delta.value(), sensitivity))
        .map(noise::Gaussian::of);
  }
  VERNIER_TRY(const privacy::L2Sensitivity moved, privacy::L2Sensitivity::of(sensitivity));
  return mechanism::GaussianMechanism::calibrate(point.epsilon, question.delta, moved).map([](const auto& found) {
    return found.law();
  });
}

Result<Release> lecture_release(const Question& question, const Point& point) {
  if (question.delta.is_pure())
    return invalid("the lecture's interval needs a delta above 0", "give " + parameter("delta"));
  VERNIER_TRY(const noise::Gaussian law, lecture_law(question, point));
  return law.two_sided_quantile(*Probability::of(point.alpha.value())).map([&](Real accuracy) {
    return Release(LectureRelease{noise::on_grid(law), accuracy.value()});
  });
}

}  // namespace

Result<Release> release_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(check(question, point));
  if (is_lecture(question.method)) return lecture_release(question, point);
  VERNIER_TRY(check_design(question, point, population));
  return planned_release(question, point, population);
}

double sampled_part(const Question& question, const Point& point, const PlacedPopulation& population) {
  const bool is_total = plan::has_fixed_margin(plan::figure_of(question.aggregate));
  if (!is_total || question.covers != interval::Covers::population) return 0;
  return static_cast<double>(point.size) / static_cast<double>(population.members().size());
}

std::string_view law_name(const Release& release) {
  if (std::holds_alternative<PointsRelease>(release)) return "exponential";
  if (std::holds_alternative<LectureRelease>(release)) return "gaussian";
  return std::get<SumsRelease>(release).noise.index() == 0 ? "geometric" : "discrete-gaussian";
}

}  // namespace vernier::coverage
