#include "cli/calibrate_request.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "cli/plot_file.hpp"
#include "cli/sweep.hpp"

namespace vernier::cli {
namespace {

using accuracy::Accuracy;
using accuracy::Alpha;
using accuracy::Cells;
using accuracy::Known;
using privacy::Delta;
using privacy::Epsilon;

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
  Stated stated{{}, {}, {}, {}, *read_decimal("--alpha", "0.05")};
  for (const std::string_view key : {"epsilon", "scale", "accuracy", "delta", "alpha"}) {
    const std::string option = fmt::format("--{}", key);
    if (!arguments.has(option)) continue;
    const Result<Decimal> value = read_decimal(option, arguments.one(option));
    if (!value) return Failure(value.error());
    stated = with(stated, key, *value);
  }
  return stated;
}

// Exactly one of epsilon, scale and accuracy, or scale with epsilon.
Result<void> check_what_is_known(const Stated& stated) {
  constexpr const char* advice =
      "give one of --epsilon, --scale and --accuracy, or --scale with --epsilon, which together tell delta";
  if (!stated.epsilon && !stated.scale && !stated.accuracy) {
    return invalid(fmt::format("nothing is known; {}", advice));
  }
  if (stated.accuracy && (stated.epsilon || stated.scale)) {
    return invalid(
        fmt::format("--accuracy and {} cannot be given together; {}", stated.scale ? "--scale" : "--epsilon", advice));
  }
  if (stated.scale && stated.epsilon && stated.delta) {
    return invalid("--scale, --epsilon and --delta together leave nothing to find; leave one of them out");
  }
  return {};
}

// Scale and accuracy tell each other without a delta; only a budget, or a picture over budgets, needs one.
Result<void> check_delta(const Subject& subject, const Stated& stated, bool draws) {
  const bool from_budget = stated.epsilon && !stated.scale;
  if (!subject.is_gaussian() || stated.delta || !(from_budget || (draws && !stated.epsilon))) return {};
  return invalid(
      fmt::format("--delta is missing, and {} noise is private only at a delta above 0; give it, for example as "
                  "--delta 1e-6",
                  subject.mechanism));
}

// A calibration other than the exact one is a way from a budget to a scale, and no more.
Result<void> check_calibration(const Subject& subject, const Stated& stated) {
  if (!subject.calibration || *subject.calibration == "analytic" || (stated.epsilon && !stated.scale)) return {};
  return invalid(fmt::format(
      "--calibration {} finds a scale for a budget, but {} is given; leave it out, or give --epsilon and --delta",
      *subject.calibration, stated.scale ? "--scale" : "--accuracy"));
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
  const Result<std::optional<Delta>> delta = delta_of(subject, stated);
  if (!delta) return Failure(delta.error());
  if (stated.scale) return Known(accuracy::ScaleAtDelta{stated.scale->nearest, *delta});
  if (stated.epsilon) {
    return rounded_down<Epsilon>(*stated.epsilon).map([&](Epsilon epsilon) {
      return Known(accuracy::Budget{epsilon, delta->value()});
    });
  }
  return rounded_down<Accuracy>(*stated.accuracy).map([&](Accuracy wanted) {
    return Known(accuracy::Target{wanted, *delta});
  });
}

Result<Question> question_of(const Subject& subject, const Stated& stated) {
  const Result<Known> known = known_of(subject, stated);
  if (!known) return Failure(known.error());
  return rounded_down<Alpha>(stated.alpha).map([&](Alpha alpha) { return Question{stated, *known, alpha}; });
}

Result<std::optional<Sweep>> sweep_of(const Arguments& arguments, const Subject& subject) {
  if (!arguments.has("--sweep")) return std::nullopt;
  Result<Sweep> sweep = read_sweep(arguments.one("--sweep"), sweep_keys());
  if (!sweep) return Failure(sweep.error());
  if (arguments.has("--" + sweep->key)) {
    return invalid(fmt::format("--sweep goes over {0}, and --{0} is given as well; leave one of them out", sweep->key));
  }
  if (sweep->key == "accuracy" && subject.is_over_integers()) round_to_whole(*sweep);
  return std::optional(std::move(*sweep));
}

Result<void> check(const Subject& subject, const Stated& stated, bool draws) {
  return check_what_is_known(stated).and_then([&] { return check_delta(subject, stated, draws); }).and_then([&] {
    return check_calibration(subject, stated);
  });
}

// One statement, or one for each point of the sweep.
std::vector<Stated> statements(const Stated& stated, const std::optional<Sweep>& sweep) {
  if (!sweep) return {stated};
  std::vector<Stated> all;
  for (const Decimal& point : sweep->points) all.push_back(with(stated, sweep->key, point));
  return all;
}

Result<std::vector<Question>> questions_of(const Subject& subject, const std::vector<Stated>& statements, bool draws) {
  if (Result<void> checked = check(subject, statements.front(), draws); !checked) return Failure(checked.error());
  std::vector<Question> questions;
  for (const Stated& stated : statements) {
    const Result<Question> question = question_of(subject, stated);
    if (!question) return Failure(question.error());
    questions.push_back(*question);
  }
  return questions;
}

Result<Subject> subject_of(const Arguments& arguments) {
  const auto given = [&](const char* option) -> std::optional<std::string> {
    return arguments.has(option) ? std::optional(arguments.one(option)) : std::nullopt;
  };
  return subject_named(arguments.subject, given("--sensitivity").value_or("1"), given("--calibration"));
}

Result<Cells> cells_of(const Arguments& arguments) {
  if (!arguments.has("--cells")) return Cells::one();
  return read_whole("--cells", arguments.one("--cells")).and_then(Cells::of);
}

}  // namespace

std::vector<std::string> sweep_keys() { return {"epsilon", "scale", "accuracy", "alpha"}; }

Result<CalibrateRequest> calibrate_request(const Arguments& arguments) {
  const Result<Subject> subject = subject_of(arguments);
  if (!subject) return Failure(subject.error());
  const Result<Stated> stated = stated_of(arguments);
  if (!stated) return Failure(stated.error());
  const Result<std::optional<Sweep>> sweep = sweep_of(arguments, *subject);
  if (!sweep) return Failure(sweep.error());
  Result<std::vector<Question>> questions =
      questions_of(*subject, statements(*stated, *sweep), arguments.has("--plot"));
  if (!questions) return Failure(questions.error());
  const Result<Cells> cells = cells_of(arguments);
  if (!cells) return Failure(cells.error());
  const Result<std::optional<std::string>> plot = plot_file(arguments);
  if (!plot) return Failure(plot.error());
  const auto key = *sweep ? std::optional((*sweep)->key) : std::nullopt;
  return CalibrateRequest{*subject, *cells, key, std::move(*questions), *plot, arguments.has("--json")};
}

}  // namespace vernier::cli
