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

Result<std::pair<std::string_view, GaussianCalibration>> calibration_of(const std::string& name) {
  for (const auto& calibration : calibrations) {
    if (calibration.first == name) return calibration;
  }
  const std::vector<std::string> known = calibration_names();
  return invalid(fmt::format("--calibration must be one of {}, but it is '{}'{}", fmt::join(known, ", "), name,
                             suggestion(name, known)));
}

// The family of a law, at the sensitivity that `text` holds.
struct FamilyOf {
  const std::string& text;
  const Decimal& written;
  GaussianCalibration calibration;

  Result<Family> operator()(const noise::Laplace&) const {
    return rounded_up<L1Sensitivity>(written).map([](auto s) { return Family(LaplaceFamily{s}); });
  }
  Result<Family> operator()(const noise::Geometric&) const {
    return read_integer_sensitivity("--sensitivity", text).map([](auto s) { return Family(GeometricFamily{s}); });
  }
  Result<Family> operator()(const noise::Gaussian&) const {
    return rounded_up<L2Sensitivity>(written).map([&](auto s) { return Family(GaussianFamily{s, calibration}); });
  }
  Result<Family> operator()(const noise::DiscreteGaussian&) const {
    return read_integer_sensitivity("--sensitivity", text).map([](auto s) {
      return Family(DiscreteGaussianFamily{s});
    });
  }
};

Result<noise::AnyLaw> law_of(const std::string& mechanism) {
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

Result<Subject> subject_named(const std::string& mechanism, const std::string& sensitivity,
                              const std::optional<std::string>& calibration) {
  const Result<noise::AnyLaw> law = law_of(mechanism);
  if (!law) return Failure(law.error());
  const bool is_gaussian = std::holds_alternative<noise::Gaussian>(*law);
  if (calibration && !is_gaussian) {
    return invalid(fmt::format("--calibration belongs to the gaussian mechanism, but the mechanism is {}; leave it out",
                               mechanism));
  }
  const auto chosen = calibration_of(calibration.value_or("analytic"));
  if (!chosen) return Failure(chosen.error());
  const Result<Decimal> written = read_decimal("--sensitivity", sensitivity);
  if (!written) return Failure(written.error());
  return std::visit(FamilyOf{sensitivity, *written, chosen->second}, *law).map([&](const Family& family) {
    const auto shown = is_gaussian ? std::optional(chosen->first) : std::nullopt;
    return Subject{noise::name_of(*law), shown, written->nearest, family};
  });
}

}  // namespace vernier::cli
