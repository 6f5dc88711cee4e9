"""Every statement of tests/sql against DuckDB's own answer. Usage: corpus_test.py PROGRAM [FILE...]

README.md says what the files are.
"""
import datetime
import glob
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import duckdb

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.abspath(sys.argv[1])
WORKER = threading.local()  # its folder and its db
FILES = [os.path.abspath(path) for path in sys.argv[2:] if not path.startswith("--")] or sorted(glob.glob(os.path.join(HERE, "[a-z]*.txt")))

CATALOG = """
[budget]
epsilon = 10000
delta = 0.01

[tables.people]
source = "people.csv"
unit = "row"
row_limit = 10000

[tables.people.columns]
person_id = { type = "integer" }
region = { type = "string", keys = ["north", "south", "east", "west"] }
sex = { type = "string", keys = ["f", "m"] }
town = { type = "string" }
age = { type = "integer", lower = 0, upper = 100 }
income = { type = "real", lower = 0, upper = 100000, granularity = 1 }
born = { type = "date", lower = 1920-01-01, upper = 2020-12-31 }

[tables.visits]
source = "visits.csv"
unit = "person_id"
row_limit = 10000

[tables.visits.columns]
person_id = { type = "integer" }
cost = { type = "integer", lower = 0, upper = 500 }

[tables.spells]
source = "spells.csv"
unit = "person_id"
row_limit = 10000
max_rows = 40
max_groups = 4

[tables.spells.columns]
stay_id = { type = "integer" }
person_id = { type = "integer" }
ward = { type = "string", keys = ["north", "south", "east"] }
nights = { type = "integer", lower = 0, upper = 30 }

[tables.bills]
source = "bills.csv"
unit = { via = "spells.stay_id", is = "person_id", by = "stay" }
row_limit = 10000
max_rows = 40
max_groups = 4

[tables.bills.columns]
stay = { type = "integer" }
amount = { type = "real", lower = 0, upper = 1000, granularity = 1 }

[tables.regions]
source = "regions.csv"
public = true

[tables.regions.columns]
name = { type = "string" }
wealth = { type = "string", keys = ["rich", "poor"] }
"""

HOSPITAL = """
[budget]
epsilon = 10000
delta = 0.01

[tables.stays]
source = "stays.csv"
unit = "patient"
row_limit = 10000

[tables.stays.columns]
patient = { type = "integer" }
ward = { type = "string", keys = ["heart", "eyes", "bones"] }
nights = { type = "integer", lower = 0, upper = 60 }
bill = { type = "real", lower = 0, upper = 50000, granularity = 1 }
"admitted on" = { type = "date", lower = 2020-01-01, upper = 2024-12-31 }
note = { type = "string" }
paid = { type = "boolean" }
points = { type = "integer" }

[tables.wards]
source = "wards.csv"
public = true

[tables.wards.columns]
code = { type = "string" }
floor = { type = "integer", keys = [1, 2] }
"""
CALLS = """
[budget]
epsilon = 10000
delta = 0.01

[tables.calls]
source = "calls.csv"
unit = "caller"
row_limit = 10000
max_rows = 40
max_groups = 20

[tables.calls.columns]
caller = { type = "integer" }
began = { type = "timestamp", zone = "Europe/Amsterdam", lower = 2020-01-01, upper = 2021-01-01 }
ended = { type = "timestamp", lower = 2020-01-01, upper = "2021-01-01 02:00:00" }
topic = { type = "string", keys = ["bill", "fault"] }
"""
STATEMENT = re.compile(r"\bSELECT\b[^;]*")
# A word that the parser uses and nobody writes.
INTERNAL = re.compile(r"__\w+|count_star|~~|\bschema\b.*main|list_value|array_extract|to_days|struct_pack")
def make_people(draw):
    """A thousand people, by a fixed seed; incomes are whole numbers, and some are missing."""
    with open("people.csv", "w", encoding="utf-8") as file:
        file.write("person_id,region,sex,town,age,income,born\n")
        for i in range(1000):
            region = draw.choices(["north", "south", "east", "west"], [45, 30, 20, 5])[0]
            town = draw.choice(["Arnhem", "Delft", "Brielle", "Goor"])
            age = draw.randint(0, 100)
            income = "" if draw.random() < 0.1 else draw.randint(0, 100000)
            born = datetime.date(2020 - age, draw.randint(1, 12), draw.randint(1, 28))
            file.write(f"{i},{region},{draw.choice('fm')},{town},{age},{income},{born}\n")
    with open("visits.csv", "w", encoding="utf-8") as file:
        file.write("person_id,cost\n")
        for i in range(500):
            file.write(f"{i},{draw.randint(0, 500)}\n")
    with open("spells.csv", "w", encoding="utf-8") as file:
        file.write("stay_id,person_id,ward,nights\n")
        for i in range(800):
            file.write(f"{i},{draw.randrange(400)},{draw.choice(['north', 'south', 'east'])},{draw.randint(0, 30)}\n")
    with open("bills.csv", "w", encoding="utf-8") as file:
        file.write("stay,amount\n")
        for i in range(1500):
            file.write(f"{draw.randrange(800)},{draw.randint(0, 1000)}\n")
    with open("regions.csv", "w", encoding="utf-8") as file:
        file.write("name,wealth\nnorth,rich\nsouth,poor\neast,rich\n")


def make_stays(draw):
    """Each patient has one stay; bills grow with the nights, and some notes are missing."""
    with open("stays.csv", "w", encoding="utf-8") as file:
        file.write("patient,ward,nights,bill,admitted on,note,paid,points\n")
        for i in range(600):
            nights = draw.randint(0, 60)
            note = draw.choice(["", "came back", "Went home", "moved"])
            day = datetime.date(2020, 1, 1) + datetime.timedelta(days=draw.randint(0, 1826))
            file.write(f"{i},{draw.choice(['heart', 'heart', 'eyes'])},{nights},{nights * 700 + draw.randint(0, 5000)},{day},{note},"
                       f"{draw.choice(['true', 'false'])},{draw.randint(-50, 50)}\n")
    with open("wards.csv", "w", encoding="utf-8") as file:
        file.write("code,floor\nheart,1\neyes,2\n")


def make_calls(draw):
    """Times as files write them: with a T, with parts of seconds, without seconds, with a Z; some are missing."""
    with open("calls.csv", "w", encoding="utf-8") as file:
        file.write("caller,began,ended,topic\n")
        for i in range(700):
            began = datetime.datetime(2020, 1, 1) + datetime.timedelta(seconds=draw.randrange(366 * 86400 - 7200))
            ended = began + datetime.timedelta(seconds=draw.randrange(7200), milliseconds=draw.choice([0, 500]))
            written = draw.choice([str(began), began.isoformat(), str(began) + ".000", f"{began}Z", f"{began:%Y-%m-%d %H:%M}"])
            topic = draw.choice(["bill", "fault"])
            file.write(f"{draw.randrange(300)},{'' if draw.random() < 0.05 else written},{ended},{topic}\n")


def make_files():
    make_people(random.Random(26))
    make_stays(random.Random(62))
    make_calls(random.Random(86))
    for name, text in (("people", CATALOG), ("hospital", HOSPITAL), ("calls", CALLS)):
        with open(f"{name}.toml", "w", encoding="utf-8") as file:
            file.write(text)


def database():
    """The same tables, and functions that DuckDB does not have."""
    db = duckdb.connect()
    db.execute("CREATE TABLE people AS SELECT * FROM read_csv('people.csv', nullstr='', types={'income': 'DOUBLE'})")
    db.execute("CREATE TABLE stays AS SELECT * FROM read_csv('stays.csv', nullstr='', types={'bill': 'DOUBLE'})")
    for name in ("visits", "spells", "regions", "wards"):
        db.execute(f"CREATE TABLE {name} AS SELECT * FROM '{name}.csv'")
    db.execute("CREATE TABLE calls AS SELECT caller, TRY_CAST(began AS TIMESTAMP) AS began, TRY_CAST(ended AS TIMESTAMP) AS ended, topic "
               "FROM read_csv('calls.csv', nullstr='', types={'began': 'VARCHAR', 'ended': 'VARCHAR'})")
    db.execute("CREATE TABLE bills AS SELECT b.*, person_id FROM 'bills.csv' b JOIN spells ON stay = stay_id")
    db.execute("CREATE MACRO clamp(x, lo, hi) AS CASE WHEN x < lo THEN lo WHEN x > hi THEN hi ELSE x END")
    db.execute("CREATE MACRO bucket(x, width) AS floor(x / width) * width")
    db.execute("CREATE MACRO safe_divide(a, b) AS CASE WHEN b = 0 THEN NULL ELSE a / b END")
    for name, meaning in (("var", "var_samp"), ("std", "stddev_samp"), ("stdev", "stddev_samp"), ("anon_sum", "sum"), ("anon_avg", "avg"),
                          ("anon_var", "var_samp"), ("anon_stddev", "stddev_samp"), ("average", "avg"), ("varp", "var_pop"), ("stdevp", "stddev_pop"), ("countif", "count_if"), ("approx_distinct", "approx_count_distinct")):
        db.execute(f"CREATE MACRO {name}(x) AS {meaning}(x)")
    for macro in ("iff(c, a, b) AS CASE WHEN c THEN a ELSE b END", "nvl(x, y) AS COALESCE(x, y)", "zeroifnull(x) AS COALESCE(x, 0)",
                  "square(x) AS x * x", "contains_substr(x, y) AS contains(lower(x), lower(y))", "div0(a, b) AS CASE WHEN b = 0 THEN 0 ELSE a / b END", "decode(x, a, r, s) AS CASE WHEN x = a THEN r ELSE s END",
                  "dateadd(unit, n, day) AS CAST(day + n * INTERVAL 1 DAY AS DATE)"):
        db.execute(f"CREATE MACRO {macro}")
    return db


def cases(path):
    """The catalog, verdict, statement, and what is to be written instead of a refused one."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if not line.startswith("#")]
    catalog = "people"
    for block in "\n".join(lines).strip().split("\n\n"):
        if block.strip().startswith("catalog:"):
            catalog = block.partition(":")[2].strip()
            continue
        verdict, *rest = block.strip().split("\n")
        instead = [line.partition(":")[2].strip() for line in rest if line.startswith("instead:")]
        statement = "\n".join(line for line in rest if not line.startswith("instead:")).strip()
        if statement:
            yield catalog, verdict.strip(), statement, instead


def ran(*words):
    """The program in the folder of this worker."""
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, timeout=300, cwd=WORKER.folder)


def asked(catalog, statement):
    """With all of a new budget."""
    for path in glob.glob(os.path.join(WORKER.folder, "*.ledger*")):
        os.remove(path)
    return ran("query", "--catalog", f"{catalog}.toml", statement, "--epsilon", "5000", "--alpha", "1e-6", "--delta", "1e-9", "--json")


def as_duckdb(statement):
    text = re.sub(r";\s*(--.*)?$", "", statement.replace("`", '"'))
    text = re.sub(r"WITH (?:DIFFERENTIAL_PRIVACY|ANONYMIZATION) OPTIONS\([^)]*\)", "", text)
    text = re.sub(r"(\w+) CLAMPED BETWEEN (\w+) AND (\w+)", r"clamp(\1, \2, \3)", text)
    text = text.replace("SAFE_CAST", "TRY_CAST").replace("FLOAT64", "DOUBLE").replace("DATE_PART(year", "DATE_PART('year'")
    text = re.sub(r"PERCENTILE_CONT\((\w+), ([\d.]+),[^()]*\([^()]*\)\)", r"quantile_disc(\1, \2)", text)
    text = re.sub(r", contribution_bounds_per_(?:group|row) => \([^)]*\)", "", text)
    text = re.sub(r"\bANON_COUNT\b", "COUNT", text)
    text = re.sub(r"\bNDV\(", "COUNT(DISTINCT ", text)
    text = re.sub(r"\bAPPROX_QUANTILES\(([^()]*), (\d+)\)\[OFFSET\((\d+)\)\]", r"quantile_disc(\1, \3.0 / \2)", text)
    text = re.sub(r"\bAPPROX_QUANTILES\(([^()]*), (\d+)\)\[ORDINAL\((\d+)\)\]", r"quantile_disc(\1, (\3 - 1.0) / \2)", text)
    text = re.sub(r"\bMEDIAN\(([^()]*)\)", r"quantile_disc(\1, 0.5)", text)
    text = re.sub(r"\b(?:QUANTILE|QUANTILE_CONT|APPROX_QUANTILE|ANON_PERCENTILE_CONT)\(", "quantile_disc(", text)
    text = text.replace("PERCENTILE_CONT", "PERCENTILE_DISC")
    text = re.sub(r"TIMESTAMP_DIFF\((\w+), (\w+), (\w+)\)", r"date_sub('\3', \2, \1)", text)
    text = re.sub(r"TO_CHAR\((\w+), 'YYYY'\)", r"strftime(\1, '%Y')", text)
    top = re.search(r"SELECT (?:DISTINCT )?TOP \(?(\d+)\)?", text)
    if not top:
        return text
    return text.replace(top.group(0), top.group(0).partition(" TOP")[0]) + f" LIMIT {top.group(1)}"


# How far off a number may be, relative and absolute, and whether its interval must hold DuckDB's.
NEAR = {"accepted": (1e-3, 0.02, True), "accepted rounded": (0.02, 0.02, False), "accepted about": (0.05, 2, False)}


def noise_of(number, exact):
    """What noise may do at alpha 1e-6, up to a fiftieth: sums over many rows of a unit have noise that is seen even here."""
    accuracy = number.get("accuracy") if isinstance(number, dict) else None
    return min(float(accuracy or 0), abs(float(exact)) / 50)


def same(exact, number, verdict):
    """Whether a number is DuckDB's, within its interval and what a huge epsilon leaves of noise."""
    value = number["value"] if isinstance(number, dict) else number
    if exact is None:
        return not isinstance(number, dict) or number.get("informative") is False
    if isinstance(exact, datetime.datetime):
        return str(value) in (str(exact), str(exact).removesuffix(" 00:00:00"))
    if isinstance(exact, bool) and isinstance(number, dict):  # a comparison of statistics is 1 or 0
        return value == int(exact)
    if isinstance(exact, (datetime.date, bool, str)):
        return str(exact) == str(value)
    relative, absolute, is_covered = NEAR[verdict]
    if value is None or not math.isclose(float(exact), float(value), rel_tol=relative, abs_tol=absolute + noise_of(number, exact)):
        return False
    if not isinstance(number, dict) or not is_covered:
        return True
    low, high = (float(end) for end in number["interval"])
    slack = 1e-6 * max(1, abs(float(exact)))
    return low - slack <= float(exact) <= high + slack


def nothing(number):
    """What a declared group without rows has: no rows, sums of 0, and no means."""
    return not isinstance(number, dict) or number.get("informative") is False or abs(number["value"]) < 0.5


def selected(names, row):
    """The numbers of the columns that the statement selects: keys that it does not select stand in front."""
    if all(name in row for name in names):
        return [row[name] for name in names]
    values = list(row.values())[len(row) - len(names):]
    if any(name in row and row[name] is not value for name, value in zip(names, values)):
        raise ValueError(f"columns {names} are not in {list(row)}")
    return values


def matched(exact, rows, verdict):
    """The rows that are like none of the exact ones, each of which takes one; or the first exact one without a row."""
    rest = list(rows)
    for one in exact:
        match = next((row for row in rest if all(same(a, b, verdict) for a, b in zip(one, row))), None)
        if match is None:
            return f"no row is like {one} in {rest}", rest
        rest.remove(match)
    return None, rest


def difference(db, statement, record, verdict):
    found = record["statistics"][0]["rows"]
    answer = db.execute(as_duckdb(statement))
    names = [column[0] for column in answer.description]
    exact = answer.fetchall()
    try:
        rows = [selected(names, row) for row in found]
    except ValueError as error:
        return str(error)
    words = statement.upper()
    is_chosen = any(re.search(rf"\b{word}\b", words) for word in ("HAVING", "LIMIT", "OFFSET", "TOP", "FETCH"))
    if is_chosen and len(rows) != len(exact):
        return f"{len(rows)} rows in place of {len(exact)}"
    if "ORDER BY" in words.split("GROUP BY")[-1] and len(rows) == len(exact) and "WITHIN GROUP" not in words:
        wrong = [(a, b) for a, b in zip(exact, rows) if not all(same(x, y, verdict) for x, y in zip(a, b))]
        return f"{wrong[0][1]} in place of {wrong[0][0]}" if wrong else None
    problem, rest = matched(exact, rows, verdict)
    # Groups that are declared and empty are published too, with 0.
    if problem or all(all(nothing(number) for number in row) for row in rest):
        return problem
    return f"rows that nobody asked for: {rest}"


def changed(statement, instead):
    """The words of the second statement that are not in the first one, without what both begin and end with."""
    old, new = (re.findall(r"\w+|'[^']*'|\"[^\"]*\"|\S", text) for text in (statement, instead))
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return re.sub(r"\s", "", "".join(new)).lower()


def fault_of_advice(catalog, statement, instead, told):
    """The advice has the words that were changed, and the statement is accepted with them."""
    words = "".join(told.partition(";")[2].split()).lower()
    if changed(statement, instead) not in words:
        return f"the advice has not '{changed(statement, instead)}': {told}"
    done = asked(catalog, instead)
    return None if done.returncode == 0 else f"what is to be written instead is refused, too: {instead}\n    {done.stderr.strip()}"


def fault_of_refusal(catalog, verdict, statement, instead):
    done = asked(catalog, statement)
    fragment = verdict.partition(":")[2].strip()
    if done.returncode == 0:
        return "it was accepted"
    if fragment not in done.stderr:
        return f"'{fragment}' is not in: {done.stderr.strip()}"
    told = done.stderr.split("\n")[0]
    if INTERNAL.search(told):
        return f"an internal name is in: {told}"
    advice = STATEMENT.search(told.partition(";")[2])
    if advice and " FROM " in advice.group(0) and "..." not in advice.group(0) and asked(catalog, advice.group(0)).returncode != 0:
        return f"its advice is refused, too: {advice.group(0)}"
    faults = [fault_of_advice(catalog, statement, one, told) for one in instead]
    return next((fault for fault in faults if fault), None)


def problem_of(catalog, verdict, statement, instead):
    if verdict.startswith("refused"):
        return fault_of_refusal(catalog, verdict, statement, instead)
    done = asked(catalog, statement)
    if done.returncode != 0:
        return "it was refused: " + done.stderr.strip()
    with open(os.path.join(WORKER.folder, "release.json"), "w", encoding="utf-8") as file:
        file.write(done.stdout)
    verified = ran("verify", "release.json")
    if verified.returncode != 0:
        return "its record does not hold: " + (verified.stdout + verified.stderr).strip()[-400:]
    try:
        return difference(WORKER.db, statement, json.loads(done.stdout), verdict)
    except duckdb.Error as error:
        return f"DuckDB does not take it: {error}"


def begin_worker(files, db):
    """A copy of the files, which a ledger lies beside, and a cursor."""
    WORKER.folder = tempfile.mkdtemp(dir=files)
    for path in glob.glob(os.path.join(files, "*.*")):
        shutil.copy(path, WORKER.folder)
    WORKER.db = db.cursor()


def report_of(path, case):
    catalog, verdict, statement, instead = case
    problem = problem_of(catalog, verdict, statement, instead)
    return problem and f"{os.path.basename(path)}: {statement}\n    {verdict}\n    {problem}\n"


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        # A statement waits for its ledger to be on the disk most of its time.
        with ThreadPoolExecutor(4, initializer=begin_worker, initargs=(folder, database())) as pool:
            asked_of = [pool.submit(report_of, path, case) for path in FILES for case in cases(path)]
            reports = [one.result() for one in asked_of]
        os.chdir(HERE)
    problems = [report for report in reports if report]
    print("\n".join([*problems, f"{len(reports) - len(problems)} of {len(reports)} statements are as they should be"]))
    return 1 if problems or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
