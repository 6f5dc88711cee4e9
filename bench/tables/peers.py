"""What others were measured to do: `python3 -m bench.tables.peers residualplanner|opendp`."""

import sys

from bench.tables import cases
from bench.worker import serve_figures

FIGURES = {"residualplanner": cases.RESIDUAL_PLANNER, "opendp": cases.OPENDP_FIXED}


def answer(who, case):
    """The figure, or None where there is none."""
    return FIGURES[who].get(case)


if __name__ == "__main__":
    serve_figures(lambda case: answer(sys.argv[1], case))
