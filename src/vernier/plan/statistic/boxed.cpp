#include "vernier/plan/statistic/boxed.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/interval/rows/boxed.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/ways.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/public_count.hpp"

namespace vernier::plan {
namespace {

using interval::BoxColumn;
using interval::BoxNoise;
using numeric::Rational;
using query::Aggregate;
using query::Aggregation;

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr double greatest_noise = 0x1p50;  // scale times half, that noise::BoxSampler takes

bool is_counted(Aggregate one) { return one == Aggregate::count_rows || one == Aggregate::count; }
// Whether COUNT(*) is the number of units by which private keys are chosen.
bool is_of_units(const BoundStatistic& statistic) {
  return !statistic.keys.are_public && statistic.contribution.max_rows == 1;
}

bool is_summed(Aggregate one) { return one == Aggregate::sum || one == Aggregate::average; }

// What it is taken of, in steps from the lower bound on, with a value in every row where x has none without.
Result<Argument> argument_of(const BoundStatistic& statistic, const Aggregation& asked) {
  if (asked.aggregate == Aggregate::sum) {
    VERNIER_TRY(summed(*asked.argument, statistic.table));
  }
  const bool is_complete = has_no_null(*asked.argument, statistic.table);
  VERNIER_TRY(const Argument whole,
              is_complete ? complete_argument(statistic, asked) : averaged(*asked.argument, statistic.table));
  return refined(whole, statistic, CountsFrom::lower_bound);
}

// The mean or sum in the box, in whose rows a count is taken.
const Aggregation* summed_beside(const BoundStatistic& statistic, const Aggregation& count) {
  const std::vector<Aggregation>& all = statistic.query.aggregations;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Aggregation& other) {
    return is_summed(other.aggregate) && other.argument == count.argument && Boxed::serves(statistic, other);
  });
  return found == all.end() ? nullptr : &*found;
}

// That rows are counted for a column which is declared to have no NULL is told among the assumptions.
void tell_rows_by(BoundStatistic& statistic, const query::Expression& x) {
  if (!x.nullable()) return;
  const std::string text = canonical(x);
  std::optional<std::string>& told = statistic.rows_by;
  if (!told) {
    told = text;
  } else if (told->find(text) == std::string::npos) {
    *told += " and " + text;
  }
}

Result<Measurement> counted(BoundStatistic& statistic, const Aggregation& asked) {
  Measurement made{.kind = Boxed::kind, .aggregation = {}, .tallies = {}, .steps = 1, .sensitivity = {}, .target = {}};
  Places places(statistic);
  const bool is_of_rows = asked.aggregate == Aggregate::count_rows || has_no_null(*asked.argument, statistic.table);
  if (is_of_rows) {
    if (asked.argument) tell_rows_by(statistic, *asked.argument);
    made.tallies = {places.tally({TallyKind::rows})};
    return made;
  }
  const Aggregation* const beside = summed_beside(statistic, asked);
  VERNIER_TRY(Argument x,
              beside != nullptr ? argument_of(statistic, *beside) : Result<Argument>(presence_of(*asked.argument)));
  made.tallies = {places.tally({TallyKind::values, places.argument(std::move(x))})};
  return made;
}

Result<Measurement> added_up(BoundStatistic& statistic, const Aggregation& asked) {
  VERNIER_TRY(const Argument x, argument_of(statistic, asked));
  Measurement made = over_nodes(Boxed::kind, figure_of<Boxed>(asked.aggregate), x);
  made.is_rounded = is_rounded(*asked.argument, statistic.table);
  const bool is_complete = has_no_null(*asked.argument, statistic.table);
  if (is_complete) tell_rows_by(statistic, *asked.argument);
  Places places(statistic);
  if (is_complete) made.tallies = {places.tally({TallyKind::rows})};
  const std::size_t place = places.argument(x);
  if (!is_complete) made.tallies = {places.tally({TallyKind::values, place})};
  made.tallies.push_back(places.tally({TallyKind::sum, place}));
  return made;
}

Result<Measurement> measured(BoundStatistic& statistic, const Aggregation& asked) {
  return is_counted(asked.aggregate) ? counted(statistic, asked) : added_up(statistic, asked);
}

bool has_box(const BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [](const Measurement& one) { return one.kind == Boxed::kind; });
}

Result<noise::Box> box_by(const Law& law) {
  if (const auto* const box = std::get_if<noise::Box>(&law)) return *box;
  return invalid("numbers that are released together have the noise of a box");
}

BoxColumn column_of(const Measurement& one) { return {one.steps}; }

}  // namespace

// What has its squares measured comes from their sums, and the number that chooses private keys is no other one.
bool Boxed::serves(const BoundStatistic& statistic, const Aggregation& asked) {
  if (!statistic.is_boxed || !(is_counted(asked.aggregate) || is_summed(asked.aggregate))) return false;
  if (asked.aggregate == Aggregate::count_rows && is_of_units(statistic)) return false;
  return nodes_for(statistic, asked) != Moments::kind;
}

// The first one takes the integers of all, so that what the engine brings is numbered at its first use.
Result<Measurement> Boxed::bind(BoundStatistic& statistic, const Aggregation& asked) {
  VERNIER_TRY(Measurement made, measured(statistic, asked));
  if (has_box(statistic)) return made;
  for (const Aggregation& other : statistic.query.aggregations) {
    if (!serves(statistic, other)) continue;
    VERNIER_TRY(const Measurement one, measured(statistic, other));
    for (const std::size_t tally : one.tallies) {
      if (std::find(made.tallies.begin(), made.tallies.end(), tally) == made.tallies.end())
        made.tallies.push_back(tally);
    }
  }
  if (made.tallies.size() > noise::most_box_numbers) return invalid("is one of too many numbers for a box");
  const Boxed box{{statistic, made, statistic.measurements.size()}};
  if (!box.fits()) {
    return invalid("could leave 64 bits; lower row_limit, or take narrower bounds");
  }
  return made;
}

const Measurement& Boxed::first() const { return in.one.source ? in.statistic.measurements[*in.one.source] : in.one; }

const Tally* Boxed::tally(std::size_t place) const {
  if (place >= in.one.tallies.size() || in.one.tallies[place] >= in.statistic.tallies.size()) return nullptr;
  const Tally& found = in.statistic.tallies[in.one.tallies[place]];
  const bool is_known = found.kind == TallyKind::rows || found.argument < in.statistic.arguments.size();
  return is_known ? &found : nullptr;
}

// Of a sum 2k - steps for each row, so many times; of a count so many parts.
std::int64_t Boxed::half(std::size_t place) const {
  const Tally* const found = tally(place);
  if (found == nullptr || found->kind != TallyKind::sum) return interval::box_parts;
  const std::int64_t steps = in.statistic.arguments[found->argument].steps.upper;
  return BoxColumn{std::clamp<std::int64_t>(steps, 1, std::int64_t{1} << 53)}.half();
}

std::int64_t Boxed::greatest_half() const {
  std::int64_t greatest = 1;
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) greatest = std::max(greatest, half(i));
  return greatest;
}

// All rows, and those of a unit.
bool Boxed::fits() const {
  const std::int64_t rows = std::max(in.statistic.table.row_limit, in.statistic.contribution.max_rows);
  return Int128{rows} * greatest_half() <= greatest_total;
}

namespace {

// The place of what counts the rows of the sum at this place: of its own values, else of all rows.
std::optional<std::size_t> count_of(const BoundStatistic& statistic, const Measurement& box, std::size_t sum) {
  const Tally& of = statistic.tallies[box.tallies[sum]];
  std::optional<std::size_t> rows;
  for (std::size_t i = 0; i < box.tallies.size(); ++i) {
    const Tally& other = statistic.tallies[box.tallies[i]];
    if (other.kind == TallyKind::values && other.argument == of.argument) return i;
    if (other.kind == TallyKind::rows) rows = i;
  }
  return rows;
}

std::size_t place_in(const Measurement& box, std::size_t tally) {
  const auto found = std::find(box.tallies.begin(), box.tallies.end(), tally);
  return static_cast<std::size_t>(found - box.tallies.begin());
}

}  // namespace

// What counts its rows comes first, and its sum second.
bool Boxed::has_its_own() const {
  const Tally *const rows = tally(0), *const sum = tally(1);
  if (rows == nullptr || rows->kind == TallyKind::sum) return false;
  return in.one.figure == Figure::count || (sum != nullptr && sum->kind == TallyKind::sum);
}

// Every integer is a number of rows, or a sum with one beside it.
bool Boxed::is_as_shared() const {
  const Measurement& one = in.one;
  if (!has_its_own()) return false;
  if (one.width != one.tallies.size() || one.width < 1 || one.width > noise::most_box_numbers) return false;
  for (std::size_t i = 0; i < one.tallies.size(); ++i) {
    const Tally* const found = tally(i);
    if (found == nullptr || place_in(one, one.tallies[i]) != i) return false;
    if (found->kind == TallyKind::units || found->kind == TallyKind::distinct) return false;
    if (found->kind != TallyKind::sum) continue;
    const Argument& x = in.statistic.arguments[found->argument];
    if (!x.is_number || x.is_value || x.square || x.weight || x.steps.lower != 0 || x.steps.upper < 1) return false;
    if (!count_of(in.statistic, one, i)) return false;
  }
  return fits();
}

bool Boxed::is_made_from(const Measurement& box) const {
  const std::size_t own = in.one.figure == Figure::count ? 1 : 2;
  return box.kind == Boxed::kind && !box.source && has_its_own() && in.one.tallies.size() == own &&
         std::all_of(in.one.tallies.begin(), in.one.tallies.end(),
                     [&](std::size_t one) { return place_in(box, one) < box.tallies.size(); });
}

namespace {

// The numbers of one group: how far one unit moves the farthest of them, all of them, and their squares.
struct Moves {
  Int128 most = 0, sum = 0, squares = 0;

  void add(Int128 move) {
    most = std::max(most, move);
    sum += move;
    squares += move * move;
  }
};

}  // namespace

// A unit adds at most max_rows times the box, in each of its groups; under replace what it leaves and what it adds can
// lie at opposite corners, though a number of rows moves from none to all at most. bounding.md, "Boxes".
Result<Sensitivity> Boxed::sensitivity() const {
  const Contribution& unit = in.statistic.contribution;
  VERNIER_TRY(const auto of_one, count_sensitivity(unit, in.groups(), privacy::Neighbours::add_remove));
  VERNIER_TRY(const auto of_two, count_sensitivity(unit, in.groups(), in.neighbours()));
  const bool is_replaced = in.neighbours() == privacy::Neighbours::replace;
  Moves once, twice;
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) {
    const Int128 move = Int128{unit.max_rows} * half(i);
    const bool is_sum = tally(i) != nullptr && tally(i)->kind == TallyKind::sum;
    once.add(move), twice.add(is_replaced && is_sum ? 2 * move : move);
  }
  const Int128 touched = of_one.coordinates, different = of_two.coordinates;  // groups
  const Int128 both = is_replaced ? 2 * touched - different : 0,
               one = is_replaced ? 2 * (different - touched) : touched;
  const auto of_group = static_cast<std::int64_t>(in.one.tallies.size());
  const std::int64_t shift = is_replaced ? 2 * unit.max_rows : unit.max_rows;
  const Int128 sum = both * twice.sum + one * once.sum, squares = both * twice.squares + one * once.squares;
  return Sensitivity{.l0 = of_two.coordinates * of_group,
                     .linf = static_cast<std::int64_t>(is_replaced ? twice.most : once.most),
                     .l1 = is_replaced ? std::max(touched * twice.sum, sum) : sum,
                     .l2_squared = is_replaced ? std::max(touched * twice.squares, squares) : squares,
                     .shift = shift,
                     .coordinates = of_one.coordinates};
}

// Of any of its integers.
Range Boxed::range() const {
  const Int128 most = Int128{in.statistic.table.row_limit} * greatest_half();
  return {-most, most};
}

// What counts the rows of its own column comes first, and its sum second; behind them are those of the others, which
// say by themselves on which grid they are.
Brought Boxed::brought() const {
  Brought made;
  std::vector<std::size_t> arguments;
  const auto place_of = [&](std::size_t argument) {
    const auto found = std::find(arguments.begin(), arguments.end(), argument);
    const auto place = static_cast<std::size_t>(found - arguments.begin());
    if (found == arguments.end()) arguments.push_back(argument);
    return place;
  };
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) {
    const Tally* const found = tally(i);
    if (found == nullptr) return {};
    if (found->kind == TallyKind::rows) {
      made.tallies.push_back({TallyKind::rows});
    } else {
      made.tallies.push_back({found->kind, place_of(found->argument)});
    }
  }
  for (const std::size_t one : arguments) made.arguments.push_back(in.statistic.arguments[one]);
  const bool is_counted = in.one.figure == Figure::count;
  if (!is_counted && in.one.tallies.size() > 1 && tally(1)->kind == TallyKind::sum) {
    made.arguments[place_of(tally(1)->argument)] = value_grid(in.one);
  }
  return made;
}

void Boxed::write(std::span<const Int128> tallies, std::span<Int128> out) const {
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) {
    const Tally* const found = tally(i);
    out[i] = interval::box_parts * tallies[i];
    if (found == nullptr || found->kind != TallyKind::sum) continue;
    const std::int64_t steps = in.statistic.arguments[found->argument].steps.upper;
    const Int128 rows = tallies[count_of(in.statistic, in.one, i).value_or(i)];
    out[i] = interval::box_times(steps) * (2 * tallies[i] - steps * rows);
  }
}

// In the figure's own unit.
double Boxed::accuracy_of_mean(double in_ranges) const {
  const double range = static_cast<double>(in.one.steps) * in.one.granularity;
  return numeric::divide_up(numeric::multiply_up(in_ranges, range), static_cast<double>(in.statistic.typical_rows));
}

Result<Told> Boxed::told(const Law& law, Alpha alpha) const {
  VERNIER_TRY(const noise::Box box, box_by(law));
  const BoxNoise noise{box, first().tallies.size(), alpha};
  if (in.one.figure == Figure::count) {
    const std::int64_t rows = interval::boxed_count_accuracy(noise);
    return Told{rows, static_cast<double>(rows)};
  }
  if (in.one.figure == Figure::sum) {
    const std::int64_t steps = interval::boxed_sum_accuracy(noise, column_of(in.one), in.one.origin);
    const double of_noise = numeric::multiply_up(static_cast<double>(steps), in.one.granularity);
    return Told{steps, numeric::add_up(of_noise, sum_rounding(in))};
  }
  const double in_ranges = interval::boxed_mean_accuracy(noise, column_of(in.one));
  return Told{static_cast<std::int64_t>(std::ceil(in_ranges)), accuracy_of_mean(in_ranges)};
}

namespace {

Result<std::int64_t> whole_steps(const Measurement& one, const Rational& target) {
  constexpr std::int64_t most = 1'000'000'000'000'000;
  VERNIER_TRY(const Rational granularity, Rational::of(one.granularity));
  VERNIER_TRY(const Rational steps, quotient(target, granularity));
  return steps > Rational::of(most) ? Result<std::int64_t>(most) : steps.floor();
}

// In ranges, for one row.
double mean_target(const Measured& in, const Rational& target) {
  const double range = static_cast<double>(in.one.steps) * in.one.granularity;
  const double rows = static_cast<double>(in.statistic.typical_rows);
  return numeric::divide_down(numeric::multiply_down(target.round_down(), rows), range) * (1 - 0x1p-48);
}

Result<double> scale_for(const Measured& in, std::size_t numbers, const Rational& target, Alpha alpha) {
  if (in.one.figure == Figure::mean) {
    return interval::boxed_mean_scale(numbers, column_of(in.one), mean_target(in, target), alpha);
  }
  VERNIER_TRY(const std::int64_t steps, whole_steps(in.one, target));
  if (in.one.figure == Figure::count) return interval::boxed_count_scale(numbers, steps, alpha);
  const std::int64_t of_noise = std::max<std::int64_t>(steps - rounded_steps(in), 0);
  return interval::boxed_sum_scale(numbers, column_of(in.one), in.one.origin, of_noise, alpha);
}

}  // namespace

Result<Scales> Boxed::scales_for(const Rational& target, Alpha alpha) const {
  VERNIER_TRY(const double scale, scale_for(in, first().tallies.size(), target, alpha));
  if (!(scale >= noise::least_integer_scale)) {
    return invalid("is released together with others, which is not so accurate; state a larger accuracy");
  }
  const double held = std::min(scale, noise::greatest_integer_scale);
  return Scales{held, held};
}

Result<std::int64_t> Boxed::steps_for(const Rational& target, Alpha alpha) const {
  return scales_for(target, alpha).map([&](const Scales& scales) {
    return static_cast<std::int64_t>(scales[0] * -std::log(alpha.value()));
  });
}

// Each number has the margin of a number with geometric noise of the scale that is given.
Result<Scales> Boxed::free_scales(const Scales& about, Alpha level) const {
  const double reach = noise::box_reach(first().tallies.size(), 1, 0, level);
  const double scale = about[0] * -std::log(level.value()) / reach;
  return Scales{scale, scale};
}

double Boxed::published_scale(double scale) const {
  const double range = static_cast<double>(in.one.steps) * in.one.granularity;
  return in.one.figure == Figure::count ? scale : scale * range / 2;
}

Result<Drawing> Boxed::drawing(const Law& law, Alpha /*level*/) const {
  VERNIER_TRY(const noise::Box box, box_by(law));
  BoxedNumbers made{box, {}};
  for (std::size_t i = 0; i < in.one.tallies.size(); ++i) made.halves.push_back(half(i));
  return made;
}

Result<Estimator> Boxed::estimator(const Law& law, Alpha level, std::optional<std::int64_t> /*threshold*/) const {
  VERNIER_TRY(const noise::Box box, box_by(law));
  const Measurement& from = first();
  const BoxNoise noise{box, from.tallies.size(), level};
  const std::size_t rows = place_in(from, in.one.tallies[0]);
  const std::int64_t most = in.statistic.table.row_limit;
  if (in.one.figure == Figure::count) {
    VERNIER_TRY(const auto possible, interval::PossibleRange::of(0, most));
    return Estimator([=](std::span<const std::int64_t> noisy) -> Result<Estimate> {
      return scaled(interval::boxed_count(noise, possible, noisy[rows]), {1, possible, true});
    });
  }
  const std::size_t sum = place_in(from, in.one.tallies[1]);
  const BoxColumn column = column_of(in.one);
  if (in.one.figure == Figure::mean) {
    VERNIER_TRY(const noise::ValueRange bounds, bounds_of(in.one));
    return Estimator([=, mean = interval::BoxedMean(noise, column, bounds)](
                         std::span<const std::int64_t> noisy) -> Result<Estimate> {
      return estimate_of(mean.from(noisy[rows], noisy[sum]), interval::MeanInterval::status);
    });
  }
  const std::int64_t origin = in.one.origin, least = std::min<std::int64_t>(origin, 0);
  const std::int64_t greatest = std::max<std::int64_t>(origin + column.steps, 0);
  if (Int128{most} * std::max(-least, greatest) > greatest_total) return invalid("is a sum that could leave 64 bits");
  VERNIER_TRY(const auto possible, interval::PossibleRange::of(most * least, most * greatest));
  return Estimator([=, granularity = in.one.granularity](std::span<const std::int64_t> noisy) -> Result<Estimate> {
    return scaled(interval::boxed_sum(noise, column, origin, possible, noisy[rows], noisy[sum]),
                  {granularity, possible, granularity >= 1});
  });
}

// Two numbers at least, and nothing beside them that takes the noise of each for its own.
bool can_be_boxed(const BoundStatistic& statistic) {
  const query::Inference& asked = statistic.inference;
  const bool is_usual = !statistic.weighted && asked.denoise == query::Denoise::none && asked.differences.empty() &&
                        !asked.has_clamped_share && !asked.of_population;
  if (!is_usual) return false;
  BoundStatistic boxed = statistic;
  boxed.is_boxed = true;
  const std::vector<Aggregation>& all = statistic.query.aggregations;
  if (std::any_of(all.begin(), all.end(),
                  [](const Aggregation& one) { return query::facts_of(one.aggregate).takes_pair; }))
    return false;
  return std::count_if(all.begin(), all.end(), [&](const Aggregation& one) { return Boxed::serves(boxed, one); }) > 1;
}

}  // namespace vernier::plan
