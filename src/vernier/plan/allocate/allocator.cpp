#include "vernier/plan/allocate/allocator.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "vernier/accounting/methods.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/planned.hpp"

namespace vernier::plan {
namespace {

std::string described(const BoundStudy& study, std::size_t item) {
  const std::vector<MeasuredPlace> places = measured_places(study);
  if (item >= places.size()) return "the table \"" + study.tables[item - places.size()].name + "\"";
  const MeasuredPlace place = places[item];
  const BoundStatistic& statistic = study.statistics[place.statistic];
  return described(statistic, statistic.measurements[place.measurement]);
}

constexpr double greatest_budget = 1e4;  // that a catalog takes

}  // namespace

bool any_is_free(const std::vector<NoiseItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const NoiseItem& item) { return item.is_free; });
}

Allocator::Allocator(const BoundStudy& study, std::vector<NoiseItem> items, privacy::Delta delta)
    : study_(&study), asked_(items), pricing_(std::move(items), study.neighbours, delta) {}

Result<Allocator> Allocator::of(const BoundStudy& study) {
  VERNIER_TRY(const privacy::Delta delta, delta_of(study));
  VERNIER_TRY(std::vector<NoiseItem> items, items_of(study, delta));
  return Allocator(study, std::move(items), delta);
}

Allocator Allocator::with_items(std::vector<NoiseItem> items) const {
  Allocator other(*study_, std::move(items), delta());
  other.asked_ = asked_;
  return other;
}

Allocator Allocator::with_risk_of_keys(double times) const {
  Allocator other(*study_, plan::with_risk_of_keys(items(), times), delta());
  other.asked_ = plan::with_risk_of_keys(asked_, times);
  return other;
}

Allocator Allocator::with_delta(privacy::Delta delta) const {
  Allocator other(*study_, items(), delta);
  other.asked_ = asked_;
  return other;
}

bool Allocator::has_private_keys() const {
  return std::any_of(items().begin(), items().end(), [](const NoiseItem& item) { return item.keys.has_value(); });
}

Result<Allocation> Allocator::within(double epsilon, Care care) const {
  if (!any_is_free(pricing_.items())) return targets_within(epsilon);
  if (const std::optional<Allocation> found = contrasts_within(epsilon)) return *found;
  return first_choice(epsilon).and_then([&](const Choice& first) {
    return allocation(pricing_, epsilon, {first, guess_at(epsilon)}, care);
  });
}

// Where the first of what shares would take all of epsilon. Thresholds of private keys are whole, so that a search can
// end in one of several factors; with weights in the same proportion, as a record has them, it goes the same way.
double Allocator::guess_at(double epsilon) const {
  const auto first = std::find_if(items().begin(), items().end(), [](const NoiseItem& one) { return one.is_free; });
  return static_cast<double>(first->shift) / first->base.front() / epsilon;
}

Result<Allocation> Allocator::from(double epsilon, const Allocation& known) const {
  if (!any_is_free(pricing_.items())) return targets_within(epsilon);
  return allocation(pricing_, epsilon, known);
}

Result<Allocation> Allocator::near(double epsilon, const Allocation& known, double guess) const {
  return nearby_allocation(pricing_, epsilon, known.choice, guess);
}

Result<Plan> Allocator::plan(const Allocation& found) const {
  return laws(found).and_then(
      [&](const std::vector<Law>& known) { return planned_with(*study_, asked_, known, delta()); });
}

double Allocator::epsilon(const Allocation& found, Care care) const {
  return pricing_.epsilon(found.choice, found.factor, tightness_of(care));
}

std::optional<double> Allocator::pure_epsilon(const Allocation& found) const {
  const auto events = pricing_.events(found.choice, found.factor);
  const auto sum = events ? accounting::method::pure_epsilon(*events) : Result<Bounds>(Failure(events.error()));
  return sum ? std::optional(sum->upper) : std::nullopt;
}

Result<std::optional<Needed>> Allocator::needed() const {
  VERNIER_TRY(const TargetsAlone alone, targets_alone());
  VERNIER_TRY(const std::optional<std::size_t> most, dearest_item({alone.choice, 1}));
  const std::vector<MeasuredPlace> places = measured_places(*study_);
  if (!most || *most >= places.size()) return std::nullopt;
  return Needed{alone.epsilon, places[*most].statistic, places[*most].measurement};
}

// Of the contrasts of one [[table]] alone: together they cost what one Gaussian number costs, but for a few parts in a
// million, so that one look at the total suffices. None where it does not.
std::optional<Allocation> Allocator::contrasts_within(double epsilon) const {
  if (items().size() != 1 || items().front().tables == nullptr) return std::nullopt;
  constexpr double spared = 4e-6;
  const Choice choice = all_of(LawKind::discrete_gaussian, 1);
  const auto wanted = privacy::Epsilon::of(epsilon * (1 - spared));
  const auto moved = privacy::L2Sensitivity::of(1);
  if (!wanted || !moved) return std::nullopt;
  const auto one = mechanism::GaussianMechanism::calibrate(*wanted, delta(), *moved);
  if (!one) return std::nullopt;
  const Allocation found{choice, one->law().scale() / items().front().base.front()};
  return this->epsilon(found) <= epsilon ? std::optional(found) : std::nullopt;
}

Result<Allocation> Allocator::targets_within(double epsilon) const {
  const Allocation found = targets();
  VERNIER_TRY(const auto total, pricing_.guarantee(found.choice, 1, tightness_of(Care::full)));
  if (total.bounds.upper > epsilon) return too_dear(found, total.bounds.upper);
  return found;
}

Result<Allocator::TargetsAlone> Allocator::targets_alone() const {
  const bool is_pure = pricing_.delta().is_pure();
  Choice first = all_of(is_pure ? LawKind::geometric : LawKind::discrete_gaussian, items().size());
  std::vector<NoiseItem> fixed;
  std::copy_if(items().begin(), items().end(), std::back_inserter(fixed),
               [](const NoiseItem& item) { return !item.is_free; });
  if (fixed.empty()) return TargetsAlone{first, 0};
  const Pricing alone(std::move(fixed), pricing_.neighbours(), pricing_.delta());
  const Choice best = cheapest(alone, 1);
  for (std::size_t i = 0, j = 0; i < items().size(); ++i) {
    if (!items()[i].is_free) first[i] = best[j++];
  }
  VERNIER_TRY(const auto total, alone.guarantee(best, 1, tightness_of(Care::full)));
  return TargetsAlone{std::move(first), total.bounds.upper};
}

// An error where the targets alone are too dear.
Result<Choice> Allocator::first_choice(double epsilon) const {
  VERNIER_TRY(TargetsAlone alone, targets_alone());
  if (alone.epsilon > epsilon) return too_dear({alone.choice, 1}, alone.epsilon);
  return std::move(alone.choice);
}

Failure Allocator::too_dear(const Allocation& found, double needed) const {
  return invalid(
      "the targets need epsilon " + rounded_up_text(needed, 3) + " at " + described_delta(*study_) + ", but " +
      described_ceiling(*study_) +
      (needed <= greatest_budget ? "; raise the budget, or relax " : ", and no budget can have so much; relax ") +
      (is_to_see(found) ? "seen, or the accuracy of " : "the accuracy of ") + dearest(found) + ", which costs most" +
      limits_of_dearest(found));
}

// Whether what costs most is the number by which groups are published that are to be seen.
bool Allocator::is_to_see(const Allocation& found) const {
  const std::vector<MeasuredPlace> places = measured_places(*study_);
  const Result<std::optional<std::size_t>> most = dearest_item(found);
  if (!most || !*most || **most >= places.size() || !items()[**most].keys) return false;
  return study_->statistics[places[**most].statistic].seen.has_value();
}

// What a unit with many rows costs is named, as it is easily overlooked.
std::string Allocator::limits_of_dearest(const Allocation& found) const {
  const std::vector<MeasuredPlace> places = measured_places(*study_);
  const Result<std::optional<std::size_t>> most = dearest_item(found);
  if (!most || !*most || **most >= places.size()) return "";
  const Contribution& unit = study_->statistics[places[**most].statistic].contribution;
  if (unit.max_rows == 1 && unit.max_groups == 1) return "";
  const bool is_rows = unit.max_rows >= unit.max_groups;
  return std::string(", or lower its ") + (is_rows ? "max_rows" : "max_groups") + ", which is " +
         std::to_string(is_rows ? unit.max_rows : unit.max_groups);
}

// The target that costs most.
std::string Allocator::dearest(const Allocation& found) const {
  const Result<std::optional<std::size_t>> most = dearest_item(found);
  return most ? described(*study_, most->value_or(0)) : "the columns";
}

Result<std::optional<std::size_t>> Allocator::dearest_item(const Allocation& found) const {
  VERNIER_TRY(const std::vector<Law> known, pricing_.laws(found.choice, found.factor));
  const std::vector<double> shares = shares_of(items(), known, pricing_.neighbours(), pricing_.delta());
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < items().size(); ++i) {
    if (!items()[i].is_free && (!most || shares[i] > shares[*most])) most = i;
  }
  return most;
}

}  // namespace vernier::plan
