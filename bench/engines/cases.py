"""What is asked of each engine: rows of 100,000 people for each million, in 50 regions of which 47 are declared."""

import dataclasses

ENGINES = ("postgresql", "trino", "spark")
UNITS = ("row", "person")
ROWS = 10_000_000
QUICK_ROWS = 50_000
REGIONS, DECLARED = 50, 47
PLAIN = {"row": "SELECT region, COUNT(*), SUM(income) FROM {table} GROUP BY region",
         "person": "SELECT person, region, COUNT(*), SUM(income) FROM {table} GROUP BY person, region"}
STATEMENT = "SELECT region, COUNT(*) AS people, SUM(income) AS income FROM people GROUP BY region"
# How many rows of one person have so much: in the even table each has ten rows, in the skewed one the first has half of all.
SHAPES = ("even", "skewed")
PASSES = 4  # where a query of Trino has no memory for all pairs at once
UNITS_OF = {"cpu": "CPU s", "clock": "s", "sent": "bytes a row", "peak": "MB"}


@dataclasses.dataclass(frozen=True)
class Question:
    """One figure of one run."""

    engine: str
    unit: str
    rows: int
    shape: str = "even"
    measure: str = "cpu"
    passes: int = 1

    @property
    def name(self):
        shape = "" if self.shape == "even" else ", half of them of one person"
        passes = f", {self.passes} passes" if self.passes > 1 else ""
        return f"{self.engine}, {self.rows:,} rows{shape}, unit {self.unit}{passes}: {UNITS_OF[self.measure]}"

    @property
    def line(self):
        return " ".join(map(str, dataclasses.astuple(self)))

    @classmethod
    def of(cls, line):
        engine, unit, rows, shape, measure, passes = line.split()
        return cls(engine, unit, int(rows), shape, measure, int(passes))

    def run(self):
        """What is run, whatever is measured of it."""
        return dataclasses.replace(self, measure="cpu")


def catalog(engine, question, table):
    """`engine` has the lines of [engine]; its budget lasts for thousands of rounds."""
    keys = ", ".join(f'"r{number}"' for number in range(DECLARED))
    limits = "max_rows = 2\nmax_groups = 3\n" if question.unit == "person" else ""
    passes = f"passes = {question.passes}\n" if question.passes > 1 else ""
    return f"""[budget]
epsilon = 10000
delta = 1e-6
witness = "none"

[engine]
{engine}
{passes}
[tables.people]
source = {{ table = "{table}" }}
unit = "{question.unit}"
{limits}
[tables.people.columns]
person = {{ type = "integer" }}
region = {{ type = "string", keys = [{keys}] }}
income = {{ type = "real", lower = 0, upper = 200000, granularity = 1 }}
"""


def rows_of(shape, tenth, series, real, text):
    """The columns of the table by the SQL of an engine, over whole numbers i from 0 on: ten rows a person, in some of all regions.

    `tenth` is i / 10 as a whole number."""
    person = tenth if shape == "even" else f"CASE WHEN i % 2 = 0 THEN 0 ELSE {tenth} END"
    return (f"SELECT {person} AS person, {text.format(f'(i * 7919 + {tenth}) % {REGIONS}')} AS region, "
            f"CAST((i * 104729) % 200000 AS {real}) AS income FROM {series}")
