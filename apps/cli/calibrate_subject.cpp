#include "cli/calibrate_subject.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/errors.hpp"
#include "cli/integer_sensitivity.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {
namespace {

using accuracy::DiscreteGaussianFamily;
using accuracy::Family;
using accuracy::GaussianFamily;
using accuracy::GeometricFamily;
using accuracy::LaplaceFamily;
using mechanism::GaussianCalibration;
using privacy::IntegerSensitivity;
using privacy::L1Sensitivity;
using privacy::L2Sensitivity;

constexpr std::array<std::pair<std::string_view, GaussianCalibration>, 3> calibrations = {{
    {"analytic", GaussianCalibration::analytic},
    {"classical", GaussianCalibration::classical},
    {"dwork-roth", GaussianCalibration::dwork_roth},
}};

Result<std::pair<std::string_view, GaussianCalibration>> calibration_of(std::string_view name,
                                                                        const Spelling& spelling) {
  for (const auto& calibration : calibrations) {
    if (calibration.first == name) return calibration;
  }
  const std::vector<std::string> known = calibration_names();
  return invalid(fmt::format("{} must be one of {}, but it is '{}'{}", spelling.name("calibration"),
                             fmt::join(known, ", "), name, suggestion(name, known)));
}

// The family of a law, at the sensitivity that was written.
struct FamilyOf {
  const Written& written;
  GaussianCalibration calibration;
  const Spelling& spelling;

  Result<Family> operator()(const noise::Laplace&) const {
    return rounded_up<L1Sensitivity>(written.value).map([](auto s) { return Family(LaplaceFamily{s}); });
  }
  Result<Family> operator()(const noise::Geometric&) const {
    return over_integers().map([](auto s) { return Family(GeometricFamily{s}); });
  }
  Result<Family> operator()(const noise::Gaussian&) const {
    return rounded_up<L2Sensitivity>(written.value).map([&](auto s) { return Family(GaussianFamily{s, calibration}); });
  }
  Result<Family> operator()(const noise::DiscreteGaussian&) const {
    return over_integers().map([](auto s) { return Family(DiscreteGaussianFamily{s}); });
  }
  Result<IntegerSensitivity> over_integers() const {
    return integer_sensitivity(spelling.name("sensitivity"), written);
  }
};

Result<noise::AnyLaw> law_of(std::string_view mechanism) {
  if (mechanism.empty()) {
    return invalid("the mechanism is missing; give laplace, geometric, gaussian or discrete-gaussian");
  }
  constexpr double any_scale = 1;  // only the kind of law is wanted
  return noise::law_named(mechanism, any_scale);
}

}  // namespace

bool Subject::is_over_integers() const {
  return std::holds_alternative<GeometricFamily>(family) || std::holds_alternative<DiscreteGaussianFamily>(family);
}

bool Subject::is_gaussian() const {
  return std::holds_alternative<GaussianFamily>(family) || std::holds_alternative<DiscreteGaussianFamily>(family);
}

std::vector<std::string> calibration_names() {
  std::vector<std::string> names;
  names.reserve(calibrations.size());
  for (const auto& calibration : calibrations) names.emplace_back(calibration.first);
  return names;
}

Result<Subject> subject_named(std::string_view mechanism, const Written& sensitivity,
                              std::optional<std::string_view> calibration, const Spelling& spelling) {
  VERNIER_TRY(const noise::AnyLaw law, law_of(mechanism));
  const bool is_gaussian = std::holds_alternative<noise::Gaussian>(law);
  if (calibration && !is_gaussian) {
    return invalid(fmt::format("{} belongs to the gaussian mechanism, but the mechanism is {}; leave it out",
                               spelling.name("calibration"), mechanism));
  }
  VERNIER_TRY(const auto chosen, calibration_of(calibration.value_or("analytic"), spelling));
  return std::visit(FamilyOf{sensitivity, chosen.second, spelling}, law).map([&](const Family& family) {
    const auto shown = is_gaussian ? std::optional(chosen.first) : std::nullopt;
    return Subject{noise::name_of(law), shown, sensitivity.value.nearest, family};
  });
}

}  // namespace vernier::cli
