"""vn.release: numbers with noise, paid for before data is read; stopped, forked, pickled and side by side."""
import collections
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import vernier as vn


def noisy_numbers(study, times=4):
    """What is released with much noise: that two processes draw the same is a chance of less than 2^-60."""
    return [row["people"]["value"] for _ in range(times) for row in vn.release(study, again=True, progress=False)["regions"].rows]


def noisy_study():
    """Of 60,000 people, in a file, so that it can go to another process; noise of some thousands."""
    folder = pathlib.Path(survey.folder())
    rows = "\n".join(f"{i},{20 + i % 60},{survey.REGIONS[i % 2]}" for i in range(60_000))
    (folder / "people.csv").write_text(f"id,age,region\n{rows}\n")
    catalog = vn.Catalog(vn.Budget(epsilon=1), {"people": vn.Table(survey.COLUMNS, unit="id", source="people.csv")}, folder=folder)
    counts = vn.Statistic("regions", "SELECT region, COUNT(*) AS people FROM people GROUP BY region")
    return vn.Study(catalog, [counts], epsilon=0.0005)


def _in_child(study, results):
    results.put(noisy_numbers(study, 2))


class Releases(unittest.TestCase):
    def test_it_is_what_the_command_line_would_publish(self):
        released = vn.release(survey.study(statistics=[survey.COUNT, survey.BY_REGION]), documents=True, progress=False)
        self.assertEqual(list(released), ["people", "regions"])
        self.assertEqual(json.loads(released.record), released.to_dict())
        names = set(released.documents)
        self.assertLessEqual({"release.json", "people.csv", "regions.csv", "report.html", "results.parquet", "people.svg"}, names)
        self.assertTrue(vn.verify(released))
        self.assertIn("<html", released.report_html)
        self.assertEqual(released.certificate["version"], 2)
        self.assertAlmostEqual(released.epsilon, 100, delta=0.01)
        self.assertTrue(released.assumptions)
        self.assertFalse(released.repeated)

    def test_a_query_says_what_counts_of_a_unit_where_nobody_has(self):
        catalog = vn.Catalog(vn.Budget(epsilon=9), {"people": vn.Table(survey.COLUMNS, unit="id", data=survey.ROWS)}, folder=survey.folder())
        with self.assertWarnsRegex(UserWarning, "of each id at most 1 row counts, since nothing says how many may; write max_rows and max_groups of vn.query"):
            vn.query(catalog, "SELECT COUNT(*) AS n FROM people", epsilon=1, progress=False)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            vn.query(catalog, "SELECT COUNT(*) AS n FROM people", epsilon=1, max_rows=1, progress=False)

    def test_only_the_documents_that_are_asked_for_are_made(self):
        study = survey.study()
        for asked, made in ((None, set()), (False, set()), (["csv"], {"people.csv"}), (("charts", "parquet"), {"people.svg", "results.parquet"})):
            released = vn.release(study, again=True, documents=asked, progress=False)
            self.assertEqual(set(released.documents), {"release.json"} | made)
            self.assertTrue(vn.verify(released))
        folder = pathlib.Path(survey.folder(), "record")
        released = vn.release(study, again=True, out=folder, documents=False, progress=False)
        self.assertEqual(os.listdir(folder), ["release.json"])
        self.assertTrue(vn.verify(folder))
        self.assertIsNone(released.report_html)
        spent = vn.Ledger(study.catalog).spent
        for wrong, words in ((["svg"], "documents must be of csv, charts, page, parquet and text, but one is 'svg'"),
                             (3, "documents is an int; write a list"), ("csv", "documents is a str; write a list"), ([1], "documents is an int; write a text")):
            with self.subTest(wrong), self.assertRaisesRegex(vn.InvalidError, words):
                vn.release(study, documents=wrong, progress=False)
        self.assertEqual(vn.Ledger(study.catalog).spent, spent)

    def test_out_and_save_write_the_same_folder(self):
        folder = survey.folder()
        out, saved = os.path.join(folder, "out"), pathlib.Path(folder, "saved")
        released = vn.release(survey.study(), out=out, progress=False)
        released.save(saved)
        self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(saved)))
        for name in os.listdir(out):
            self.assertEqual(pathlib.Path(out, name).read_bytes(), (saved / name).read_bytes())
        for place in (out, saved, saved / "release.json"):
            self.assertEqual(vn.Release.read(place), released)
            self.assertTrue(vn.verify(place))
        self.assertRaises(vn.Error, released.save, saved)
        (saved / "report.html").write_bytes(b"")
        self.assertEqual(vn.verify(saved).reasons, ["documents: 'report.html' is not as it was published"])

    def test_a_folder_that_is_taken_costs_nothing(self):
        study, folder = survey.study(), survey.folder()
        pathlib.Path(folder, "file").write_text("x")
        for out in (folder, "\0", "", 3):
            with self.assertRaises(vn.Error):
                vn.release(study, out=out, progress=False)
        self.assertEqual(vn.Ledger(study.catalog).spent["epsilon"], 0)

    def test_the_same_request_gets_the_same_answer(self):
        study = survey.study()
        first, again = (vn.release(study, request="r1", progress=False) for _ in range(2))
        self.assertEqual(first.record, again.record)
        self.assertEqual((first.repeated, again.repeated), (False, True))
        self.assertEqual(len(vn.Ledger(study.catalog).history()), 3)

    def test_the_analyst_pays(self):
        catalog = vn.Catalog(vn.Budget(epsilon=1, shares={"anna": 0.5}), {"people": vn.Table(survey.COLUMNS, unit="id", data=survey.ROWS)},
                             folder=survey.folder())
        study = vn.Study(catalog, [survey.COUNT], epsilon=0.4)
        vn.release(study, analyst="anna", progress=False)
        for analyst in ("anna", "ben", None):
            with self.assertRaises(vn.Error):
                vn.release(study, analyst=analyst, again=True, progress=False)

    def test_a_budget_ends(self):
        study = survey.study(epsilon=0.6, epsilon_of_all=1)
        vn.release(study, progress=False)
        with self.assertRaisesRegex(vn.Error, "left") as raised:
            vn.release(study, again=True, progress=False)
        self.assertAlmostEqual(raised.exception.asked["epsilon"], 0.6, delta=1e-6)
        self.assertAlmostEqual(raised.exception.left["epsilon"], 0.4, delta=1e-6)

    def test_files_of_the_command_line_are_released(self):
        folder = pathlib.Path(survey.folder())
        rows = "\n".join(f"{i},{20 + i % 60},north" for i in range(200))
        (folder / "people.csv").write_text(f"id,age,region\n{rows}\n")
        catalog = vn.Catalog(vn.Budget(epsilon=200), {"people": vn.Table(survey.COLUMNS, unit="id", source="people.csv")}, folder=folder)
        (folder / "catalog.toml").write_text(catalog.to_toml())
        (folder / "study.toml").write_text(vn.Study(catalog, [survey.COUNT], epsilon=100).to_toml())
        released = vn.release(folder / "study.toml", progress=False)
        self.assertAlmostEqual(released["people"].rows[0]["people"]["value"], 200, delta=2)
        with self.assertRaisesRegex(vn.InvalidError, "stand in 'people.csv'"):
            vn.release(folder / "study.toml", data={"people": survey.ROWS}, progress=False)

    def test_denoised_values_are_columns(self):
        sexes = vn.Statistic("ages", "SELECT BUCKET(age, 10) AS age, COUNT(*) AS people FROM people GROUP BY 1", denoise="james-stein")
        table = vn.release(survey.study(statistics=[sexes]), progress=False)["ages"]
        self.assertEqual(table.names, ["age", "people", "people_low", "people_high", "people_informative", "people_denoised"])

    def test_differences_are_kept(self):
        one = vn.Statistic("regions", survey.BY_REGION.sql, differences=[("north", "south")])
        table = vn.release(survey.study(statistics=[one]), progress=False)["regions"]
        self.assertEqual(table.differences[0]["groups"], ["north", "south"])

    def test_it_is_seen(self):
        released = vn.release(survey.study(statistics=[survey.COUNT, survey.BY_REGION]), progress=False)
        self.assertIn("every interval holds with probability 95 %", repr(released))
        self.assertIn("<table>", released._repr_html_())
        survey.need(self, "matplotlib")
        self.assertEqual(len(released.plot()), 3)

    def test_releases_are_pickled(self):
        released = vn.release(survey.study(), progress=False)
        again = pickle.loads(pickle.dumps(released))
        self.assertEqual((again, again.documents, again["people"].rows), (released, released.documents, released["people"].rows))

    def test_frames_are_not(self):
        frame = survey.study().catalog._frames["people"]
        with self.assertRaises(Exception) as raised:
            pickle.dumps(frame)
        self.assertNotIn("Segmentation", str(raised.exception))
        self.assertEqual([name for name in dir(frame) if not name.startswith("__")], [])

    def test_what_is_asked_wrongly_is_refused(self):
        released = vn.release(survey.study(), progress=False)
        for make in (lambda: released["nothing"], lambda: vn.release(3), lambda: vn.release(survey.study(), analyst=3),
                     lambda: vn.release(survey.study(), request=b"x"), lambda: vn.Release.read(3), lambda: vn.Release.read("no such"),
                     lambda: vn.release(survey.study(), request="\ud800")):
            with self.assertRaises(vn.Error):
                make()


class SideBySide(unittest.TestCase):
    def test_threads_release_at_once(self):
        study = survey.study(epsilon=1)
        made, failed = [], []

        def run():
            try:
                made.append(vn.release(study, again=True, progress=False))
            except Exception as error:
                failed.append(error)

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failed, [])
        self.assertEqual(len({one.id for one in made}), 8)
        self.assertAlmostEqual(vn.Ledger(study.catalog).spent["epsilon"], 8, delta=0.01)
        self.assertTrue(vn.Ledger(study.catalog).verify(made))

    def test_other_threads_go_on(self):
        study = survey.study({key: values * 2000 for key, values in survey.ROWS.items()}, [survey.BY_REGION])
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.002)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        vn.release(study, progress=False)
        end = time.monotonic()
        done.set()
        thread.join()
        gaps = [b - a for a, b in zip(ticks, ticks[1:]) if begin < a < end]
        self.assertGreater(len(gaps), 3)
        self.assertLess(max(gaps), max(0.5 * (end - begin), 0.2))

    def test_noise_differs_after_fork(self):
        study = noisy_study()
        noisy_numbers(study, 1)  # the parent has drawn already
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writer, json.dumps(noisy_numbers(study)).encode())
            finally:
                os._exit(0)
        os.close(writer)
        ours = noisy_numbers(study)
        with os.fdopen(reader, "rb") as pipe:
            theirs = json.loads(pipe.read())
        os.waitpid(child, 0)
        self.assertEqual(len(theirs), len(ours))
        self.assertFalse(set(zip(ours, ours[1:])) & set(zip(theirs, theirs[1:])))

    def test_noise_differs_in_children_of_multiprocessing(self):
        study = noisy_study()
        noisy_numbers(study, 1)
        drawn = [noisy_numbers(study, 2)]
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            results = context.Queue()
            children = [context.Process(target=_in_child, args=(study, results)) for _ in range(2)]
            for child in children:
                child.start()
            drawn += [results.get(timeout=120) for _ in children]
            for child in children:
                child.join()
                self.assertEqual(child.exitcode, 0)
        pairs = collections.Counter(pair for one in drawn for pair in zip(one, one[1:]))
        self.assertEqual(max(pairs.values()), 1, drawn)


class Stopped(unittest.TestCase):
    def test_progress_is_told(self):
        from unittest import mock

        from vernier import releases

        told = []

        class Shows:
            def __enter__(self):
                return told.append

            def __exit__(self, *unused):
                return False

        with mock.patch.object(releases, "shown_progress", lambda label: Shows()):
            vn.release(survey.study({key: values * 500 for key, values in survey.ROWS.items()}))
        self.assertTrue(told)
        self.assertTrue(all(0 <= one <= 1 for one in told))

    def test_what_progress_raises_goes_out(self):
        from unittest import mock

        from vernier import releases

        class Shows:
            def __enter__(self):
                def show(done):
                    raise LookupError("enough")

                return show

            def __exit__(self, *unused):
                return False

        study = survey.study()
        with mock.patch.object(releases, "shown_progress", lambda label: Shows()), self.assertRaisesRegex(LookupError, "enough") as raised:
            vn.release(study)
        if hasattr(raised.exception, "__notes__"):
            self.assertIn("nothing was charged", raised.exception.__notes__[0])
        self.assertEqual(vn.Ledger(study.catalog).spent["epsilon"], 0)

    def test_ctrl_c_stops_it(self):
        """A child of its own, since the signal goes to a whole process."""
        program = textwrap.dedent(f"""
            import sys
            sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
            import numpy, survey
            import vernier as vn
            rows = 2_000_000
            data = {{"id": numpy.arange(rows), "age": numpy.arange(rows) % 90}}
            columns = {{"id": vn.Column("integer"), "age": vn.Column("integer", bounds=(0, 100))}}
            statistics = [vn.Statistic(str(i), f"SELECT age, COUNT(*) AS n, AVG(age) AS a FROM people WHERE age <> {{i}} GROUP BY age")
                          for i in range(30)]
            table = vn.Table(columns, unit="id", data=data)
            catalog = vn.Catalog(vn.Budget(epsilon=1000, delta=1e-6), {{"people": table}}, folder=survey.folder())
            study = vn.Study(catalog, statistics, epsilon=100, delta=1e-7)
            print("ready", flush=True)
            try:
                vn.release(study, progress=False)
            except KeyboardInterrupt as stopped:
                print([entry["kind"] for entry in vn.Ledger(catalog).history()], flush=True)
                print(getattr(stopped, "__notes__", None), flush=True)
        """)
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        said, wrong = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, wrong)
        kinds, notes = said.splitlines()
        self.assertIn(kinds, ("['terms', 'reserve']", "[]", "['terms']"))  # it has no answer: it did not run to its end
        if sys.version_info >= (3, 11):
            self.assertIn("of the budget there is left epsilon", notes)
            self.assertIn("budget stays spent" if "reserve" in kinds else "nothing was charged", notes)


if __name__ == "__main__":
    unittest.main()
