#include "vernier/core/text.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/tables/description.hpp"
#include "vernier/release/verify/examination.hpp"

// Whether the noise of every contrast, and the accuracy of every table, follow from the columns and what was asked.
namespace vernier::release {
namespace {

std::string place_of(const plan::BoundTables& tables) { return "table '" + tables.name + "'"; }

// How far scales may be from those of this machine: they come out of a search that stops at a gap in the cost, near
// which scales are flat, and one step more moves them. The gap of the stated ones is shown by their own witness.
constexpr double searched = 1e-3;

Result<void> check_laws(const plan::BoundTables& tables, const table::Laws& stated, const table::Laws& found) {
  if (stated.size() != found.size()) {
    return differs(place_of(tables), "contrasts", std::to_string(stated.size()), std::to_string(found.size()));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_close(stated[i].scale(), found[i].scale(), searched)) continue;
    return differs(place_of(tables), "scale of contrast " + std::to_string(i + 1), shortest(stated[i].scale()),
                   shortest(found[i].scale()));
  }
  return {};
}

Result<void> check_targets(const plan::BoundTables& tables, const plan::PlannedTables& stated) {
  for (std::size_t i = 0; i < tables.targets.size(); ++i) {
    if (stated.accuracies[i] <= tables.targets[i]) continue;
    return differs(place_of(tables), "accuracy of its table " + std::to_string(i + 1), shortest(stated.accuracies[i]),
                   "at most " + shortest(tables.targets[i]));
  }
  return {};
}

// The witness shows the gap by itself: whatever it says, no noise of this kind costs less than it allows.
Result<void> check_gap(const plan::BoundTables& tables, const plan::PlannedTables& stated) {
  const double gap = plan::gap_of(tables, stated);
  if (gap <= stated.gap + overstated && stated.gap <= gap * (1 + overstated) + overstated) return {};
  return differs(place_of(tables), "gap of the noise", shortest(stated.gap), shortest(gap));
}

Result<void> check_figures(const plan::BoundTables& tables, const std::string& what, const std::vector<double>& stated,
                           const std::vector<double>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (is_close(stated[i], found[i], overstated)) continue;
    return differs(place_of(tables), what + " of its table " + std::to_string(i + 1), shortest(stated[i]),
                   shortest(found[i]));
  }
  return {};
}

}  // namespace

Result<void> design_all_tables(Examination& all) {
  for (plan::BoundTables& tables : all.study.tables) {
    const Result<void> designed = plan::design_tables(tables, all.study.alpha);
    if (!designed) return invalid(after(place_of(tables) + ": it ", designed.error()));
  }
  return {};
}

Result<void> take_stated_laws(Examination& all) {
  for (std::size_t i = 0; i < all.study.tables.size(); ++i) {
    plan::BoundTables& tables = all.study.tables[i];
    const plan::PlannedTables& stated = all.record.plan.tables[i];
    const Result<table::Laws> found = plan::contrast_laws(tables, stated.scale);
    if (!found) return invalid(after(place_of(tables) + ": its scale: ", found.error()));
    VERNIER_TRY(check_laws(tables, stated.laws, *found));
    tables.stated = stated.laws;
  }
  return {};
}

Finding check_tables(Examination& all) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.tables.size(); ++i) {
    const plan::BoundTables& tables = all.study.tables[i];
    const plan::PlannedTables &stated = all.record.plan.tables[i], &found = all.plan->tables[i];
    VERNIER_TRY(check_targets(tables, stated));
    VERNIER_TRY(check_gap(tables, stated));
    if (const auto& weight = all.plan->study.tables[i].weight; !(tables.weight == weight)) {
      return differs(place_of(tables), "weight", shortest(tables.weight.round_up()), shortest(weight.round_up()));
    }
    VERNIER_TRY(check_figures(tables, "deviation", stated.deviations, found.deviations));
    VERNIER_TRY(check_figures(tables, "accuracy", stated.accuracies, found.accuracies));
    if (!is_close(stated.share, found.share, overstated)) {
      return differs(place_of(tables), "share", shortest(stated.share), shortest(found.share));
    }
    count += static_cast<std::int64_t>(found.accuracies.size());
  }
  return count;
}

}  // namespace vernier::release
