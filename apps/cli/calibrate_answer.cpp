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
