"""Runs a program and watches the memory of it and of all that it starts, such as a JVM. Linux only."""

import os
import signal
import subprocess
import tempfile
import time

BETWEEN_LOOKS = 0.1  # seconds


class GaveUp(Exception):
    """The program did not come to a good end; the text is one sentence that says why."""


def watched(command, limit):
    """What a program prints, and its peak memory in bytes; it is ended after `limit` seconds."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(command, stdout=output, stderr=complaints, start_new_session=True)
        status, peak = _to_its_end(process, limit)
        text = _text(output)
        if status != 0 and "refuses " not in text:
            raise GaveUp(f"the program ended with status {status} and the words '{_last_line(_text(complaints))}'")
        return text, peak


def _to_its_end(process, limit):
    """Its status and peak memory: exact for the program itself, as of the last look for what it started."""
    peaks, deadline = {}, time.monotonic() + limit
    try:
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                process.returncode = os.waitstatus_to_exitcode(status)
                peaks[pid] = max(peaks.get(pid, 0), usage.ru_maxrss * 1024)
                return process.returncode, sum(peaks.values())
            if time.monotonic() > deadline:
                raise GaveUp(f"it took more than {limit:g} seconds")
            _look(process.pid, peaks)
            time.sleep(BETWEEN_LOOKS)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _look(root, peaks):
    """Notes the greatest resident memory so far of each process from `root` on, as the kernel keeps it."""
    pids = [root]
    while pids:
        pid = pids.pop()
        try:
            peaks[pid] = max(peaks.get(pid, 0), _high_water(pid))
            pids += _children(pid)
        except OSError:
            pass  # it has ended


def _high_water(pid):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
        return sum(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def _children(pid):
    found = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as children:
            found += map(int, children.read().split())
    return found


def _text(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def _last_line(text):
    return (text.strip().splitlines() or [""])[-1]
