"""Frames in: whatever holds rows as Arrow, and the sentences for what does not. And tables out."""
import datetime
import gc
import os
import sys
import unittest
import weakref

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import survey

import numpy

import vernier as vn

SECRET = 7654321  # in data, and in no sentence


def memory():
    """Bytes of this process that no file holds."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon"))


def counted(frame, **keys):
    """The released number of rows at a budget at which noise is nothing, as good as always."""
    return vn.release(survey.study(frame, **keys), progress=False)["people"].rows[0]["people"]["value"]


class FramesIn(unittest.TestCase):
    def test_a_dictionary_of_lists_or_arrays(self):
        survey.need(self, "pyarrow")
        self.assertAlmostEqual(counted(survey.ROWS), 600, delta=2)
        arrays = {"id": numpy.arange(300), "age": numpy.full(300, 30, numpy.int16), "region": numpy.array(["north"] * 300)}
        self.assertAlmostEqual(counted(arrays), 300, delta=2)

    def test_pandas(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame(survey.ROWS)
        for one in (frame, frame.astype({"region": "category", "age": "int8"}), frame[frame.age > 0], frame[frame["id"] % 2 == 0],
                    frame.astype({"age": "Int64", "region": "string"}), frame.assign(odd=[object()] * 600),
                    frame.rename(columns={"age": "AGE"}), frame.assign(age=[None] * 600)):
            self.assertAlmostEqual(counted(one), len(one), delta=2)

    def test_the_index_of_pandas_is_no_column(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame(survey.ROWS)
        with self.assertRaisesRegex(vn.InvalidError, "no column 'id'"):
            counted(frame.set_index("id"))
        self.assertAlmostEqual(counted(frame.set_index(["id", "age"], drop=False)), 600, delta=2)

    def test_polars(self):
        polars = survey.need(self, "polars")
        frame = polars.DataFrame(survey.ROWS)
        for one in (frame, frame.with_columns(polars.col("region").cast(polars.Categorical)), frame.slice(10, 100),
                    polars.concat([frame, frame.with_columns(polars.col("id") + 600)], rechunk=False)):
            self.assertAlmostEqual(counted(one), len(one), delta=2)

    def test_arrow(self):
        arrow = survey.need(self, "pyarrow")
        table = arrow.table(survey.ROWS)
        for one in (table, table.to_batches()[0], arrow.RecordBatchReader.from_batches(table.schema, table.to_batches(7)),
                    table.slice(3, 597), arrow.concat_tables([table.slice(0, 5), table.slice(5)])):
            rows = 597 if one is not table and getattr(one, "num_rows", 600) == 597 else 600
            self.assertAlmostEqual(counted(one), rows, delta=2)

    def test_the_numbers_are_those_of_the_rows(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame({"id": range(400), "age": [10.0, 30.0] * 200, "region": ["north", "south"] * 200})
        columns = {**survey.COLUMNS, "age": vn.Column("real", bounds=(0, 64), granularity=1)}
        released = vn.release(survey.study(frame, [survey.BY_REGION], epsilon=900, columns=columns), progress=False)["regions"].to_dict()
        self.assertEqual(released["region"], ["north", "south"])
        self.assertAlmostEqual(released["age"][0], 10, delta=0.2)
        self.assertAlmostEqual(released["age"][1], 30, delta=0.2)

    def test_missing_values_are_null(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame({"id": range(400), "age": [float("nan"), 30.0] * 200, "region": ["north", None] * 200})
        columns = {**survey.COLUMNS, "age": vn.Column("real", bounds=(0, 64))}
        count = vn.Statistic("people", "SELECT COUNT(age) AS people FROM people")
        self.assertAlmostEqual(counted(frame, columns=columns, statistics=[count]), 200, delta=2)

    def test_days(self):
        pandas = survey.need(self, "pandas")
        columns = {**survey.COLUMNS, "born": vn.Column("date", bounds=(datetime.date(1900, 1, 1), datetime.date(2025, 1, 1)))}
        frame = pandas.DataFrame({**survey.ROWS, "born": pandas.to_datetime(["2001-02-03"] * 600)})
        late = vn.Statistic("people", "SELECT COUNT(*) AS people FROM people WHERE born > DATE '2001-02-02'")
        far = frame.born + pandas.Timedelta(hours=23)
        for born in (frame.born.dt.date, frame.born, far, far.dt.tz_localize("Pacific/Pago_Pago"), far.astype("datetime64[s]").to_numpy(),
                     pandas.DatetimeIndex(far).tz_localize("UTC"), far.astype(str).str[:10]):
            self.assertAlmostEqual(counted({**survey.ROWS, "born": born}, columns=columns, statistics=[late]), 600, delta=2)
            self.assertAlmostEqual(counted(frame.assign(born=list(born)), columns=columns, statistics=[late]), 600, delta=2)

    def test_columns_of_other_types_have_what_fits(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame(survey.ROWS)
        there = vn.Statistic("people", "SELECT COUNT(age) AS people FROM people")
        for one, count in ((frame.astype({"age": "str"}), 600), (frame.astype({"age": "float64"}), 600), (frame.assign(age=[SECRET, "x"] * 300), 300),
                           (frame.assign(age=[[SECRET]] * 600), 0), (frame.assign(age=[b"x"] * 600), 0), (frame.astype({"age": "category"}), 600),
                           (frame.assign(age=pandas.timedelta_range("1 day", periods=600)), 0), (frame.assign(age=[1j] * 600), 0),
                           (frame.assign(age=[object()] * 600), 0), (frame.assign(age=pandas.period_range("2001", periods=600, freq="D")), 0),
                           (frame.assign(age=[1, 2.5] * 300), 300), (frame.assign(age=[1.0, None] * 300), 300)):
            with self.subTest(type=str(one["age"].dtype)):
                self.assertAlmostEqual(counted(one, statistics=[there]), count, delta=2)

    def test_polars_of_other_types_have_what_fits(self):
        polars = survey.need(self, "polars")
        frame = polars.DataFrame(survey.ROWS)
        there = vn.Statistic("people", "SELECT COUNT(age) AS people FROM people")
        for ages, count in ((polars.Series([object()] * 600, dtype=polars.Object), 0), (polars.Series([7, "x"] * 300, dtype=polars.Object), 300),
                            (frame["age"].cast(polars.Float64), 600), (frame["age"].cast(polars.String), 600), (frame["age"].cast(polars.Int128), 600),
                            (frame["age"].cast(polars.Decimal(9, 1)), 600), (polars.Series([[1]] * 600), 0), (polars.Series([b"x"] * 600), 0)):
            with self.subTest(type=str(ages.dtype)):
                self.assertAlmostEqual(counted(frame.with_columns(age=ages), statistics=[there]), count, delta=2)
        odd = frame.with_columns(odd=polars.Series([object()] * 600, dtype=polars.Object))
        self.assertAlmostEqual(counted(odd), 600, delta=2)

    def test_rows_that_are_null_as_a_whole(self):
        arrow = survey.need(self, "pyarrow")
        rows = arrow.chunked_array([[{"id": 1, "age": 30, "region": "north"}, None] * 300])
        self.assertAlmostEqual(counted(rows, unit="row"), 600, delta=2)

    def test_no_rows_is_a_release_of_nothing(self):
        for library, empty in (("pandas", lambda pandas: pandas.DataFrame(survey.ROWS).iloc[:0]),
                               ("polars", lambda polars: polars.DataFrame(survey.ROWS).clear()),
                               ("pyarrow", lambda arrow: arrow.table(survey.ROWS).slice(0, 0)),
                               ("pyarrow", lambda arrow: arrow.RecordBatchReader.from_batches(arrow.table(survey.ROWS).schema, []))):
            self.assertAlmostEqual(counted(empty(survey.need(self, library))), 0, delta=2)

    def test_a_stream_that_ends_is_taken_once_and_read_often(self):
        arrow = survey.need(self, "pyarrow")
        table = arrow.table(survey.ROWS)
        study = survey.study(arrow.RecordBatchReader.from_batches(table.schema, table.to_batches(100)))
        for _ in range(3):
            self.assertAlmostEqual(vn.release(study, progress=False)["people"].rows[0]["people"]["value"], 600, delta=2)

    def test_a_stream_is_kept_in_a_file_and_not_in_memory(self):
        arrow = survey.need(self, "pyarrow")
        rows = 2_000_000

        def batches():
            for first in range(0, rows, 50_000):
                ids = numpy.arange(first, first + 50_000)
                yield arrow.record_batch({"id": ids, "age": ids % 100, "region": arrow.array(["north"] * 50_000).dictionary_encode(),
                                          "other": [["x"]] * 50_000})

        first = next(batches())
        before, peak = memory(), []
        def watched():
            for batch in batches():
                yield batch
                peak.append(memory())
        study = survey.study(arrow.RecordBatchReader.from_batches(first.schema, watched()))
        self.assertLess(max(peak) - before, 16_000_000)  # of 34 MB
        self.assertAlmostEqual(vn.release(study, progress=False)["people"].rows[0]["people"]["value"], rows, delta=2)

    def test_a_stream_has_the_values_of_its_batches(self):
        arrow, polars = survey.need(self, "pyarrow"), survey.need(self, "polars")
        texts = ["north", None, "", "a region of more than twelve letters", "süd"] * 120
        columns = {"id": vn.Column("integer"), "word": vn.Column("string"), "share": vn.Column("real", bounds=(0, 64), granularity=1),
                   "has": vn.Column("boolean"), "day": vn.Column("date")}
        data = {"id": list(range(600)), "word": texts, "share": [None, 1.0, 2.0] * 200, "has": [True, None, False] * 200,
                "day": [datetime.date(2020, 2, 29), None] * 300, "odd": [[1]] * 600}
        asked = [vn.Statistic("words", "SELECT COUNT(*) AS n FROM people WHERE word LIKE 'a region%'"), vn.Statistic("south", "SELECT COUNT(*) AS n FROM people WHERE word = 'süd'"),
                 vn.Statistic("null", "SELECT COUNT(*) AS n FROM people WHERE word IS NULL"), vn.Statistic("share", "SELECT SUM(share) AS n FROM people"),
                 vn.Statistic("has", "SELECT COUNT(*) AS n FROM people WHERE has"), vn.Statistic("day", "SELECT COUNT(*) AS n FROM people WHERE day = DATE '2020-02-29'")]
        table = arrow.table(data)
        kinds = (arrow.string(), arrow.large_string(), arrow.string_view(), arrow.dictionary(arrow.int8(), arrow.string()))
        for kind in kinds:
            words = table["word"].combine_chunks()
            made = table.set_column(1, "WORD", words.dictionary_encode().cast(kind) if arrow.types.is_dictionary(kind) else words.cast(kind))
            for batches in (made.to_batches(7), made.slice(0, 0).to_batches() + made.slice(0, 301).to_batches() + made.slice(301).to_batches(100)):
                reader = arrow.RecordBatchReader.from_batches(made.schema, batches)
                released = vn.release(survey.study(reader, asked, epsilon=5000, epsilon_of_all=9000, columns=columns), progress=False)
                with self.subTest(kind=str(kind)):
                    self.assertEqual([round(one.rows[0]["n"]["value"]) for one in released.values()], [120, 120, 120, 600, 200, 300])

    def test_rows_are_not_copied_and_let_go(self):
        arrow = survey.need(self, "pyarrow")

        class Numbers(numpy.ndarray):
            pass

        ages = numpy.full(600, 30).view(Numbers)
        watched = weakref.ref(ages)
        catalog = survey.catalog({**survey.ROWS, "age": arrow.Array.from_buffers(arrow.int64(), 600, [None, arrow.py_buffer(ages)])})
        del ages
        gc.collect()
        self.assertIsNotNone(watched())  # the catalog reads these very numbers
        del catalog
        gc.collect()
        self.assertIsNone(watched())

    def test_rows_come_with_the_release_too(self):
        pandas = survey.need(self, "pandas")
        study = survey.study(None)
        released = vn.release(study, data={"PEOPLE": pandas.DataFrame(survey.ROWS)}, progress=False)
        self.assertAlmostEqual(released["people"].rows[0]["people"]["value"], 600, delta=2)


class BadFrames(unittest.TestCase):
    def refusal(self, frame, **keys):
        study = None
        with self.assertRaises(vn.Error) as raised:
            study = survey.study(frame, **keys)
            vn.release(study, progress=False)
        sentence = str(raised.exception)
        self.assertNotIn(str(SECRET), sentence)
        self.assertIsNone(raised.exception.__context__ if raised.exception.__suppress_context__ is False else None)
        if study is not None:
            self.assertEqual(vn.Ledger(study.catalog).spent["epsilon"], 0, "nothing is charged")
        return sentence

    def test_columns_that_are_missing_or_twice_there(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame(survey.ROWS)
        twice = pandas.concat([frame, frame[["age"]]], axis=1)
        for one, said in ((frame.drop(columns="age"), "no column 'age'"),
                          (frame.rename(columns={"age": "aage"}), "no column 'age', which the catalog declares; correct"),
                          (twice, "two columns 'age'")):
            with self.subTest(said=said):
                self.assertIn(said, self.refusal(one))

    def test_columns_of_several_levels(self):
        pandas = survey.need(self, "pandas")
        frame = pandas.DataFrame(survey.ROWS)
        frame.columns = pandas.MultiIndex.from_product([["a"], frame.columns])
        self.assertIn("2 levels", self.refusal(frame))

    def test_arrow_types_that_no_column_has(self):
        arrow = survey.need(self, "pyarrow")
        for ages in (arrow.array([datetime.datetime(2026, 1, 1)] * 600, arrow.timestamp("us", "UTC")), arrow.array([[SECRET]] * 600),
                     arrow.array([{"a": SECRET}] * 600), arrow.array([b"x"] * 600), arrow.array([SECRET] * 600, arrow.decimal128(9))):
            with self.subTest(type=ages.type):
                self.assertIn("cast it to int64", self.refusal(arrow.table({**survey.ROWS, "age": ages})))

    def test_things_that_are_no_frame(self):
        things = [3, "people.csv", [1, 2], [{"age": 1}], object(), numpy.arange(3), {"age": 3}, {"age": "abc"}, {"age": [1], "id": [1, 2]},
                  {"id": numpy.zeros((2, 2)), "age": [1, 2], "region": ["a", "b"]}, {"age": {"a": 1}}, {"\ud800": [1]}]
        if "polars" in sys.modules or __import__("importlib.util").util.find_spec("polars"):
            import polars

            things.append(polars.DataFrame(survey.ROWS).lazy())
        for thing in things:
            with self.subTest(kind=type(thing).__name__):
                self.assertTrue(self.refusal(thing))

    def test_streams_that_lie(self):
        class Says:
            def __init__(self, answer):
                self.answer = answer

            def __arrow_c_stream__(self, requested_schema=None):
                if isinstance(self.answer, BaseException):
                    raise self.answer
                return self.answer

        for answer in (None, 3, "stream", ValueError(str(SECRET)), object()):
            self.assertTrue(self.refusal(Says(answer)))
        arrow = survey.need(self, "pyarrow")
        spent = arrow.table(survey.ROWS).__arrow_c_stream__()
        self.assertAlmostEqual(counted(Says(spent)), 600, delta=2)
        self.assertTrue(self.refusal(Says(spent)))  # a capsule whose rows were taken
        self.assertTrue(self.refusal(Says(arrow.array([1]).__arrow_c_array__()[1])))

    def test_readers_that_fail_in_the_middle(self):
        arrow = survey.need(self, "pyarrow")
        table = arrow.table(survey.ROWS)

        def batches():
            yield table.to_batches()[0]
            raise RuntimeError(str(SECRET))

        self.assertTrue(self.refusal(arrow.RecordBatchReader.from_batches(table.schema, batches())))

    def test_rows_for_tables_that_take_none(self):
        study = survey.study(survey.ROWS)
        for data in ({"peeple": survey.ROWS}, {3: survey.ROWS}, survey.ROWS["age"], 3, {"people": survey.ROWS, "PEOPLE": survey.ROWS}):
            with self.assertRaises(vn.InvalidError):
                vn.release(study, data=data, progress=False)
        self.assertEqual(vn.Ledger(study.catalog).spent["epsilon"], 0)


class TablesOut(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        statistics = [survey.COUNT, survey.BY_REGION,
                      vn.Statistic("private", "SELECT age, COUNT(*) AS low FROM people GROUP BY age"),
                      vn.Statistic("taken", "SELECT BUCKET(age, 50) AS n_low, COUNT(*) AS n FROM people GROUP BY 1"),
                      vn.Statistic("ages", "SELECT BUCKET(age, 50) AS value, SUM(age) AS years FROM people GROUP BY 1"),
                      vn.Statistic("none", "SELECT age, COUNT(*) AS people, AVG(age) AS a FROM people WHERE age < 0 GROUP BY age")]
        budget = vn.Budget(epsilon=1000, delta=1e-6)
        catalog = vn.Catalog(budget, {"people": vn.Table(survey.COLUMNS, unit="id", data=survey.ROWS)}, folder=survey.folder())
        cls.release = vn.release(vn.Study(catalog, statistics, epsilon=500, delta=1e-7), documents=["csv"], progress=False)

    def test_numbers_are_named_as_in_the_sql_however_many_there_are(self):
        table = self.release["people"]
        self.assertEqual(table.names, ["people", "people_low", "people_high", "people_informative"])
        self.assertEqual((table.keys, table.columns, len(table)), ([], ["people"], 1))
        values = table.to_dict()
        figure = table.rows[0]["people"]
        self.assertEqual([values[name][0] for name in table.names], [figure["value"], *figure["interval"], True])

    def test_they_are_named_as_in_the_files(self):
        header = self.release.documents["regions.csv"].decode().splitlines()[0]
        names = [name for name in self.release["regions"].names if not name.endswith("_informative")]
        self.assertEqual(",".join(names), header)

    def test_a_number_by_itself(self):
        table, figure = self.release["people"], self.release["people"].rows[0]["people"]
        for one in (table, table["people"], table["people"].number, table["people"][0], self.release.get("people")):
            self.assertEqual((one.value, one.low, one.high), (figure["value"], *figure["interval"]))
            self.assertEqual((float(one), int(one)), (figure["value"], figure["value"]))
        regions = self.release["regions"]
        self.assertEqual([row["region"] for row in regions], ["north", "south"])
        self.assertEqual([row["age"].value for row in regions], [one.value for one in regions["age"]])
        self.assertEqual(self.release["years"].values, [row["years"].value for row in self.release["ages"]])
        self.assertIsNone(regions.get("nothing"))
        self.assertIsNone(self.release.get("nothing"))
        self.assertIn("age", regions._ipython_key_completions_())
        self.assertIn("years", self.release._ipython_key_completions_())
        for wrong in (lambda: float(regions), lambda: regions["age"].value, lambda: float(regions["age"])):
            self.assertRaises(vn.InvalidError, wrong)
        for wrong in (lambda: regions["nothing"], lambda: self.release["nothing"], lambda: self.release[3]):
            self.assertRaises(KeyError, wrong)

    def test_no_information_is_a_flag(self):
        spread = vn.Statistic("spread", "SELECT region, AVG(age) AS age FROM people WHERE age > 200 GROUP BY region")
        # Noise alone makes a group without rows informative once in some fifty releases: twenty in a row do not.
        for _ in range(20):
            table = vn.release(survey.study(statistics=[spread], epsilon=0.01), again=True, progress=False)["spread"]
            if not any(table.to_dict()["age_informative"]):
                break
        self.assertEqual(table.to_dict()["age_informative"], [False, False])
        self.assertEqual([row["age"].informative for row in table], [False, False])
        survey.need(self, "pandas")
        self.assertEqual(table.to_pandas()["age_informative"].dtype, bool)
        self.assertEqual(list(self.release["none"].to_pandas()["a_informative"]), [])

    def test_names_that_are_taken_get_another(self):
        self.assertEqual(self.release["taken"].names, ["n_low", "n", "n_low_", "n_high", "n_informative"])
        self.assertEqual(self.release["private"].names, ["age", "low", "low_low", "low_high", "low_informative"])

    def test_no_groups_are_an_empty_table_with_types(self):
        table = self.release["none"]
        self.assertEqual(table.names, ["age", "people", "people_low", "people_high", "people_informative", "a", "a_low", "a_high", "a_informative"])
        self.assertEqual(len(table), 0)
        arrow = survey.need(self, "pyarrow")
        self.assertEqual(table.to_arrow().schema.field("age").type, arrow.int64())

    def test_all_libraries_get_the_same(self):
        arrow, pandas, polars = (survey.need(self, name) for name in ("pyarrow", "pandas", "polars"))
        for table in self.release.values():
            columns = table.to_dict()
            self.assertEqual(table.to_arrow().to_pydict(), columns)
            self.assertEqual(table.to_polars().to_dict(as_series=False), columns)
            self.assertEqual(table.to_pandas().to_dict("list"), columns)
            self.assertEqual(polars.DataFrame(table).to_dict(as_series=False), columns)
            self.assertEqual(arrow.table(table).to_pydict(), columns)
        self.assertEqual([str(one) for one in self.release["regions"].to_pandas().dtypes],
                         ["str", *["int64"] * 3, "bool", *["float64"] * 3, "bool"])
        self.assertEqual(pandas.api.types.infer_dtype(self.release["private"].to_pandas()["age"]), "integer")

    def test_a_table_goes_in_again(self):
        survey.need(self, "pyarrow")
        columns = {"age": vn.Column("integer", bounds=(0, 100))}
        self.assertAlmostEqual(counted(self.release["private"], columns=columns, unit="row"), len(self.release["private"]), delta=2)

    def test_long_tables_are_cut_with_a_count_and_drawn_so_that_they_can_be_read(self):
        columns = {"id": vn.Column("integer"), "place": vn.Column("integer", keys=list(range(3000)))}
        rows = {"id": list(range(3000)), "place": list(range(3000))}
        asked = vn.Statistic("places", "SELECT place, COUNT(*) AS people FROM people GROUP BY place")
        table = vn.release(survey.study(rows, [asked], columns=columns), progress=False)["places"]
        self.assertEqual(len(table), 3000)
        for shown in (repr(table), table._repr_html_()):
            self.assertIn("60 of 3000 rows are shown, the first and the last 30; to_pandas() has them all", shown)
            self.assertLess(len(shown), 20_000)
        self.assertEqual(len(repr(table).splitlines()), 64)
        survey.need(self, "matplotlib")
        drawn = table.plot()
        labels = [label.get_text() for label in drawn.get_xticklabels()]
        self.assertLessEqual(len(labels), 30)
        self.assertEqual(labels[:2], ["0", "100"])
        self.assertEqual(drawn.get_xlabel(), "every 100th of 3000 groups is named")

    def test_they_are_seen(self):
        self.assertIn("north", repr(self.release["regions"]))
        self.assertIn("<td", self.release["regions"]._repr_html_())
        survey.need(self, "matplotlib")
        drawn = self.release["regions"].plot(column="age")
        self.assertEqual([label.get_text() for label in drawn.get_xticklabels()], ["north", "south"])
        with self.assertRaises(vn.InvalidError):
            self.release["regions"].plot(column="nothing")


if __name__ == "__main__":
    unittest.main()
