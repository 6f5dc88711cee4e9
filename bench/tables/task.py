"""The benchmark of tables that add up: errors, prices, time and memory, on the domains of the literature."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.tables import cases
from bench.targets import LimitTarget, RatioTarget, TimesTarget

VERNIER = os.path.join(ROOT, "build", "bench", "bin", "bench_tables_vernier")
ALL = (*cases.ERRORS, *cases.VARIANCES, cases.GAP, cases.EPSILON, cases.REACH, cases.PRICE, cases.PLAN, cases.WIDE_PLAN,
       cases.RELEASE, cases.MEMORY, *cases.GROWTH, *cases.GROWTH_MEMORY, cases.FEW, cases.FEW_ONE, cases.FEW_TWO)


def peer(name, words, note):
    return Contender(name, [sys.executable, "-m", "bench.tables.peers", words], note)


def tables(quick):
    del quick  # it takes half a minute as it is
    return Task(
        name="tables",
        cases=tuple(Case(one, cases.unit(one), less_is_better=True) for one in ALL),
        contenders=(
            Contender("vernier", [VERNIER], "plans with certified totals, releases of random rows", needs=VERNIER),
            peer("ResidualPlanner", "residualplanner", "its optima, measured once: it is in no registry"),
            peer("OpenDP Fixed", "opendp", "measured once: 31 s for a release"),
        ),
        targets=(
            TimesTarget("mean error over ResidualPlanner's, to its five digits", 1.00001, "ResidualPlanner", cases.ERRORS),
            TimesTarget("largest variance over ResidualPlanner's", 1.00001, "ResidualPlanner", cases.VARIANCES),
            LimitTarget("largest variance over the least", 1e-6, (cases.GAP,)),
            LimitTarget("epsilon over one Gaussian number's", 1.00001, (cases.EPSILON,)),
            LimitTarget("reach over the normal one", 1.003, (cases.REACH,)),
            LimitTarget("price over that of noise for each table", 1 / 1.4, (cases.PRICE,)),
            LimitTarget("seconds to plan Adult", 1.0, (cases.PLAN,)),
            LimitTarget("seconds to plan 100 columns", 10.0, (cases.WIDE_PLAN,)),
            LimitTarget("seconds to release 21 million cells", 1.5, (cases.RELEASE,)),
            LimitTarget("MB to release them", 500.0, (cases.MEMORY,)),
            RatioTarget("times as fast as OpenDP Fixed", 300.0, "OpenDP Fixed", (cases.FEW,)),
            TimesTarget("error of one column over OpenDP Fixed's", 1 / 1.08, "OpenDP Fixed", (cases.FEW_ONE,)),
            TimesTarget("error of two columns over OpenDP Fixed's", 1 / 1.2, "OpenDP Fixed", (cases.FEW_TWO,)),
        ),
        rounds=1,
    )


if __name__ == "__main__":
    sys.exit(main(tables))
