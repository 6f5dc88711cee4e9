"""Calls whatever is public with whatever there is: `fuzz.py SEED CALLS`. Prints what broke, and exits with 1 then.

Seven tenths of the calls are made on four threads, the others after them in children of this process.
"""
import sys
import threading

from fuzz_processes import fuzz_children, leaks, left_behind
from fuzzer import Fuzzer, prepare

THREADS = 4


def run(fuzzer, calls):
    for _ in range(calls):
        fuzzer.call()


def fuzz_threads(fuzzers, calls):
    threads = [threading.Thread(target=run, args=(fuzzer, calls // len(fuzzers))) for fuzzer in fuzzers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [finding for fuzzer in fuzzers for finding in fuzzer.findings + leaks(left_behind(fuzzer))]


def main():
    seed, calls = int(sys.argv[1]), int(sys.argv[2])
    prepare()
    fuzzers = [Fuzzer(seed + i) for i in range(THREADS)]
    findings = fuzz_threads(fuzzers, calls * 7 // 10)
    fuzzers[0].findings = []  # which its children would tell again
    findings += fuzz_children(fuzzers[0], seed + THREADS, calls * 3 // 10)
    for finding in findings[:20]:
        print(finding)
    print(f"{calls} calls")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
