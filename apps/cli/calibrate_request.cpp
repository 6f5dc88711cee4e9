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
  Stated stated{{}, {}, {}, {}, *read_decimal("--alpha", "0.05")};
  for (const std::string_view key : {"epsilon", "scale", "accuracy", "delta", "alpha"}) {
    const std::string option = fmt::format("--{}", key);
    if (!arguments.has(option)) continue;
    VERNIER_TRY(const Decimal value, read_decimal(option, arguments.one(option)));
    stated = with(stated, key, value);
  }
  return stated;
}

Result<std::optional<Sweep>> sweep_of(const Arguments& arguments, const Subject& subject) {
  if (!arguments.has("--sweep")) return std::nullopt;
  VERNIER_TRY(Sweep sweep, read_sweep(arguments.one("--sweep"), sweep_keys()));
  if (arguments.has("--" + sweep.key)) {
    return invalid(fmt::format("--sweep goes over {0}, and --{0} is given as well; leave one of them out", sweep.key));
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
  VERNIER_TRY(check_stated(subject, statements.front(), draws, on_command_line));
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
  return read_written("--sensitivity", given("--sensitivity").value_or("1")).and_then([&](const Written& sensitivity) {
    return subject_named(arguments.subject, sensitivity, given("--calibration"), on_command_line);
  });
}

Result<Cells> cells_of(const Arguments& arguments) {
  if (!arguments.has("--cells")) return Cells::one();
  return read_whole("--cells", arguments.one("--cells")).and_then(Cells::of);
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

}  // namespace vernier::cli
