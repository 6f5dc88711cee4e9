#include "law_noise.hpp"

#include <algorithm>
#include <concepts>
#include <vector>

#include "errors.hpp"
#include "vernier/random/source.hpp"
#include "vernier/random/wipe.hpp"
#include "watcher.hpp"

namespace nb = nanobind;

namespace vernier::python {
namespace {

constexpr std::size_t draws_between_signals = std::size_t{1} << 22;  // some hundredths of a second

// By draw(source, part of the numbers). Without the lock errors wait until it is back.
template <class Value, class Draw>
Result<void> filled_by(std::span<Value> out, const Draw& draw) {
  const nb::gil_scoped_release others_may_run;
  VERNIER_TRY(random::Source* const source, random::thread_source());
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), draws_between_signals);
    if (Result<void> drawn = draw(*source, out.first(count)); !drawn) return drawn;
    out = out.subspan(count);
    if (!out.empty()) raise_on_signal();
  }
  return {};
}

}  // namespace

LawNoise& noise_of(nb::handle capsule) {
  void* const noise = PyCapsule_GetPointer(capsule.ptr(), capsule_name);
  if (noise == nullptr) nb::raise_python_error();
  return *static_cast<LawNoise*>(noise);
}

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
  const auto draw = [&](const auto& noise) {
    value_of(filled_by(out, [&](random::Source& source, std::span<Value> part) { return noise.fill(source, part); }));
  };
  if constexpr (std::same_as<Value, double>) {
    std::visit(draw, *reals_);
  } else {
    std::visit(draw, *integers_);
  }
}

void LawNoise::perturb(const noise::ValueRange& range, std::span<double> values) const {
  std::visit(
      [&](const auto& noise) {
        value_of(filled_by(values, [&](random::Source& source, std::span<double> part) {
          return noise.perturb(source, range, part, part);
        }));
      },
      *reals_);
}

// Neither term exceeds 2^62 in size (of the noise this is the sampler's contract), so the sum fits.
void LawNoise::perturb(std::int64_t lower, std::int64_t upper, std::span<std::int64_t> values) const {
  std::vector<std::int64_t> noise(values.size());
  fill(std::span<std::int64_t>(noise));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::clamp(values[i], lower, upper) + noise[i];
  random::wipe(std::as_writable_bytes(std::span(noise)));
}

template void LawNoise::fill<double>(std::span<double> out) const;
template void LawNoise::fill<std::int64_t>(std::span<std::int64_t> out) const;

}  // namespace vernier::python
