"""The cases of the quantile benchmark, by the names under which every contender knows them."""

FRACTIONS = ("0.5", "0.9", "0.99")
RANKS = tuple(f"rank error {fraction}" for fraction in FRACTIONS)
TIMES = tuple(f"time {fraction}" for fraction in FRACTIONS)


def kind_and_fraction(case):
    kind, fraction = case.rsplit(" ", 1)
    return kind, float(fraction)
