#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/random_compositions.hpp"

namespace vernier::test {
namespace {

TEST(Explore, All) {
  using Make = Composition (*)(Parameters&);
  const std::pair<const char*, Make> kinds[] = {{"gaussian_list", gaussian_list}, {"equal", equal_responses}, {"sampled_resp", sampled_responses},
    {"different", different_responses}, {"geo_lattice", geometric_lattice}, {"dg_lattice", discrete_gaussian_lattice}, {"one_sampled", one_sampled_release}, {"one_laplace", one_laplace},
    {"long", long_lattice}, {"laplaces", laplaces}, {"sampled_list", sampled_list}, {"mixed", mixed_list}};
  const int n = getenv("N") ? atoi(getenv("N")) : 40;
  using Clock = std::chrono::steady_clock;
  for (auto& [name, make] : kinds) {
    Parameters any(getenv("SEED") ? atoi(getenv("SEED")) : 1);
    Verdict v;
    double t_make = 0, t_lib = 0, t_all = 0, width = 0;
    for (int i = 0; i < n; ++i) {
      auto t0 = Clock::now();
      Composition c = make(any);
      const double tight = any.log_uniform(1e-6, 1e-4);
      auto acc = certified_accountant(*accounting::Tightness::of(tight));
      auto t1 = Clock::now();
      auto b = acc.epsilon(c.events, c.delta);
      auto t2 = Clock::now();
      if (std::chrono::duration<double>(t2 - t1).count() > 0.05) printf("   slow eps %.0f ms tight %.2g delta %.3g %s\n", std::chrono::duration<double>(t2 - t1).count() * 1e3, tight, c.delta, described(c.events).c_str());
      judge_epsilon(v, acc, c, tight);
      if (b) {
        const Bounds r = c.reference(b->upper); width += (r.upper - r.lower) / std::max(r.upper, 1e-300);
        const double e = std::clamp(b->upper * any.uniform(0.8, 1.05), 1e-10, 1e4);
        auto t4 = Clock::now();
        auto d = acc.delta(c.events, e);
        const double t5 = std::chrono::duration<double>(Clock::now() - t4).count();
        if (t5 > 0.05) printf("   slow delta %.0f ms tight %.2g eps %.17g %s -> %g %g\n", t5 * 1e3, tight, e, described(c.events).c_str(), d->lower, d->upper);
        judge_delta(v, acc, c, e);
      }
      auto t3 = Clock::now();
      t_make += std::chrono::duration<double>(t1 - t0).count(); t_lib += std::chrono::duration<double>(t2 - t1).count(); t_all += std::chrono::duration<double>(t3 - t2).count();
    }
    printf("== %s: q %d opt %d over %d loose %d wide %d slack %d refused %d | make %.1f lib %.1f judge %.1f ms, width %.2g\n%s", name, v.questions, v.optimistic, v.overclaimed, v.loose, v.wide, v.slack, v.refused, t_make / n * 1e3, t_lib / n * 1e3, t_all / n * 1e3, width / n, v.told().c_str());
    fflush(stdout);
    EXPECT_EQ(v.optimistic, 0);
  }
}

}  // namespace
}  // namespace vernier::test
