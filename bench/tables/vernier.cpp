#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/contender.hpp"
#include "vernier/accounting/accountant.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/random/source.hpp"
#include "vernier/table/cells.hpp"
#include "vernier/table/design.hpp"
#include "vernier/table/noise.hpp"
#include "vernier/table/targets.hpp"

// Tables that add up, on the domains of the literature.
namespace bench {
namespace {

using namespace vernier;
using Keys = std::vector<std::int64_t>;
using table::Lattice;

const Keys adult = {85, 9, 100, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2};
const Keys cps = {50, 100, 7, 4, 2};
const Keys loans = {101, 101, 101, 101, 3, 8, 36, 6, 51, 4, 5, 15};
const Keys few = {16, 7, 6, 2, 2};
constexpr int adult_rows = 48'842, few_rows = 10'000;
constexpr double row_limit = 1e6;

double now() { return thread_seconds(); }

Lattice lattice_of(const Keys& keys, std::size_t least, std::size_t most) {
  std::vector<table::Columns> tables = need(table::all_up_to(keys.size(), most));
  std::erase_if(tables, [&](const table::Columns& one) { return one.size() < least; });
  return need(Lattice::of(keys, std::move(tables)));
}

Lattice domain(const std::string& name) {
  if (name.starts_with("CPS")) return lattice_of(cps, 0, 3);
  if (name.starts_with("Loans")) return lattice_of(loans, 0, 3);
  return lattice_of(adult, name.starts_with("Adult, up") ? 0 : 3, 3);
}

std::vector<double> ones(const Lattice& lattice) { return std::vector<double>(lattice.tables().size(), 1.0); }

// The root of the mean square over all cells, at cost 1.
double mean_error(const Lattice& lattice) {
  std::vector<double> sizes;
  for (const table::Columns& set : lattice.tables()) sizes.push_back(static_cast<double>(lattice.cells(set)));
  const table::Design design = table::design_of_least_sum(lattice, sizes);
  const std::vector<double> variances = table::table_variances(lattice, design.variances);
  const double sum = std::inner_product(sizes.begin(), sizes.end(), variances.begin(), 0.0);
  return std::sqrt(sum / std::accumulate(sizes.begin(), sizes.end(), 0.0));
}

privacy::Delta delta() { return need(privacy::Delta::of(1e-6)); }

// The deviation of one Gaussian number that one unit moves by 1, at epsilon 1.
double gaussian_scale() {
  const auto one = need(mechanism::GaussianMechanism::calibrate(need(privacy::Epsilon::of(1)), delta(),
                                                                need(privacy::L2Sensitivity::of(1))));
  return one.law().scale();
}

// The plan of even cells at (1, 1e-6), as a planner makes it from one look at the continuous law.
table::Laws even_laws(const Lattice& lattice) {
  const table::Design design = table::design_for(lattice, ones(lattice));
  const double scale = gaussian_scale();
  return need(table::laws_of(lattice, table::scaled(design, design.cost * scale * scale).variances));
}

double epsilon_of(const Lattice& lattice, const table::Laws& laws) {
  const auto accountant = need(accounting::Accountant::of(need(table::events_of(lattice, laws))));
  return need(accountant.epsilon(delta(), accounting::Tightness::usual())).bounds.upper;
}

Alpha alpha() { return need(Alpha::of(0.05)); }

double greatest_reach_ratio(const Lattice& lattice, const table::Laws& laws) {
  const std::vector<double> reaches = table::reaches_of(lattice, laws, alpha());
  const std::vector<double> deviations = table::deviations_of(lattice, laws);
  const double z = numeric::normal_upper_point(std::log(0.025));
  double most = 0;
  for (std::size_t i = 0; i < reaches.size(); ++i) most = std::max(most, reaches[i] / (z * deviations[i]));
  return most;
}

// Epsilon of one number that one unit moves by the root of the cost, in deviations.
double gaussian_epsilon(double cost) {
  const auto one =
      mechanism::GaussianMechanism::at_scale(need(Sigma::of(1 / std::sqrt(cost))), need(privacy::L2Sensitivity::of(1)));
  const auto event = need(accounting::Event::of(one, privacy::Neighbours::add_remove));
  return need(need(accounting::Accountant::of({event})).epsilon(delta())).bounds.upper;
}

double price_ratio(const Lattice& lattice) {
  const double z = numeric::normal_upper_point(std::log(0.025)), variance = 50 / z * 50 / z;
  const double together = table::design_for(lattice, std::vector<double>(lattice.tables().size(), variance)).cost;
  return gaussian_epsilon(together) / gaussian_epsilon(static_cast<double>(lattice.tables().size()) / variance);
}

double plan_seconds(const Lattice& (*made)()) {
  const Lattice& lattice = made();
  const double start = now();
  const table::Laws laws = even_laws(lattice);
  epsilon_of(lattice, laws);
  table::reaches_of(lattice, laws, alpha());
  return now() - start;
}

const Lattice& adult_lattice() {
  static const Lattice made = lattice_of(adult, 0, 3);
  return made;
}
const Lattice& wide_lattice() {
  static const Lattice made = lattice_of(Keys(100, 10), 0, 3);
  return made;
}

table::CountedRows random_rows(const Keys& keys, int count) {
  std::mt19937_64 random(1);
  table::CountedRows rows;
  for (int i = 0; i < count; ++i) {
    for (const std::int64_t n : keys) rows.codes.push_back(static_cast<std::uint32_t>(random() % n));
    rows.rows.push_back(1);
  }
  return rows;
}

// Counting, contrasts, noise, and every cell with its interval.
double release_seconds(const Lattice& lattice, const table::Laws& laws, const table::CountedRows& rows) {
  const std::vector<double> reaches = table::reaches_of(lattice, laws, alpha());
  random::Source& source = *need(random::thread_source());
  const double start = now();
  table::Exact exact = table::contrasts_of(lattice, rows);
  table::Noisy noisy;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    std::vector<std::int64_t> drawn(exact[i].size());
    need(noise::IntegerSampler<noise::DiscreteGaussian>(laws[i]).fill(source, drawn));
    for (std::size_t j = 0; j < drawn.size(); ++j)
      drawn[j] = static_cast<std::int64_t>(static_cast<std::uint64_t>(drawn[j]) + exact[i][j]);
    exact[i] = {};
    noisy.push_back(std::move(drawn));
  }
  [[maybe_unused]] volatile double last = 0;
  for (std::size_t i = 0; i < lattice.tables().size(); ++i)
    last = table::cells_of(lattice, i, noisy, reaches[i], static_cast<std::int64_t>(row_limit)).back().estimate;
  return now() - start;
}

// In a process of its own: seconds, and the most memory in MB that it had.
std::array<double, 2> release_alone(const Lattice& lattice, const Keys& keys) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw NotMeasured("no pipe");
  std::array<double, 2> figures{};
  if (::fork() == 0) {
    figures[0] = release_seconds(lattice, even_laws(lattice), random_rows(keys, adult_rows));
    ::rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    figures[1] = static_cast<double>(used.ru_maxrss) / 1024;
    const auto written = ::write(ends[1], figures.data(), sizeof figures);
    ::_exit(written == sizeof figures ? 0 : 1);
  }
  ::close(ends[1]);
  const auto got = ::read(ends[0], figures.data(), sizeof figures);
  ::close(ends[0]);
  ::wait(nullptr);
  if (got != sizeof figures) throw NotMeasured("the release did not end");
  return figures;
}

std::array<double, 2> adult_release() { return release_alone(adult_lattice(), adult); }

// Ten columns of 9, 20 or 43 keys, up to three columns: about 10^5, 10^6 and 10^7 cells.
std::array<double, 2> growing_release(const std::string& line) {
  const std::int64_t keys = std::stoll(line.substr(line.rfind(" of ") + 4));
  const Keys columns(10, keys);
  return release_alone(lattice_of(columns, 0, 3), columns);
}

// At rho 0.028: the squared distance of neighbours is twice that.
table::Design few_design(const Lattice& lattice) {
  const table::Design design = table::design_for(lattice, ones(lattice));
  return table::scaled(design, design.cost / (2 * 0.028));
}

double few_error(std::size_t order) {
  const Lattice lattice = lattice_of(few, 1, 2);
  const std::vector<double> variances = table::table_variances(lattice, few_design(lattice).variances);
  double most = 0;
  for (std::size_t i = 0; i < variances.size(); ++i)
    if (lattice.tables()[i].size() == order) most = std::max(most, variances[i]);
  return std::sqrt(most);
}

double few_seconds() {
  const Lattice lattice = lattice_of(few, 1, 2);
  return release_seconds(lattice, need(table::laws_of(lattice, few_design(lattice).variances)),
                         random_rows(few, few_rows));
}

double figure(const std::string& line) {
  const std::string behind = line.substr(line.find(", ") + 2);
  if (line.starts_with("root of the mean square")) return mean_error(domain(behind));
  if (line.starts_with("largest variance")) {
    const Lattice lattice = domain(behind);
    return table::design_for(lattice, ones(lattice)).cost;
  }
  if (line.starts_with("gap")) return table::design_for(adult_lattice(), ones(adult_lattice())).gap();
  if (line.starts_with("epsilon over")) return epsilon_of(adult_lattice(), even_laws(adult_lattice()));
  if (line.starts_with("proven reach")) return greatest_reach_ratio(adult_lattice(), even_laws(adult_lattice()));
  if (line.starts_with("epsilon at 50")) return price_ratio(adult_lattice());
  if (line.starts_with("plan, Adult")) return plan_seconds(adult_lattice);
  if (line.starts_with("plan, 100")) return plan_seconds(wide_lattice);
  if (line.starts_with("release, Adult")) return adult_release()[0];
  if (line.starts_with("memory of")) return adult_release()[1];
  if (line.starts_with("release, 10 columns")) return growing_release(line)[0];
  if (line.starts_with("memory, 10 columns")) return growing_release(line)[1];
  if (line.starts_with("release, 15")) return few_seconds();
  if (line.starts_with("error of one")) return few_error(1);
  if (line.starts_with("error of two")) return few_error(2);
  throw NotMeasured("there is no such case");
}

}  // namespace
}  // namespace bench

int main() {
  bench::serve([](const std::string& line) { return bench::text(bench::figure(line)); });
}
