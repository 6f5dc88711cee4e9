"""How a release grows with the rows, on each engine: CPU, time, bytes between machines and memory, for docs/theory/scale.md.

Usage: python3 -m bench.engines.growth [MILLIONS=1,10,50] [ENGINES=postgresql,trino,spark]
Builds nothing: `tools/bench engines` does that, and gets the servers.
"""

import subprocess
import sys

from bench.engines import cases, task

PASSES = {1: 1, 10: 4, 50: 16}  # of Trino, for a query in 1 GB


def asked(manner, engine, unit, rows, passes):
    """All figures of one run, by a contender of its own, so that each begins with servers that have just started."""
    words = [sys.executable, "-m", "bench.engines.contender", manner, task.PROGRAM]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as contender:
        contender.stdout.readline()
        figures = {}
        for measure in cases.UNITS_OF:
            contender.stdin.write(cases.Question(engine, unit, rows, "even", measure, passes).line + "\n")
            contender.stdin.flush()
            figures[measure] = contender.stdout.readline().strip()
        contender.stdin.close()
    return figures


def main():
    millions = [int(number) for number in (sys.argv[1] if len(sys.argv) > 1 else "1,10,50").split(",")]
    engines = sys.argv[2].split(",") if len(sys.argv) > 2 else cases.ENGINES
    for million in millions:
        for engine in engines:
            for unit in cases.UNITS:
                for manner in ("plain", "vernier"):
                    passes = PASSES.get(million, 1) if (engine, unit, manner) == ("trino", "person", "vernier") else 1
                    figures = asked(manner, engine, unit, million * 1_000_000, passes)
                    told = ", ".join(f"{measure} {figure}" for measure, figure in figures.items())
                    print(f"{million} million rows, {engine}, unit {unit}, {manner}, {passes} passes: {told}", flush=True)


if __name__ == "__main__":
    main()
