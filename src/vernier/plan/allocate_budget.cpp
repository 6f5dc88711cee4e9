#include "vernier/plan/allocate_budget.hpp"

#include "vernier/query/value.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr int part_of_delta = 10;

Rational tenth_of(const Rational& delta) { return *quotient(delta, Rational::of(part_of_delta)); }

Rational exact_delta(const BoundStudy& study) {
  return study.budget ? study.budget->delta : tenth_of(study.catalog.budget.delta);
}

const Rational& exact_ceiling(const BoundStudy& study) {
  return study.budget ? study.budget->epsilon : study.catalog.budget.epsilon;
}

// As it was written, if a double has it: one of its two neighbours is what the decimal reads as.
std::string text_of(const Rational& value) {
  const std::string below = query::plain(value.round_down()), above = query::plain(value.round_up());
  return above.size() < below.size() ? above : below;
}

Result<void> check_within(const std::string& name, const Rational& asked, const Rational& has) {
  if (asked <= has) return {};
  return invalid("the study asks for more than the catalog has: its budget has " + name + " " + text_of(asked) +
                 ", the catalog's " + text_of(has) + "; lower the study's " + name);
}

}  // namespace

Result<privacy::Delta> delta_of(const BoundStudy& study) { return privacy::Delta::of(exact_delta(study).round_down()); }

Result<privacy::Delta> usual_delta(const Rational& catalog_delta) {
  return privacy::Delta::of(tenth_of(catalog_delta).round_down());
}

double ceiling_of(const BoundStudy& study) { return exact_ceiling(study).round_down(); }

Result<void> check_budget(const BoundStudy& study) {
  if (!study.budget) return {};
  const query::Budget& whole = study.catalog.budget;
  return check_within("epsilon", study.budget->epsilon, whole.epsilon).and_then([&] {
    return check_within("delta", study.budget->delta, whole.delta);
  });
}

std::string described_ceiling(const BoundStudy& study) {
  return (study.budget ? "the budget has " : "the catalog has ") + text_of(exact_ceiling(study));
}

std::string described_delta(const BoundStudy& study) { return "delta " + text_of(exact_delta(study)); }

}  // namespace vernier::plan
