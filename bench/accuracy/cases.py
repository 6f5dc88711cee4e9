"""What is asked of everybody: the tasks of peers' tutorials and more, over made-up tables of the shapes that they use."""

import dataclasses
import functools
import random

PEOPLE, CARROTS, VISITS = "people", "carrots", "visits"
DELTA = 1e-6
BOUNDS = {
    PEOPLE: {"age": (18, 100), "educ": (1, 16), "income": (0, 200_000), "married": (0, 1)},
    CARROTS: {"eaten": (0, 100)},
    VISITS: {"day": (1, 7), "spent": (0, 60)},
}
MOST_DAYS = 3  # of a visitor count
STEP = {"age": 1, "educ": 1, "income": 100, "eaten": 1, "spent": 1}  # between candidates of a quantile


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    table: str
    kind: str  # count, sum, mean, variance, stddev, quantile, max, people; `together`: COUNT(*) and the means of all columns
    column: str = ""
    by: str = ""
    epsilon: float = 1.0
    fraction: float = 0.5
    is_sized: bool = False  # the number of rows is public, and rows are replaced


def people():
    columns = BOUNDS[PEOPLE]
    cases = [Case("rows", PEOPLE, "count"), Case("the married", PEOPLE, "sum", "married")]
    for epsilon in (1.0, 0.1):
        at = "" if epsilon == 1 else ", epsilon 0.1"
        for kind in ("sum", "mean", "variance", "stddev"):
            cases += [Case(f"{kind} of {one}{at}", PEOPLE, kind, one, epsilon=epsilon) for one in ("age", "income")]
        cases += [Case(f"median of {one}{at}", PEOPLE, "quantile", one, epsilon=epsilon) for one in ("age", "income")]
        cases.append(Case(f"rows by educ{at}", PEOPLE, "count", by="educ", epsilon=epsilon))
    for fraction in (0.25, 0.75, 0.9):
        cases.append(Case(f"quantile {fraction} of income", PEOPLE, "quantile", "income", fraction=fraction))
    cases.append(Case("mean of income by married", PEOPLE, "mean", "income", by="married"))
    cases.append(Case("share of the married", PEOPLE, "mean", "married"))
    cases.append(Case(f"COUNT(*) and {len(columns)} means: the means", PEOPLE, "together"))
    cases += [Case(f"mean of {one}, n public", PEOPLE, "mean", one, is_sized=True) for one in ("age", "income")]
    return cases


def carrots():
    kinds = ("count", "sum", "mean", "variance", "stddev", "max")
    cases = [Case(f"{kind} of carrots", CARROTS, kind, "eaten") for kind in kinds]
    return [*cases, Case("median of carrots", CARROTS, "quantile", "eaten")]


def visits():
    kinds = {"count": "visits", "sum": "spent", "mean": "mean spent", "people": "visitors"}
    return [Case(f"{name} by day", VISITS, kind, "spent", by="day") for kind, name in kinds.items()]


ALL = {case.name: case for case in (*people(), *carrots(), *visits())}


@functools.cache
def rows_of(table):
    """The rows of a table, as dictionaries; always the same, and nobody changes them."""
    draw = random.Random(table)
    if table == CARROTS:
        return [{"eaten": draw.randint(0, 100)} for _ in range(182)]
    if table == VISITS:
        return [
            {"visitor": visitor, "day": day, "spent": min(60, int(draw.gammavariate(4, 5)))}
            for visitor in range(400)
            for day in draw.sample(range(1, 8), draw.randint(1, MOST_DAYS))
        ]
    return [person(draw) for _ in range(1000)]


def person(draw):
    educ = draw.randint(1, 16)
    income = min(200_000, int(draw.lognormvariate(9.4 + educ / 16, 0.8)))
    return {"age": min(100, 18 + int(draw.gammavariate(3, 10))), "educ": educ, "income": income, "married": draw.randint(0, 1)}


@functools.cache
def groups_of(case):
    """The rows of each group, by its key; one of all where there is none."""
    groups = {key: [] for key in keys_of(case)}
    for row in rows_of(case.table):
        groups[row[case.by] if case.by else None].append(row)
    return groups


def keys_of(case):
    lower, upper = BOUNDS[case.table][case.by] if case.by else (0, -1)
    return list(range(lower, upper + 1)) or [None]


def exact(case, rows):
    """The figures of a group's rows, a list: `together` has several."""
    if case.kind == "together":
        return [sum(row[one] for row in rows) / len(rows) for one in BOUNDS[case.table]]
    values = sorted(row[case.column] for row in rows) if case.column else []
    if case.kind == "count":
        return [len(rows)]
    if case.kind == "people":
        return [len({row["visitor"] for row in rows})]
    if case.kind == "quantile":
        return [values[max(0, -(-len(values) * int(1000 * case.fraction) // 1000) - 1)]]
    return [{"sum": sum, "max": max, "mean": _mean, "variance": _variance, "stddev": lambda x: _variance(x) ** 0.5}[case.kind](values)]


@functools.cache
def exact_of(case):
    """The exact figures of each group."""
    return {key: exact(case, rows) for key, rows in groups_of(case).items()}


def _mean(values):
    return sum(values) / len(values)


def _variance(values):
    return sum((x - _mean(values)) ** 2 for x in values) / len(values)


def error(case, answers):
    """How far answers are off on average, each as a part of its range where they are of several columns. `answers` has
    the figures of each key."""
    errors = []
    for key, truths in exact_of(case).items():
        for place, (answer, truth) in enumerate(zip(answers[key], truths, strict=True)):
            errors.append(abs(answer - truth) / _range(case, place))
    return sum(errors) / len(errors)


def _range(case, place):
    if case.kind != "together":
        return 1.0
    lower, upper = list(BOUNDS[case.table].values())[place]
    return float(upper - lower)
