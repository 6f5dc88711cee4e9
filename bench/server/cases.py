"""The catalog, the studies and the cases of the server's benchmark."""

PEOPLE = "person,age,region,town,minutes\n" + "".join(
    f"{i},{i % 90},{('north', 'south', 'east', 'west')[i % 4]},town{i % 40},{i % 120}\n" for i in range(1, 5001)
)
CATALOG = """[budget]
epsilon = 40.0
delta = 1e-4
accountant = "pure"

[tables.people]
source = "people.csv"
unit = "person"

[tables.people.columns]
person  = { type = "integer" }
age     = { type = "integer", lower = 0, upper = 99 }
region  = { type = "string", keys = ["north", "south", "east", "west"] }
town    = { type = "string" }
minutes = { type = "integer", lower = 0, upper = 120 }
"""


def study(targets=False, private=False):
    """Ten statistics."""
    text = "budget = { epsilon = 1.0, delta = 1e-7 }\n"
    for number in range(10):
        key = "town" if private and number % 5 == 0 else "region"
        text += f'\n[[statistic]]\nname = "s{number}"\nsql = "SELECT {key}, COUNT(*) AS people FROM people WHERE age >= {number} GROUP BY {key}"\n'
        if targets and number % 2:
            text += "accuracy = { people = 90 }\n"
    return text


PLAN = study()
HARD = study(targets=True, private=True)
ONE = 'budget = { epsilon = 1.0 }\n\n[[statistic]]\nname = "all"\nsql = "SELECT COUNT(*) AS people FROM people"\n'

# (name, unit, goal)
LIMITS = (
    ("40 plans a second, p50", "ms", 20),
    ("40 plans a second, p99", "ms", 80),
    ("40 hard plans a second, p99", "ms", 200),
    ("what-if: the first five points", "s", 0.3),
    ("what-if: all 21 points", "s", 1.5),
    ("200 tabs: memory of the front", "MB", 300),
    ("64 releases for a budget of 40: paid", "releases", 40),
    ("64 releases for a budget of 40: refused", "releases", 24),
    ("p99 beside 1,000 slow connections over that without", "times", 2),
    ("ready again after kill -9", "s", 2),
    ("the page, compressed", "kB", 60),
    ("from the start to the first plan", "s", 3),
    ("memory after the soak over that before", "times", 1.01),
)
