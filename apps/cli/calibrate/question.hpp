#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/decimal.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

// The mechanism of a release, its scale still open.
struct Subject {
  std::string_view mechanism;
  std::optional<std::string_view> calibration;  // of the Gaussian only
  double sensitivity;                           // as it was written
  accuracy::Family family;

  bool is_over_integers() const;
  bool is_gaussian() const;  // discrete or not: private only at a delta above 0
};

// The names that --calibration takes.
std::vector<std::string> calibration_names();

Result<Subject> subject_named(std::string_view mechanism, const Written& sensitivity,
                              std::optional<std::string_view> calibration);

// What the user states of a release, in numbers as they were written.
struct Stated {
  std::optional<Decimal> epsilon, scale, accuracy, delta;
  Decimal alpha;
};

// One question with all its numbers checked and rounded toward safety.
struct Question {
  Stated stated;
  accuracy::Known known;
  accuracy::Alpha alpha;
};

// Whether what is stated tells the rest, and no more than that. `draws` where a picture over budgets is wanted.
Result<void> check_stated(const Subject& subject, const Stated& stated, bool draws);

// Of a statement that was checked.
Result<Question> question_of(const Subject& subject, const Stated& stated);

struct CalibrateRequest {
  Subject subject;
  accuracy::Cells cells;
  std::optional<std::string> sweep;  // the key that it goes over
  std::vector<Question> questions;   // one, or one for each point of the sweep
  std::optional<std::string> plot;   // the file to draw in
  bool json;
};

// The keys that --sweep takes.
std::vector<std::string> sweep_keys();

Result<CalibrateRequest> calibrate_request(const Arguments& arguments);

// A question and its figures as they are shown: what was stated as it was written, what was found as it was rounded.
struct Answer {
  Question question;
  accuracy::Figures figures;
};

// The figures of an answer by their names, in order: the one list of them, for JSON and for Python. `visit.one` gets
// what is the same for every answer about the subject, `visit.each` what has to be read from each of them. Where
// `is_whole`, the figure is a whole number.
template <class Visit>
void describe_figures(const Subject& subject, accuracy::Cells cells, Visit&& visit) {
  const bool is_whole = subject.is_over_integers();
  visit.one("mechanism", subject.mechanism);
  visit.one("calibration", subject.calibration);
  visit.one("sensitivity", subject.sensitivity, is_whole);
  visit.each("scale", [](const Answer& answer) { return answer.figures.scale; });
  visit.each("epsilon", [](const Answer& answer) { return answer.figures.epsilon; });
  visit.each("delta", [](const Answer& answer) { return answer.figures.delta; });
  visit.each("rho", [](const Answer& answer) { return answer.figures.rho; });
  visit.each("alpha", [](const Answer& answer) { return answer.question.stated.alpha.nearest; });
  visit.one("cells", cells.value());
  visit.each(
      "accuracy", [](const Answer& answer) { return answer.figures.accuracy.accuracy; }, is_whole);
  visit.each(
      "accuracy_strict", [](const Answer& answer) { return answer.figures.accuracy.accuracy_strict; }, is_whole);
  visit.each("accuracy_continuous", [](const Answer& answer) { return answer.figures.accuracy.accuracy_continuous; });
  visit.each("standard_deviation", [](const Answer& answer) { return answer.figures.standard_deviation; });
  visit.each("epsilon_continuous", [](const Answer& answer) { return answer.figures.epsilon_continuous; });
}

Result<Answer> answer_to(const Subject& subject, accuracy::Cells cells, const Question& question);
Result<std::vector<Answer>> answers_to(const CalibrateRequest& request);

}  // namespace vernier::cli
