"""The cases of the noise benchmark, by the names under which every contender knows them."""

from bench.worker import NotMeasured

SCALES = ("1", "10", "1000", "20.3")
INTEGER = tuple(f"{law} {scale}" for law in ("geometric", "discrete-gaussian") for scale in SCALES)
REAL = ("laplace 1", "gaussian 1")
VECTOR = INTEGER + REAL
SCALAR = tuple(f"scalar {case}" for case in VECTOR)


def law_and_scale(case):
    """The law and scale of a vector case; contenders in Python are measured on no other."""
    if case not in VECTOR:
        raise NotMeasured(f"this contender is not measured on {case}")
    law, scale = case.rsplit(" ", 1)
    return law, float(scale)
