#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// Released numbers of one column made better by what their noise is known to be (Balle and Wang 2018, section 4). It
// reads released numbers and public laws only, so it costs no budget. denoise.md has the formulas and their sources.
//
// For a release:
//   1. The column: the released integers of ALL groups of one column, in units of its grid, as they were drawn (never
//      moved into what is possible), of one law at one scale. One call of `denoised` per column.
//   2. The interval of a number stays that of the raw one. `within` moves the denoised value into it; nothing else may
//      be claimed of it (denoise.md: an interval centred on a shrunken value can cover with probability 0).
//   3. What to print beside the column: name_of(method), the estimated risk of each method and that of the published
//      numbers, and a warning where merit_of(choice) is `may_harm`.
// Numbers that add up ("consistent") are in consistent.hpp.
namespace vernier::denoise {

// What was done with a column. Shrinkage is James-Stein's, its factor never below 0.
enum class Method : std::uint8_t {
  raw,
  james_stein_to_zero,
  james_stein_to_mean,
  james_stein_to_least,  // of counts: those above 0 towards the least of them, the others 0
  soft_threshold,        // at the threshold of least estimated risk
  universal_threshold,   // at sigma sqrt(2 ln d): harmful on dense columns, and never chosen by an estimate
};
std::string_view name_of(Method method);  // "james-stein-to-zero"

// What is asked for. Where there are several methods, the one of least estimated risk.
enum class Choice : std::uint8_t {
  least_risk,      // of raw, james_stein_to_zero, james_stein_to_mean, soft_threshold; of counts to_least, too
  james_stein,     // to the mean, which dominates the raw numbers; of counts to the least, which does the published
  soft_threshold,  //
  universal_threshold,  // as in the paper
};
std::string_view name_of(Choice choice);  // "least-risk"

// Below this many numbers they are returned as they are: there is nothing to learn from.
inline constexpr std::size_t least_numbers = 4;

// What is known of the numbers that a choice gives, over all truths: denoise.md.
enum class Merit : std::uint8_t {
  dominates,  // on average over the column never further from the exact numbers than the published ones
  may_harm,   // nearer for some columns, further for others: what the data say of which is no guarantee
};
std::string_view name_of(Merit merit);  // "dominates", "may-harm"
Merit merit_of(Choice choice);

// The expected squared error of a number, on average over the column, over the variance of its noise: 1 for raw ones,
// that of what is published for counts.
struct Risk {
  Method method;
  double estimate;  // from the same numbers, never below 0; of a chosen method it is too low on average
};

struct Denoised {
  std::vector<double> values;  // in the order of the released numbers and in their unit
  Method method;
  double threshold;         // of the soft and the universal threshold, in the unit of the numbers; else 0
  std::vector<Risk> risks;  // of all methods that the choice was among, and of raw first
  double published_risk;    // of raw numbers, those below 0 told as 0 where they are: from 1/2 to 1; estimated likewise
};

// Whether numbers below 0 are published as 0, as those of counts are. Methods are then estimated and compared as what
// they give there: values from 0 on, against the published numbers.
enum class Floor : std::uint8_t { none, zero };

// Law is Geometric or DiscreteGaussian.
template <class Law>
Denoised denoised(std::span<const std::int64_t> released, const Law& law, Choice choice, Floor floor = Floor::none);

// The estimated risk of what was done over that of what is published, never below 0.
double risk_over_published(const Denoised& found);

// By this method whatever the risks are, for comparisons.
template <class Law>
Denoised denoised_by(Method method, std::span<const std::int64_t> released, const Law& law);

extern template Denoised denoised(std::span<const std::int64_t>, const noise::Geometric&, Choice, Floor);
extern template Denoised denoised(std::span<const std::int64_t>, const noise::DiscreteGaussian&, Choice, Floor);
extern template Denoised denoised_by(Method, std::span<const std::int64_t>, const noise::Geometric&);
extern template Denoised denoised_by(Method, std::span<const std::int64_t>, const noise::DiscreteGaussian&);

// The interval of a raw number in units of the grid, both ends included, already within what is possible: for a count
// of at least 0, [max(0, y - a), y + a] with y the released number or 0 if that is below (interval/rows/additive.hpp).
struct Range {
  std::int64_t low, high;
};

// The nearest point of the interval; where the exact number is whole, the nearest whole one. What covered the exact
// number still does, as the interval is untouched, and the value lies in it.
enum class Kind : std::uint8_t { real, whole };
double within(double denoised, Range raw, Kind kind);

}  // namespace vernier::denoise
