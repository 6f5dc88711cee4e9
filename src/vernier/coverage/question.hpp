#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vernier/core/types.hpp"
#include "vernier/coverage/population.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/query/query.hpp"

// What is asked of intervals: which statistic they are for, how they are made, and what they are said to hold.
namespace vernier::coverage {

using plan::LawKind;

// How the interval is made.
enum class Method : std::uint8_t {
  ours,               // as a release makes it
  lecture_classical,  // mean +- z sigma, the number of rows public, sigma = sqrt(2 ln(1.25 / delta)) range / (n
                      // epsilon)
  lecture_analytic,   // the same with the least sigma that is private
};

// Of a relation: the grids of x and y. A population of pairs has a step for each of them, k (steps of y + 1) + l.
struct PairGrids {
  ValueGrid x, y;

  std::int64_t code_of(double of_x, double of_y) const { return x.step_of(of_x) * (y.steps() + 1) + y.step_of(of_y); }
  std::int64_t greatest_code() const { return (x.steps() + 1) * (y.steps() + 1) - 1; }
};

struct Question {
  query::Aggregate aggregate = query::Aggregate::average;
  bool is_proportion = false;                                  // the mean of two values: the share of the upper one
  query::Fraction fraction = {};                               // of a quantile
  interval::Covers covers = interval::Covers::bounded_value;   // the claim that is tested
  interval::Assurance assurance = interval::Assurance::usual;  // of a population interval
  Method method = Method::ours;
  std::optional<LawKind> law = {};  // the one that is more accurate unless given
  bool public_count = false;        // of a mean: the number of rows is public
  privacy::Delta delta = privacy::Delta::zero();
  std::optional<PairGrids> pair = {};  // of a relation
};

// Where it is asked.
struct Point {
  privacy::Epsilon epsilon;
  std::int64_t size;  // rows of a sample, from 1 on
  Alpha alpha;        // the claim is 1 - alpha
  ValueGrid grid;
};

constexpr bool is_lecture(Method method) { return method != Method::ours; }

using plan::Truth;

enum class Whose : std::uint8_t { sample, population };

// The statistic of these rows, each given by its place among the steps of the population; none where it is not defined.
// That of a population is divided by its size, that of a sample by the rows less one; and of a population's quantiles
// it is the least, since its interval is for one of them and not for all.
std::optional<Truth> truth_of(const Question& question, const PlacedPopulation& population,
                              std::span<const std::uint32_t> rows, Whose whose);

}  // namespace vernier::coverage
