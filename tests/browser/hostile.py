"""A release of which every name tries to be markup, with data and questions at the edges: no rows, too little data,
numbers below zero, long names, many keys."""
import csv
import datetime
import json

NAMES = ["</td><script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "=cmd|'/c calc'!A1", "رجل &amp; <b>bold</b>",
         "x" * 300, "Ein sehr langer Name einer Verwaltungsgemeinschaft mit vielen Wörtern", "日本語の非常に長い地域名称の試験用文字列"]

STATISTICS = [
    ("</title><script>alert(3)</script>", 'SELECT region AS "</th><svg onload=alert(4)>", COUNT(*) AS "n<b>", '
     "AVG(income) AS income, SUM(debt) AS debt FROM people GROUP BY region"),
    ("no key", "SELECT COUNT(*) AS people, SUM(debt) AS debt FROM people"),
    ("nothing", "SELECT town, COUNT(*) AS people FROM people WHERE code > 150 GROUP BY town"),
    ("towns", "SELECT town, COUNT(*) AS people FROM people GROUP BY town"),
    ("months", "SELECT EXTRACT(month FROM day) AS month, member, SUM(debt) AS debt FROM people GROUP BY month, member"),
    ("buckets", "SELECT BUCKET(income, 50000) AS bucket, region, COUNT(*) AS people FROM people GROUP BY bucket, region"),
    ("codes", "SELECT code, COUNT(*) AS people FROM people GROUP BY code"),
    ("three keys", "SELECT region, member, BUCKET(income, 100000) AS half, COUNT(*) AS people FROM people "
     "GROUP BY region, member, half"),
    ("y" * 200, "SELECT region, AVG(income) AS income FROM people WHERE code < 3 GROUP BY region"),
]


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def catalog():
    labels = ", ".join(f"{quoted(name)} = {quoted('<i>label</i> ' + name[:40])}" for name in NAMES[:2])
    codes = ", ".join(str(code) for code in range(1, 151))
    return f"""[budget]
epsilon = 20.0
delta = 1e-6
[tables.people]
source = "people.csv"
unit = "id"
row_limit = 1000000
[tables.people.columns]
id = {{ type = "integer" }}
region = {{ type = "string", keys = [{", ".join(map(quoted, NAMES))}], labels = {{ {labels} }} }}
debt = {{ type = "integer", lower = -1000000, upper = 1000 }}
income = {{ type = "real", lower = 0, upper = 200000, granularity = 1 }}
day = {{ type = "date", lower = 2025-01-01, upper = 2025-12-31 }}
code = {{ type = "integer", keys = [{codes}] }}
town = {{ type = "string" }}
member = {{ type = "boolean" }}
"""


def study():
    text = 'catalog = "catalog.toml"\nbudget = { epsilon = 2.0, delta = 1e-7 }\n'
    for name, sql in STATISTICS:
        text += f"[[statistic]]\nname = {quoted(name)}\nsql = {quoted(sql)}\n"
    return text + "weight = 0.001\n"  # of the last: next to nothing is left for it


def write_people(path):
    first = datetime.date(2025, 1, 1)
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", "region", "debt", "income", "day", "code", "town", "member"])
        for i in range(3000):
            table.writerow([i, NAMES[i % 5], -(i * 7919 % 1_000_000), i * 104729 % 200_000, first + datetime.timedelta(i % 365),
                            1 + i * i % 150, "\u202e" + NAMES[i % 3] if i % 2 else f"town{i}", "true" if i % 3 else "false"])
