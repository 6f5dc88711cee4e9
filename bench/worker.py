"""A Python contender's side of the protocol in bench/README.md: a case a line comes in, its figure a line goes out."""

import sys
import time


class NotMeasured(Exception):
    """The contender has no answer to a case; the text is one sentence that says why."""


def serve(prepare):
    """Answer cases until the input ends. `prepare(case, size)` gives a call that draws `size` samples."""
    seconds, size = float(sys.argv[1]), int(sys.argv[2])
    calls = {}
    print("ready", flush=True)
    for line in sys.stdin:
        print(_answer(line.rstrip("\n"), prepare, calls, size, seconds), flush=True)


def rate(call, size, seconds):
    """Samples per second of this thread's CPU time, over as many calls as fill the seconds."""
    start = time.thread_time()
    samples, spent = 0, 0.0
    while spent < seconds:
        call()
        samples += size
        spent = time.thread_time() - start
    return samples / spent


def _answer(case, prepare, calls, size, seconds):
    try:
        if case not in calls:
            calls[case] = prepare(case, size)
        return repr(rate(calls[case], size, seconds))
    except NotMeasured as reason:
        return f"none {reason}"
