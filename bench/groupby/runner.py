"""Makes each call of a contender in a process of its own, so that its time and its peak memory are those of the call.

    python3 -m bench.groupby.runner TAKES SHARE PROGRAM WORD...

TAKES lists the works that the contender takes part in, with commas between. SHARE is empty, or the share of the rows that a right
answer counts, where that is not the one of regions drawn evenly. In the words {file}, {unit} and {groups} stand for those of the
work. To `seconds WORK` the runner answers by a new call, to `memory WORK` by the greatest peak of the calls so far, in MB. An
answer that does not add up is no figure.
"""

import dataclasses
import json
import os
import sys

from bench.groupby import cases
from bench.groupby.data import Missing, data_file
from bench.groupby.watch import GaveUp, watched

SLOW = 30.0  # seconds: a call that takes longer is made once
LIMIT = 900.0  # seconds: then a call is given up


class Wrong(Exception):
    """A program's answer is none; the text is one sentence that says why."""


@dataclasses.dataclass
class Call:
    seconds: float
    peak: float  # bytes


class Runner:
    def __init__(self, takes, share, words, find_file=data_file):
        self._takes, self._share, self._words, self._find_file = takes, share, words, find_file
        self._calls = {}

    def answer(self, line):
        quantity, _, work = line.partition(" ")
        if work not in self._takes:
            return "none it takes no part in this"
        try:
            return repr(self._seconds(work) if quantity == "seconds" else self._memory(work))
        except (GaveUp, Missing, Wrong) as reason:
            return f"refuses {reason}"

    def _seconds(self, line):
        calls = self._calls.setdefault(line, [])
        if not calls or calls[-1].seconds <= SLOW:
            calls.append(self._call(cases.parse(line)))
        return calls[-1].seconds

    def _memory(self, line):
        if not self._calls.get(line):
            raise Wrong("the work has not been timed")
        return max(call.peak for call in self._calls[line]) / 1e6

    def _call(self, work):
        places = {"file": self._find_file(work.rows), "unit": work.job.unit, "groups": work.job.max_groups}
        text, peak = watched([word.format(**places) for word in self._words], LIMIT)
        answer = read(text)
        check(answer, work, self._share)
        return Call(answer["seconds"], peak)


def read(text):
    """What a program has to say is on its last line; a library may have spoken before."""
    last = (text.strip().splitlines() or ["refuses the program said nothing"])[-1]
    if last.startswith("refuses "):
        raise Wrong(last.removeprefix("refuses "))
    return json.loads(last)


def check(answer, work, share=None):
    """Refuses totals that are not those of the table, up to noise and the choice of regions."""
    share = cases.KEPT[work.job.max_groups] if share is None else share
    wanted = {"rows": work.rows * share, "sum": answer["rows"] * cases.MEAN, "mean": cases.MEAN}
    for quantity, value in wanted.items():
        if not abs(answer[quantity] - value) <= cases.TOLERANCE * abs(value):
            raise Wrong(f"its {quantity}, over all {answer[quantity]:.6g}, should be about {value:.6g}")


def share_the_machine():
    """As many processors as everybody has threads, whatever a library would take for itself."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: cases.THREADS])
    for variable in ("POLARS_MAX_THREADS", "RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(cases.THREADS)


def main(takes, share, *words):
    share_the_machine()
    runner = Runner(takes.split(","), float(share) if share else None, words)
    print("ready", flush=True)
    for line in sys.stdin:
        print(runner.answer(line.rstrip("\n")), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
