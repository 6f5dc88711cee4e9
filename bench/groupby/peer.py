"""What a program of this task does in Python: one call in a process of its own, and one line of JSON on how it went.

    python -m bench.groupby.PEER FILE MAX_GROUPS

answer.hpp is the twin in C++. What a peer imports, and a JVM that it starts, is not timed: that is the start of the program.
"""

import json
import sys
import time


def once(call):
    """`call(file, max_groups)` gives (region, rows, sum, mean) for every region that is published."""
    file, max_groups = sys.argv[1], int(sys.argv[2])
    start = time.perf_counter()
    groups = call(file, max_groups)
    seconds = time.perf_counter() - start
    print(json.dumps(totals(groups) | {"seconds": seconds}), flush=True)


def totals(groups):
    """`mean` is that of the groups that are not below average, since the noise of a small group's quotient has no bounds."""
    rows, sums = sum(n for _, n, _, _ in groups), sum(s for _, _, s, _ in groups)
    large = [(n, m) for _, n, _, m in groups if n * len(groups) >= rows]
    mean = sum(n * m for n, m in large) / sum(n for n, _ in large)
    return {"groups": len(groups), "rows": float(rows), "sum": float(sums), "mean": float(mean)}
