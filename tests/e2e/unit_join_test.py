"""Several protected tables in one statement, as a user runs it. Usage: unit_join_test.py PROGRAM"""
import json
import os
import random
import sqlite3
import unittest

from program import FolderTest, run

CATALOG = """[budget]
epsilon = 10000
delta = 1e-3

[tables.customer]
source = "customer.csv"
unit = "custkey"
max_rows = 60
max_groups = 5
row_limit = 10000

[tables.customer.columns]
custkey = { type = "integer", lower = 0, upper = 10 }
segment = { type = "string", keys = ["A", "B"] }

[tables.orders]
source = "orders.csv"
unit = "owner"
max_rows = 60
max_groups = 5
row_limit = 10000

[tables.orders.columns]
orderkey = { type = "integer", lower = 0, upper = 100 }
owner    = { type = "integer" }
price    = { type = "integer", lower = 0, upper = 1000 }

[tables.lineitem]
source = "lineitem.csv"
unit = { via = "orders.orderkey", is = "owner", by = "order" }
max_rows = 60
max_groups = 5
row_limit = 10000

[tables.lineitem.columns]
order    = { type = "integer" }
quantity = { type = "integer", lower = 0, upper = 50 }
"""


class UnitJoinTest(FolderTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(7)
        self.customers = [(i, draw.choice("AB")) for i in range(200)]
        self.orders = [(k, draw.randrange(220), draw.randint(0, 1000)) for k in range(600)]
        self.orders += [(3, 5, 10), (3, 6, 20), (3, 6, 30), (None, 7, 1)]  # a key of several owners, and none
        self.items = [(draw.randrange(650), draw.randint(0, 50)) for _ in range(2000)] + [(None, 50), (3, 50)]
        self.file("catalog.toml", CATALOG)
        self.write("customer", ["custkey", "segment"], self.customers)
        self.write("orders", ["orderkey", "owner", "price"], self.orders)
        self.write("lineitem", ["order", "quantity"], self.items)

    def write(self, table, names, rows):
        lines = [",".join(names)] + [",".join("" if cell is None else str(cell) for cell in row) for row in rows]
        self.file(table + ".csv", "\n".join(lines) + "\n")

    def ask(self, sql, *words):
        for name in os.listdir("."):
            if name.startswith("catalog.ledger"):
                os.remove(name)
        return run("query", "--catalog", "catalog.toml", sql, "--epsilon", "5000", "--json", *words)

    def numbers(self, sql):
        done = self.ask(sql)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.file("release.json", done.stdout)
        verified = run("verify", "release.json")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.record = json.loads(done.stdout)
        return [tuple(cell["value"] if isinstance(cell, dict) else cell for cell in row.values())
                for row in self.record["statistics"][0]["rows"]]

    def exact(self, sql):
        with sqlite3.connect(":memory:") as db:
            db.execute("CREATE TABLE customer (custkey, segment)")
            db.execute("CREATE TABLE orders (orderkey, owner, price)")
            db.execute('CREATE TABLE lineitem ("order", quantity)')
            db.executemany("INSERT INTO customer VALUES (?, ?)", self.customers)
            db.executemany("INSERT INTO orders VALUES (?, ?, ?)", self.orders)
            db.executemany("INSERT INTO lineitem VALUES (?, ?)", self.items)
            return db.execute(sql).fetchall()

    def compare(self, sql, exact=None):
        found, wanted = self.numbers(sql), self.exact(exact or sql)
        self.assertEqual(len(found), len(wanted), sql)
        for one, other in zip(sorted(found), sorted(wanted)):
            for a, b in zip(one, other):
                if isinstance(b, str):
                    self.assertEqual(a, b)
                else:
                    self.assertAlmostEqual(a, b, delta=max(2, 0.002 * abs(b)), msg=sql)

    def test_rows_meet_by_their_unit(self):
        self.compare("SELECT segment, COUNT(*) AS n, SUM(price) AS s FROM customer JOIN orders ON custkey = owner GROUP BY segment")
        self.compare("SELECT COUNT(*) AS n FROM customer LEFT JOIN orders ON custkey = owner WHERE price IS NULL")
        self.compare("SELECT COUNT(*) AS n FROM customer, orders WHERE custkey = owner AND segment = 'A' AND price > 300")
        self.compare("SELECT COUNT(*) AS n FROM orders a JOIN orders b ON a.owner = b.owner AND a.price < b.price")

    def test_bounds_do_not_make_two_units_one(self):
        """custkey has an upper bound of 10, and units beyond it are still themselves."""
        self.compare("SELECT COUNT(*) AS n FROM customer JOIN orders ON custkey = owner WHERE segment = 'B'")

    def test_line_items_belong_to_the_owners_of_their_order(self):
        owned = 'FROM lineitem JOIN (SELECT DISTINCT orderkey, owner FROM orders) ON orderkey = "order"'
        self.compare("SELECT COUNT(*) AS n, SUM(quantity) AS s FROM lineitem", f"SELECT COUNT(*), SUM(quantity) {owned}")
        self.compare("SELECT COUNT(DISTINCT owner) AS n FROM lineitem", f"SELECT COUNT(DISTINCT owner) {owned}")
        self.compare('SELECT SUM(quantity) AS s FROM orders JOIN lineitem ON orderkey = "order" WHERE price > 500')
        self.compare("SELECT segment, SUM(quantity) AS s FROM customer, orders, lineitem WHERE custkey = orders.owner AND "
                     "orderkey = \"order\" GROUP BY segment")

    def test_what_is_believed_is_said(self):
        self.numbers('SELECT COUNT(*) AS n FROM orders JOIN lineitem ON orderkey = "order"')
        said = " ".join(self.record["assumptions"])
        self.assertIn("A row of the table 'lineitem' belongs to every unit of the table 'orders'", said)
        self.assertIn("name the same units", said)

    def test_a_unit_has_as_many_rows_as_count(self):
        self.file("catalog.toml", CATALOG.replace("max_rows = 60", "max_rows = 1"))
        self.assertLessEqual(self.numbers("SELECT COUNT(*) AS n FROM customer JOIN orders ON custkey = owner")[0][0], 202)

    def test_the_ledger_remembers_by_which_way(self):
        self.assertEqual(self.ask("SELECT COUNT(*) AS n FROM lineitem").returncode, 0)
        self.file("catalog.toml", CATALOG.replace('by = "order"', 'by = "quantity"'))
        done = run("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM lineitem", "--epsilon", "1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("lineitem", done.stderr)

    def test_other_joins_are_refused_with_what_to_add(self):
        done = self.ask("SELECT COUNT(*) AS n FROM customer JOIN orders ON custkey = price")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("add customer.custkey = orders.owner to ON", done.stderr)
        self.assertEqual(self.ask("SELECT COUNT(*) AS n FROM customer JOIN orders ON customer.custkey = orders.owner").returncode, 0)

    def test_the_catalog_is_told_in_words(self):
        done = run("catalog", "check", "catalog.toml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("whoever 'orders' names where its orderkey is the row's order", done.stdout)


if __name__ == "__main__":
    unittest.main()
