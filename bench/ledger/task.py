"""The ledger benchmark: durable spends a second beside SQLite's bare commits, and what a ledger costs when it has grown."""

import dataclasses
import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.ledger import used
from bench.main import main
from bench.targets import GrowthTarget, LimitTarget, RatioTarget

BIN = os.path.join(ROOT, "build", "bench", "bin")
FOLDER = os.path.join(ROOT, "build", "bench", "ledger")  # on the disk that is measured
PATIENCE = 600.0  # a ledger of a million entries takes its time to be written

CLIENTS = (1, 8, 64)
SYNC = 1000  # microseconds, on the disk of which that is stated
LENGTHS = (10_000, 100_000, 1_000_000)
YOUNG, OLD = 10, 100_000
SEEDS = 5  # sequences of each kind
USED = 0.9  # of what any filter may grant
PROGRAM = os.path.join(BIN, "vernier")


def spends(clients):
    return f"spends, {clients} client{'s' if clients > 1 else ''}"


def stated(clients):
    return f"{spends(clients)}, sync of 1 ms"


def used_by(kind, seed):
    return f"used, {kind} questions {seed}"


def opening(entries):
    return f"opening, {entries:,} entries"


def spend_at(entry):
    return f"spend at entry {entry:,}"


def ledger(quick):
    seconds, rounds = ("0.3", 1) if quick else ("2", 5)
    lengths = LENGTHS[:2] if quick else LENGTHS
    sequences = tuple((kind, seed) for kind in used.KINDS for seed in range(1, (1 if quick else SEEDS) + 1))
    return Task(
        name="ledger",
        cases=cases(lengths)
        + tuple(Case(used_by(*one), "of the budget", line=f"used {one[0]} {one[1]}") for one in sequences),
        contenders=contenders(seconds),
        targets=targets(tuple(used_by(*one) for one in sequences)) + (() if quick else (LimitTarget("a million entries: s at most", 2.0, (opening(LENGTHS[2]),)),)),
        rounds=rounds,
    )


def cases(lengths):
    return (
        *(Case(spends(clients), "1/s", line=f"spends {clients}") for clients in CLIENTS),
        *(Case(stated(clients), "1/s", line=f"spends {clients} sync {SYNC}") for clients in CLIENTS),
        *(Case(opening(entries), "s", less_is_better=True, line=f"open {entries}") for entries in lengths),
        *(Case(spend_at(entry), "us", less_is_better=True, line=f"spend {entry}") for entry in (YOUNG, OLD)),
    )


def contenders(seconds):
    return (
        program("vernier", seconds, "a ledger in a SQLite file, with its witness"),
        program("sqlite", seconds, "one client, a row a commit, WAL and synchronous = FULL; no ledger"),
        program("postgresql", seconds, "the ledger on PostgreSQL 15, on the loopback"),
        Contender(
            "program",
            [sys.executable, "-m", "bench.ledger.used", PROGRAM],
            "vernier query until nothing is granted; the exact loss of all over the budget",
            needs=PROGRAM,
            patience=PATIENCE,
        ),
    )


def program(name, seconds, note):
    path = os.path.join(BIN, f"bench_ledger_{name}")
    return Contender(name, [path, seconds, FOLDER], note, needs=path, patience=PATIENCE)


@dataclasses.dataclass(frozen=True)
class UsedTarget:
    """At least `goal` of the budget is used in every sequence; the worst of them is the value."""

    name: str
    goal: float
    cases: tuple

    def judge(self, measured):
        found = {case: measured.figures.get(("program", case)) for case in self.cases}
        if None in found.values():
            return {"name": self.name, "goal": self.goal, "value": None, "met": False, "case": None}
        case = min(found, key=found.get)
        return {"name": self.name, "goal": self.goal, "value": found[case], "met": found[case] >= self.goal, "case": case}


def targets(sequences):
    return (
        RatioTarget("one client: times SQLite's commits at least", 0.8, "sqlite", (spends(1),)),
        RatioTarget("64 clients: times SQLite's commits of one at least", 5.0, "sqlite", (spends(64),)),
        RatioTarget("one client, sync of 1 ms: times SQLite's commits at least", 0.9, "sqlite", (stated(1),)),
        RatioTarget("64 clients, sync of 1 ms: times SQLite's commits of one at least", 20.0, "sqlite", (stated(64),)),
        GrowthTarget("a spend at entry 100,000: times that at entry 10", 2.0, 0.0, {spend_at(OLD): spend_at(YOUNG)}),
        UsedTarget("used of what any filter may grant, at least", USED, sequences),
    )


if __name__ == "__main__":
    sys.exit(main(ledger))
