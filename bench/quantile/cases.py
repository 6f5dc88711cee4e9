"""The cases of the quantile benchmark, by the names under which every contender knows them."""

FRACTIONS = ("0.5", "0.9", "0.99")
RANKS = tuple(f"rank error {fraction}" for fraction in FRACTIONS)
MEANS = tuple(f"mean rank error {fraction}" for fraction in FRACTIONS)
TIMES = tuple(f"time {fraction}" for fraction in FRACTIONS)
NEIGHBOURS = 20  # fractions around the one of a case, a ten-thousandth apart, that the draws take in turn
LEAST = 0.5  # an error below half a rank counts as that: a figure is above 0


def kind_and_fraction(case):
    kind, fraction = case.rsplit(" ", 1)
    return kind, float(fraction)


def neighbour(fraction, draw):
    """The fraction of this draw: so that no figure is that of one place between two rows.

    With four decimals, as OpenDP takes no more.
    """
    return round(fraction + (draw % NEIGHBOURS - NEIGHBOURS // 2) * 1e-4, 4)


def exceeded_by_five_in_a_hundred(errors):
    """Of sorted errors in whole ranks, each of which is a rank wide: so that a figure need not be whole."""
    found = errors[(95 * len(errors) - 1) // 100]
    nearer, alike = sum(error < found - 0.5 for error in errors), sum(abs(error - found) <= 0.5 for error in errors)
    return max(LEAST, found - 0.5 + (0.95 * len(errors) - nearer) / alike)
