#include "cli/calibrate_stated.hpp"

#include <string>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

using accuracy::Accuracy;
using accuracy::Alpha;
using accuracy::Known;
using privacy::Delta;
using privacy::Epsilon;

std::string advice(const Spelling& spelling) {
  return fmt::format("give one of {0}, {1} and {2}, or {1} with {0}, which together tell delta",
                     spelling.name("epsilon"), spelling.name("scale"), spelling.name("accuracy"));
}

// Exactly one of epsilon, scale and accuracy, or scale with epsilon.
Result<void> check_what_is_known(const Stated& stated, const Spelling& spelling) {
  if (!stated.epsilon && !stated.scale && !stated.accuracy) {
    return invalid(fmt::format("nothing is known; {}", advice(spelling)));
  }
  if (stated.accuracy && (stated.epsilon || stated.scale)) {
    return invalid(fmt::format("{} and {} cannot be given together; {}", spelling.name("accuracy"),
                               spelling.name(stated.scale ? "scale" : "epsilon"), advice(spelling)));
  }
  if (stated.scale && stated.epsilon && stated.delta) {
    return invalid(fmt::format("{}, {} and {} together leave nothing to find; leave one of them out",
                               spelling.name("scale"), spelling.name("epsilon"), spelling.name("delta")));
  }
  return {};
}

// Scale and accuracy tell each other without a delta; only a budget, or a picture over budgets, needs one.
Result<void> check_delta(const Subject& subject, const Stated& stated, bool draws, const Spelling& spelling) {
  const bool from_budget = stated.epsilon && !stated.scale;
  if (!subject.is_gaussian() || stated.delta || !(from_budget || (draws && !stated.epsilon))) return {};
  return invalid(
      fmt::format("{} is missing, and {} noise is private only at a delta above 0; give it, for example as {}",
                  spelling.name("delta"), subject.mechanism, spelling.with("delta", "1e-6")));
}

// A calibration other than the exact one is a way from a budget to a scale, and no more.
Result<void> check_calibration(const Subject& subject, const Stated& stated, const Spelling& spelling) {
  if (!subject.calibration || *subject.calibration == "analytic" || (stated.epsilon && !stated.scale)) return {};
  return invalid(fmt::format("{} finds a scale for a budget, but {} is given; leave it out, or give {} and {}",
                             spelling.with("calibration", *subject.calibration),
                             spelling.name(stated.scale ? "scale" : "accuracy"), spelling.name("epsilon"),
                             spelling.name("delta")));
}

// A pure statement unless one is given; for the Gaussians, which have none, no statement.
Result<std::optional<Delta>> delta_of(const Subject& subject, const Stated& stated) {
  if (!stated.delta) return subject.is_gaussian() ? std::nullopt : std::optional(Delta::zero());
  return rounded_down<Delta>(*stated.delta).map([](Delta delta) { return std::optional(delta); });
}

Result<Known> known_of(const Subject& subject, const Stated& stated) {
  if (stated.scale && stated.epsilon) {
    return rounded_down<Epsilon>(*stated.epsilon).map([&](Epsilon epsilon) {
      return Known(accuracy::ScaleAtEpsilon{stated.scale->nearest, epsilon});
    });
  }
  VERNIER_TRY(const std::optional<Delta> delta, delta_of(subject, stated));
  if (stated.scale) return Known(accuracy::ScaleAtDelta{stated.scale->nearest, delta});
  if (stated.epsilon) {
    return rounded_down<Epsilon>(*stated.epsilon).map([&](Epsilon epsilon) {
      return Known(accuracy::Budget{epsilon, delta.value()});
    });
  }
  return rounded_down<Accuracy>(*stated.accuracy).map([&](Accuracy wanted) {
    return Known(accuracy::Target{wanted, delta});
  });
}

}  // namespace

Result<void> check_stated(const Subject& subject, const Stated& stated, bool draws, const Spelling& spelling) {
  return check_what_is_known(stated, spelling)
      .and_then([&] { return check_delta(subject, stated, draws, spelling); })
      .and_then([&] { return check_calibration(subject, stated, spelling); });
}

Result<Question> question_of(const Subject& subject, const Stated& stated) {
  VERNIER_TRY(const Known known, known_of(subject, stated));
  return rounded_down<Alpha>(stated.alpha).map([&](Alpha alpha) { return Question{stated, known, alpha}; });
}

}  // namespace vernier::cli
