// Vernier's core in the Python benchmark, without Python: what its own work takes in the same process.
// Speaks the protocol of bench/README.md; the lines are those of bench/python/cases.py.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "bench/contender.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

namespace {

using namespace vernier;
using bench::need;
using bench::NotMeasured;

using Call = std::function<double()>;
using Numbers = std::map<std::string, double>;

constexpr std::size_t draws = 1'000'000;

accuracy::Family family(const std::string& mechanism) {
  if (mechanism == "laplace") return accuracy::LaplaceFamily{need(privacy::L1Sensitivity::of(1))};
  if (mechanism == "geometric") return accuracy::GeometricFamily{need(privacy::IntegerSensitivity::of(1))};
  if (mechanism == "gaussian") return accuracy::GaussianFamily{need(privacy::L2Sensitivity::of(1))};
  if (mechanism == "discrete-gaussian")
    return accuracy::DiscreteGaussianFamily{need(privacy::IntegerSensitivity::of(1))};
  throw NotMeasured("there is no mechanism " + mechanism);
}

accuracy::Known known(const std::string& mechanism, const Numbers& stated) {
  const bool is_pure = mechanism == "laplace" || mechanism == "geometric";
  auto delta = is_pure ? std::optional(privacy::Delta::zero()) : std::nullopt;
  if (stated.contains("delta")) delta = need(privacy::Delta::of(stated.at("delta")));
  if (stated.contains("scale")) return accuracy::ScaleAtDelta{stated.at("scale"), delta};
  if (stated.contains("accuracy")) return accuracy::Target{need(accuracy::Accuracy::of(stated.at("accuracy"))), delta};
  return accuracy::Budget{need(privacy::Epsilon::of(stated.at("epsilon"))), delta.value()};
}

// "KEY=NUMBER KEY=NUMBER"
Numbers numbers_of(std::istringstream& words) {
  Numbers numbers;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw NotMeasured("a statement is KEY=NUMBER, not \"" + word + "\"");
    numbers[word.substr(0, equals)] = std::atof(word.c_str() + equals + 1);
  }
  return numbers;
}

Call calibration(const std::string& mechanism, const Numbers& stated) {
  const accuracy::Family chosen = family(mechanism);
  const accuracy::Known asked = known(mechanism, stated);
  const auto alpha = need(Alpha::of(0.05));
  return [=] { return need(accuracy::calibrate(chosen, asked, alpha, accuracy::Cells::one())).scale; };
}

Call conversion(const std::string& name, double first, double significance) {
  using accuracy::Cells;
  const Alpha alpha = need(Alpha::of(significance));
  const auto laplace = need(LaplaceScale::of(first));
  const auto sigma = need(Sigma::of(first));
  const auto wanted = need(accuracy::Accuracy::of(first));
  const auto whole = need(accuracy::Accuracy::of(static_cast<double>(static_cast<std::int64_t>(first) - 1)));
  const std::map<std::string, Call> known{
      {"laplacian_scale_to_accuracy",
       [=] { return need(accuracy::of(noise::Laplace::of(laplace), alpha, Cells::one())).accuracy; }},
      {"gaussian_scale_to_accuracy",
       [=] { return need(accuracy::of(noise::Gaussian::of(sigma), alpha, Cells::one())).accuracy; }},
      {"discrete_laplacian_scale_to_accuracy",
       [=] { return need(accuracy::between(need(noise::Geometric::of(laplace)), alpha)); }},
      {"discrete_gaussian_scale_to_accuracy",
       [=] {
         return need(accuracy::of(need(noise::DiscreteGaussian::of(sigma)), alpha, Cells::one())).accuracy_strict;
       }},
      {"accuracy_to_laplacian_scale", [=] { return need(accuracy::laplace_for(wanted, alpha, Cells::one())).scale(); }},
      {"accuracy_to_gaussian_scale", [=] { return need(accuracy::gaussian_for(wanted, alpha, Cells::one())).scale(); }},
      {"accuracy_to_discrete_laplacian_scale",
       [=] { return need(accuracy::geometric_between(wanted, alpha)).scale(); }},
      {"accuracy_to_discrete_gaussian_scale",
       [=] { return need(accuracy::discrete_gaussian_for(whole, alpha, Cells::one())).scale(); }},
  };
  if (!known.contains(name)) throw NotMeasured("there is no conversion " + name);
  return known.at(name);
}

// Noise is an IntegerSampler or a GridNoise. The vector is filled again and again.
template <class Value, class Noise>
Call fills(const Noise& noise, random::Source& source) {
  const auto out = std::make_shared<std::vector<Value>>(draws);
  return [=, &source] {
    need(noise.fill(source, std::span<Value>(*out)));
    return static_cast<double>(out->front());
  };
}

Call drawing(const std::string& law, double scale, random::Source& source) {
  using Integer = std::int64_t;
  if (law == "laplace") return fills<double>(noise::on_grid(noise::Laplace::of(need(LaplaceScale::of(scale)))), source);
  if (law == "gaussian") return fills<double>(noise::on_grid(noise::Gaussian::of(need(Sigma::of(scale)))), source);
  if (law == "geometric") {
    const auto chosen = need(noise::Geometric::of(need(LaplaceScale::of(scale))));
    return fills<Integer>(noise::IntegerSampler(chosen), source);
  }
  if (law == "discrete-gaussian") {
    const auto chosen = need(noise::DiscreteGaussian::of(need(Sigma::of(scale))));
    return fills<Integer>(noise::IntegerSampler(chosen), source);
  }
  throw NotMeasured("there is no law " + law);
}

Call call_for(const std::string& line, random::Source& source) {
  std::istringstream words(line);
  std::string kind, name;
  double first = 0, second = 0;
  if (!(words >> kind >> name)) throw NotMeasured("a case is a kind and a name, not \"" + line + "\"");
  if (kind == "calibrate") return calibration(name, numbers_of(words));
  if (kind == "convert" && words >> first >> second) return conversion(name, first, second);
  if (kind == "draw" && words >> first) return drawing(name, first, source);
  throw NotMeasured("there is no case \"" + line + "\"");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "give the CPU seconds of a figure\n";
    return 2;
  }
  vernier::Result<random::Source> source = random::Source::open();
  if (!source) {
    std::cerr << source.error().sentence() << '\n';
    return 1;
  }
  const double seconds = std::atof(arguments[1]);
  std::map<std::string, Call> calls;
  bench::serve([&](const std::string& line) {
    if (!calls.contains(line)) calls.emplace(line, call_for(line, *source));
    return bench::text(1e6 * bench::call_seconds(calls.at(line), seconds));
  });
}
