"""A Python contender's side of the protocol in bench/README.md: a case a line comes in, its figure a line goes out."""

import contextlib
import math
import signal
import sys
import time

SLOW = 1.0  # seconds: a call that takes longer is timed in the first round only
VALUE = "value "  # before a case: its answer is wanted, not its time
BOUNDS = "bounds "  # before a case: both ends of the answer that its timed call found are wanted


class NotMeasured(Exception):
    """The contender has no answer to a case; the text is one sentence that says why."""


class TooSlow(Exception):
    """A call was given up; the text is one sentence."""


def serve(prepare):
    """Answer cases until the input ends. `prepare(case, size)` gives a call that draws `size` samples."""
    seconds, size = float(sys.argv[1]), int(sys.argv[2])
    calls = {}
    print("ready", flush=True)
    for line in sys.stdin:
        print(_answer(line.rstrip("\n"), prepare, calls, size, seconds), flush=True)


def serve_calls(prepare):
    """Answer cases until the input ends. `prepare(case)` gives calls that return a number each, or both ends of one.

    A case is answered by the microseconds of its slowest call, `value CASE` by the number that its first call returns, and
    `bounds CASE` by the ends that it returned when it was timed. A second argument of the program is the greatest number of
    CPU seconds that a round of a case may take.
    """
    seconds = float(sys.argv[1])
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else math.inf
    stopwatches = {}
    print("ready", flush=True)
    for line in sys.stdin:
        print(_answer_calls(line.rstrip("\n"), prepare, stopwatches, seconds, limit), flush=True)


def serve_figures(figure):
    """Answer cases until the input ends. `figure(case)` gives the figure of a case itself: an error, not a time."""
    print("ready", flush=True)
    for line in sys.stdin:
        print(_figure(line.rstrip("\n"), figure), flush=True)


class Remembering:
    """A call that keeps what it returned last."""

    def __init__(self, call):
        self._call, self.last = call, None

    def __call__(self):
        self.last = self._call()
        return self.last


class Stopwatch:
    """The time of the slowest of some calls, where each call counts by its best round so far."""

    def __init__(self, calls):
        self._calls, self._best = calls, [math.inf] * len(calls)

    def round(self, seconds):
        for i, call in enumerate(self._calls):
            if not SLOW < self._best[i] < math.inf:
                self._best[i] = min(self._best[i], call_seconds(call, seconds / len(self._calls)))
        return max(self._best)

    def last(self):
        """What the first call, a Remembering one, returned last."""
        return self._calls[0].last


@contextlib.contextmanager
def given_up_after(seconds):
    """Raises TooSlow in the block once the process has used so much CPU time there."""
    if math.isinf(seconds):
        yield
        return

    def give_up(*_):
        raise TooSlow(f"it took more than {seconds:g} seconds of CPU time")

    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again and again, in case a peer catches everything
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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


def _figure(case, figure):
    try:
        return repr(float(figure(case)))
    except NotMeasured as reason:
        return f"none {reason}"
    except Exception as error:  # whatever a peer raises
        return f"refuses {type(error).__name__} {error}".splitlines()[0]


def _answer(case, prepare, calls, size, seconds):
    try:
        if case not in calls:
            calls[case] = prepare(case, size)
        return repr(rate(calls[case], size, seconds))
    except NotMeasured as reason:
        return f"none {reason}"


def _answer_calls(line, prepare, stopwatches, seconds, limit):
    try:
        if line.startswith(VALUE):
            return str(prepare(line.removeprefix(VALUE))[0]())
        if line.startswith(BOUNDS):
            return _bounds(stopwatches.get(line.removeprefix(BOUNDS)))
        if line not in stopwatches:
            stopwatches[line] = Stopwatch([Remembering(call) for call in prepare(line)])
        with given_up_after(limit):
            return repr(1e6 * stopwatches[line].round(seconds))
    except NotMeasured as reason:
        return f"none {reason}"
    except TooSlow as reason:
        return f"refuses {reason}"
    except Exception as error:  # whatever a peer raises
        return f"refuses {type(error).__name__} {error}".splitlines()[0]


def _bounds(stopwatch):
    if stopwatch is None or stopwatch.last() is None:
        raise NotMeasured("the case has not been timed")
    lower, upper = stopwatch.last()
    return f"{'-' if lower is None else repr(float(lower))} {float(upper)!r}"
