#include "law_noise.hpp"

#include <algorithm>
#include <concepts>

#include "errors.hpp"
#include "signals.hpp"
#include "vernier/random/source.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

constexpr std::size_t draws_between_signals = std::size_t{1} << 22;  // some hundredths of a second

// Without the lock errors wait until it is back.
template <class Noise, class Value>
Result<void> filled(const Noise& noise, std::span<Value> out) {
  const nb::gil_scoped_release others_may_run;
  const Result<random::Source*> source = random::thread_source();
  if (!source) return Failure(source.error());
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), draws_between_signals);
    if (Result<void> drawn = noise.fill(**source, out.first(count)); !drawn) return drawn;
    out = out.subspan(count);
    if (!out.empty()) raise_on_signal();
  }
  return {};
}

}  // namespace

void LawNoise::build() {
  if (integers_ || reals_) return;
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (std::same_as<Law, noise::Laplace> || std::same_as<Law, noise::Gaussian>) {
          reals_.emplace(noise::on_grid(law));
        } else {
          integers_.emplace(noise::IntegerSampler(law));
        }
      },
      law_);
}

template <class Value>
void LawNoise::fill(std::span<Value> out) const {
  const auto draw = [&](const auto& noise) { value_of(filled(noise, out)); };
  if constexpr (std::same_as<Value, double>) {
    std::visit(draw, *reals_);
  } else {
    std::visit(draw, *integers_);
  }
}

template void LawNoise::fill<double>(std::span<double> out) const;
template void LawNoise::fill<std::int64_t>(std::span<std::int64_t> out) const;

}  // namespace vernier::python
