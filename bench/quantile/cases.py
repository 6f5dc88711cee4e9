"""The cases of the quantile benchmark, by the names under which every contender knows them."""

FRACTIONS = ("0.5", "0.9", "0.99")
RANKS = tuple(f"rank error {fraction}" for fraction in FRACTIONS)
MEANS = tuple(f"mean rank error {fraction}" for fraction in FRACTIONS)
TIMES = tuple(f"time {fraction}" for fraction in FRACTIONS)
NEIGHBOURS = 20  # fractions around the one of a case, a hundred-thousandth apart, that the draws take in turn


def kind_and_fraction(case):
    kind, fraction = case.rsplit(" ", 1)
    return kind, float(fraction)


def neighbour(fraction, draw):
    """The fraction of this draw: so that no figure is that of one place between two rows."""
    return round(fraction + (draw % NEIGHBOURS - NEIGHBOURS // 2) * 1e-5, 5)
