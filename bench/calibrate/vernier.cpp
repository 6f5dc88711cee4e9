// Vernier in the calibration benchmark: scales for budgets, accuracies, and scales for accuracies.
// Speaks the protocol of bench/README.md; the lines are those of bench/calibrate/cases.py.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/gaussian.hpp"

namespace {

using namespace vernier;

using bench::need;
using bench::NotMeasured;

struct Point {
  double first;
  double second;
};

using Call = std::function<double()>;

Call gaussian_sigma(Point budget) {
  const auto epsilon = need(privacy::Epsilon::of(budget.first));
  const auto delta = need(privacy::Delta::of(budget.second));
  const auto sensitivity = need(privacy::L2Sensitivity::of(1));
  return [=] { return need(mechanism::GaussianMechanism::calibrate(epsilon, delta, sensitivity)).law().scale(); };
}

Call discrete_gaussian_sigma(Point budget) {
  const auto epsilon = need(privacy::Epsilon::of(budget.first));
  const auto delta = need(privacy::Delta::of(budget.second));
  const auto sensitivity = need(privacy::IntegerSensitivity::of(1));
  return
      [=] { return need(mechanism::DiscreteGaussianMechanism::calibrate(epsilon, delta, sensitivity)).law().scale(); };
}

noise::Laplace laplace(double scale) { return noise::Laplace::of(need(LaplaceScale::of(scale))); }
noise::Gaussian gaussian(double scale) { return noise::Gaussian::of(need(Sigma::of(scale))); }
noise::Geometric geometric(double scale) { return need(noise::Geometric::of(need(LaplaceScale::of(scale)))); }
noise::DiscreteGaussian discrete_gaussian(double scale) {
  return need(noise::DiscreteGaussian::of(need(Sigma::of(scale))));
}

template <class Law>
Call accuracy_at(const Law& law, double significance) {
  const auto alpha = need(accuracy::Alpha::of(significance));
  return [=] { return need(accuracy::of(law, alpha, accuracy::Cells::one())).accuracy_strict; };
}

// The law is made by `make` from the point's scale.
template <auto make>
Call accuracy_of(Point scale_and_alpha) {
  return accuracy_at(make(scale_and_alpha.first), scale_and_alpha.second);
}

// At the tail beyond the accuracy, rounded to a double: doubles cannot tell whether it is at most alpha.
template <auto make>
Call near_tie(Point scale_and_alpha) {
  const auto law = make(scale_and_alpha.first);
  const auto alpha = need(accuracy::Alpha::of(scale_and_alpha.second));
  const double a = need(accuracy::of(law, alpha, accuracy::Cells::one())).accuracy;
  const numeric::Ball tail = law.tail(static_cast<std::int64_t>(a), numeric::Precision{256});
  return accuracy_at(law, 2 * tail.nearest());
}

// `make` gives the law for an accuracy.
template <auto make>
Call scale_for(Point accuracy_and_alpha) {
  const auto wanted = need(accuracy::Accuracy::of(accuracy_and_alpha.first));
  const auto alpha = need(accuracy::Alpha::of(accuracy_and_alpha.second));
  return [=] { return need(make(wanted, alpha, accuracy::Cells::one())).scale(); };
}

Call call_for(const std::string& asked, Point point) {
  static const std::map<std::string, std::function<Call(Point)>> known{
      {"sigma gaussian", gaussian_sigma},
      {"sigma discrete-gaussian", discrete_gaussian_sigma},
      {"accuracy laplace", accuracy_of<laplace>},
      {"accuracy gaussian", accuracy_of<gaussian>},
      {"accuracy geometric", accuracy_of<geometric>},
      {"accuracy discrete-gaussian", accuracy_of<discrete_gaussian>},
      {"scale laplace", scale_for<accuracy::laplace_for>},
      {"scale gaussian", scale_for<accuracy::gaussian_for>},
      {"scale geometric", scale_for<accuracy::geometric_for>},
      {"scale discrete-gaussian", scale_for<accuracy::discrete_gaussian_for>},
      {"near-tie geometric", near_tie<geometric>},
      {"near-tie discrete-gaussian", near_tie<discrete_gaussian>},
  };
  if (!known.contains(asked)) throw NotMeasured("there is no case " + asked);
  return known.at(asked)(point);
}

// "QUANTITY LAW: POINT, POINT, ..."
std::vector<Call> prepare(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) throw NotMeasured("a case has a colon before its points, not \"" + line + "\"");
  std::vector<Call> calls;
  std::istringstream points(line.substr(colon + 2));
  for (std::string text; std::getline(points, text, ',');) {
    std::istringstream numbers(text);
    Point point{};
    if (!(numbers >> point.first >> point.second)) throw NotMeasured("a point is two numbers, not \"" + text + "\"");
    calls.push_back(call_for(line.substr(0, colon), point));
  }
  return calls;
}

// The time of the slowest of some calls, where each call counts by its best round so far.
class Stopwatch {
 public:
  explicit Stopwatch(std::vector<Call> calls)
      : calls_(std::move(calls)), best_(calls_.size(), std::numeric_limits<double>::infinity()) {}

  double round(double seconds) {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      best_[i] = std::min(best_[i], bench::call_seconds(calls_[i], seconds / static_cast<double>(calls_.size())));
    }
    return *std::max_element(best_.begin(), best_.end());
  }

 private:
  std::vector<Call> calls_;
  std::vector<double> best_;
};

constexpr std::string_view value = "value ";

class Contender {
 public:
  explicit Contender(double seconds) : seconds_(seconds) {}

  // Microseconds for a case, or the answer itself after the word "value".
  double answer(const std::string& line) {
    if (line.starts_with(value)) return prepare(line.substr(value.size())).front()();
    if (!stopwatches_.contains(line)) stopwatches_.emplace(line, Stopwatch(prepare(line)));
    return 1e6 * stopwatches_.at(line).round(seconds_);
  }

 private:
  double seconds_;
  std::map<std::string, Stopwatch> stopwatches_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "give the CPU seconds of a figure\n";
    return 2;
  }
  Contender contender(std::atof(arguments[1]));
  bench::serve([&](const std::string& line) { return bench::text(contender.answer(line)); });
}
