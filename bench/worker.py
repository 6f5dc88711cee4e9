"""A Python contender's side of the protocol in bench/README.md: a case a line comes in, its figure a line goes out."""

import math
import sys
import time

SLOW = 1.0  # seconds: a call that takes longer is timed in the first round only
VALUE = "value "  # before a case: its answer is wanted, not its time


class NotMeasured(Exception):
    """The contender has no answer to a case; the text is one sentence that says why."""


def serve(prepare):
    """Answer cases until the input ends. `prepare(case, size)` gives a call that draws `size` samples."""
    seconds, size = float(sys.argv[1]), int(sys.argv[2])
    calls = {}
    print("ready", flush=True)
    for line in sys.stdin:
        print(_answer(line.rstrip("\n"), prepare, calls, size, seconds), flush=True)


def serve_calls(prepare):
    """Answer cases until the input ends. `prepare(case)` gives calls that return a number each.

    A case is answered by the microseconds of its slowest call, `value CASE` by the number that its first call returns.
    """
    seconds = float(sys.argv[1])
    stopwatches = {}
    print("ready", flush=True)
    for line in sys.stdin:
        print(_answer_calls(line.rstrip("\n"), prepare, stopwatches, seconds), flush=True)


class Stopwatch:
    """The time of the slowest of some calls, where each call counts by its best round so far."""

    def __init__(self, calls):
        self._calls, self._best = calls, [math.inf] * len(calls)

    def round(self, seconds):
        for i, call in enumerate(self._calls):
            if not SLOW < self._best[i] < math.inf:
                self._best[i] = min(self._best[i], call_seconds(call, seconds / len(self._calls)))
        return max(self._best)


def call_seconds(call, seconds):
    """This thread's CPU seconds for a call, over twice as many calls again until they fill half of the seconds."""
    calls = 1
    while True:
        start = time.thread_time()
        for _ in range(calls):
            call()
        spent = time.thread_time() - start
        if spent >= seconds / 2:
            return spent / calls
        calls *= 2


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


def _answer_calls(line, prepare, stopwatches, seconds):
    try:
        if line.startswith(VALUE):
            return _value(prepare(line.removeprefix(VALUE))[0])
        if line not in stopwatches:
            stopwatches[line] = Stopwatch(prepare(line))
        return repr(1e6 * stopwatches[line].round(seconds))
    except NotMeasured as reason:
        return f"none {reason}"


def _value(call):
    """A contender that refuses a question has answered it."""
    try:
        return str(call())
    except Exception as error:  # whatever a peer raises
        return f"refuses {type(error).__name__} {error}".splitlines()[0]
