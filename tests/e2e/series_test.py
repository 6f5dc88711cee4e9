"""`vernier plan`, `release --step` and `verify` of a study of series. Usage: series_test.py PROGRAM

VERNIER_SERIES_KILLS says how often a release is killed, where it is not 6 times.
"""
import contextlib
import csv
import datetime
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from program import ENVIRONMENT, PROGRAM, run
from series_study import CATALOG, DAYS, STUDY, SeriesTest, rows

KILLS = int(os.environ.get("VERNIER_SERIES_KILLS", "6"))


class Plan(SeriesTest):
    def test_has_every_step_with_its_deviations_and_accuracies(self):
        plan = self.json("plan", "study.toml")
        self.assertLessEqual(plan["guarantee"]["epsilon"], 20)
        self.assertGreater(plan["guarantee"]["epsilon"], 19.99)
        (series,) = plan["series"]
        self.assertEqual(series["name"], "cases")
        self.assertEqual([step["step"] for step in series["steps"]], DAYS)
        for step in series["steps"]:
            for kind in ("each", "last", "cumulative"):
                ratio = step[f"{kind}_accuracy"] / step[f"{kind}_deviation"]
                self.assertGreater(ratio, 1.959)
                self.assertLess(ratio, 1.99)
        self.assertEqual(run("plan", "study.toml", "--json").stdout, run("plan", "study.toml", "--json").stdout)
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_meets_targets_and_says_what_each_costs(self):
        self.write("study.toml", STUDY.replace("budget = { epsilon = 20.0, delta = 1e-7 }\n", "") +
                   "accuracy = { cumulative = 60, last_7 = 40, each = 25 }\n")
        (series,) = self.json("plan", "study.toml")["series"]
        worst = {kind: max(step[f"{kind}_accuracy"] for step in series["steps"]) for kind in ("each", "last", "cumulative")}
        self.assertTrue(worst["each"] <= 25 and worst["last"] <= 40 and worst["cumulative"] <= 60, worst)
        self.assertGreater(max(worst["each"] / 25, worst["last"] / 40, worst["cumulative"] / 60), 0.999)
        self.assertEqual(len(series["prices"]), 3)
        text = self.text("plan", "study.toml")
        for words in ("each day", "last 7 days", "from the first on", "would cost epsilon", "2027-01-20"):
            self.assertIn(words, text)

    def test_draws_a_picture(self):
        self.text("plan", "study.toml", "--plot", "plan.svg")
        with open("plan.svg", encoding="utf-8") as picture:
            self.assertIn("Accuracy at every step", picture.read())

    def test_chooses_by_participation(self):
        whole_year = STUDY.replace("2027-01-20", "2027-12-31").replace("apart = 3\n", "")
        sigma = {}
        for steps in (1, 30, 365):
            self.write("study.toml", whole_year.replace("max_steps = 2", f"max_steps = {steps}"))
            (series,) = self.json("plan", "study.toml")["series"]
            sigma[steps] = (series["matrix"], max(step["cumulative_deviation"] for step in series["steps"]))
        self.assertEqual([sigma[steps][0] for steps in (1, 365)], ["normalised square root", "noise of its own"])
        self.assertRegex(sigma[30][0], r"\(1-x\)\^-0\.3\d")
        self.assertLess(sigma[30][1] / sigma[1][1], 60.5 / 2.6)

    def test_refuses_what_it_cannot_do(self):
        for change, saying in ((("append_only = true\n", ""), "append_only = true"),
                               (('type = "date"', 'type = "string"'), "needs a column of dates")):
            self.write("catalog.toml", CATALOG.replace(*change))
            self.refused("plan", "study.toml", saying=saying)
        self.write("catalog.toml", CATALOG)
        for change, saying in (
                (('columns = ["region"]', 'columns = ["person"]'), "has none"),
                (("end = 2027-01-20", "end = 2026-01-20"), "lies before start"),
                (('step = "day"', 'step = "month"\nup_to = 2'), "more columns than there are"),
                (("max_steps = 2", "max_steps = 0"), "max_steps"),
                (("[[series]]", '[[statistic]]\nname = "x"\nsql = "SELECT COUNT(*) AS n FROM cases"\n[[series]]'),
                 "make two studies"),
                (("apart = 3", 'accuracy = { last_0 = 3 }'), "last_0"),
                (("apart = 3", 'best = "worst"'), "must be"),
                (("apart = 3", "accuracy = { each = 0.001 }"), "relax it")):
            self.write("study.toml", STUDY.replace(*change))
            self.refused("plan", "study.toml", saying=saying)
        self.write("study.toml", STUDY.replace("budget = { epsilon = 20.0", "budget = { epsilon = 0.1") +
                   "accuracy = { each = 3 }\n")
        self.refused("plan", "study.toml", saying="need epsilon")

    def test_takes_weeks_and_months(self):
        for step, end, count, last in (("week", "2027-01-20", 3, "2027-01-15"), ("month", "2028-02-15", 14, "2028-02-01")):
            self.write("study.toml", STUDY.replace('step = "day"', f'step = "{step}"').replace("2027-01-20", end))
            (series,) = self.json("plan", "study.toml")["series"]
            self.assertEqual((len(series["steps"]), series["steps"][-1]["step"]), (count, last))


class Release(SeriesTest):
    def expected(self, day):
        """Of north and south: on the day, and since the first. The one who comes daily counts on the 1st and the 4th."""
        count = int(day[-2:])
        daily = sum(count >= first for first in (1, 4))
        return {"north": (40 + (count in (1, 4)), 40 * count + daily), "south": (20, 20 * count)}

    def test_publishes_what_is_there_within_its_intervals(self):
        misses = numbers = 0
        for day in ("2027-01-01", "2027-01-04", "2027-01-05", "2027-01-20"):
            for region, row in self.numbers(day).items():
                each, cumulative = self.expected(day)[region]
                for exact, kind in ((each, "each"), (cumulative, "cumulative")):
                    low, high = row[kind]["interval"]
                    numbers += 1
                    misses += not low <= exact <= high
                    self.assertEqual(row[kind]["coverage"], "proven")
                    self.assertLess(abs(row[kind]["estimate"] - exact), 4 * row[kind]["accuracy"])
        self.assertLess(misses, 8, numbers)

    def test_counts_no_row_that_came_late_where_the_table_says_so(self):
        """A table with the day of a case and that of its arrival: WHERE leaves out what came after its step."""
        self.write("catalog.toml", CATALOG + 'arrived = { type = "date" }\n')
        late = [f"{900000 + i},north,2027-01-01,2027-01-03" for i in range(500)]
        lines = [f"{line},{line.split(',')[2]}" for line in rows(DAYS)]
        self.write("cases.csv", "\n".join(["person,region,reported,arrived", *lines, *late]) + "\n")
        self.write("study.toml", STUDY.replace('day = "reported"', 'day = "reported"\nwhere = "arrived <= reported"'))
        north = self.numbers("2027-01-03")["north"]["cumulative"]
        self.assertLess(abs(north["estimate"] - 121), 8 * north["accuracy"])

    def test_pays_once_and_gives_the_same_bytes_again(self):
        first = self.released("2027-01-03")
        paid = self.entries()
        again = self.released("2027-01-03", folder="again")
        self.assertEqual(first, again)
        self.assertEqual(paid, self.entries())
        self.released("2027-01-04")
        costs = [cost for cost, _ in self.entries()]
        self.assertGreater(costs[0], 0)
        self.assertEqual(costs[1:], [0, 0])
        for name in os.listdir("again"):
            with open(os.path.join("again", name), "rb") as one, open(os.path.join("2027-01-03", name), "rb") as other:
                self.assertEqual(one.read(), other.read(), name)

    def test_keeps_no_exact_count_and_draws_no_noise_before_its_step(self):
        self.released("2027-01-02")
        record = json.loads(self.released("2027-01-05"))
        self.assertEqual(len(record["certificate"]["series"][0]["noisy"]), 3)  # the 3rd, 4th and 5th
        self.assertEqual(record["certificate"]["first"], 2)
        noisy = [number for step in record["certificate"]["series"][0]["noisy"] for number in step]
        self.assertEqual(len(set(noisy)), len(noisy))

    def test_has_a_rule_for_every_order(self):
        self.refused("release", "study.toml", saying="say which")
        self.refused("release", "study.toml", "--step", "2026-12-31", saying="outside of the series")
        self.refused("release", "study.toml", "--step", "tomorrow", saying="must be a date")
        self.released("2027-01-05")
        self.refused("release", "study.toml", "--step", "2027-01-03", "--out", "x", saying="was skipped")
        self.assertFalse(os.path.exists("x"))
        self.released("2027-01-05", folder="again")

    def test_refuses_a_changed_plan_and_goes_on_when_it_is_back(self):
        self.released("2027-01-02")
        for change in (("max_steps = 2", "max_steps = 3"), ("2027-01-20", "2027-01-21"), ('day = "reported"',
                       'where = "region = \'north\'"\nday = "reported"')):
            self.write("study.toml", STUDY.replace(*change))
            self.refused("release", "study.toml", "--step", "2027-01-03", "--out", "x", saying="by another plan")
        self.write("study.toml", STUDY)
        for change in (('"south"] }', '"south"], missing = ["?"] }'), ("row_limit = 1000000", 'row_limit = 1000000\ntrim = true')):
            self.write("catalog.toml", CATALOG.replace(*change))
            self.refused("release", "study.toml", "--step", "2027-01-03", "--out", "x", saying="by another plan")
        self.write("catalog.toml", CATALOG + '[tables.other]\nsource = "cases.csv"\nunit = "person"\n[tables.other.columns]\nperson = { type = "integer" }\n')
        self.released("2027-01-03")  # what the catalog says of others does not matter

    def test_refuses_an_earlier_copy_of_the_ledger(self):
        self.released("2027-01-02")
        shutil.copy("catalog.ledger", "earlier")
        self.released("2027-01-03")
        for name in os.listdir("."):
            if name.startswith("catalog.ledger") and os.path.isfile(name):
                os.remove(name)
        shutil.copy("earlier", "catalog.ledger")
        done = run("release", "study.toml", "--step", "2027-01-03", "--out", "x")
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(os.path.exists("x"))

    def test_refuses_what_was_changed_in_the_ledger(self):
        """The noisy numbers of an early step, with every trigger in its place again."""
        for day in ("2027-01-01", "2027-01-02", "2027-01-03"):
            self.released(day)
        with contextlib.closing(sqlite3.connect("catalog.ledger", timeout=30)) as ledger:
            stay = ledger.execute("SELECT sql FROM sqlite_master WHERE name = 'documents_stay'").fetchone()[0]
            ledger.execute("DROP TRIGGER documents_stay")
            changed = ledger.execute("UPDATE documents SET content = CAST(content || '7' AS BLOB) "
                                     "WHERE name = 'measured.txt' AND release LIKE '%.1'").rowcount
            self.assertEqual(changed, 1)
            ledger.execute(stay)
            ledger.commit()
        self.refused("release", "study.toml", "--step", "2027-01-04", "--out", "x", saying="does not hold")
        self.assertFalse(os.path.exists("x"))

    def test_releases_what_is_due(self):
        self.assertEqual(self.json("release", "study.toml", "--due", "--today", "2027-01-01", "--out", "due"), {"released": []})
        done = self.json("release", "study.toml", "--due", "--today", "2027-01-04", "--out", "due")
        self.assertEqual(done, {"released": DAYS[:3]})
        self.assertEqual(sorted(os.listdir("due")), DAYS[:3])
        self.assertEqual(self.json("release", "study.toml", "--due", "--today", "2027-01-05", "--out", "due"),
                         {"released": DAYS[3:4]})
        self.text("verify", "due")

    def test_writes_what_was_stored_and_not_written(self):
        """A run that is cut off behind the ledger leaves a step without its folder, or half of one."""
        self.json("release", "study.toml", "--due", "--today", "2027-01-04", "--out", "due")
        os.rename("due/2027-01-02", "due/2027-01-02.77.tmp")
        paid = self.entries()
        done = self.json("release", "study.toml", "--due", "--today", "2027-01-04", "--out", "due")
        self.assertEqual(done, {"released": DAYS[1:2]})
        self.assertEqual(paid, self.entries())
        self.text("verify", "due")

    def test_moves_no_day_into_the_calendar(self):
        self.write("catalog.toml", CATALOG.replace('reported = { type = "date" }',
                                                   'reported = { type = "date", lower = 2027-01-01, upper = 2027-01-20 }'))
        self.arrive(DAYS[:1], *(f"{5_000_000 + i},north,2020-03-04" for i in range(500)))
        north = self.numbers("2027-01-01")["north"]["each"]
        self.assertLess(abs(north["estimate"] - 40), 8 * north["accuracy"])

    def test_adds_up_what_the_file_says(self):
        self.arrive([])
        self.released("2027-01-01")
        with open("2027-01-01/cases.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["each"] for row in rows if float(row["each_estimate"]) < 0],
                         ["0"] * sum(float(row["each_estimate"]) < 0 for row in rows))
        self.assertEqual(set(rows[0]) >= {"each_estimate", "last_7_estimate", "cumulative_estimate"}, True)

    def test_gives_the_names_of_steps_to_nobody_else(self):
        self.released("2027-01-01")
        release = json.loads(self.released("2027-01-01", folder="again"))["release"]
        for name in ("series of study", f"{release}.2"):
            self.refused("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM cases", "--epsilon", "0.1", "--request", name,
                         saying="has a name that the steps of series go by")
        self.released("2027-01-02")

    def test_publishes_empty_steps(self):
        self.arrive([])
        record = json.loads(self.released("2027-01-01"))
        self.assertEqual([row["each"]["interval"][0] for row in record["series"][0]["rows"]], [0, 0])

    def test_shows_no_more_of_a_step_than_its_rows_say_so_far(self):
        """Which steps of a unit count depends on its past alone: rows that come later change no earlier number."""
        self.arrive(DAYS[:4])
        before = self.numbers("2027-01-04")
        self.arrive(DAYS)
        after = self.numbers("2027-01-05")
        for region in ("north", "south"):
            gain = after[region]["cumulative"]["estimate"] - before[region]["cumulative"]["estimate"]
            self.assertLess(abs(gain - {"north": 40, "south": 20}[region]), 4 * after[region]["cumulative"]["accuracy"])

    def test_writes_files_for_people(self):
        self.released("2027-01-03")
        self.assertEqual(sorted(os.listdir("2027-01-03")), ["cases.csv", "cases.past.csv", "release.json", "report.html"])
        with open("2027-01-03/cases.past.csv", encoding="utf-8") as past:
            lines = past.read().splitlines()
        self.assertEqual(len(lines), 1 + 3 * 2)
        self.assertTrue(lines[0].endswith(",cumulative_revised"))
        with open("2027-01-03/report.html", encoding="utf-8") as page:
            text = page.read()
        self.assertGreaterEqual(text.count("<svg"), 6)
        self.assertIn("From the first on", text)
        self.assertEqual(text.count('<path class="soft3"'), 6)  # a band in each picture
        told = run("release", "study.toml", "--step", "2027-01-04", "--out", "y").stdout
        self.assertIn("this step costs nothing", told)


class Verify(SeriesTest):
    def setUp(self):
        super().setUp()
        os.mkdir("steps")
        for day in ("2027-01-01", "2027-01-03", "2027-01-04"):
            self.released(day, folder=os.path.join("steps", day))

    def test_checks_one_step_and_the_whole_chain(self):
        one = self.json("verify", "steps/2027-01-03")
        self.assertTrue(one["holds"])
        self.assertNotIn("intervals", [check["name"] for check in one["checks"]])
        self.assertIn("intervals", [check["name"] for check in self.json("verify", "steps/2027-01-01")["checks"]])
        for words in (["steps"], ["steps/2027-01-04", "--and", "steps/2027-01-01", "steps/2027-01-03/release.json"]):
            whole = self.json("verify", *words)
            checks = {check["name"]: check["count"] for check in whole["checks"]}
            self.assertTrue(whole["holds"])
            self.assertEqual((checks["chain"], checks["intervals"]), (3, 3 * 6))

    def test_sees_a_missing_step_and_a_changed_file(self):
        shutil.copytree("steps", "lacking")
        shutil.rmtree("lacking/2027-01-03")
        self.refused("verify", "lacking", saying="first step with noise of its own")
        with open("steps/2027-01-03/cases.csv", "a", encoding="utf-8") as file:
            file.write("x\n")
        self.refused("verify", "steps", saying="is not as it was published")

    def test_sees_every_changed_digit(self):
        with open("steps/2027-01-03/release.json", encoding="utf-8") as file:
            text = file.read()
        for old, new in (('"step":"2027-01-03"', '"step":"2027-01-04"'), ('"first":1', '"first":0'), ('"max_steps":2', '"max_steps":1')):
            self.assertIn(old, text)
            self.write("changed.json", text.replace(old, new))
            self.refused("verify", "changed.json", saying="does not hold")


class SeriesKill(SeriesTest):
    def study_of_round(self, number):
        """Every 20 kills go on with a study of their own, so that each meets a step that is new."""
        name = f"study-{number}.toml"
        if not os.path.exists(name):
            self.write(name, STUDY)
        return name

    def test_a_killed_step_is_published_once_or_not_at_all(self):
        chance = random.Random(1)
        rounds = -(-KILLS // len(DAYS))
        self.write("catalog.toml", CATALOG.replace("epsilon = 60.0", f"epsilon = {20 * rounds + 40}.0").replace("delta = 1e-6", "delta = 1e-5"))
        begun = time.monotonic()
        self.released(DAYS[0], study=self.study_of_round("first"))
        whole = time.monotonic() - begun
        stored = 0
        for place in range(KILLS):
            day, study = DAYS[place % len(DAYS)], self.study_of_round(place // len(DAYS))
            words = [PROGRAM, "release", study, "--step", day, "--out", f"killed-{place}", "--json"]
            with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT) as program:
                time.sleep(chance.uniform(0, 1.2 * whole))
                program.send_signal(signal.SIGKILL)
                printed = program.communicate()[0].decode()
            before = len(self.entries("settle"))
            answer = self.released(day, folder=f"answer-{place}", study=study)
            stored += len(self.entries("settle")) == before  # the killed run had published already
            if printed.endswith("\n"):
                self.assertEqual(printed, answer)
            self.assertEqual(len(self.entries("settle")), 2 + place)
            for folder in (f"killed-{place}", f"answer-{place}"):
                shutil.rmtree(folder, ignore_errors=True)
        print(f"{KILLS} kills over {whole:.2f} s of a release: {stored} had published, {KILLS - stored} had not")
        costs = [cost for cost, _ in self.entries()]
        self.assertEqual(sum(cost > 0 for cost in costs), 1 + rounds)

    def test_two_at_once_publish_one_step(self):
        words = [PROGRAM, "release", "study.toml", "--step", "2027-01-02", "--json", "--out"]
        both = [subprocess.Popen([*words, f"at-once-{i}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
                for i in range(3)]
        printed = {program.communicate()[0] for program in both}
        self.assertEqual(len(printed), 1)
        self.assertEqual(len(self.entries("settle")), 1)


class Spaced(SeriesTest):
    """Which steps count, with noise so small that every number is seen."""

    def counted(self, most, apart, days):
        self.write("catalog.toml", CATALOG.replace("epsilon = 60.0", "epsilon = 10000.0"))
        self.write("study.toml", STUDY.replace("epsilon = 20.0", "epsilon = 9000.0").replace(
            "max_steps = 2", f"max_steps = {most}").replace("apart = 3", f"apart = {apart}").replace(
            'columns = ["region"]\n', ""))
        lines = [f"{unit},north,2027-01-{day:02}" for unit in range(1000) for day in days]
        self.write("cases.csv", "\n".join(["person,region,reported", *lines]) + "\n")
        for name in list(os.listdir(".")):
            if name.startswith("catalog.ledger"):
                shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        record = json.loads(run("release", "study.toml", "--step", "2027-01-20", "--out", f"s{most}-{apart}-{len(days)}", "--json",
                                XDG_STATE_HOME=os.path.join(os.getcwd(), f"state-{most}-{apart}-{len(days)}")).stdout)
        return round(record["series"][0]["rows"][0]["cumulative"]["estimate"] / 1000)

    def test_the_first_ones_far_enough_apart_count(self):
        days = [2, 3, 4, 7, 8, 20]
        for most, apart in ((1, 1), (2, 1), (6, 1), (20, 1), (2, 3), (3, 3), (6, 4), (6, 5), (6, 6), (6, 20)):
            taken = []
            for day in days:
                if len(taken) < most and (not taken or day >= taken[-1] + apart):
                    taken.append(day)
            self.assertEqual(self.counted(most, apart, days), len(taken), (most, apart))


class Twins(SeriesTest):
    """Two years of a table, with and without one who comes and goes: a thousand of the same, so that noise hides none."""

    FIRST, STEPS, MOST, APART, SAME = datetime.date(2027, 1, 1), 731, 3, 30, 1000

    def day(self, step):
        return (self.FIRST + datetime.timedelta(step)).isoformat()

    def each(self, visits, last, folder):
        """What was published of every step so far, by step and region, as it stands after the last one."""
        lines = [f"{10 * step + i},{'south' if i % 2 else 'north'},{self.day(step)}" for step in range(0, last + 1, 5)
                 for i in range(4)]
        lines += [f"{100000 + one},{region},{self.day(step)}" for one in range(self.SAME) for step, region in visits
                  if step <= last]
        self.write("cases.csv", "\n".join(["person,region,reported", *lines]) + "\n")
        done = run("release", "study.toml", "--step", self.day(last), "--out", folder,
                   XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))
        self.assertEqual(done.returncode, 0, done)
        found = {}
        for name in ("cases.past.csv", "cases.csv"):
            if not os.path.exists(f"{folder}/{name}"):
                continue
            with open(f"{folder}/{name}", encoding="utf-8", newline="") as file:
                for row in csv.DictReader(file):
                    found[row["step"], row["region"]] = float(row["each_estimate"])
        return found

    def test_differ_in_steps_that_the_past_of_the_unit_decides(self):
        chance = random.Random(4)
        visits = sorted({(chance.randrange(self.STEPS), chance.choice(["north", "south"])) for _ in range(60)})
        taken = []
        for step, region in visits:
            if len(taken) < self.MOST and (not taken or step >= taken[-1][0] + self.APART):
                taken.append((step, region))  # sorted: north comes first
        study = STUDY.replace("epsilon = 20.0", "epsilon = 9000.0").replace("end = 2027-01-20", "end = 2028-12-31")
        study = study.replace("max_steps = 2", f"max_steps = {self.MOST}").replace("apart = 3", f"apart = {self.APART}")
        found = {}
        for twin, rows_of_unit in (("with", visits), ("without", [])):
            self.write("catalog.toml", CATALOG.replace("epsilon = 60.0", "epsilon = 10000.0").replace(
                "[budget]", f'[budget]\nledger = "{twin}.ledger"'))
            self.write("study.toml", study)
            for last in (taken[0][0], taken[1][0] + 3, self.STEPS - 1):
                found[twin, last] = self.each(rows_of_unit, last, f"{twin}-{last}")
        for last in (taken[0][0], taken[1][0] + 3, self.STEPS - 1):
            ours, theirs = found["with", last], found["without", last]
            self.assertEqual(ours.keys(), theirs.keys())
            moved = {cell: round((ours[cell] - theirs[cell]) / self.SAME) for cell in ours}
            self.assertEqual({cell: times for cell, times in moved.items() if times},
                             {(self.day(step), region): 1 for step, region in taken if step <= last})


if __name__ == "__main__":
    unittest.main()
