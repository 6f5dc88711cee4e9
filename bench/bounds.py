"""Both ends of what contenders answer: how far apart they are, and whether the exact value lies between them.

A contender is asked `bounds LINE` once the case has been timed, and gives the ends that the timed call found: `LOWER UPPER`,
with a dash for a lower end where it has none. The task's reference gives the exact values that are known, by `value LINE`.
"""

import math
from fractions import Fraction

from bench.contender import Lost
from bench.errors import TOLERANCE

CROSSED, BELOW, ABOVE = "ends crossed", "below the exact value", "lower end above the exact value"


def bounds(task, contenders, figures, say):
    """An entry for each figure: both ends, the gap between them, the exact value where it is known, and what is wrong."""
    measured = [case for case in task.cases if any((one.name, case.name) in figures for one in contenders)]
    exact = _exact(task.reference, measured, say)
    answers = {(one.name, case.name): _answer(one, case, say) for case in measured for one in contenders
               if (one.name, case.name) in figures}  # fmt: skip
    return [
        {"contender": contender, "case": case, **judged(answer, exact.get(case))}
        for (contender, case), answer in answers.items()
        if answer is not None
    ]


def judged(answer, exact):
    """`answer` is "LOWER UPPER", `exact` a decimal or None."""
    low, high = answer.split()
    lower, upper = None if low == "-" else float(low), float(high)
    if not math.isfinite(upper) or not (lower is None or math.isfinite(lower)):
        return {"lower": None, "upper": None, "gap": None, "exact": exact, "overclaim": None, "verdict": f"says {answer}"}
    return {
        "lower": lower,
        "upper": upper,
        "gap": None if lower is None else upper - lower,
        "exact": exact,
        "overclaim": overclaim(lower, upper, exact),
        "verdict": _verdict(lower, upper, exact),
    }


def overclaim(lower, upper, exact):
    """How far the worse end lies on the wrong side, relative to the exact value; below 0 where both are right."""
    if exact is None:
        return None
    middle = Fraction(exact)
    wrong = [middle - Fraction(upper)] + ([Fraction(lower) - middle] if lower is not None else [])
    return float(max(wrong) / middle)


def _verdict(lower, upper, exact):
    """What falls short by a rounding is not blamed here; `overclaim` has it."""
    if lower is not None and lower - upper > TOLERANCE * abs(upper):
        return CROSSED
    if exact is None or overclaim(lower, upper, exact) <= TOLERANCE:
        return None
    return BELOW if Fraction(upper) < Fraction(exact) else ABOVE


def _answer(contender, case, say):
    try:
        return contender.answer(f"bounds {case.line or case.name}")
    except Lost as reason:
        say(f"{contender.name} has no bounds for {case.name}: {reason}")
        return None


def _exact(reference, cases, say):
    """{case: decimal} of the cases whose exact value the reference knows."""
    answers = {}
    try:
        reference.start()
        for case in cases:
            answers[case.name] = reference.answer(f"value {case.line or case.name}")
    except Lost as reason:
        say(f"{reference.name} is asked {'no more' if answers else 'no'} values: {reason}")
    finally:
        reference.stop()
    return {name: answer for name, answer in answers.items() if not answer.startswith(("none", "refuses"))}
