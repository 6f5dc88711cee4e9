"""SmartNoise SQL on pandas. It limits the rows of a user (max_ids), not the regions, and spends more than it is given: the
page has the figures."""

import pandas
import snsql

from bench.groupby.cases import DELTA, EPSILON, LOWER, MAX_ROWS, UPPER
from bench.groupby.peer import once

SQL = "SELECT region, COUNT(*) AS n, SUM(income) AS total, AVG(income) AS mean FROM people GROUP BY region"


def metadata(rows):
    columns = {
        "user_id": {"type": "int", "private_id": True},
        "region": {"type": "string"},
        "income": {"type": "float", "lower": LOWER, "upper": UPPER},
    }
    return {"": {"": {"people": {"row_privacy": False, "rows": rows, "max_ids": MAX_ROWS, **columns}}}}


def release(file, _):
    table = pandas.read_parquet(file, columns=["user_id", "region", "income"])
    privacy = snsql.Privacy(epsilon=EPSILON, delta=DELTA)
    reader = snsql.from_df(table, metadata=metadata(len(table)), privacy=privacy)
    return list(reader.execute(SQL))[1:]  # the first row has the names


if __name__ == "__main__":
    once(release)
