#include "vernier/accuracy/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/questions.hpp"
#include "vernier/core/text.hpp"

namespace vernier::accuracy {
namespace {

template <class Law>
Result<double> real_accuracy(const Law& law, const Threshold& threshold) {
  const double guess = law.scale() * Unit<Law>::point(threshold.about());
  return least_real(WithinPoint<Law>{law, threshold}, guess, {0, std::numeric_limits<double>::max()});
}

template <class Law>
Result<Statement> real_statement(const Law& law, Alpha alpha, Cells cells) {
  return real_accuracy(law, Threshold(alpha, cells)).map([](double a) { return Statement{a, a, a}; });
}

// The law's mass at x is about the continuous one's between x - 1/2 and x + 1/2.
template <class Law>
Result<Statement> integer_statement(const Law& law, Alpha alpha, Cells cells) {
  using Resembling = ContinuousLaw<Law>;
  const Threshold threshold(alpha, cells);
  const double guess = law.scale() * Unit<Resembling>::point(threshold.about()) - 0.5;
  VERNIER_TRY(const std::int64_t least, least_whole(WithinPoint<Law>{law, threshold}, guess));
  const auto a = static_cast<double>(least);
  return real_accuracy(law_at<Resembling>(law.scale()), threshold).map([&](double continuous) {
    return Statement{a, a + 1, continuous};
  });
}

}  // namespace

Result<Statement> of(const noise::Laplace& law, Alpha alpha, Cells cells) { return real_statement(law, alpha, cells); }
Result<Statement> of(const noise::Gaussian& law, Alpha alpha, Cells cells) { return real_statement(law, alpha, cells); }
Result<Statement> of(const noise::Geometric& law, Alpha alpha, Cells cells) {
  return integer_statement(law, alpha, cells);
}
Result<Statement> of(const noise::DiscreteGaussian& law, Alpha alpha, Cells cells) {
  return integer_statement(law, alpha, cells);
}

namespace {

Failure no_such_scale(Accuracy accuracy, Alpha alpha, Cells cells, const std::string& end, const char* advice) {
  const std::string together = cells.value() == 1 ? "" : " for " + std::to_string(cells.value()) + " cells together";
  return invalid("accuracy " + shortest(accuracy.value()) + " at alpha " + shortest(alpha.value()) + together +
                     " needs a scale " + end,
                 std::string("ask for a ") + advice + " accuracy");
}

// The largest scale of the law's domain with the answer yes, from a guess of it.
template <class Law>
Result<Law> law_near(double guess, Point<Law> a, Accuracy accuracy, Alpha alpha, Cells cells) {
  constexpr double least = Domain<Law>::least, greatest = Domain<Law>::greatest;
  const Threshold threshold(alpha, cells);
  const WithinAtScale<Law> question{a, threshold};
  const Result<double> found = least_real(question, -std::clamp(guess, least, greatest), {-greatest, -least});
  if (!found) return no_such_scale(accuracy, alpha, cells, "below " + shortest(least) + ", the least", "larger");
  if (-*found == greatest) {
    return no_such_scale(accuracy, alpha, cells, "above " + shortest(greatest) + ", the greatest", "smaller");
  }
  return law_at<Law>(-*found);
}

template <class Law>
Result<Law> real_law_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  const double a = accuracy.value();
  if (a == 0)
    return invalid("accuracy 0 needs noise that is always 0, which no law over the reals is",
                   "ask for an accuracy above 0");
  const double guess = a / Unit<Law>::point(Threshold(alpha, cells).about());
  return law_near<Law>(guess, a, accuracy, alpha, cells);
}

// log(-log P[abs(X) > a]) at a scale; nearly a line in the logarithm of the scale, at both ends.
template <class Law>
double height(double scale, std::int64_t a) {
  const Bounds probability = outside(law_at<Law>(std::clamp(scale, Domain<Law>::least, Domain<Law>::greatest)), a);
  const double middle = (probability.lower + probability.upper) / 2;
  return std::log(-std::log(std::clamp(middle, 1e-320, 1 - 0x1p-53)));
}

// Where P[abs(X) > a] is the probability: the secant method, which needs 3 to 6 steps.
template <class Law>
double scale_where(std::int64_t a, double probability) {
  using Shape = Unit<ContinuousLaw<Law>>;
  const double target = std::log(-std::log(probability));
  const auto x = static_cast<double>(a);
  double scale = std::max((x + 0.5) / Shape::point(probability), (x + 1) / Shape::reach(probability));
  double gap = height<Law>(scale, a) - target;
  double slope = -Shape::power;
  for (int step = 0; step < 12 && std::abs(gap) > 1e-15; ++step) {
    const double move = std::clamp(-gap / slope, -2.0, 2.0);
    scale *= std::exp(move);
    const double next = height<Law>(scale, a) - target;
    if (std::abs(move) > 1e-9) slope = std::clamp((next - gap) / move, -4.0, -0.25);
    gap = next;
  }
  return scale;
}

template <class Law>
Result<Law> integer_law_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  if (accuracy.value() != std::floor(accuracy.value())) {
    return invalid("the accuracy of integer noise is a whole number, but it is " + shortest(accuracy.value()),
                   "write " + shortest(std::floor(accuracy.value())) + " for the same guarantee");
  }
  const auto a = static_cast<std::int64_t>(accuracy.value());
  return law_near<Law>(scale_where<Law>(a, Threshold(alpha, cells).about()), a, accuracy, alpha, cells);
}

}  // namespace

Result<noise::Laplace> laplace_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  return real_law_for<noise::Laplace>(accuracy, alpha, cells);
}
Result<noise::Gaussian> gaussian_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  return real_law_for<noise::Gaussian>(accuracy, alpha, cells);
}
Result<noise::Geometric> geometric_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  return integer_law_for<noise::Geometric>(accuracy, alpha, cells);
}
Result<noise::DiscreteGaussian> discrete_gaussian_for(Accuracy accuracy, Alpha alpha, Cells cells) {
  return integer_law_for<noise::DiscreteGaussian>(accuracy, alpha, cells);
}

}  // namespace vernier::accuracy
