#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vernier/core/types.hpp"
#include "vernier/coverage/population.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/query.hpp"

// What is asked of intervals: which statistic they are for, how they are made, and what they are said to hold.
namespace vernier::coverage {

enum class Statistic : std::uint8_t {
  mean,
  count,  // of the rows
  sum,
  proportion,          // of the rows at the upper one of two values
  variance,            // sample form: divided by the rows less one
  standard_deviation,  // its root
  quantile,
};

using plan::LawKind;

// How the interval is made.
enum class Method : std::uint8_t {
  ours,               // as a release makes it
  lecture_classical,  // mean +- z sigma, the number of rows public, sigma = sqrt(2 ln(1.25 / delta)) range / (n
                      // epsilon)
  lecture_analytic,   // the same with the least sigma that is private
};

struct Question {
  Statistic statistic = Statistic::mean;
  query::Fraction fraction = {};                               // of a quantile
  interval::Covers covers = interval::Covers::bounded_value;   // the claim that is tested
  interval::Assurance assurance = interval::Assurance::usual;  // of a population interval
  Method method = Method::ours;
  std::optional<LawKind> law = {};  // the one that is more accurate unless given
  bool public_count = false;        // of a mean: the number of rows is public
  privacy::Delta delta = privacy::Delta::zero();
};

// Where it is asked.
struct Point {
  privacy::Epsilon epsilon;
  std::int64_t size;  // rows of a sample, from 1 on
  Alpha alpha;        // the claim is 1 - alpha
  ValueGrid grid;
};

constexpr bool is_lecture(Method method) { return method != Method::ours; }

// What an interval has to hold: one value, or every one of a stretch, as quantiles are where the fraction falls between
// two rows.
struct Truth {
  double least, greatest;

  // Both, but for the rounding of doubles: 2^-40 of the sizes that are compared.
  bool is_in(const interval::Interval& interval) const;
};

enum class Whose : std::uint8_t { sample, population };

// The statistic of these rows, each given by its place among the steps of the population; none where it is not defined.
// That of a population is divided by its size, that of a sample by the rows less one; and of a population's quantiles
// it is the least, since its interval is for one of them and not for all.
std::optional<Truth> truth_of(const Question& question, const PlacedPopulation& population,
                              std::span<const std::uint32_t> rows, Whose whose);

}  // namespace vernier::coverage
