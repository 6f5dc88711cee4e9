#include "vernier/plan/statistic/regression.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/components/components.hpp"
#include "vernier/interval/regression/regression.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/column_grid.hpp"
#include "vernier/plan/statistic/population_slope.hpp"
#include "vernier/plan/statistic/rounded_regression.hpp"
#include "vernier/query/component.hpp"

namespace vernier::plan {
namespace {

using interval::MomentLayout;
using interval::MomentShape;
using interval::Regressed;
using interval::RegressionPart;
using numeric::Rational;
using query::Aggregate;
using query::Aggregation;
using query::Expression;
using query::is_component;
using query::Operation;

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_weight = Int128{1} << 30;     // a scale of 1e12 is that of epsilon 0.001
constexpr Int128 least_weight = 1 << 20;              // from here on cutting to whole numbers does not widen intervals
constexpr Int128 most_total = Int128{1} << 58;        // of squares, whose doubled products stay within 64 bits
constexpr std::int64_t most_feature_steps = 1 << 13;  // so that W times a product of two columns does as well
constexpr double normal_margin = 1.96;                // of one noise at 0.05, by which an accuracy is a scale
constexpr std::int64_t most_grid_steps = 1 << 30;

constexpr std::size_t most_node_columns = 4;

MomentLayout layout_of(std::size_t columns) {
  return columns <= most_node_columns ? MomentLayout::nodes : MomentLayout::features;
}

// What the nodes of a row add up to where nothing is divided; 2^62 where it is more.
Int128 total_of(const std::vector<PairedGrid>& grids) {
  Int128 total = 1;
  for (const PairedGrid& one : grids) {
    for (int i = 0; i < 2; ++i) total = total > greatest_total / one.steps ? greatest_total : total * one.steps;
  }
  return total;
}

Int128 greatest_weight(const BoundStatistic& statistic) {
  return std::min(enough_weight / statistic.contribution.max_rows, greatest_total / statistic.table.row_limit);
}

bool fits(const std::vector<PairedGrid>& grids) {
  if (layout_of(grids.size()) == MomentLayout::nodes) return total_of(grids) <= most_total;
  return std::all_of(grids.begin(), grids.end(), [](const PairedGrid& one) { return one.steps <= most_feature_steps; });
}

// Of nodes by what products are multiplied, below 0 by what they are divided; of features the weight.
std::int64_t fineness_of(const BoundStatistic& statistic, const std::vector<PairedGrid>& grids) {
  const Int128 greatest = greatest_weight(statistic);
  if (layout_of(grids.size()) == MomentLayout::features) return static_cast<std::int64_t>(greatest);
  const Int128 total = total_of(grids);
  const Int128 fineness = total <= greatest ? greatest / total : -((total + greatest - 1) / greatest);
  return static_cast<std::int64_t>(fineness);
}

// What a row adds to the nodes in all, or to the count among the features.
std::int64_t weight_of(const Measurement& one) {
  const std::vector<PairedGrid> grids = all_grids(one);
  if (layout_of(grids.size()) == MomentLayout::features) return one.fineness;
  const Int128 total = total_of(grids);
  if (one.fineness < 0) return static_cast<std::int64_t>(total / -Int128{one.fineness});
  const Int128 fineness = std::max<std::int64_t>(one.fineness, 1);
  return static_cast<std::int64_t>(total > greatest_total / fineness ? greatest_total : total * fineness);
}

interval::MomentColumn column_of(const PairedGrid& grid) {
  return {static_cast<double>(grid.origin) * grid.granularity,
          static_cast<double>(grid.origin + grid.steps) * grid.granularity};
}

MomentShape shape_of(const Measured& in) {
  MomentShape shape{.columns = {},
                    .weight = weight_of(in.one),
                    .row_limit = in.statistic.table.row_limit,
                    .parts = in.has_scaled_rows() ? in.statistic.contribution.max_rows : 0};
  for (const PairedGrid& one : all_grids(in.one)) shape.columns.push_back(column_of(one));
  return shape;
}

// Which component the figure tells of; none of a regression.
std::optional<interval::Component> component_of(const Figure& figure) {
  using interval::ComponentPart;
  for (std::size_t place = 0; place < Regression::variances.size(); ++place) {
    if (Regression::variances[place] == figure) return interval::Component{ComponentPart::variance, place};
    if (Regression::shares[place] == figure) return interval::Component{ComponentPart::share, place};
  }
  return std::nullopt;
}

Regressed asked_of(const Figure& figure) {
  if (figure == Regression::residual_deviation) return {RegressionPart::deviation};
  if (figure == Regression::explained) return {RegressionPart::explained};
  const auto& all = Regression::coefficients;
  const auto found = std::find(all.begin(), all.end(), figure);
  return {RegressionPart::coefficient, found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin()) + 1};
}

interval::PairLaw law_of(const AdditiveLaw& law) {
  return std::visit([](const auto& known) { return interval::pair_law(known); }, law);
}

double accuracy_of(const Measured& in, const interval::PairLaw& law, Alpha alpha) {
  const auto rows = static_cast<double>(in.statistic.typical_rows);
  if (const auto component = component_of(in.one.figure)) {
    return interval::component_accuracy(law, shape_of(in), alpha, *component, rows);
  }
  return interval::regression_accuracy(law, shape_of(in), alpha, asked_of(in.one.figure), rows);
}

// ---- bind

// Every x in the order of their texts, so that all figures of a regression rest on the same sums, and y behind them; of
// components all columns in this order.
std::vector<Expression> columns_of(const Aggregation& asked) {
  std::vector<Expression> all{*asked.other};
  all.insert(all.end(), asked.more.begin(), asked.more.end());
  if (is_component(asked)) all.push_back(*asked.argument);
  std::sort(all.begin(), all.end(),
            [](const Expression& a, const Expression& b) { return canonical(a) < canonical(b); });
  if (!is_component(asked)) all.push_back(*asked.argument);
  return all;
}

Figure figure_asked(const Aggregation& asked, const std::vector<Expression>& columns) {
  if (is_component(asked)) {
    const auto place = static_cast<std::size_t>(asked.fraction.parts - 1);
    return (asked.aggregate == Aggregate::regression_determination ? Regression::shares : Regression::variances)[place];
  }
  if (asked.aggregate != Aggregate::regression_slope) return figure_of<Regression>(asked.aggregate);
  const auto place = std::find(columns.begin(), columns.end(), *asked.other) - columns.begin();
  return Regression::coefficients[static_cast<std::size_t>(place)];
}

// The grids of all columns, y last, the finest one made coarser until all fit.
Result<std::vector<PairedGrid>> fitting_grids(const BoundStatistic& statistic, const std::vector<Expression>& columns) {
  if (greatest_weight(statistic) < least_weight) {
    return invalid("has too many rows a unit, or a row_limit that is too high, for a regression");
  }
  std::vector<PairedGrid> grids;
  for (const Expression& x : columns) {
    VERNIER_TRY(const PairedGrid grid, finest_grid(x, statistic.table));
    grids.push_back(grid);
  }
  while (!fits(grids)) {
    const auto finest = std::max_element(grids.begin(), grids.end(),
                                         [](const PairedGrid& a, const PairedGrid& b) { return a.steps < b.steps; });
    const auto next = coarser(columns[static_cast<std::size_t>(finest - grids.begin())], *finest);
    if (!next) return invalid("has columns that do not fit on any grid");
    *finest = *next;
  }
  return grids;
}

Result<std::vector<Expression>> all_steps(const std::vector<Expression>& columns,
                                          const std::vector<PairedGrid>& grids) {
  std::vector<Expression> steps;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    VERNIER_TRY(Expression k, steps_of(columns[i], grids[i]));
    steps.push_back(std::move(k));
  }
  return steps;
}

Result<Expression> times(Expression x, Int128 factor) {
  if (factor == 1) return x;
  return apply(Operation::multiply, {std::move(x), query::literal(static_cast<std::int64_t>(factor))});
}
Result<Expression> over(Expression x, Int128 divisor) {
  if (divisor == 1) return x;
  return apply(Operation::divide_truncated, {std::move(x), query::literal(static_cast<std::int64_t>(divisor))});
}

// The product of a node of every column, of those that `shape` numbers.
Result<Expression> node_product(const std::vector<Expression>& steps, const std::vector<PairedGrid>& grids,
                                const MomentShape& shape, std::size_t node) {
  VERNIER_TRY(Expression product, node_of(steps[0], grids[0].steps, shape.part(node, 0)));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    VERNIER_TRY(const Expression next, node_of(steps[i], grids[i].steps, shape.part(node, i)));
    VERNIER_TRY(product, apply(Operation::multiply, {product, next}));
  }
  return product;
}

// 0, and NULL where one of them is NULL.
Result<Expression> nothing_of(const std::vector<Expression>& steps) {
  Expression sum = steps.front();
  for (std::size_t i = 1; i < steps.size(); ++i) {
    VERNIER_TRY(sum, apply(Operation::add, {sum, steps[i]}));
  }
  return times(sum, 0);
}

// z = 2u - 1 in parts of a step, from -K to K.
Result<Expression> centred(const Expression& k, const PairedGrid& grid) {
  VERNIER_TRY(const Expression twice, times(k, 2));
  return apply(Operation::subtract, {twice, query::literal(grid.steps)});
}

Result<Expression> feature(Expression part, Int128 weight, Int128 divisor, const Expression& nothing) {
  VERNIER_TRY(const Expression weighted, times(std::move(part), weight));
  VERNIER_TRY(const Expression cut, over(weighted, divisor));
  return apply(Operation::add, {cut, nothing});
}

// What the engine adds up, in the order of the released numbers but for the one that is left out.
Result<std::vector<Expression>> nodes(const std::vector<Expression>& steps, const std::vector<PairedGrid>& grids,
                                      const MomentShape& shape, std::int64_t fineness) {
  std::vector<Expression> all;
  for (std::size_t node = 0; node < shape.numbers(); ++node) {
    if (node == shape.middle()) continue;
    VERNIER_TRY(Expression product, node_product(steps, grids, shape, node));
    VERNIER_TRY(product, fineness < 0 ? over(product, -Int128{fineness}) : times(product, fineness));
    all.push_back(std::move(product));
  }
  return all;
}
Result<std::vector<Expression>> features(const std::vector<Expression>& steps, const std::vector<PairedGrid>& grids,
                                         std::int64_t weight) {
  const std::size_t columns = steps.size();
  VERNIER_TRY(const Expression nothing, nothing_of(steps));
  std::vector<Expression> places, all;
  for (std::size_t i = 0; i < columns; ++i) {
    VERNIER_TRY(Expression z, centred(steps[i], grids[i]));
    VERNIER_TRY(Expression part, feature(z, weight, grids[i].steps, nothing));
    places.push_back(std::move(z));
    all.push_back(std::move(part));
  }
  for (std::size_t i = 0; i < columns; ++i) {
    VERNIER_TRY(const Expression bend, node_of(steps[i], grids[i].steps, 1));
    VERNIER_TRY(Expression part, feature(bend, weight, Int128{grids[i].steps} * grids[i].steps, nothing));
    all.push_back(std::move(part));
  }
  for (std::size_t place = 0; place < columns * (columns - 1) / 2; ++place) {
    const auto [i, j] = interval::product_at(columns, place);
    VERNIER_TRY(const Expression product, apply(Operation::multiply, {places[i], places[j]}));
    VERNIER_TRY(Expression part, feature(product, weight, Int128{grids[i].steps} * grids[j].steps, nothing));
    all.push_back(std::move(part));
  }
  return all;
}

// How the sums of these grids are asked for, without their expressions.
std::vector<Argument> bare_arguments(const Measurement& one) {
  const std::size_t columns = one.regressors.size() + 1;
  const std::int64_t weight = weight_of(one);
  if (layout_of(columns) == MomentLayout::nodes) {
    const auto nodes = static_cast<std::size_t>(std::lround(std::pow(3, columns)));
    return std::vector<Argument>(nodes - 1, Argument{unread(), 1, 0, {0, weight}});
  }
  std::vector<Argument> all(2 * columns + columns * (columns - 1) / 2, Argument{unread(), 1, 0, {-weight, weight}});
  for (std::size_t i = 0; i < columns; ++i) all[columns + i].steps.lower = 0;
  return all;
}

bool is_same_regression(const Aggregation& a, const Aggregation& b) {
  return a.argument == b.argument && a.other == b.other;
}

}  // namespace

bool is_of_several(const BoundStatistic& statistic, const Aggregation& asked) {
  if (is_component(asked)) return true;
  if (!query::facts_of(asked.aggregate).takes_several || SlopeOfPopulation::serves(statistic, asked)) return false;
  if (!asked.more.empty() || asked.aggregate == Aggregate::regression_deviation) return true;
  const auto& all = statistic.query.aggregations;
  return std::any_of(all.begin(), all.end(), [&](const Aggregation& one) {
    return !is_component(one) && one.aggregate == Aggregate::regression_deviation && one.more.empty() &&
           is_same_regression(one, asked);
  });
}

bool Regression::serves(const BoundStatistic& statistic, const Aggregation& aggregation) {
  return is_of_several(statistic, aggregation);
}

Result<Measurement> Regression::bind(BoundStatistic& statistic, const Aggregation& asked) {
  if (!asked.argument || !asked.other) return invalid("is of y and 1 to 8 x");
  const std::vector<Expression> columns = columns_of(asked);
  const Figure figure = figure_asked(asked, columns);
  VERNIER_TRY(const std::vector<PairedGrid> grids, fitting_grids(statistic, columns));
  Measurement made{.kind = kind,
                   .figure = figure,
                   .aggregation = {},
                   .tallies = {},
                   .granularity = grids.back().granularity,
                   .is_rounded = grids.back().is_rounded,
                   .origin = grids.back().origin,
                   .steps = grids.back().steps,
                   .fineness = fineness_of(statistic, grids),
                   .regressors = {grids.begin(), grids.end() - 1},
                   .sensitivity = {},
                   .target = {}};
  VERNIER_TRY(const std::vector<Expression> steps, all_steps(columns, grids));
  const MomentShape shape = shape_of({statistic, made, 0});
  VERNIER_TRY(std::vector<Expression> sums, shape.layout() == MomentLayout::nodes
                                                ? nodes(steps, grids, shape, made.fineness)
                                                : features(steps, grids, made.fineness));
  std::vector<Argument> arguments = bare_arguments(made);
  Places places(statistic);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    arguments[i].expression = std::move(sums[i]);
    const std::size_t place = places.argument(std::move(arguments[i]));
    if (i == 0) made.tallies.push_back(places.tally({TallyKind::values, place}));
    made.tallies.push_back(places.tally({TallyKind::sum, place}));
  }
  return made;
}

bool Regression::shows(const Figure& figure) const {
  if (const auto component = component_of(figure)) return component->place <= in.one.regressors.size();
  const Regressed asked = asked_of(figure);
  const bool is_known = std::any_of(served.begin(), served.end(), [&](const Served& s) { return s.figure == figure; });
  return is_known && (asked.part != RegressionPart::coefficient || asked.place <= in.one.regressors.size());
}

bool Regression::is_fine() const {
  if (in.is_weighted() || in.one.regressors.empty() || in.one.regressors.size() > most_regressors) return false;
  const std::vector<PairedGrid> grids = all_grids(in.one);
  const auto is_held = [](const PairedGrid& one) { return one.steps >= 1 && one.steps <= most_grid_steps; };
  return std::all_of(grids.begin(), grids.end(), is_held) && fits(grids) &&
         greatest_weight(in.statistic) >= least_weight && in.one.fineness == fineness_of(in.statistic, grids);
}

std::size_t Regression::width() const { return bare_arguments(in.one).size() + 1; }

Result<Sensitivity> Regression::sensitivity() const {
  const auto columns = static_cast<std::int64_t>(in.one.regressors.size() + 1);
  const std::int64_t weight = weight_of(in.one);
  if (layout_of(in.one.regressors.size() + 1) == MomentLayout::features) {
    return features_sensitivity(weight, columns, in.statistic.contribution, in.groups(), in.neighbours());
  }
  const auto nodes = static_cast<std::int64_t>(width());
  return nodes_sensitivity(weight, nodes, in.statistic.contribution, in.groups(), in.neighbours());
}

// Values, and all sums but the one that follows from them.
Brought Regression::brought() const {
  Brought made{bare_arguments(in.one), {{TallyKind::values, 0}}};
  for (std::size_t i = 0; i < made.arguments.size(); ++i) made.tallies.push_back({TallyKind::sum, i});
  return made;
}

Range Regression::range() const {
  const Int128 most = Int128{in.statistic.table.row_limit} * weight_of(in.one);
  const bool has_signs = layout_of(in.one.regressors.size() + 1) == MomentLayout::features;
  return {has_signs ? -most : 0, most};
}

// Nodes add up to the weight of all values: the middle one is what is left. The first feature is that weight.
void Regression::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  const MomentShape shape = shape_of(in);
  const bool are_nodes = shape.layout() == MomentLayout::nodes;
  const std::size_t left_out = are_nodes ? shape.middle() : 0;
  Int128 rest = Int128{shape.weight} * tallies[0];
  for (std::size_t i = 0, next = 1; i < shape.numbers(); ++i) {
    if (i == left_out) continue;
    out[i] = tallies[next++];
    if (are_nodes) rest -= out[i];
  }
  out[left_out] = rest;
}

namespace {

// As the engine computes it of whole numbers.
Int128 node_at(const std::vector<PairedGrid>& grids, const std::vector<std::int64_t>& k, const MomentShape& shape,
               std::size_t node, std::int64_t fineness) {
  Int128 product = 1;
  for (std::size_t i = 0; i < k.size(); ++i) {
    const Int128 left = grids[i].steps - k[i];
    const std::size_t part = shape.part(node, i);
    product *= part == 0 ? left * left : part == 1 ? 2 * left * k[i] : Int128{k[i]} * k[i];
  }
  return fineness < 0 ? product / -Int128{fineness} : product * fineness;
}

Int128 feature_at(const std::vector<PairedGrid>& grids, const std::vector<std::int64_t>& k, std::size_t number,
                  std::int64_t weight) {
  const std::size_t columns = k.size();
  const auto z = [&](std::size_t i) { return Int128{2} * k[i] - grids[i].steps; };
  if (number < columns) return z(number) * weight / grids[number].steps;
  if (number < 2 * columns) {
    const std::size_t i = number - columns;
    return Int128{2} * k[i] * (grids[i].steps - k[i]) * weight / (Int128{grids[i].steps} * grids[i].steps);
  }
  const auto [i, j] = interval::product_at(columns, number - 2 * columns);
  return z(i) * z(j) * weight / (Int128{grids[i].steps} * grids[j].steps);
}

}  // namespace

Int128 Regression::tally_of_row(std::size_t number, double code) const {
  if (number == 0) return 1;
  const std::vector<PairedGrid> grids = all_grids(in.one);
  std::vector<std::int64_t> k(grids.size());
  auto left = static_cast<std::int64_t>(code);
  for (std::size_t i = grids.size(); i-- > 0;) {
    k[i] = i > 0 ? left % (grids[i].steps + 1) : std::min(left, grids[i].steps);
    left /= grids[i].steps + 1;
  }
  const MomentShape shape = shape_of(in);
  if (shape.layout() == MomentLayout::features) return feature_at(grids, k, number - 1, in.one.fineness);
  return node_at(grids, k, shape, number - 1 < shape.middle() ? number - 1 : number, in.one.fineness);
}

Result<Rational> Regression::step() const {
  return Rational::of(accuracy_of(in, {true, 1}, *Alpha::of(0.05)) / normal_margin);
}

Result<double> Regression::noise_accuracy(const Law& law, std::int64_t /*steps*/, Alpha alpha) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  return accuracy_of(in, law_of(noise), alpha);
}

double Regression::published_scale(double scale) const {
  const double told = accuracy_of(in, {true, scale}, *Alpha::of(0.05)) / normal_margin;
  return told * static_cast<double>(in.statistic.typical_rows);
}

std::string Regression::population_fault() const {
  if (component_of(in.one.figure)) {
    return "tells of the components of the rows, and nothing of a population; leave covers out";
  }
  return "is a regression, whose interval is about the rows: one for a population would need the fourth moments of all "
         "columns together, which are too many to be told privately; leave covers out";
}

namespace {

constexpr double part_of_scatter = 0x1p-8;  // of alpha, for each of three things that values between steps need to know

// Of the steps, as if they were the values.
Result<Estimator> estimator_of_steps(const Measured& in, const interval::PairLaw& law, Alpha level) {
  if (const auto component = component_of(in.one.figure)) {
    VERNIER_TRY(const auto inference, interval::ComponentInference::of(law, shape_of(in), level, *component));
    return Estimator([inference](std::span<const std::int64_t> noisy) {
      return inference.from(noisy).map([](const interval::ComponentInterval& found) {
        return estimate_of(found, interval::ComponentInterval::status);
      });
    });
  }
  VERNIER_TRY(const auto inference,
              interval::RegressionInference::of(law, shape_of(in), level, asked_of(in.one.figure)));
  return Estimator([inference](std::span<const std::int64_t> noisy) {
    return inference.from(noisy).map([](const interval::RegressionInterval& found) {
      return estimate_of(found, interval::RegressionInterval::status);
    });
  });
}

}  // namespace

Result<Estimator> Regression::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  if (!is_rounded_regression(in.one)) return estimator_of_steps(in, law_of(noise), level);
  VERNIER_TRY(const Alpha part, Alpha::of(level.value() * part_of_scatter));
  VERNIER_TRY(const Alpha rest, Alpha::of(level.value() * (1 - 4 * part_of_scatter)));
  VERNIER_TRY(const auto known, known_scatter(law_of(noise), shape_of(in), part));
  VERNIER_TRY(const auto of_steps, estimator_of_steps(in, law_of(noise), rest));
  return Estimator([=, one = in.one](std::span<const std::int64_t> noisy) -> Result<Estimate> {
    VERNIER_TRY(const Estimate found, of_steps(noisy));
    if (!found.informative) return found;
    VERNIER_TRY(const KnownScatter scatter, known(noisy));
    return widened_regression(one, found, scatter);
  });
}

}  // namespace vernier::plan
