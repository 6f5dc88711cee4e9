#include "cli/calibrate_json.hpp"

#include <string_view>

#include "cli/json.hpp"

namespace vernier::cli {
namespace {

void write_answer(JsonWriter& json, const CalibrateRequest& request, const Answer& answer) {
  const accuracy::Figures& figures = answer.figures;
  json.begin_object();
  json.member("mechanism", request.subject.mechanism);
  json.member("calibration", request.subject.calibration);
  json.member("sensitivity", request.subject.sensitivity);
  json.member("scale", figures.scale);
  json.member("epsilon", figures.epsilon);
  json.member("delta", figures.delta);
  json.member("rho", figures.rho);
  json.member("alpha", answer.question.stated.alpha.nearest);
  json.member("cells", request.cells.value());
  json.member("accuracy", figures.accuracy.accuracy);
  json.member("accuracy_strict", figures.accuracy.accuracy_strict);
  json.member("accuracy_continuous", figures.accuracy.accuracy_continuous);
  json.member("standard_deviation", figures.standard_deviation);
  json.member("epsilon_continuous", figures.epsilon_continuous);
  json.end_object();
}

}  // namespace

void write_json(Output& output, const CalibrateRequest& request, const std::vector<Answer>& answers) {
  JsonWriter json(output);
  if (request.sweep) {
    json.begin_object();
    json.member("sweep", std::string_view(*request.sweep));
    json.key("points");
    json.begin_array();
    for (const Answer& answer : answers) write_answer(json, request, answer);
    json.end_array();
    json.end_object();
  } else {
    write_answer(json, request, answers.front());
  }
  output.write("\n");
}

}  // namespace vernier::cli
