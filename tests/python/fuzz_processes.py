"""Children that fuzz: of os.fork, and of multiprocessing by fork and by spawn.

A forked child goes on with the fuzzer of its parent, a spawned one begins anew. Each tells its first noise, what broke, and all
that can be read of what it made.
"""
import functools
import multiprocessing
import os
import pickle
import struct
import traceback

import vernier
from fuzzer import TOTAL, Fuzzer, prepare

PATIENCE = 300  # seconds until a child counts as stuck
# The exact total as text, as JSON and Python write it, and as files and pickles have it.
NEEDLES = (str(TOTAL).encode(), TOTAL.to_bytes((TOTAL.bit_length() + 8) // 8, "little"), struct.pack("<d", TOTAL), struct.pack(">d", TOTAL))

inherited = None  # the fuzzer that children of this process go on with


def first_noise(fuzzer):
    """Of a law and of a release: each is the same in two processes with a chance below one in a billion."""
    released = vernier.release(fuzzer.seeds["study"], again=True, progress=False)["incomes"].to_dict()["total"]
    return [("law", *vernier.law("geometric", 1e6).sample(4).tolist()), ("release", *released)]


def left_behind(fuzzer):
    """All that can be read of what was made: pickles, texts, pages, and the sentences of errors."""
    parts = [sentence.encode("utf-8", "replace") for sentence in fuzzer.sentences]
    for made in fuzzer.made:
        for show in (pickle.dumps, lambda one: repr(one).encode(), lambda one: one._repr_html_().encode()):
            try:
                parts.append(show(made))
            except Exception:  # nothing to be read of it then
                continue
    return b"\0".join(parts)


def leaks(content):
    """The places of an exact total."""
    return [f"an exact total at {content.find(needle)}" for needle in NEEDLES if needle in content]


def repeated(noises):
    """Noise that several processes drew."""
    return [f"the noise {noise} was drawn {noises.count(noise)} times" for noise in sorted(set(noises)) if noises.count(noise) > 1]


def send_report(sender, seed, calls):
    prepare()
    fuzzer = inherited or Fuzzer(seed)
    noise = first_noise(fuzzer)
    fuzzer.random.seed(seed)
    for _ in range(calls):
        fuzzer.call()
    sender.send_bytes(pickle.dumps((noise, fuzzer.findings, left_behind(fuzzer))))


def forked(sender, seed, calls):
    """A child of os.fork; gives a function that waits for its exit code."""
    pid = os.fork()
    if pid == 0:
        try:
            send_report(sender, seed, calls)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def started(method, sender, seed, calls):
    """A child of multiprocessing; gives the same."""
    process = multiprocessing.get_context(method).Process(target=send_report, args=(sender, seed, calls))
    process.start()
    return lambda: process.join() or process.exitcode


KINDS = {"os.fork": forked, "multiprocessing fork": functools.partial(started, "fork"),
         "multiprocessing spawn": functools.partial(started, "spawn")}
CHILDREN = ["os.fork", "multiprocessing fork", "multiprocessing spawn", "os.fork", "multiprocessing fork"]


def begin(kind, seed, calls):
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with sender:
        return kind, receiver, KINDS[kind](sender, seed, calls)


def end(kind, receiver, exit_code):
    """Its noise, and what broke."""
    try:
        if not receiver.poll(PATIENCE):
            return [], [f"{kind}: a child is stuck"]
        noise, findings, content = pickle.loads(receiver.recv_bytes())
    except EOFError:
        return [], [f"{kind}: a child said nothing and ended with {exit_code()}"]
    code = exit_code()
    findings = findings + leaks(content) + ([f"it ended with {code}"] if code != 0 else [])
    return noise, [f"{kind}: {finding}" for finding in findings]


def fuzz_children(fuzzer, seed, calls):
    """What broke in children of every kind, which share so many calls; and where noise came twice."""
    global inherited
    inherited = fuzzer
    noises = first_noise(fuzzer)  # so that what draws it is open before the fork
    children = [begin(kind, seed + i, calls // len(CHILDREN)) for i, kind in enumerate(CHILDREN)]
    noises += first_noise(fuzzer)
    findings = []
    for child in children:
        noise, broken = end(*child)
        noises, findings = noises + noise, findings + broken
    return findings + repeated(noises)
