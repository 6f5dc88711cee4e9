#include "cli/calibrate_answer.hpp"

namespace vernier::cli {
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

Result<std::vector<Answer>> answers_to(const CalibrateRequest& request) {
  const bool over_integers = request.subject.is_over_integers();
  std::vector<Answer> answers;
  for (const Question& question : request.questions) {
    const Result<accuracy::Figures> figures =
        accuracy::calibrate(request.subject.family, question.known, question.alpha, request.cells);
    if (!figures) return Failure(figures.error());
    answers.push_back({question, as_written(*figures, question.stated, over_integers)});
  }
  return answers;
}

}  // namespace vernier::cli
