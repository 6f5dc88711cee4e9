"""The group-by benchmark: count, sum and mean of every region, private or not, in wall time and peak memory."""

import dataclasses
import os
import sys

from bench.contender import ROOT, Contender
from bench.groupby.cases import EACH_ROW, FIVE_REGIONS, JOBS, ONE_REGION, SIZES, Work, name
from bench.groupby.data import CACHE
from bench.harness import Case, Task
from bench.main import main
from bench.targets import GrowthTarget, LimitTarget, RatioTarget, TimesTarget

BIN = os.path.join(ROOT, "build", "bench", "bin")
SQL = os.path.join(ROOT, "bench", "groupby", "sql")
PATIENCE = 1200.0  # seconds that a contender may be silent; a call is given up before
MEMORY = ": memory"
SMALL, MIDDLE, LARGE = SIZES
UNITS = (ONE_REGION, FIVE_REGIONS)


class PeakCase(Case):
    """Of the peaks of all rounds the greatest counts."""

    def better(self, a, b):
        return max(a, b)


def groupby(quick):
    sizes = (SMALL,) if quick else tuple(SIZES)
    return Task(
        name="groupby",
        cases=tuple(case for size in sizes for job in JOBS for case in both(job, size)),
        contenders=contenders(),
        targets=targets(MIDDLE if MIDDLE in sizes else SMALL) + (() if quick else growth()),
        rounds=1 if quick else 5,
    )


def both(job, size):
    line = Work(job, SIZES[size]).line
    yield Case(name(job, size), "s", less_is_better=True, line=f"seconds {line}")
    yield PeakCase(name(job, size, MEMORY), "MB", less_is_better=True, line=f"memory {line}")


@dataclasses.dataclass(frozen=True)
class Part:
    """What a contender takes part in."""

    jobs: tuple
    sizes: tuple
    share: str = ""  # of the rows in a right answer, where it is not that of regions drawn evenly


def contenders():
    return (
        program("vernier", "vernier", ("{file}", "{unit}", "{groups}"), Part(JOBS, tuple(SIZES)), "from catalog to intervals"),
        statement("duckdb", "plain", Part((EACH_ROW,), tuple(SIZES)), "not private"),
        statement("duckdb_bounded", "bounded_{groups}", Part(UNITS, tuple(SIZES)), "bounded by hand, no noise"),
        statement("group_by_unit", "by_unit", Part((ONE_REGION,), tuple(SIZES), "1"), "rows by user, nothing chosen: the floor"),
        peer("opendp", "opendp_polars", Part((ONE_REGION,), (SMALL, MIDDLE), "0.1498"), "count and sum; mean by division"),
        peer("tumult", "tumult", Part((ONE_REGION,), (SMALL, MIDDLE)), "Spark on two threads, three evaluations"),
        peer("pipelinedp", "pipelinedp", Part((ONE_REGION,), (SMALL,)), "one thread of Python"),
        peer("smartnoise", "smartnoise", Part((ONE_REGION,), (SMALL,), "0.875"), "pandas; bounds rows, not regions"),
    )


def program(contender, executable, words, part, note):
    path = os.path.join(BIN, f"bench_groupby_{executable}")
    return run(contender, [path, *words], part, note, needs=path)


def statement(contender, sql, part, note):
    return program(contender, "duckdb", (os.path.join(SQL, f"{sql}.sql"), "{file}"), part, note)


def peer(contender, module, part, note):
    venv = os.path.join(CACHE, f"bench-groupby-{contender}-venv")
    command = [os.path.join(venv, "bin", "python"), "-m", f"bench.groupby.{module}", "{file}", "{groups}"]
    return run(contender, command, part, note, needs=os.path.join(venv, "requirements.txt"))  # there when all is installed


def run(contender, command, part, note, needs):
    takes = ",".join(Work(job, SIZES[size]).line for job in part.jobs for size in part.sizes)
    runner = [sys.executable, "-m", "bench.groupby.runner", takes, part.share, *command]
    return Contender(contender, runner, note, needs=needs, patience=PATIENCE)


def targets(size):
    units = tuple(name(job, size) for job in UNITS)
    return (
        TimesTarget("unit = row: times the statement that is not private", 1.3, "duckdb", (name(EACH_ROW, size),)),
        TimesTarget("unit = user: times the best SQL by hand", 1.0, "duckdb_bounded", units),
        TimesTarget("1 region a user: times GROUP BY unit alone", 1.5, "group_by_unit", units[:1]),
        RatioTarget("faster than OpenDP: times at least", 10.0, "opendp", units[:1]),
        LimitTarget("peak memory: MB at most", 2000.0, tuple(name(job, size, MEMORY) for job in JOBS)),
    )


def growth():
    """Linear, up to 1.3 for what a growing hash table costs."""
    fifty = {name(job, LARGE): name(job, MIDDLE) for job in JOBS}
    ten = {name(job, MIDDLE): name(job, SMALL) for job in JOBS}
    return (
        GrowthTarget("5 times the rows: times the time", 5 * 1.3, 0.0, fifty),
        GrowthTarget("10 times the rows: times the time", 10 * 1.3, 0.0, ten),
    )


if __name__ == "__main__":
    sys.exit(main(groupby))
