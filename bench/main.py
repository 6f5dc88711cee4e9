"""The command line that every task shares: `python3 -m bench.TASK.task [--json] [--quick]`."""

import argparse
import json
import sys
import time

from bench import harness
from bench.bounds import bounds
from bench.errors import errors
from bench.table import table


def main(make_task):
    """Measure `make_task(quick)` and print its report; 0 whether or not targets are met, as the report says which."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--quick", action="store_true", help="a rough look: few, short rounds")
    options = parser.parse_args()
    task = make_task(options.quick)
    start = time.monotonic()
    report = measured(task, _say)
    if task.questions:
        report["errors"] = errors(task, _say)
    _say(f"measured {task.name} in {time.monotonic() - start:.0f} s")
    print(json.dumps(report, indent=2) if options.json else table(task, report))


def measured(task, say):
    """The report of a run; bounds are asked while the contenders that found them still run."""
    with harness.started(task, say) as contenders:
        figures = harness.rounds(task, contenders, say)
        if task.more:
            report = harness.report(task, figures)
            return report | task.more(task, contenders, report)
        if not task.has_bounds:
            return harness.report(task, figures)
        entries = bounds(task, contenders, figures, say)
    return harness.report(task, figures, entries) | {"bounds": entries}


def _say(sentence):
    print(f"bench: {sentence}", file=sys.stderr, flush=True)
