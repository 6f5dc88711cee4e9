"""Another DuckDB in the same process, of another version than the one in the extension."""
import unittest

import survey

import vernier as vn


class AnotherDuckdb(unittest.TestCase):
    def test_its_relations_go_in(self):
        duckdb = survey.need(self, "duckdb")
        relation = duckdb.sql("SELECT i AS id, 30 AS age, 'north' AS region FROM range(50) AS r(i)")
        if not hasattr(relation, "__arrow_c_stream__"):
            self.skipTest("this duckdb has no stream of Arrow")
        self.assertAlmostEqual(vn.release(survey.study(relation), progress=False)["people"].rows[0]["people"]["value"], 50, delta=2)

    def test_it_goes_on_as_before_and_reads_what_was_released(self):
        duckdb = survey.need(self, "duckdb")
        rows = duckdb.sql("SELECT i AS id, 30 AS age, 'north' AS region FROM range(50) AS r(i)")
        released = vn.release(survey.study(rows, [survey.BY_REGION]), progress=False)["regions"]
        read = duckdb.from_arrow(released).fetchall()
        self.assertEqual([row[0] for row in read], ["north", "south"])
        self.assertEqual(list(zip(*read)), [tuple(column) for column in released.to_dict().values()])
        self.assertEqual(duckdb.sql("SELECT sum(i)::INTEGER FROM range(1000) AS r(i)").fetchall(), [(499_500,)])


if __name__ == "__main__":
    unittest.main()
