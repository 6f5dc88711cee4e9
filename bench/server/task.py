"""The benchmark of the server: what its users wait for, beside a bare Beast server that sends bodies back."""

import os
import sys

from bench.contender import ROOT, Contender
from bench.harness import Case, Task
from bench.main import main
from bench.server import cases
from bench.targets import LimitTarget

BIN = os.path.join(ROOT, "build", "bench", "bin")
VERNIER, ECHO = os.path.join(BIN, "vernier"), os.path.join(BIN, "bench_server_echo")


def server(quick):
    seconds = "2" if quick else "30"
    patience = 60.0 if quick else 600.0
    ours = [sys.executable, "-m", "bench.server.vernier", VERNIER, seconds]
    bare = [sys.executable, "-m", "bench.server.echo", ECHO, seconds]
    return Task(
        name="server",
        cases=tuple(Case(name, unit, less_is_better=True) for name, unit, _ in cases.LIMITS),
        contenders=(
            Contender("vernier", ours, "vernier serve", needs=VERNIER, patience=patience),
            Contender("beast", bare, "sends the body back", needs=ECHO, patience=patience),
        ),
        targets=tuple(LimitTarget(f"{name}: at most {goal} {unit}", goal, (name,)) for name, unit, goal in cases.LIMITS),
        rounds=1,
    )


if __name__ == "__main__":
    sys.exit(main(server))
