"""What is measured of tables that add up, and what was measured elsewhere."""

DOMAINS = ("CPS, up to 3", "Adult, 3", "Adult, up to 3", "Loans, up to 3")
ERRORS = tuple(f"root of the mean square, {one}" for one in DOMAINS)
VARIANCES = tuple(f"largest variance, {one}" for one in DOMAINS)
GAP = "gap of the largest variance, Adult, up to 3"
EPSILON = "epsilon over one Gaussian number's, Adult, up to 3"
REACH = "proven reach over the normal one, Adult, up to 3"
PRICE = "epsilon at 50 over that with noise for each, Adult, up to 3"
PLAN = "plan, Adult, up to 3"
WIDE_PLAN = "plan, 100 columns of 10 keys, up to 3"
RELEASE = "release, Adult, up to 3"
MEMORY = "memory of that release"
GROWING = (9, 20, 43)  # keys of each of ten columns, up to three: about 10^5, 10^6 and 10^7 cells
GROWTH = tuple(f"release, 10 columns of {keys} keys" for keys in GROWING)
GROWTH_MEMORY = tuple(f"memory, 10 columns of {keys} keys" for keys in GROWING)
FEW = "release, 15 tables of 5 columns"
FEW_ONE, FEW_TWO = "error of one column there", "error of two columns there"

# ResidualPlanner is in no registry: Xiao, He, Zhang and Kifer 2023, its own program, run once; errors at squared distance 1.
RESIDUAL_PLANNER = dict(zip(ERRORS, (2.2759, 10.5153, 10.6650, 8.8756))) | dict(
    zip(VARIANCES, (13.2156, 236.8428, 253.6052, 180.8171)))

# OpenDP 0.16, opendp.extras.mbi, the algorithm Fixed at rho 0.028 over 5 columns of 16, 7, 6, 2 and 2 keys: the quicker of
# two runs, on two cores. One takes half a minute, and what it needs half an hour to set up.
OPENDP_FIXED = {FEW: 31.0, FEW_ONE: 12.5, FEW_TWO: 14.2}

SECONDS = (PLAN, WIDE_PLAN, RELEASE, *GROWTH, FEW)


def unit(case):
    """What a figure of this case is in."""
    if case in SECONDS:
        return "s"
    return "MB" if case in (MEMORY, *GROWTH_MEMORY) else "1"
