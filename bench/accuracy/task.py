"""The accuracy benchmark: how far the tasks of peers' tutorials are from the exact figures, at equal epsilon."""

import math
import os
import statistics
import sys

from bench.accuracy import cases
from bench.contender import ROOT, Contender, Lost
from bench.harness import Case, Task
from bench.main import main
from bench.targets import LimitTarget

VERNIER = os.path.join(ROOT, "build", "bench", "bin", "vernier")
CACHE = os.environ.get("XDG_CACHE_HOME", os.path.join(os.path.expanduser("~"), ".cache"))
DEPS = os.environ.get("VERNIER_DEPS", os.path.join(CACHE, "vernier"))
PATIENCE = 1200.0
MOST_OF_A_PEER, MEDIAN = 1.05, 0.6
SURE = 1.96  # standard errors


def accuracy(quick):
    runs = "40" if quick else "400"
    return Task(
        name="accuracy",
        cases=tuple(Case(name, "mean error", less_is_better=True) for name in cases.ALL),
        contenders=(
            Contender("vernier", [sys.executable, "-m", "bench.accuracy.vernier", runs, VERNIER], needs=VERNIER, patience=PATIENCE),
            peer("opendp", "opendp_wheel", "opendp", runs),
            peer("diffprivlib", "diffprivlib_tools", "diffprivlib", runs, "of replaced rows, and n is public"),
            peer("google", "google", "pipelinedp", runs, "python-dp"),
            peer("pipelinedp", "pipelinedp", "pipelinedp", runs),
            peer("smartnoise", "smartnoise", "smartnoise", runs),
        ),
        targets=(WorstOfPeers("error over the best peer's at most", MOST_OF_A_PEER, tuple(cases.ALL)),
                 MedianOfPeers("median of errors over the best peer's at most", MEDIAN, tuple(cases.ALL))),
        rounds=1,
        more=confidence,
    )


def peer(name, module, environment, runs, note=""):
    python = os.path.join(DEPS, f"bench-accuracy-{environment}-venv", "bin", "python")
    return Contender(name, [python, "-m", f"bench.accuracy.{module}", runs], note, needs=python, patience=PATIENCE)


class WorstOfPeers(LimitTarget):
    """Our error over that of the best peer on every case that a peer takes."""

    def judge(self, measured):
        found = {case: over_best(measured, case) for case in self.cases}
        found = {case: value for case, value in found.items() if value is not None}
        if not found:
            return {"name": self.name, "goal": self.goal, "value": None, "met": False, "case": None}
        worst = self.pick(found)
        return {"name": self.name, "goal": self.goal, "value": worst[1], "met": self.met(worst[1]), "case": worst[0]}

    def pick(self, found):
        return max(found.items(), key=lambda item: item[1])


class MedianOfPeers(WorstOfPeers):
    def pick(self, found):
        ordered = sorted(found.items(), key=lambda item: item[1])
        return ordered[(len(ordered) - 1) // 2][0], statistics.median(value for _, value in ordered)


def over_best(measured, case):
    ours, peers = measured.figure(case), [1 / ratio for ratio in measured.ratios[case].values()]
    return max(peers) if ours and peers else None


def confidence(task, contenders, report):
    """Of our error over that of each peer: 95 % by the standard errors of both, on a logarithmic scale."""
    found = {(result["contender"], result["case"]): result["value"] for result in report["results"]}
    relative = {}
    for contender in contenders:
        for case in task.cases:
            if (contender.name, case.name) not in found:
                continue
            try:
                relative[contender.name, case.name] = float(contender.answer(f"spread {case.name}")) / found[contender.name, case.name]
            except (Lost, ValueError):
                continue
    ours = task.contenders[0].name
    ratios = {}
    for (name, case), error in relative.items():
        if name == ours or (ours, case) not in relative:
            continue
        ratio, width = found[ours, case] / found[name, case], SURE * math.hypot(error, relative[ours, case])
        ratios.setdefault(case, {})[name] = [ratio * math.exp(-width), ratio, ratio * math.exp(width)]
    return {"confidence": ratios}


if __name__ == "__main__":
    sys.exit(main(accuracy))
