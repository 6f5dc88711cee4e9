// Vernier in the noise benchmark: vectors of noise, and draws one at a time.
// Speaks the protocol of bench/README.md: a case a line comes in, its figure a line goes out.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

namespace {

using namespace vernier;

using Call = std::function<Result<void>()>;  // draws as many samples as a vector holds

// A case is "LAW SCALE" or "scalar LAW SCALE".
struct Case {
  bool scalar;
  std::string law;
  double scale;
};

Result<Case> parse(std::string_view name) {
  constexpr std::string_view prefix = "scalar ";
  const bool scalar = name.starts_with(prefix);
  std::istringstream words(std::string(name.substr(scalar ? prefix.size() : 0)));
  Case parsed{.scalar = scalar, .law = {}, .scale = 0};
  if (words >> parsed.law >> parsed.scale) return parsed;
  return invalid("a case is a law and a scale, not \"" + std::string(name) + "\"");
}

// Noise is an IntegerSampler, which draws Value = int64_t, or a GridNoise, which draws Value = double.
template <class Value, class Noise>
Call vector_call(const Noise& noise, random::Source& source, std::size_t size) {
  const auto out = std::make_shared<std::vector<Value>>(size);
  return [=, &source] { return noise.fill(source, std::span<Value>(*out)); };
}

template <class Value, class Noise>
Call scalar_call(const Noise& noise, random::Source& source, std::size_t size) {
  return [=, &source]() -> Result<void> {
    [[maybe_unused]] volatile Value last{};  // so that no draw is left out
    for (std::size_t i = 0; i < size; ++i) {
      const Result<Value> drawn = noise.draw(source);
      if (!drawn) return Failure(drawn.error());
      last = *drawn;
    }
    return {};
  };
}

template <class Value, class Noise>
Call call_of(const Noise& noise, const Case& of, random::Source& source, std::size_t size) {
  return of.scalar ? scalar_call<Value>(noise, source, size) : vector_call<Value>(noise, source, size);
}

Result<Call> prepare(const Case& of, random::Source& source, std::size_t size) {
  const auto integers = [&](const auto& law) {
    return call_of<std::int64_t>(noise::IntegerSampler(law), of, source, size);
  };
  const auto reals = [&](const auto& law) { return call_of<double>(noise::on_grid(law), of, source, size); };
  if (of.law == "geometric") return LaplaceScale::of(of.scale).and_then(noise::Geometric::of).map(integers);
  if (of.law == "discrete-gaussian") return Sigma::of(of.scale).and_then(noise::DiscreteGaussian::of).map(integers);
  if (of.law == "laplace") return LaplaceScale::of(of.scale).map(noise::Laplace::of).map(reals);
  if (of.law == "gaussian") return Sigma::of(of.scale).map(noise::Gaussian::of).map(reals);
  return invalid("there is no law \"" + of.law + "\"");
}

double thread_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Samples per second of this thread's CPU time, over as many calls as fill the seconds.
Result<double> rate(const Call& call, std::size_t size, double seconds) {
  const double start = thread_seconds();
  for (std::size_t calls = 1;; ++calls) {
    if (const Result<void> drawn = call(); !drawn) return Failure(drawn.error());
    const double spent = thread_seconds() - start;
    if (spent >= seconds) return static_cast<double>(calls * size) / spent;
  }
}

class Contender {
 public:
  Contender(random::Source source, double seconds, std::size_t size)
      : source_(std::move(source)), seconds_(seconds), size_(size) {}

  // Samples per second for a vector case, nanoseconds per draw for a scalar one.
  Result<double> figure(const std::string& name) {
    const Result<Case> parsed = parse(name);
    if (!parsed) return Failure(parsed.error());
    if (!calls_.contains(name)) {
      Result<Call> call = prepare(*parsed, source_, size_);
      if (!call) return Failure(call.error());
      calls_.emplace(name, std::move(*call));
    }
    return rate(calls_.at(name), size_, seconds_).map([&](double r) { return parsed->scalar ? 1e9 / r : r; });
  }

 private:
  random::Source source_;
  double seconds_;
  std::size_t size_;
  std::map<std::string, Call> calls_;
};

void serve(Contender contender) {
  std::cout.precision(17);
  std::cout << "ready" << std::endl;
  for (std::string name; std::getline(std::cin, name);) {
    const Result<double> figure = contender.figure(name);
    if (figure) {
      std::cout << *figure << std::endl;
    } else {
      std::cout << "none " << figure.error().sentence() << std::endl;
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "give the CPU seconds of a figure and the length of a vector\n";
    return 2;
  }
  Result<random::Source> source = random::Source::open();
  if (!source) {
    std::cerr << source.error().sentence() << '\n';
    return 1;
  }
  serve(Contender(std::move(*source), std::atof(arguments[1]), std::strtoull(arguments[2], nullptr, 10)));
}
