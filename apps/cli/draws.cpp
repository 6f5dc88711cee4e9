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
  VERNIER_TRY(noise::IntegerSampler(law).fill(source, values));
  return Draws{std::move(values), std::nullopt};
}

template <class Law>
Result<Draws> draw_reals(const Law& law, random::Source& source, std::size_t size) {
  const auto noise = noise::on_grid(law);
  std::vector<double> values(size);
  VERNIER_TRY(noise.fill(source, values));
  return Draws{std::move(values), noise.grid().granularity()};
}

}  // namespace

Result<Draws> draw(const noise::AnyLaw& law, std::size_t size) {
  VERNIER_TRY(random::Source* const source, random::thread_source());
  return std::visit(
      [&]<class Law>(const Law& chosen) {
        if constexpr (over_integers<Law>) {
          return draw_integers(chosen, *source, size);
        } else {
          return draw_reals(chosen, *source, size);
        }
      },
      law);
}

}  // namespace vernier::cli
