#include "vernier/table/moves.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "vernier/accounting/accountant.hpp"
#include "vernier/table/contrast.hpp"
#include "vernier/table/design.hpp"

namespace vernier::table {
namespace {

using accounting::Event;
using privacy::Neighbours;

struct Few {
  Lattice lattice;
  Laws laws;
};

Few few(double deviation) {
  Lattice lattice = Lattice::of({2, 3, 2}, all_up_to(3, 2).value()).value();
  std::vector<double> variances;
  for (std::size_t i = 0; i < lattice.residuals().size(); ++i)
    variances.push_back(deviation * deviation * (1 + 0.1 * static_cast<double>(i)));
  Laws laws = laws_of(lattice, variances).value();
  return {std::move(lattice), std::move(laws)};
}

// The contrasts of one row of each possible kind.
std::vector<Exact> rows_of(const Lattice& lattice) {
  std::vector<Exact> all;
  const auto& keys = lattice.keys();
  std::int64_t size = 1;
  for (const std::int64_t n : keys) size *= n;
  for (std::int64_t cell = 0; cell < size; ++cell) {
    CountedRows rows;
    std::int64_t rest = cell;
    for (const std::int64_t n : keys) {
      rows.codes.push_back(static_cast<std::uint32_t>(rest % n));
      rest /= n;
    }
    rows.rows.push_back(1);
    all.push_back(contrasts_of(lattice, rows));
  }
  return all;
}

// How far signed rows move all contrasts, squared, in deviations.
double squared_length(const Few& one, const std::vector<Exact>& rows, const std::vector<int>& times) {
  double sum = 0;
  for (std::size_t i = 0; i < one.laws.size(); ++i) {
    for (std::size_t j = 0; j < rows.front()[i].size(); ++j) {
      double moved = 0;
      for (std::size_t k = 0; k < rows.size(); ++k)
        moved += times[k] * static_cast<double>(static_cast<std::int64_t>(rows[k][i][j]));
      sum += moved * moved / (one.laws[i].scale() * one.laws[i].scale());
    }
  }
  return sum;
}

// Every way to take `left` more of some things.
void each_choice(std::vector<int>& times, std::size_t from, int left, int by, const std::function<void()>& look) {
  look();
  for (std::size_t k = from; k < times.size() && left > 0; ++k) {
    times[k] += by;
    each_choice(times, k, left - 1, by, look);
    times[k] -= by;
  }
}

// Of the events of any rows: the greatest squared length that they are the price of.
double charged(const std::vector<Event>& events) {
  if (const auto* const stated = std::get_if<accounting::ZcdpStatement>(&events.front().release()))
    return 2 * stated->rho.value();
  const double scale = std::get<mechanism::GaussianMechanism>(events.front().release()).law().scale();
  return 1 / (scale * scale);
}

double epsilon_of(const std::vector<Event>& events) {
  const auto accountant = accounting::Accountant::of(events).value();
  return accountant.epsilon(privacy::Delta::of(1e-6).value()).value().bounds.upper;
}

// Units of up to three rows that come or go.
TEST(AnyRows, MoveNoFurtherThanIsChargedAndEqualOnesAsFar) {
  const Few one = few(12);
  const std::vector<Exact> rows = rows_of(one.lattice);
  for (const int most : {1, 2, 3}) {
    const double price = charged(events_of_any_rows(one.lattice, one.laws, Neighbours::add_remove, most).value());
    double greatest = 0;
    std::vector<int> times(rows.size(), 0);
    each_choice(times, 0, most, 1, [&] { greatest = std::max(greatest, squared_length(one, rows, times)); });
    EXPECT_LE(greatest, price);
    EXPECT_GE(greatest, price * 0.9);  // what rounding takes at these scales
  }
}

// Units of up to two rows that become units of up to two others.
TEST(AnyRows, ThatAreReplacedMoveNoFurtherThanIsCharged) {
  const Few one = few(12);
  const std::vector<Exact> rows = rows_of(one.lattice);
  const double price = charged(events_of_any_rows(one.lattice, one.laws, Neighbours::replace, 2).value());
  double greatest = 0;
  std::vector<int> times(rows.size(), 0);
  each_choice(times, 0, 2, 1, [&] {
    each_choice(times, 0, 2, -1, [&] { greatest = std::max(greatest, squared_length(one, rows, times)); });
  });
  EXPECT_LE(greatest, price);
  EXPECT_GE(greatest, price * 0.9);
}

// A Gaussian number of less variance is what discrete Gaussian noise is made of.
TEST(AnyRows, AreChargedWithTheRoundingTakenOffTheNoise) {
  const Few one = few(12);
  double cells = 0, wanted = 0;
  for (const Columns& set : one.lattice.residuals()) cells += static_cast<double>(one.lattice.cells(set));
  for (std::size_t i = 0; i < one.laws.size(); ++i) {
    const auto size = static_cast<double>(one.lattice.cells(one.lattice.residuals()[i]));
    const double left = one.laws[i].scale() * one.laws[i].scale() - squared_rounding(cells);
    wanted += 9 * size * size * one.lattice.price(i) / left;
  }
  const auto events = events_of_any_rows(one.lattice, one.laws, Neighbours::add_remove, 3).value();
  EXPECT_GE(charged(events), wanted * (1 - 1e-12));
  EXPECT_NEAR(charged(events), wanted, 1e-9 * wanted);
  EXPECT_EQ(std::get<accounting::ApproximateStatement>(events.back().release()).delta.value(), leak);
}

// Of m equal rows the list of moves is known.
TEST(AnyRows, CostAtLeastWhatEqualRowsDoByTheirOwnEventsAndHardlyMore) {
  const Few one = few(40);
  const std::vector<Event> single = events_of(one.lattice, one.laws).value();
  for (const std::int64_t most : {2, 5}) {
    std::vector<Event> equal;
    for (const Event& event : single) {
      const auto& known = std::get<mechanism::DiscreteGaussianMechanism>(event.release());
      const auto moved = privacy::IntegerSensitivity::of(known.sensitivity().value() * most).value();
      const auto mechanism =
          mechanism::DiscreteGaussianMechanism::at_scale(Sigma::of(known.law().scale()).value(), moved).value();
      equal.push_back(Event::of(mechanism, Neighbours::add_remove, event.times()).value());
    }
    const double of_equal = epsilon_of(equal);
    const double of_any = epsilon_of(events_of_unit(one.lattice, one.laws, Neighbours::add_remove, most).value());
    EXPECT_GE(of_any, of_equal * (1 - 1e-5));
    EXPECT_LE(of_any, of_equal * 1.01);
  }
}

// What converting the zCDP of the move would take is not taken.
TEST(AnyRows, CostLessThanTheirZcdpConverted) {
  const Few one = few(40);
  const auto events = events_of(one.lattice, one.laws, Neighbours::replace).value();
  const auto rho = privacy::Rho::of(rho_of_replacing(one.lattice, one.laws)).value();
  const double converted = epsilon_of({Event::of(accounting::ZcdpStatement{rho}, Neighbours::replace).value()});
  EXPECT_LT(epsilon_of(events), converted * 0.97);
}

TEST(AnyRows, ArePaidForByTheirZcdpWhereScalesAreSmall) {
  const Few one = few(0.8);
  const auto events = events_of_any_rows(one.lattice, one.laws, Neighbours::add_remove, 2).value();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<accounting::ZcdpStatement>(events.front().release()));
  EXPECT_NEAR(charged(events), 4 * cost_of(one.lattice, squares_of(one.lattice, one.laws)), 1e-9 * charged(events));
}

// ---- whole numbers with noise are rounded Gaussian ones

// Q_0(y) of table.md by the trapezoid rule, which is as good as exact for such functions.
double rounded_law(double scale, double squared_rounding, int y) {
  constexpr double step = 1.0 / 64, far = 14;
  const double variance = scale * scale - squared_rounding;
  double sum = 0;
  for (double x = -far * scale; x <= far * scale; x += step) {
    double all = 0;
    const int near = static_cast<int>(std::lround(x));
    for (int k = near - 12; k <= near + 12; ++k) all += std::exp(-(k - x) * (k - x) / (2 * squared_rounding));
    sum += std::exp(-x * x / (2 * variance) - (y - x) * (y - x) / (2 * squared_rounding)) / all;
  }
  return sum * step / std::sqrt(2 * std::numbers::pi * variance);
}

// The least of P / Q over all numbers that matter.
double least_ratio(double scale, double squared_rounding) {
  double total = 0, least = 2;
  for (int k = -200; k <= 200; ++k) total += std::exp(-k * k / (2 * scale * scale));
  for (int y = -static_cast<int>(6 * scale); y <= 6 * scale; ++y) {
    const double discrete = std::exp(-y * y / (2 * scale * scale)) / total;
    least = std::min(least, discrete / rounded_law(scale, squared_rounding, y));
  }
  return least;
}

TEST(RoundedNoise, IsInTheDiscreteGaussianLawButForTheLeakThatIsCharged) {
  for (const double squared : {0.2, 0.35, 0.6}) {
    const double e = 2 / std::expm1(2 * std::numbers::pi * std::numbers::pi * squared);
    for (const double scale : {1.0, 1.7, 3.0}) {
      EXPECT_GE(least_ratio(scale, squared), 1 - 2 * e - 1e-12) << scale << " " << squared;
    }
  }
}

// Where numbers are rounded as if to the nearest, the law has other parts than are charged for a wider rounding.
TEST(RoundedNoise, LeaksMoreWhereItIsRoundedFiner) {
  const double charged_for = 2 / std::expm1(2 * std::numbers::pi * std::numbers::pi * 0.35);
  EXPECT_LT(least_ratio(1.0, 0.05), 1 - 2 * charged_for);
}

TEST(RoundedNoise, IsWideEnoughForTheLeak) {
  for (const double integers : {1.0, 1e4, 2e7}) {
    const double squared = squared_rounding(integers);
    const double e = 2 / std::expm1(2 * std::numbers::pi * std::numbers::pi * squared);
    EXPECT_LE(2 * integers * e, leak);
    EXPECT_LT(squared, 5);
  }
}

}  // namespace
}  // namespace vernier::table
