#include "vernier/accuracy/accuracy.hpp"

#include "vernier/accuracy/decide.hpp"
#include "vernier/accuracy/guess.hpp"
#include "vernier/accuracy/questions.hpp"

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

}  // namespace vernier::accuracy
