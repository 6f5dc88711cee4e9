"""A contender: a program of its own that takes a case a line and answers a figure a line (see bench/README.md)."""

import math
import os
import select
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Lost(Exception):
    """The contender cannot be measured (any more); the text is one sentence that says why."""


class Refused(Exception):
    """The contender tried one case and gave it up; the text is one sentence that says why."""


class Contender:
    def __init__(self, name, command, note="", needs="", patience=120.0):
        """`needs` is a file without which the contender cannot run; `note` says what the table should say of it."""
        self.name, self.note = name, note
        self._command, self._needs, self._patience = command, needs, patience
        self._process = self._complaints = None

    def start(self):
        if self._needs and not os.path.exists(self._needs):
            raise Lost(f"it is not set up ({self._needs} does not exist)")
        self._complaints = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError as error:
            raise Lost(f"it does not start ({error})") from error
        first = self._line()
        if first != "ready":
            raise Lost(f"it said '{first}' where 'ready' was expected")

    def ask(self, case):
        """The contender's figure, or None where it does not take part in the case."""
        return _figure(self.answer(case))

    def answer(self, line):
        """What the contender answers to a line, word for word."""
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except OSError as error:
            raise Lost(self._why_it_ended()) from error
        return self._line()

    def stop(self):
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
        if self._complaints is not None:
            self._complaints.close()
        self._process = self._complaints = None

    def _line(self):
        deadline = time.monotonic() + self._patience
        text = b""
        while not text.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise Lost(f"it gave no answer within {self._patience:g} seconds")
            part = os.read(self._process.stdout.fileno(), 4096)
            if not part:
                raise Lost(self._why_it_ended())
            text += part
        return text.decode(errors="replace").strip()

    def _why_it_ended(self):
        status = self._process.wait()
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f"it ended with status {status}" + (f" and the words '{lines[-1]}'" if lines else "")


def _figure(answer):
    if answer.startswith("none"):
        return None
    if answer.startswith("refuses "):
        raise Refused(answer.removeprefix("refuses "))
    try:
        value = float(answer)
    except ValueError:
        raise Lost(f"it answered '{answer}' where a number was expected") from None
    if not (math.isfinite(value) and value > 0):
        raise Lost(f"it answered {answer}, which is no figure")
    return value
