"""The cases of the group-by benchmark: what is asked of how many rows, and what a right answer adds up to."""

import dataclasses

ROWS_PER_USER = 10
REGIONS = tuple(f"region_{i:02d}" for i in range(50))
LOWER, UPPER = 0.0, 200_000.0
MAX_ROWS = 10  # of a user that count in one region
EPSILON, DELTA = 1.0, 1e-6
THREADS = 2

SIZES = {"1 million": 1_000_000, "10 million": 10_000_000, "50 million": 50_000_000}

# Of the table, at every size up to the chance of its hashes (0.3 % at a million rows): the mean of bounded incomes, which do
# not depend on user or region, and the share of rows that is left where a user counts in so many regions, drawn evenly.
MEAN = 53_557.5
KEPT = {0: 1.0, 1: 0.1202, 5: 0.5923}
TOLERANCE = 0.05  # noise included


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    unit: str  # "row" or "user_id"
    max_groups: int  # 0: all


EACH_ROW = Job("each row", "row", 0)
ONE_REGION = Job("1 region a user", "user_id", 1)
FIVE_REGIONS = Job("5 regions a user", "user_id", 5)
JOBS = (EACH_ROW, ONE_REGION, FIVE_REGIONS)


@dataclasses.dataclass(frozen=True)
class Work:
    job: Job
    rows: int

    @property
    def line(self):
        """What a contender is asked, after "seconds" or "memory"."""
        return f"{self.job.unit} {self.job.max_groups} {self.rows}"


def name(job, size, quantity=""):
    return f"{job.name}, {size}{quantity}"


def parse(line):
    unit, groups, rows = line.split()
    return Work(next(job for job in JOBS if (job.unit, job.max_groups) == (unit, int(groups))), int(rows))
