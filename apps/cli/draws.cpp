#include "cli/draws.hpp"

#include <utility>

#include "cli/over_integers.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/random/source.hpp"

namespace vernier::cli {
namespace {

template <class Law>
Result<Draws> draw_integers(const Law& law, random::Source& source, std::size_t size) {
  std::vector<std::int64_t> values(size);
  if (Result<void> filled = noise::IntegerSampler(law).fill(source, values); !filled) return Failure(filled.error());
  return Draws{std::move(values), std::nullopt};
}

template <class Law>
Result<Draws> draw_reals(const Law& law, random::Source& source, std::size_t size) {
  const auto noise = noise::on_grid(law);
  std::vector<double> values(size);
  if (Result<void> filled = noise.fill(source, values); !filled) return Failure(filled.error());
  return Draws{std::move(values), noise.grid().granularity()};
}

}  // namespace

Result<Draws> draw(const noise::AnyLaw& law, std::size_t size) {
  const Result<random::Source*> source = random::thread_source();
  if (!source) return Failure(source.error());
  return std::visit(
      [&]<class Law>(const Law& chosen) {
        if constexpr (over_integers<Law>) {
          return draw_integers(chosen, **source, size);
        } else {
          return draw_reals(chosen, **source, size);
        }
      },
      law);
}

}  // namespace vernier::cli
