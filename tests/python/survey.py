"""A small survey for the tests of this folder, in a home of their own: keys and witnesses never come near a user's."""
import os
import tempfile

HOME = tempfile.TemporaryDirectory()
os.environ.update({"HOME": HOME.name, "XDG_CONFIG_HOME": os.path.join(HOME.name, "config"),
                   "XDG_STATE_HOME": os.path.join(HOME.name, "state"), "MPLBACKEND": "Agg"})

import vernier as vn

REGIONS = ["north", "south"]
ROWS = {"id": list(range(600)), "age": [20 + i % 60 for i in range(600)], "region": [REGIONS[i % 3 == 0] for i in range(600)]}
COLUMNS = {"id": vn.Column("integer"), "age": vn.Column("integer", bounds=(0, 100)),
           "region": vn.Column("string", keys=REGIONS)}
COUNT = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")
BY_REGION = vn.Statistic("regions", "SELECT region, COUNT(*) AS people, AVG(age) AS age FROM people GROUP BY region")


def folder():
    """A new one, in the home of the tests."""
    return tempfile.mkdtemp(dir=HOME.name)


def catalog(data=None, epsilon=1000, columns=None, **keys):
    """With a budget that seldom ends; `data` None leaves the rows to the release."""
    table = vn.Table(columns or COLUMNS, unit=keys.pop("unit", "id"), data=data, **keys)
    return vn.Catalog(vn.Budget(epsilon=epsilon), {"people": table}, folder=folder())


def study(data=ROWS, statistics=(COUNT,), epsilon=100, epsilon_of_all=1000, alpha=None, **keys):
    return vn.Study(catalog(data, epsilon_of_all, **keys), list(statistics), epsilon=epsilon, alpha=alpha)


def need(test, library):
    """The library, or the test is skipped and says so."""
    try:
        return __import__(library)
    except ImportError:
        test.skipTest(f"{library} is not installed")
