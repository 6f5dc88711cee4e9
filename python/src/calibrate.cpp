#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "cli/calibrate/question.hpp"
#include "cli/calibrate/report.hpp"
#include "cli/chart_json.hpp"
#include "errors.hpp"
#include "numbers.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

using accuracy::Cells;
using cli::Answer;
using cli::Decimal;
using cli::Stated;
using cli::Subject;

constexpr std::size_t points_between_signals = 256;

Subject subject_of(nb::handle mechanism, nb::handle sensitivity, nb::handle calibration) {
  const std::string name = text("mechanism", mechanism, "laplace");
  const auto chosen =
      calibration.is_none() ? std::nullopt : std::optional(text("calibration", calibration, "analytic"));
  return value_of(cli::subject_named(name, written("sensitivity", sensitivity), chosen));
}

Cells cells_of(nb::handle cells) { return value_of(Cells::of(whole("cells", cells))); }

// A key, and what was given for it: nothing, a number, or a row of them.
struct Given {
  std::string_view key;
  nb::handle value;
  std::optional<Decimal> one;
  std::vector<Decimal> row;

  Given(std::string_view of, nb::handle what) : key(of), value(what) {
    if (value.is_none()) return;
    if (is_several(value)) {
      read_row();
    } else {
      one = decimal(key, value);
    }
  }

  std::optional<Decimal> at(std::size_t i) const { return row.empty() ? one : std::optional(row[i]); }

 private:
  void read_row();
};

// Item by item, so that decimals and text count as they are written and a sentence names the one that is wrong.
void Given::read_row() {
  if (nb::hasattr(value, "ndim") && !nb::object(value.attr("ndim")).equal(nb::int_(1))) {
    raise_invalid(fmt::format("{} has more than one dimension; give a number or a row of numbers", key));
  }
  check_length(key, value);
  for (const nb::handle item : nb::iter(value)) row.push_back(decimal(fmt::format("{}[{}]", key, row.size()), item));
  if (row.empty()) raise_invalid(fmt::format("{} is empty; give at least one number", key));
}

struct Statements {
  Given epsilon, delta, scale, accuracy, alpha;

  std::optional<std::size_t> length() const;  // none where every value is one number

  Stated at(std::size_t i) const {
    return {epsilon.at(i), scale.at(i), accuracy.at(i), delta.at(i), alpha.at(i).value()};
  }
};

std::optional<std::size_t> Statements::length() const {
  const Given* longest = nullptr;
  for (const Given* const given : {&epsilon, &delta, &scale, &accuracy, &alpha}) {
    if (given->row.empty()) continue;
    if (longest != nullptr && longest->row.size() != given->row.size()) {
      raise_invalid(fmt::format("{} has {} numbers and {} has {}; give rows of one length", longest->key,
                                longest->row.size(), given->key, given->row.size()));
    }
    longest = given;
  }
  return longest == nullptr ? std::nullopt : std::optional(longest->row.size());
}

Statements statements(nb::handle epsilon, nb::handle delta, nb::handle scale, nb::handle accuracy, nb::handle alpha) {
  if (alpha.is_none()) raise_invalid("alpha is None; write a number such as 0.05");
  return {{"epsilon", epsilon}, {"delta", delta}, {"scale", scale}, {"accuracy", accuracy}, {"alpha", alpha}};
}

Result<Answer> answer(const Subject& subject, Cells cells, const Stated& stated) {
  return cli::question_of(subject, stated).and_then([&](const cli::Question& question) {
    return cli::answer_to(subject, cells, question);
  });
}

nb::object figure(double value) { return nb::float_(value); }
nb::object figure(const std::optional<double>& value) { return value ? figure(*value) : nb::none(); }
nb::object whole_figure(double value, bool is_whole) {
  return is_whole ? nb::steal(PyLong_FromDouble(value)) : figure(value);
}
nb::object name(std::optional<std::string_view> text) {
  return text ? nb::object(nb::str(text->data(), text->size())) : nb::none();
}

// The figures of one answer by name.
struct OneAnswer {
  const Answer& answer;
  nb::dict& figures;

  void one(const char* key, std::optional<std::string_view> text) const { figures[key] = name(text); }
  void one(const char* key, double value, bool is_whole) const { figures[key] = whole_figure(value, is_whole); }
  void one(const char* key, std::int64_t value) const { figures[key] = value; }

  template <class Get>
  void each(const char* key, Get get, bool is_whole = false) const {
    if constexpr (std::is_same_v<decltype(get(answer)), double>) {
      figures[key] = whole_figure(get(answer), is_whole);
    } else {
      figures[key] = figure(get(answer));
    }
  }
};

// The figures of many by name, each an array; None where they have none. All have it or none has.
struct ManyAnswers {
  const std::vector<Answer>& answers;
  nb::dict& figures;

  template <class... Value>
  void one(const char* key, const Value&... value) const {
    OneAnswer{answers.front(), figures}.one(key, value...);
  }

  template <class Get>
  void each(const char* key, Get get, bool is_whole = false) const {
    const nb::object values = column(get);
    figures[key] = is_whole ? nb::object(values.attr("astype")("int64")) : values;
  }

 private:
  template <class Get>
  nb::object column(Get get) const {
    std::vector<double> values;
    values.reserve(answers.size());
    for (const Answer& answer : answers) {
      const std::optional<double> value = get(answer);
      if (!value) return nb::none();
      values.push_back(*value);
    }
    return numpy_array(std::move(values));
  }
};

nb::dict figures_of(const Subject& subject, Cells cells, const Answer& answer) {
  nb::dict figures;
  cli::describe_figures(subject, cells, OneAnswer{answer, figures});
  return figures;
}

nb::dict columns_of(const Subject& subject, Cells cells, const std::vector<Answer>& answers) {
  nb::dict figures;
  cli::describe_figures(subject, cells, ManyAnswers{answers, figures});
  return figures;
}

Result<std::vector<Answer>> answers(const Subject& subject, Cells cells, const Statements& given, std::size_t length) {
  const nb::gil_scoped_release others_may_run;
  std::vector<Answer> found;
  found.reserve(length);
  for (std::size_t i = 0; i < length; ++i) {
    if (i % points_between_signals == 0) raise_on_signal();
    VERNIER_TRY(Answer one, answer(subject, cells, given.at(i)));
    found.push_back(std::move(one));
  }
  return found;
}

// The figures by name, each an array where rows were given. One answer takes microseconds and keeps the interpreter's
// lock.
nb::dict calibrate(nb::handle mechanism, nb::handle epsilon, nb::handle delta, nb::handle scale, nb::handle accuracy,
                   nb::handle alpha, nb::handle sensitivity, nb::handle cells, nb::handle calibration) {
  const Subject subject = subject_of(mechanism, sensitivity, calibration);
  const Statements given = statements(epsilon, delta, scale, accuracy, alpha);
  const std::optional<std::size_t> length = given.length();
  value_of(cli::check_stated(subject, given.at(0), false));
  const Cells count = cells_of(cells);
  if (length) return columns_of(subject, count, value_of(answers(subject, count, given, *length)));
  return figures_of(subject, count, value_of(answer(subject, count, given.at(0))));
}

// One release as its figures tell it.
Answer answer_of(const Subject& subject, const nb::dict& figures) {
  const Given scale("scale", figures["scale"]), epsilon("epsilon", figures["epsilon"]),
      delta("delta", figures["delta"]);
  const bool by_budget = epsilon.one && epsilon.one->nearest > 0;
  const Stated stated{by_budget ? epsilon.one : std::nullopt,
                      by_budget ? std::nullopt : scale.one,
                      {},
                      delta.one,
                      decimal("alpha", figures["alpha"])};
  value_of(cli::check_stated(subject, stated, true));
  Answer answer{value_of(cli::question_of(subject, stated)), {}};
  answer.figures.epsilon = epsilon.one->nearest;
  answer.figures.delta = delta.one->nearest;
  answer.figures.accuracy.accuracy = real("accuracy", figures["accuracy"]);
  return answer;
}

Result<plot::Chart> chart(const cli::CalibrateRequest& request, const std::vector<Answer>& answers) {
  const nb::gil_scoped_release others_may_run;
  return cli::calibrate_chart(request, answers);
}

// The chart of `vernier calibrate --plot` for releases of one mechanism, as JSON.
std::string calibrate_chart(const std::vector<nb::dict>& releases) {
  const nb::dict& first = releases.at(0);
  const Subject subject = subject_of(first["mechanism"], first["sensitivity"], first["calibration"]);
  std::vector<Answer> all;
  for (const nb::dict& figures : releases) all.push_back(answer_of(subject, figures));
  const cli::CalibrateRequest request{subject, cells_of(first["cells"]), {}, {}, {}, false};
  return cli::chart_json(value_of(chart(request, all)));
}

// The conversions of opendp.accuracy: one cell, and for integer noise the strict convention, P[abs(noise) >= accuracy]
// <= alpha. Numbers are rounded toward safety.

using accuracy::Accuracy;
using accuracy::Alpha;

Alpha alpha_of(nb::handle alpha) { return value_of(cli::rounded_down<Alpha>(decimal("alpha", alpha))); }
LaplaceScale laplace_scale(nb::handle scale) { return value_of(LaplaceScale::of(real("scale", scale))); }
Sigma sigma(nb::handle scale) { return value_of(Sigma::of(real("scale", scale))); }
Accuracy accuracy_of(nb::handle wanted) { return value_of(cli::rounded_down<Accuracy>(decimal("accuracy", wanted))); }

// A strict accuracy is a whole number from 1 on, and one more than that of P[abs(noise) > accuracy] <= alpha.
Accuracy less_one(Accuracy strict) {
  if (strict.value() >= 1) return value_of(Accuracy::of(std::floor(strict.value()) - 1));
  raise_invalid(
      "the accuracy of integer noise is at least 1 where it means P[abs(noise) >= accuracy] <= alpha, since a whole "
      "number other than 0 is at least 1; ask for 1 or more");
}

double laplacian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::of(noise::Laplace::of(laplace_scale(scale)), alpha_of(alpha), Cells::one())).accuracy;
}
double gaussian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::of(noise::Gaussian::of(sigma(scale)), alpha_of(alpha), Cells::one())).accuracy;
}
double discrete_laplacian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  return value_of(accuracy::between(value_of(noise::Geometric::of(laplace_scale(scale))), alpha_of(alpha)));
}
double discrete_gaussian_scale_to_accuracy(nb::handle scale, nb::handle alpha) {
  const auto law = value_of(noise::DiscreteGaussian::of(sigma(scale)));
  return value_of(accuracy::of(law, alpha_of(alpha), Cells::one())).accuracy_strict;
}

double accuracy_to_laplacian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::laplace_for(accuracy_of(accuracy), alpha_of(alpha), Cells::one())).scale();
}
double accuracy_to_gaussian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::gaussian_for(accuracy_of(accuracy), alpha_of(alpha), Cells::one())).scale();
}
double accuracy_to_discrete_laplacian_scale(nb::handle accuracy, nb::handle alpha) {
  return value_of(accuracy::geometric_between(accuracy_of(accuracy), alpha_of(alpha))).scale();
}
double accuracy_to_discrete_gaussian_scale(nb::handle accuracy, nb::handle alpha) {
  const Accuracy wanted = less_one(accuracy_of(accuracy));
  return value_of(accuracy::discrete_gaussian_for(wanted, alpha_of(alpha), Cells::one())).scale();
}

}  // namespace

void bind_calibrate(nb::module_& module) {
  module.def("calibrate", &calibrate, nb::arg("mechanism").none(), nb::arg("epsilon").none(), nb::arg("delta").none(),
             nb::arg("scale").none(), nb::arg("accuracy").none(), nb::arg("alpha").none(),
             nb::arg("sensitivity").none(), nb::arg("cells").none(), nb::arg("calibration").none(),
             "The figures of a release by name, each an array where rows of numbers are given.");
  module.def("calibrate_chart", &calibrate_chart, nb::arg("releases"),
             "Accuracy against epsilon, mechanism by mechanism, around releases given by their figures; as JSON.");
}

void bind_opendp(nb::module_& module) {
  nb::module_ opendp = module.def_submodule("opendp", "The conversions of vernier.compat.opendp.");
  const auto to_accuracy = [&](const char* name, double (*convert)(nb::handle, nb::handle)) {
    opendp.def(name, convert, nb::arg("scale").none(), nb::arg("alpha").none());
  };
  const auto to_scale = [&](const char* name, double (*convert)(nb::handle, nb::handle)) {
    opendp.def(name, convert, nb::arg("accuracy").none(), nb::arg("alpha").none());
  };
  to_accuracy("laplacian_scale_to_accuracy", laplacian_scale_to_accuracy);
  to_accuracy("gaussian_scale_to_accuracy", gaussian_scale_to_accuracy);
  to_accuracy("discrete_laplacian_scale_to_accuracy", discrete_laplacian_scale_to_accuracy);
  to_accuracy("discrete_gaussian_scale_to_accuracy", discrete_gaussian_scale_to_accuracy);
  to_scale("accuracy_to_laplacian_scale", accuracy_to_laplacian_scale);
  to_scale("accuracy_to_gaussian_scale", accuracy_to_gaussian_scale);
  to_scale("accuracy_to_discrete_laplacian_scale", accuracy_to_discrete_laplacian_scale);
  to_scale("accuracy_to_discrete_gaussian_scale", accuracy_to_discrete_gaussian_scale);
}

}  // namespace vernier::python
