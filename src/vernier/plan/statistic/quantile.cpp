#include "vernier/plan/statistic/quantile.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/statistic/weights.hpp"

namespace vernier::plan {
namespace {

using noise::RankStatistic;
using numeric::Rational;

Failure too_few(std::int64_t reach, const RankStatistic& ranked) {
  return invalid("cannot be known within so few ranks; ask for at least " +
                 shortest(noise::ranks_of(reach, ranked).round_up()));
}

// What the sample takes of a reach, for typical_rows; nothing where the rows are all that is asked about.
std::int64_t sampled_reach(const Measured& in, const RankStatistic& ranked, Alpha alpha) {
  if (!in.one.absorbs_sample) return 0;
  return interval::sample_reach(ranked, alpha, greatest_weight(in.statistic)).at(typical_ranks(in.statistic), ranked);
}

// What a rank counts: a row, or a step of its weight.
Rational rank_of(const BoundStatistic& statistic) {
  return statistic.weighted ? Rational::of(statistic.weighted->granularity).value() : Rational::of(1);
}

Result<noise::Exponential> choice_by(const Law& law) {
  if (const auto* const choice = std::get_if<noise::Exponential>(&law)) return *choice;
  return invalid("the points of a quantile are chosen by the exponential law");
}

// Calls `use` with what becomes of the points that are chosen: those of a value and its ends, of two ends, or of the
// ends of a quantile of the population.
template <class Use>
auto with_inference(const Measured& in, const noise::Exponential& law, Alpha level, const Use& use)
    -> decltype(use(std::declval<interval::QuantileInference>())) {
  VERNIER_TRY(const RankStatistic ranked, rank_statistic(in.one));
  VERNIER_TRY(const noise::RankGrid grid, rank_grid(in.one));
  if (in.statistic.inference.of_population && in.one.aggregation) {
    return interval::PopulationQuantileInference::of(ranked, grid, law, level, greatest_weight(in.statistic))
        .and_then(use);
  }
  if (has_chosen_value(in.one)) return interval::ValueQuantileInference::of(ranked, grid, law, level).and_then(use);
  return interval::QuantileInference::of(ranked, grid, law, level).and_then(use);
}

}  // namespace

Result<Measurement> Quantile::bind(BoundStatistic& statistic, const query::Aggregation& aggregation) {
  VERNIER_TRY(const Argument x, ranked(*aggregation.argument, statistic.table));
  const Figure figure = figure_of<Quantile>(aggregation.aggregate);
  Measurement made{.kind = Quantile::kind,
                   .figure = figure,
                   .aggregation = {},
                   .fraction = figure == Quantile::quantile ? aggregation.fraction : query::Fraction{},
                   .absorbs_sample = absorbs_sample(statistic, figure),
                   .tallies = {},
                   .granularity = x.granularity,
                   .is_rounded = is_rounded(x.expression, statistic.table),
                   .origin = x.origin,
                   .steps = x.steps.upper,
                   .sensitivity = {},
                   .target = {}};
  if (const auto asked = rank_statistic(made); !asked) return invalid(after("cannot be asked: ", asked.error()));
  VERNIER_TRY(check_weighted_ranks(statistic, made));
  const Quantile quantile{{statistic, made, 0}};
  VERNIER_TRY(quantile.sensitivity());  // before anything is added to the statistic
  const std::size_t place = Places(statistic).argument(x);
  made.tallies = {Places(statistic).histogram({place, rank_grid(made)->halvings(), weight_argument(statistic)})};
  return made;
}

bool Quantile::is_fine() const { return !in.is_weighted() || weighted_ranks_fit(in.statistic, in.one); }

Result<Sensitivity> Quantile::sensitivity() const {
  return rank_sensitivity(in.one, in.statistic.contribution, in.groups(), in.neighbours(), heaviest_of(in.statistic));
}

Range Quantile::range() const {
  const auto grid = rank_grid(in.one);
  return {0, grid ? grid->points() - 1 : 0};
}

Brought Quantile::brought() const {
  Brought made{{value_grid(in.one)}, {}};
  if (!in.is_weighted()) return made;
  const SurveyWeight& weight = *in.statistic.weighted;
  made.arguments.push_back({unread(), weight.granularity, 0, {0, weight.heaviest}});
  return made;
}

std::int64_t Quantile::most_rows() const {
  const Result<RankStatistic> ranked = rank_statistic(in.one);
  return ranked ? ranked->rows_that_fit() : 0;
}

std::optional<Truth> Quantile::truth(const Figure& figure, query::Fraction fraction, const KnownRows& rows) {
  if (figure == least) return value_at_ranks(rows, 1, 1);
  const auto n = static_cast<std::int64_t>(rows.places.size());
  if (figure == greatest) return value_at_ranks(rows, n, n);
  const std::int64_t reached = (fraction.parts * n + fraction.whole - 1) / fraction.whole;  // rows that reach it
  const std::int64_t passed = fraction.parts * n / fraction.whole + 1;
  return value_at_ranks(rows, reached, rows.is_sample ? passed : reached);
}

// The reach of the choice, and the ranks within which it keeps.
Result<Told> Quantile::told(const Law& law, Alpha alpha) const {
  VERNIER_TRY(const noise::Exponential choice, choice_by(law));
  VERNIER_TRY(const RankStatistic ranked, rank_statistic(in.one));
  return reach_of(in.statistic, choice, ranked, alpha).map([&](std::int64_t reach) {
    return Told{reach, (noise::ranks_of(reach, ranked) * rank_of(in.statistic)).round_up()};
  });
}

Result<std::int64_t> Quantile::steps_for(const Rational& target, Alpha alpha) const {
  VERNIER_TRY(const RankStatistic ranked, rank_statistic(in.one));
  const std::int64_t sampled = sampled_reach(in, ranked, alpha);
  const std::int64_t reach = std::max(noise::reach_for(target, ranked), sampled + 1);
  if (noise::ranks_of(reach, ranked) > target) return too_few(reach, ranked);
  const std::int64_t left = reach - sampled;
  return in.one.absorbs_sample ? (left - 1) | 1 : left;  // between ranks: odd
}

// The scale with this reach.
Result<Scales> Quantile::scales_of(std::int64_t reach, Alpha alpha) const {
  VERNIER_TRY(const RankStatistic ranked, rank_statistic(in.one));
  VERNIER_TRY(const Alpha level, in.one.absorbs_sample ? interval::alpha_of_choice(alpha) : Result<Alpha>(alpha));
  const double scale = noise::scale_for(reach, ranked, level);
  VERNIER_TRY(const auto found,
              noise::Exponential::of(*LaplaceScale::of(scale)).and_then([&](const noise::Exponential& law) {
                return noise::reach_of(law, ranked, level);
              }));
  if (found > reach) return too_few(found + sampled_reach(in, ranked, alpha), ranked);
  return Scales{scale, scale};
}

// The accuracy of a number with geometric noise that costs what the choice costs, in what one unit can move.
Result<std::int64_t> Quantile::units_of(std::int64_t reach, Alpha alpha) const {
  return scales_of(reach, alpha).map([&](const Scales& scales) {
    return static_cast<std::int64_t>(scales[0] / static_cast<double>(in.one.sensitivity.shift) *
                                     -std::log(alpha.value()));
  });
}

double Quantile::published_scale(double scale) const {
  const Result<RankStatistic> ranked = rank_statistic(in.one);
  return scale / static_cast<double>(ranked ? ranked->denominator() : 1);
}

std::string Quantile::population_fault() const {
  if (in.one.figure == Quantile::quantile) return "";
  return "is a least or greatest value, of which a sample tells nothing; ask for a quantile";
}

Result<Drawing> Quantile::drawing(const Law& law, Alpha level) const {
  VERNIER_TRY(const noise::Exponential choice, choice_by(law));
  return with_inference(in, choice, level, [](const auto& inference) -> Result<Drawing> {
    if constexpr (requires { inference.reach().slack; }) {
      return ChosenPoints<noise::ValueReach>{inference.law(), inference.statistic(), inference.reach()};
    } else {
      return ChosenPoints<noise::RankReach>{inference.law(), inference.statistic(), inference.reach()};
    }
  });
}

Result<Estimator> Quantile::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  VERNIER_TRY(const noise::Exponential choice, choice_by(law));
  const interval::Covers covers =
      in.is_of_population() ? interval::Covers::population : interval::QuantileInterval::covers;
  return with_inference(in, choice, level, [&]<class Inference>(const Inference& inference) -> Result<Estimator> {
    return Estimator([inference, one = in.one, covers](std::span<const std::int64_t> noisy) {
      typename Inference::Points points;
      std::copy_n(noisy.begin(), points.size(), points.begin());
      return inference.from(points).map(
          [&](const interval::QuantileInterval& found) { return ranked_estimate(found, one, covers); });
    });
  });
}

}  // namespace vernier::plan
