"""How far the answers of contenders are from the exact ones: asked once, outside of the timed rounds.

A contender is asked `value LINE` and answers a number, `none` where it has no such function, or `refuses` and a reason. The
task's reference answers the same line in decimals, with digits to spare.
"""

import dataclasses
import math
from fractions import Fraction

from bench.contender import Lost

TOLERANCE = 1e-12  # an answer that falls short by less is not blamed


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    line: str
    short: str  # what it means when an answer is too small, in a word


def errors(task, say):
    """The answers of all contenders beside the exact ones, question by question; none where there is no reference."""
    exact = _answers(task.reference, task.questions, say)
    answers = {contender.name: _answers(contender, task.questions, say) for contender in task.contenders if exact}
    return [
        {"contender": name, "case": question.name, **judged(question, given[question.name], exact[question.name])}
        for question in task.questions
        for name, given in answers.items()
        if question.name in given and question.name in exact
    ]


def judged(question, answer, exact):
    excess = relative_excess(answer, exact)
    return {"answer": answer, "exact": exact, "relative_excess": excess, "verdict": _verdict(question, answer, excess)}


def relative_excess(answer, exact):
    """answer / exact - 1 without rounding on the way, or None where the answer is no finite number."""
    try:
        value = float(answer)
    except ValueError:
        return None
    return float(Fraction(value) / Fraction(exact) - 1) if math.isfinite(value) else None


def _verdict(question, answer, excess):
    if excess is None:
        return "refuses" if answer.startswith("refuses") else f"says {answer}"
    return question.short if excess < -TOLERANCE else None


def _answers(contender, questions, say):
    """{question: answer} of those that the contender takes."""
    answers = {}
    try:
        contender.start()
        for question in questions:
            answers[question.name] = contender.answer(f"value {question.line}")
    except Lost as reason:
        say(f"{contender.name} is asked {'no more' if answers else 'no'} values: {reason}")
    finally:
        contender.stop()
    return {name: answer for name, answer in answers.items() if not answer.startswith("none")}
