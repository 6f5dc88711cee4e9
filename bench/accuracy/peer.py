"""A contender of the accuracy benchmark: `PROGRAM RUNS`. To the name of a case it answers how far its releases are from
the exact figures on average, to `spread NAME` the standard error of that."""

import math
import sys

from bench.accuracy import cases

SPREAD = "spread "


class NotOffered(Exception):
    """The peer has no such function, or none for this case; the text is one sentence."""


def serve(errors_of):
    """`errors_of(case, runs)` gives the errors of so many releases; NotOffered where there are none."""
    runs = int(sys.argv[1])
    known = {}
    print("ready", flush=True)
    for line in sys.stdin:
        line = line.strip()
        name = line.removeprefix(SPREAD)
        try:
            if name not in known:
                known[name] = errors_of(cases.ALL[name], runs)
            print(spread(known[name]) if line.startswith(SPREAD) else mean(known[name]), flush=True)
        except NotOffered as reason:
            print(f"none {reason}", flush=True)
        except Exception as reason:  # whatever a library may raise: it is told, and the others go on
            print(f"refuses {type(reason).__name__} {str(reason).splitlines()[0] if str(reason) else ''}", flush=True)


def mean(errors):
    return max(sum(errors) / len(errors), 1e-12)  # of none at all too


def spread(errors):
    center = sum(errors) / len(errors)
    return math.sqrt(sum((one - center) ** 2 for one in errors) / max(len(errors) - 1, 1) / len(errors))


def by_release(release):
    """For serve: `release(case)` gives the figures of each key, a list for each."""

    def errors_of(case, runs):
        return [cases.error(case, release(case)) for _ in range(runs)]

    return errors_of


def by_group(figures):
    """For by_release, where groups are apart: `figures(case, rows)` gives those of one."""
    return lambda case: {key: figures(case, rows) for key, rows in cases.groups_of(case).items()}
