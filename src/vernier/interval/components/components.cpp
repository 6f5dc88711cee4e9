#include "vernier/interval/components/components.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "vernier/interval/rows/mean.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_means = 0.1, part_of_rows = 0.01;  // of alpha
constexpr double raised = 1 + 0x1p-36;
constexpr double rounded = 0x1p-44;  // of a coefficient's size, by which it may be off
constexpr double sums_error = 0x1p-40;
constexpr int most_rounds = 8;  // in which a cell of what is possible shrinks

// The released moments, with what is known of the means.
struct Moments {
  const MomentShape& shape;
  MomentMatrix of;
  double rows;                      // at most so many, for roundings
  std::size_t first = 0, used = 0;  // columns that are asked of
  PlaceEnds mean{};                 // of every column from 1 on, between -1 and 1
  Place radius{};                   // how far a mean may be from that of the noisy sums

  std::size_t columns() const { return used; }
  std::size_t at(std::size_t column) const { return first + column + 1; }  // in vectors over (1, z_1, ...)
  double count() const { return of.at[0][0]; }
  double half(std::size_t column) const { return shape.columns[first + column].half(); }
  double cut(std::span<const double> sizes) const { return rounding_of(shape, sizes) * rows; }
};

PlaceEnds constant() {
  PlaceEnds v{};
  v[0] = {1, 1};
  return v;
}

// z_k less its mean.
PlaceEnds centred(const Moments& moments, std::size_t column) {
  PlaceEnds v{};
  v[moments.at(column)] = {1, 1};
  v[0] = -1.0 * moments.mean[moments.at(column)];
  return v;
}

std::vector<double> sizes_of(const NumberEnds& ends) {
  std::vector<double> sizes;
  for (const Ends& one : ends) sizes.push_back(one.size() * raised + 4 * rounded);
  return sizes;
}

// How far the sums less the means of so many rows may be from 0, over the noisy number of rows. Once more with what is
// known then: the reach at the true means is less than that over all that may be.
void find_means(Moments& moments, const ManyNoises& noise) {
  for (std::size_t k = 0; k < moments.columns(); ++k) moments.mean[moments.at(k)] = {-1, 1};
  for (int round = 0; round < 2; ++round) {
    for (std::size_t k = 0; k < moments.columns(); ++k) {
      const std::vector<double> sizes = sizes_of(form_of(moments.shape, constant(), centred(moments, k)));
      const double mean = moments.of.at[0][moments.at(k)] / moments.count();
      const double radius = (noise.quick_reach(sizes) + moments.cut(sizes)) / moments.count() * raised;
      moments.radius[moments.at(k)] = radius;
      const double low = std::clamp(mean - radius, -1.0, 1.0), high = std::clamp(mean + radius, -1.0, 1.0);
      moments.mean[moments.at(k)] = {low, high};
    }
  }
}

// What each number with noise is in the sums of squares and products about the means, less theta times that by which
// they are divided; in the columns' own units.
std::vector<NoisyPart> parts_of(const Moments& moments, ComponentPart part, const Ends& theta) {
  const std::size_t d = moments.columns(), numbers = moments.shape.numbers();
  std::vector<std::vector<Ends>> entries(numbers, std::vector<Ends>(d * d));
  std::vector<Ends> divisors(numbers, Ends{0, 0});
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t l = k; l < d; ++l) {
      const PlaceEnds q = centred(moments, k), a = centred(moments, l);
      const NumberEnds form = k == l ? square_of(moments.shape, q) : form_of(moments.shape, q, a);
      const double unit = moments.half(k) * moments.half(l);
      for (std::size_t i = 0; i < numbers; ++i) {
        entries[i][k * d + l] = entries[i][l * d + k] = unit * form[i];
        if (k == l) divisors[i] = divisors[i] + unit * form[i];
      }
    }
  }
  if (part == ComponentPart::variance) divisors = square_of(moments.shape, constant());
  std::vector<NoisyPart> parts;
  for (std::size_t i = 0; i < numbers; ++i) {
    NoisyPart made{.middle = {.width = d}, .radius = 0};
    double size = 0;
    for (std::size_t k = 0; k < d; ++k) {
      for (std::size_t l = 0; l < d; ++l) {
        Ends entry = entries[i][k * d + l];
        if (k == l) entry = entry - theta * divisors[i];
        made.middle.at[k][l] = entry.low / 2 + entry.high / 2;
        const double radius = entry.high / 2 - entry.low / 2;
        made.radius += radius * radius;
        size += moments.half(k) * moments.half(l) * 4 + (k == l ? theta.size() * divisors[i].size() : 0);
      }
    }
    made.radius = std::sqrt(made.radius) * raised + rounded * size;
    parts.push_back(made);
  }
  return parts;
}

// The noisy sums about their means, in the columns' own units.
Symmetric scatter_of(const Moments& moments) {
  const std::size_t d = moments.columns();
  Symmetric made{.width = d};
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t l = 0; l < d; ++l) {
      const double product = moments.of.at[0][moments.at(k)] * moments.of.at[0][moments.at(l)] / moments.count();
      made.at[k][l] = (moments.of.at[moments.at(k)][moments.at(l)] - product) * moments.half(k) * moments.half(l);
    }
  }
  return made;
}

// The greatest that it can be: a column has a variance of twice its half range squared at most, of two rows.
std::size_t columns_of(const MomentShape& shape, const Component& asked) {
  return asked.columns > 0 ? asked.columns : shape.columns.size();
}
Ends possible_of(const MomentShape& shape, const Component& asked) {
  const auto place = static_cast<double>(asked.place + 1);
  if (asked.part == ComponentPart::share) {
    return {asked.place == 0 ? 1 / static_cast<double>(columns_of(shape, asked)) : 0, 1 / place};
  }
  double greatest = 0;
  for (const MomentColumn& one : shape.columns) greatest += 2 * one.half() * one.half();
  return {0, greatest / place * raised};
}

struct Found {
  double value;
  Ends kept;
};

Ends met(const Ends& a, const Ends& b) {
  const double low = std::clamp(a.low, b.low, b.high), high = std::clamp(a.high, b.low, b.high);
  return {low, high};
}

// theta is kept if the matrix less theta times its divisor has an eigenvalue of this place that the noise explains; the
// reach over a cell that holds the true theta is at least that at it, so that a cell shrinks as often as it likes.
Found kept_by(const Moments& moments, const Component& asked, const MatrixNoise& noise, const Ends& possible) {
  const Symmetric scatter = scatter_of(moments);
  const Eigenvalues found = eigenvalues_of(scatter);
  const bool is_share = asked.part == ComponentPart::share;
  const double eigenvalue = found.values[asked.place];
  const double divisor = is_share ? scatter.trace() : moments.count() - 1;
  double second = 0, units = 0;
  for (std::size_t k = 0; k < moments.columns(); ++k) {
    const double off = moments.radius[moments.at(k)] * moments.half(k);
    second += off * off * moments.count(), units += moments.half(k) * moments.half(k);
  }
  if (!(divisor > 0) || !std::isfinite(second)) return {possible.low, possible};
  const double value = std::clamp(eigenvalue / divisor, possible.low, possible.high);
  Ends cell = possible;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<NoisyPart> parts = parts_of(moments, asked.part, cell);
    std::vector<double> lengths;
    for (const NoisyPart& part : parts) lengths.push_back(part.length());
    const double error = found.error + sums_error * moments.of.size * (4 * units + cell.size() * (1 + units));
    const double reach = (noise.reach(parts) + moments.cut(lengths) + second + error) * raised;
    const double width = cell.high - cell.low;
    cell = met({(eigenvalue - reach) / divisor * (eigenvalue > reach ? 1 / raised : raised),
                (eigenvalue + reach) / divisor * (eigenvalue > -reach ? raised : 1 / raised)},
               cell);
    if (cell.high - cell.low > 0.99 * width) break;
  }
  return {std::clamp(value, cell.low, cell.high), cell};
}

Result<Alpha> part_of(Alpha alpha, double part) { return Alpha::of(numeric::multiply_down(alpha.value(), part)); }

}  // namespace

Result<ComponentInference> ComponentInference::of(const PairLaw& law, const MomentShape& shape, Alpha alpha,
                                                  Component asked) {
  if (asked.place >= columns_of(shape, asked)) return invalid("there are as many components as columns");
  const auto columns = static_cast<double>(shape.columns.size());
  VERNIER_TRY(const Alpha main, part_of(alpha, 1 - part_of_means - part_of_rows));
  VERNIER_TRY(const Alpha means, part_of(alpha, part_of_means / columns));
  VERNIER_TRY(const Alpha rows, part_of(alpha, part_of_rows));
  return ComponentInference(shape, asked, MatrixNoise::of(law, shape.weight, main),
                            ManyNoises::of(law, shape.weight, means), ManyNoises::of(law, shape.weight, rows));
}

Result<ComponentInterval> ComponentInference::from(std::span<const std::int64_t> released) const {
  if (released.size() != shape_.numbers()) {
    return invalid("components of so many columns need " + std::to_string(shape_.numbers()) +
                   " released sums, but there are " + std::to_string(released.size()));
  }
  Moments moments{.shape = shape_,
                  .of = moments_of(shape_, released),
                  .rows = 0,
                  .first = asked_.first,
                  .used = columns_of(shape_, asked_)};
  const std::vector<double> of_rows = sizes_of(square_of(shape_, constant()));
  moments.rows = (std::max(moments.count(), 0.0) + rows_.quick_reach(of_rows)) *
                 (shape_.parts > 0 ? 1 + 1 / static_cast<double>(shape_.parts) : 1) * (1 + 0x1p-10);
  const Ends possible = possible_of(shape_, asked_);
  Found found{possible.low, possible};
  if (moments.count() > 0) {
    find_means(moments, means_);
    found = kept_by(moments, asked_, main_, possible);
  }
  const Interval interval{found.kept.low, found.kept.high};
  const bool is_all = found.kept.low <= possible.low && found.kept.high >= possible.high;
  const double beyond_one = moments.count() - 1 - sums_error * moments.of.size;
  return ComponentInterval{found.value, farthest_end(found.value, interval), interval, !is_all,
                           !rows_.rarely_reaches(of_rows, beyond_one)};
}

double component_accuracy(const PairLaw& law, const MomentShape& shape, Alpha alpha, Component asked, double rows) {
  constexpr double told_mean = 0.5, told_variance = 0.25;
  Moments moments{.shape = shape, .of = {}, .rows = rows, .first = asked.first, .used = columns_of(shape, asked)};
  std::vector<double> variances;
  double all = 0;
  for (std::size_t k = 0; k < shape.columns.size(); ++k) {
    moments.mean[k + 1] = {-told_mean, -told_mean};  // of all columns
    variances.push_back(told_variance * moments.half(k) * moments.half(k));
    all += variances.back();
  }
  std::sort(variances.begin(), variances.end(), std::greater<>());
  const double told = variances[asked.place] / (asked.part == ComponentPart::share ? all : 1);
  const std::vector<NoisyPart> parts = parts_of(moments, asked.part, {told, told});
  const double reach = MatrixNoise::of(law, shape.weight, alpha).reach(parts);
  return reach / rows / (asked.part == ComponentPart::share ? all : 1) * raised;
}

}  // namespace vernier::interval
