#include "cli/calibrate/question.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "cli/sweep.hpp"
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

Result<std::pair<std::string_view, GaussianCalibration>> calibration_of(std::string_view name) {
  for (const auto& calibration : calibrations) {
    if (calibration.first == name) return calibration;
  }
  const std::vector<std::string> known = calibration_names();
  return invalid(
      parameter("calibration"),
      fmt::format("must be one of {}, but it is '{}'{}", fmt::join(known, ", "), name, suggestion(name, known)), "");
}

// The family of a law, at the sensitivity that was written.
struct FamilyOf {
  const Written& written;
  GaussianCalibration calibration;

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
  Result<IntegerSensitivity> over_integers() const { return integer_sensitivity(parameter("sensitivity"), written); }
};

Result<noise::AnyLaw> law_of(std::string_view mechanism) {
  if (mechanism.empty()) {
    return invalid("the mechanism is missing", "give laplace, geometric, gaussian or discrete-gaussian");
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
                              std::optional<std::string_view> calibration) {
  VERNIER_TRY(const noise::AnyLaw law, law_of(mechanism));
  const bool is_gaussian = std::holds_alternative<noise::Gaussian>(law);
  if (calibration && !is_gaussian) {
    return invalid(parameter("calibration"),
                   fmt::format("belongs to the gaussian mechanism, but the mechanism is {}", mechanism),
                   "leave it out");
  }
  VERNIER_TRY(const auto chosen, calibration_of(calibration.value_or("analytic")));
  return std::visit(FamilyOf{sensitivity, chosen.second}, law).map([&](const Family& family) {
    const auto shown = is_gaussian ? std::optional(chosen.first) : std::nullopt;
    return Subject{noise::name_of(law), shown, sensitivity.value.nearest, family};
  });
}

namespace {

using accuracy::Accuracy;
using accuracy::Alpha;
using accuracy::Known;
using privacy::Delta;
using privacy::Epsilon;

std::string advice() {
  return fmt::format("give one of {0}, {1} and {2}, or {1} with {0}, which together tell delta", parameter("epsilon"),
                     parameter("scale"), parameter("accuracy"));
}

// Exactly one of epsilon, scale and accuracy, or scale with epsilon.
Result<void> check_what_is_known(const Stated& stated) {
  if (!stated.epsilon && !stated.scale && !stated.accuracy) {
    return invalid("nothing is known", advice());
  }
  if (stated.accuracy && (stated.epsilon || stated.scale)) {
    return invalid(parameter("accuracy") + " and " + parameter(stated.scale ? "scale" : "epsilon"),
                   "cannot be given together", advice());
  }
  if (stated.scale && stated.epsilon && stated.delta) {
    return invalid(fmt::format("{}, {} and {}", parameter("scale"), parameter("epsilon"), parameter("delta")),
                   "together leave nothing to find", "leave one of them out");
  }
  return {};
}

// Scale and accuracy tell each other without a delta; only a budget, or a picture over budgets, needs one.
Result<void> check_delta(const Subject& subject, const Stated& stated, bool draws) {
  const bool from_budget = stated.epsilon && !stated.scale;
  if (!subject.is_gaussian() || stated.delta || !(from_budget || (draws && !stated.epsilon))) return {};
  return invalid(parameter("delta"),
                 fmt::format("is missing, and {} noise is private only at a delta above 0", subject.mechanism),
                 "give it, for example as " + parameter("delta", "1e-6"));
}

// A calibration other than the exact one is a way from a budget to a scale, and no more.
Result<void> check_calibration(const Subject& subject, const Stated& stated) {
  if (!subject.calibration || *subject.calibration == "analytic" || (stated.epsilon && !stated.scale)) return {};
  return invalid(
      parameter("calibration", *subject.calibration),
      fmt::format("finds a scale for a budget, but {} is given", parameter(stated.scale ? "scale" : "accuracy")),
      fmt::format("leave it out, or give {} and {}", parameter("epsilon"), parameter("delta")));
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

Result<void> check_stated(const Subject& subject, const Stated& stated, bool draws) {
  VERNIER_TRY(check_what_is_known(stated));
  VERNIER_TRY(check_delta(subject, stated, draws));
  return check_calibration(subject, stated);
}

Result<Question> question_of(const Subject& subject, const Stated& stated) {
  VERNIER_TRY(const Known known, known_of(subject, stated));
  return rounded_down<Alpha>(stated.alpha).map([&](Alpha alpha) { return Question{stated, known, alpha}; });
}

namespace {

using accuracy::Cells;

constexpr std::array<std::pair<std::string_view, std::optional<Decimal> Stated::*>, 4> places = {{
    {"epsilon", &Stated::epsilon},
    {"scale", &Stated::scale},
    {"accuracy", &Stated::accuracy},
    {"delta", &Stated::delta},
}};

// The statement with one more number in it.
Stated with(Stated stated, std::string_view key, const Decimal& value) {
  for (const auto& [name, place] : places) {
    if (name == key) stated.*place = value;
  }
  if (key == "alpha") stated.alpha = value;
  return stated;
}

Result<Stated> stated_of(const Arguments& arguments) {
  Stated stated{{}, {}, {}, {}, *read_decimal(parameter("alpha"), "0.05")};
  for (const std::string_view key : {"epsilon", "scale", "accuracy", "delta", "alpha"}) {
    const std::string option = fmt::format("--{}", key);
    if (!arguments.has(option)) continue;
    VERNIER_TRY(const Decimal value, read_decimal(parameter(key), arguments.one(option)));
    stated = with(stated, key, value);
  }
  return stated;
}

Result<std::optional<Sweep>> sweep_of(const Arguments& arguments, const Subject& subject) {
  if (!arguments.has("--sweep")) return std::nullopt;
  VERNIER_TRY(Sweep sweep, read_sweep(arguments.one("--sweep"), sweep_keys()));
  if (arguments.has("--" + sweep.key)) {
    return invalid(parameter("sweep"),
                   fmt::format("goes over {}, and {} is given as well", sweep.key, parameter(sweep.key)),
                   "leave one of them out");
  }
  if (sweep.key == "accuracy" && subject.is_over_integers()) round_to_whole(sweep);
  return std::optional(std::move(sweep));
}

// One statement, or one for each point of the sweep.
std::vector<Stated> statements(const Stated& stated, const std::optional<Sweep>& sweep) {
  if (!sweep) return {stated};
  std::vector<Stated> all;
  for (const Decimal& point : sweep->points) all.push_back(with(stated, sweep->key, point));
  return all;
}

Result<std::vector<Question>> questions_of(const Subject& subject, const std::vector<Stated>& statements, bool draws) {
  VERNIER_TRY(check_stated(subject, statements.front(), draws));
  std::vector<Question> questions;
  for (const Stated& stated : statements) {
    VERNIER_TRY(const Question question, question_of(subject, stated));
    questions.push_back(question);
  }
  return questions;
}

Result<Subject> subject_of(const Arguments& arguments) {
  const auto given = [&](const char* option) -> std::optional<std::string_view> {
    return arguments.has(option) ? std::optional<std::string_view>(arguments.one(option)) : std::nullopt;
  };
  return read_written(parameter("sensitivity"), given("--sensitivity").value_or("1"))
      .and_then([&](const Written& sensitivity) {
        return subject_named(arguments.subject, sensitivity, given("--calibration"));
      });
}

Result<Cells> cells_of(const Arguments& arguments) {
  if (!arguments.has("--cells")) return Cells::one();
  return read_whole(parameter("cells"), arguments.one("--cells")).and_then(Cells::of);
}

}  // namespace

std::vector<std::string> sweep_keys() { return {"epsilon", "scale", "accuracy", "alpha"}; }

Result<CalibrateRequest> calibrate_request(const Arguments& arguments) {
  VERNIER_TRY(const Subject subject, subject_of(arguments));
  VERNIER_TRY(const Stated stated, stated_of(arguments));
  VERNIER_TRY(const std::optional<Sweep> sweep, sweep_of(arguments, subject));
  VERNIER_TRY(std::vector<Question> questions,
              questions_of(subject, statements(stated, sweep), arguments.has("--plot")));
  VERNIER_TRY(const Cells cells, cells_of(arguments));
  VERNIER_TRY(const std::optional<std::string> plot, plot_file(arguments));
  const auto key = sweep ? std::optional(sweep->key) : std::nullopt;
  return CalibrateRequest{subject, cells, key, std::move(questions), plot, arguments.has("--json")};
}

namespace {

accuracy::Figures as_written(accuracy::Figures figures, const Stated& stated, bool over_integers) {
  if (stated.epsilon) figures.epsilon = stated.epsilon->nearest;
  if (stated.delta) figures.delta = stated.delta->nearest;
  if (stated.accuracy && !over_integers) {
    const double wanted = stated.accuracy->nearest;
    figures.accuracy = {wanted, wanted, wanted};
  }
  return figures;
}

}  // namespace

Result<Answer> answer_to(const Subject& subject, accuracy::Cells cells, const Question& question) {
  return accuracy::calibrate(subject.family, question.known, question.alpha, cells)
      .map([&](const accuracy::Figures& figures) {
        return Answer{question, as_written(figures, question.stated, subject.is_over_integers())};
      });
}

Result<std::vector<Answer>> answers_to(const CalibrateRequest& request) {
  std::vector<Answer> answers;
  for (const Question& question : request.questions) {
    VERNIER_TRY(const Answer answer, answer_to(request.subject, request.cells, question));
    answers.push_back(answer);
  }
  return answers;
}

}  // namespace vernier::cli
