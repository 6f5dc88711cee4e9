#include "vernier/table/noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/table/moves.hpp"

namespace vernier::table {
namespace {

constexpr double charged = 1 + 0x1p-40;

// The least double of 40 bits that is not below.
double raised(double value) {
  constexpr int bits = 40;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::ceil(std::ldexp(mantissa, bits)), exponent - bits);
}

Failure too_fine(const Columns& set) {
  return invalid("the tables of " + std::to_string(set.size()) +
                 " columns need noise of a scale above 1e12; lower up_to, take wider buckets, or raise the budget");
}

// The product of n - 1 over the set: how often, or by how much, a coordinate is moved.
std::int64_t lessened(const Lattice& lattice, const Columns& set) {
  std::int64_t product = 1;
  for (const std::size_t column : set) product *= lattice.keys()[column] - 1;
  return product;
}

// The coordinates whose key differs from the row's in all columns but those of `same`.
Result<accounting::Event> event_of(const Lattice& lattice, const Columns& set, const Columns& same,
                                   const noise::DiscreteGaussian& law) {
  VERNIER_TRY(const auto sensitivity, privacy::IntegerSensitivity::of(lessened(lattice, same)));
  VERNIER_TRY(const auto times, accounting::Times::of(lessened(lattice, without(set, same))));
  VERNIER_TRY(const Sigma scale, Sigma::of(law.scale()));
  VERNIER_TRY(const auto mechanism, mechanism::DiscreteGaussianMechanism::at_scale(scale, sensitivity));
  return accounting::Event::of(mechanism, privacy::Neighbours::add_remove, times);
}

// Of the draw of residual `set` at a coordinate that has the cell's keys in `same` alone, in the estimate of a cell of
// `table`: 1 / (N_A N_(W without A)) times the product of 1 - 1/n over `same` and of 1/n over the rest of the set.
double weight_of(const Lattice& lattice, const Columns& table, const Columns& set, const Columns& same) {
  double weight = 1 / static_cast<double>(lattice.cells(table));
  for (const std::size_t column : set) {
    const double part = 1 / static_cast<double>(lattice.keys()[column]);
    weight *= std::ranges::binary_search(same, column) ? 1 - part : part;
  }
  return weight;
}

}  // namespace

Result<Laws> laws_of(const Lattice& lattice, std::span<const double> variances) {
  Laws laws;
  for (std::size_t i = 0; i < variances.size(); ++i) {
    const Columns& set = lattice.residuals()[i];
    const double scale = std::sqrt(variances[i]) * static_cast<double>(lattice.cells(set));
    if (!(scale <= noise::greatest_integer_scale / charged)) return too_fine(set);
    VERNIER_TRY(const Sigma sigma, Sigma::of(raised(std::max(scale * charged, noise::least_integer_scale))));
    VERNIER_TRY(const auto law, noise::DiscreteGaussian::of(sigma));
    laws.push_back(law);
  }
  return laws;
}

Result<std::vector<accounting::Event>> events_of(const Lattice& lattice, const Laws& laws,
                                                 privacy::Neighbours neighbours) {
  if (neighbours == privacy::Neighbours::replace) return events_of_any_rows(lattice, laws, neighbours, 1);
  struct Moved {
    double scale;
    std::int64_t by;
    auto operator<=>(const Moved&) const = default;
  };
  std::map<Moved, std::pair<std::int64_t, accounting::Event>> merged;
  std::vector<accounting::Event> events;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Columns& set = lattice.residuals()[i];
    for (const Columns& same : subsets_of(set)) {
      VERNIER_TRY(const accounting::Event event, event_of(lattice, set, same, laws[i]));
      const auto [known, is_new] =
          merged.try_emplace({laws[i].scale(), lessened(lattice, same)}, event.times().value(), event);
      if (is_new) continue;
      known->second.first += event.times().value();
    }
  }
  for (const auto& [moved, found] : merged) {
    constexpr std::int64_t most_times = 1'000'000'000;
    for (std::int64_t left = found.first; left > 0; left -= most_times) {
      VERNIER_TRY(const auto times, accounting::Times::of(std::min(left, most_times)));
      events.push_back(found.second.with(times));
    }
  }
  return events;
}

std::vector<denoise::Term> terms_of(const Lattice& lattice, std::size_t table, const Laws& laws) {
  const Columns& wanted = lattice.tables()[table];
  std::map<std::pair<double, double>, std::int64_t> draws;  // by scale and weight
  for (const Lattice::Part& part : lattice.parts(table)) {
    const Columns& set = lattice.residuals()[part.residual];
    for (const Columns& same : subsets_of(set)) {
      const double weight = raised(weight_of(lattice, wanted, set, same) * charged);
      draws[{laws[part.residual].scale(), weight}] += lessened(lattice, without(set, same));
    }
  }
  std::vector<denoise::Term> terms;
  for (const auto& [kind, count] : draws) terms.push_back({false, kind.first, kind.second, count});
  return terms;
}

std::vector<double> squares_of(const Lattice& lattice, const Laws& laws) {
  std::vector<double> squares;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const double deviation = laws[i].scale() / static_cast<double>(lattice.cells(lattice.residuals()[i]));
    squares.push_back(deviation * deviation);
  }
  return squares;
}

std::vector<double> deviations_of(const Lattice& lattice, const Laws& laws) {
  std::map<double, double> known;  // by scale: laws tell their variance by a sum
  std::vector<double> variances;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto [found, is_new] = known.try_emplace(laws[i].scale(), 0.0);
    if (is_new) found->second = laws[i].variance().upper;
    const auto cells = static_cast<double>(lattice.cells(lattice.residuals()[i]));
    variances.push_back(found->second / (cells * cells));
  }
  std::vector<double> deviations = table_variances(lattice, variances);
  for (double& one : deviations) one = std::sqrt(one) * charged;
  return deviations;
}

namespace {

// A sum over a grid is tried only where what needs none is more than 4 thousandths above the normal law's.
double reach_of_terms(const std::vector<denoise::Term>& terms, Alpha alpha) {
  constexpr double work = 3e6, next_to_normal = 1.004;
  const denoise::Reach quick = denoise::reach_of(terms, alpha, 0);
  double variance = 0;
  for (const denoise::Term& term : terms)
    variance += static_cast<double>(term.draws) * term.size * term.size * term.scale * term.scale;
  const double normal = numeric::normal_upper_point(std::log(alpha.value() / 2)) * std::sqrt(variance);
  if (quick.proven <= next_to_normal * normal) return quick.proven;
  return denoise::reach_of(terms, alpha, work).proven;
}

}  // namespace

std::vector<double> reaches_of(const Lattice& lattice, const Laws& laws, Alpha alpha) {
  std::vector<std::size_t> all(lattice.tables().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return reaches_of(lattice, laws, alpha, all);
}

std::vector<double> reaches_of(const Lattice& lattice, const Laws& laws, Alpha alpha,
                               std::span<const std::size_t> tables) {
  std::map<std::vector<denoise::Term>, double> known;
  std::vector<double> reaches;
  for (const std::size_t table : tables) {
    const std::vector<denoise::Term> terms = terms_of(lattice, table, laws);
    const auto [found, is_new] = known.try_emplace(terms, 0.0);
    if (is_new) found->second = reach_of_terms(terms, alpha) * charged;
    reaches.push_back(whole_steps(found->second, lattice.cells(lattice.tables()[table])));
  }
  return reaches;
}

double whole_steps(double reach, std::int64_t cells) {
  constexpr double most = 0x1p52;  // beyond that steps are finer than doubles
  const double square = static_cast<double>(cells) * static_cast<double>(cells);
  if (!(reach * square < most)) return reach;
  return numeric::divide_up(std::floor(reach * square), square);
}

}  // namespace vernier::table
