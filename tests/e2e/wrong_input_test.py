"""Wrong inputs as a first user makes them: each has its sentence, and what the sentence says is put in and accepted.
Usage: wrong_input_test.py PROGRAM"""
import os
import shutil
import unittest

from program import FolderTest, run

DATA = "customer,price,day,region,paid\n" + "".join(
    f"{i % 9},{i % 10},2020-01-{1 + i % 28:02d},{'north' if i % 3 else 'south'},{'true' if i % 2 else 'false'}\n" for i in range(90))
CATALOG = """[budget]
epsilon = 100
delta = 1e-6

[tables.items]
source = "items.csv"
unit = "customer"
max_rows = 10
max_groups = 2

[tables.items.columns]
customer = { type = "integer" }
price = { type = "integer", lower = 0, upper = 10 }
day = { type = "date", lower = 2020-01-01, upper = 2020-12-31 }
region = { type = "string", keys = ["north", "south"] }
paid = { type = "boolean" }
"""
STUDY = """catalog = "catalog.toml"
budget = { epsilon = 1 }

[[statistic]]
name = "by_region"
sql = "SELECT region, COUNT(*) AS n, AVG(price) AS mean FROM items GROUP BY region"
"""
PRICE = "price = { type = \"integer\", "
KEYS = 'keys = ["north", "south"]'
BOUNDS = "lower = 0, upper = 10"
GROUPS = "max_groups = 2\n"
NAME = 'name = "by_region"\n'
BUDGET = "budget = { epsilon = 1 }\n"

# (what is right, what was written, what the sentence says, what is written then). Its advice stands in both of the last two,
# unless it is to leave something out.
IN_CATALOG = [
    ('customer = { type = "integer"', 'customer = { type = "int"', "must be boolean, integer, real", 'customer = { type = "integer"'),
    ('type = "boolean"', 'type = "bool"', "must be boolean, integer", 'type = "boolean"'),
    ("source =", "sourse =", "did you mean source?", "source ="),
    ("items.csv", "items.txt", 'add format = "csv"', 'items.txt"\nformat = "csv'),
    ('"customer"', '"custmer"', "did you mean customer?", '"customer"'),
    ('unit = "customer"\nmax_rows = 10\nmax_groups = 2\n', "", 'or unit = "row"', 'unit = "row"\n'),
    ("epsilon = 100", "epsilon = 0", "between 1e-10 and 1e4", "epsilon = 1e4"),
    ("epsilon = 100", 'epsilon = "100"', "must be a number such as 0.5", "epsilon = 0.5"),
    ("delta = 1e-6", "delta = 1", "must be 0 or between 1e-300 and 0.5", "delta = 0"),
    (BOUNDS, "lower = 10, upper = 0", "put the smaller one first", BOUNDS),
    (BOUNDS, "lower = 0", "has a lower bound but no upper one; write both, or none", BOUNDS),
    ("lower = 2020-01-01", 'lower = "2020-01-01"', "a date without quotes", "lower = 2020-01-01"),
    (KEYS, 'keys = "north"', "must be a list with a key in it", 'keys = ["north"]'),
    (KEYS, 'keys = ["north", "north"]', "write it once", 'keys = ["north"]'),
    ("max_rows = 10", "max_rows = 0", "a whole number from 1 to 1000000000", "max_rows = 1"),
    ("max_rows = 10", "max_rows = 2.5", "a whole number from 1", "max_rows = 2"),
    ('type = "boolean"', 'type = "boolean", true_words = "yes"', 'a list such as ["yes", "y"]', 'type = "boolean", true_words = ["yes", "y"]'),
    ('day = { type', 'day = { date_format = "dd.mm.yyyy", type', 'write for example "%d.%m.%Y"', 'day = { date_format = "%d.%m.%Y", type'),
    (GROUPS, GROUPS + 'delimiter = "tab"\n', '";", "|" or "\\t"', GROUPS + 'delimiter = "|"\n'),
    (GROUPS, GROUPS + 'decimal_mark = ";"\n', "must be . or ,", GROUPS + 'decimal_mark = ","\n'),
    (GROUPS, GROUPS + 'neighbours = "add"\n', "must be add-remove or replace", GROUPS + 'neighbours = "add-remove"\n'),
    ("price =", 'Price = { type = "integer" }\nprice =', "rename one of them", 'cost = { type = "integer" }\nprice ='),
    ("items.columns", "items.colums", "did you mean columns?", "items.columns"),
    ("[budget]", "[buget]", "did you mean budget?", "[budget]"),
    ("region = {", '"region = {', "write KEY = VALUE", "region = {"),
    (PRICE + BOUNDS, 'price = { type = "string", ' + BOUNDS, "leave lower and upper out", 'price = { type = "string"'),
    ('type = "boolean"', 'type = "boolean", lower = 0, upper = 1', "leave lower and upper out", 'type = "boolean"'),
    (PRICE, PRICE + "missing = [], ", 'a list such as ["NA", -9]', PRICE + "missing = [-9], "),
    ('"items.csv"', '["items.csv", "more.parquet"]', "those of a table are of one; write all of them in one way", '["items.csv", "more.csv"]'),
    ('"items.csv"', '"~/items.csv"', "from the folder of this file on", '"items.csv"'),
    ('"items.csv"', '"**/items.csv"', "* stands for a part of one name", '"*/items.csv"'),
    ('"items.csv"', "[]", "names no file; name one", '["items.csv"]'),
    ('"items.csv"', '"items.jsonl"\ndelimiter = ";"', "the source is JSON lines; leave it out", '"items.jsonl"'),
    ('"items.csv"', '"items.jsonl"\nformat = "csv"', "read as JSON lines; leave it out", '"items.jsonl"'),
    (GROUPS, GROUPS + 'format = "excel"\n', "must be csv, parquet or arrow", GROUPS + 'format = "csv"\n'),
    (PRICE + "lower", PRICE + "min", "its keys are date_format, decimal_mark, false_words, granularity, keys, labels, lower", PRICE + "lower"),
    (KEYS, KEYS + ', rest = "north"', "choose a value that stands for none of them", KEYS + ', rest = "other"'),
    ("delta = 1e-6", 'delta = 1e-6\naccountant = "renyi"', "must be zcdp, rdp or pure", 'delta = 1e-6\naccountant = "rdp"'),
    ("max_groups", "max_group", "did you mean max_groups?", "max_groups"),
]
IN_STUDY = [
    ("AVG(price)", "AVG(prise)", "it has customer, price,", "AVG(price)"),
    ("FROM items", "FROM item", "it has items", "FROM items"),
    ("AVG(price)", "AVG(customer)", "write CLAMP(customer, 0, 100) in place of customer", "AVG(CLAMP(customer, 0, 100))"),
    (", COUNT(*) AS n", ", paid, COUNT(*) AS n", "add paid to GROUP BY, or write a statistic of it such as COUNT(paid)", ", COUNT(paid) AS n"),
    ("COUNT(*)", "COUNT(**)", "an accepted one is SELECT region, COUNT(*) FROM items", "COUNT(*)"),
    ("SELECT", "SELEC", "an accepted one is SELECT region", "SELECT"),
    ("epsilon = 1", "epsilon = -1", "between 1e-10 and 1e4", "epsilon = 1e-10"),
    ("epsilon = 1", "epsilon = 1000", "lower the study's epsilon", "epsilon = 100"),
    (BUDGET, "", "write budget = { epsilon = 1.0, delta = 1e-7 } at the head", "budget = { epsilon = 1.0, delta = 1e-7 }\n"),
    (NAME, NAME + "accuracy = { m = 5 }\n", "write the name behind AS, such as 'n'", NAME + "accuracy = { n = 500 }\n"),
    (NAME, NAME + "accuracy = 5\n", "a table such as { people = 50 }, with a number for each output column", NAME + "accuracy = { n = 500 }\n"),
    (NAME, "", 'write for example name = "income by region"', 'name = "income by region"\n'),
    (NAME, NAME + "max_row = 5\n", "did you mean max_rows?", NAME + "max_rows = 5\n"),
    ("AVG(price) AS mean", "MODE(price) AS mean", "MEDIAN(x), QUANTILE(x, 0.9)", "MEDIAN(price) AS mean"),
    (BUDGET, BUDGET + "alpha = 0.95\n", "write alpha = 0.05 for a confidence of 95 %", BUDGET + "alpha = 0.05\n"),
    ("[[statistic]]", "[statistic]", "write [[statistic]]", "[[statistic]]"),
    (NAME, NAME + 'covers = "people"\n', "must be sample or population", NAME + 'covers = "sample"\n'),
    ("catalog.toml", "catalogue.toml", "look whether its name is right", "catalog.toml"),
    ("GROUP BY region", "GROUP BY region ORDER BY x", "it has customer, price, day, region,", "GROUP BY region ORDER BY region"),
]
COUNT = "SELECT COUNT(*) AS n FROM items"


def query(sql, *options):
    return ("query", "--catalog", "catalog.toml", sql, *options)


# (the words, what the sentence says, the words then)
ON_THE_COMMAND_LINE = [
    (query(COUNT), "--epsilon E, or --accuracy A", query(COUNT, "--epsilon", "1")),
    (query("SELECT * FROM items", "--epsilon", "1"), "as in SELECT region, COUNT(*) FROM items GROUP BY region",
     query("SELECT region, COUNT(*) FROM items GROUP BY region", "--epsilon", "1")),
    (query(COUNT, "--epsilon", "0,5"), "must be a decimal number such as 0.05", query(COUNT, "--epsilon", "0.05")),
    (query(COUNT, "--epsilon", "1", "--acuracy", "500"), "did you mean --accuracy?", query(COUNT, "--epsilon", "1", "--accuracy", "500")),
    (query(COUNT, "--epsilon", "1", "--accuracy", "0.5"), "raise the budget, or relax the accuracy", query(COUNT, "--epsilon", "1", "--accuracy", "500")),
    (("query", COUNT, "--epsilon", "1"), "write for example --catalog catalog.toml", query(COUNT, "--epsilon", "1")),
    (("quer", "--catalog", "catalog.toml", COUNT, "--epsilon", "1"), "did you mean query?", query(COUNT, "--epsilon", "1")),
    (("plan",), "write for example 'vernier plan study.toml'", ("plan", "study.toml")),
    (query("SELECT customer, COUNT(*) AS n FROM items GROUP BY customer", "--epsilon", "1"), "give the budget a delta",
     query("SELECT customer, COUNT(*) AS n FROM items GROUP BY customer", "--epsilon", "1", "--delta", "1e-7")),
    (query(COUNT + " WHERE day > '2020-02-30'", "--epsilon", "1"), "must be a day such as '2020-02-29'",
     query(COUNT + " WHERE day > '2020-02-29'", "--epsilon", "1")),
    (query(COUNT, "--epsilon", "1", "--max-rows", "0"), "must be from 1 to 1000000000", query(COUNT, "--epsilon", "1", "--max-rows", "1")),
    (("bounds", "catalog.toml", "items.prise", "--epsilon", "0.1"), "did you mean price?", ("bounds", "catalog.toml", "items.price", "--epsilon", "0.1")),
    (("bounds", "catalog.toml", "items.price"), "--epsilon is missing: say what it may cost; write for example 'vernier bounds "
     "catalog.toml people.income --epsilon 0.1'", ("bounds", "catalog.toml", "items.price", "--epsilon", "0.1")),
    (("bounds", "catalog.toml", "items", "--epsilon", "0.1", "--max-rows", "3"), "a table was named; leave it out",
     ("bounds", "catalog.toml", "items", "--epsilon", "0.1")),
    (("catalog", "new", "items.csv"), "name another file, or remove this one first", ("catalog", "new", "items.csv", "--out", "other.toml")),
    (("catalog", "new", "items.csv", "more.csv", "--out", "c.toml"), "by a pattern in quotes, such as 'parts/*.csv'",
     ("catalog", "new", "*.csv", "--out", "c.toml")),
    (("catalog", "new", "parts", "--out", "c.toml"), "such as 'parts/*.csv'", ("catalog", "new", "parts/*.csv", "--out", "c.toml")),
    (("catalog", "new", "items.csv", "--delimiter", "comma", "--out", "c.toml"), "one of , ; | or the word tab",
     ("catalog", "new", "items.csv", "--delimiter", ",", "--out", "c.toml")),
    (("release", "study.toml", "--out", "items.csv"), "name a new folder", ("release", "study.toml", "--out", "released")),
    (("ledger", "histry", "catalog.toml"), "did you mean history?", ("ledger", "history", "catalog.toml")),
    (("plan", "study.toml", "--what-if", "epsilon=1"), "such as epsilon=0.1:10:50", ("plan", "study.toml", "--what-if", "epsilon=0.1:10:50")),
    (("plan", "study.toml", "--limits", "catalog.toml"), "writes into the folder", ("plan", "study.toml", "--limits", "found/limits.json")),
]


class WrongInput(FolderTest):
    def setUp(self):
        super().setUp()
        self.file("items.csv", DATA)
        self.file("more.csv", DATA)
        os.mkdir("parts")
        self.file("parts/one.csv", DATA)
        self.file("catalog.toml", CATALOG)
        self.file("study.toml", STUDY)

    def examine(self, name, text, changes, words):
        for right, wrong, says, then in changes:
            with self.subTest(wrong, says=says):
                self.assertEqual(text.count(right) > 0, True, right)
                self.file(name, text.replace(right, wrong, 1))
                refused = run(*words)
                self.assertIn(refused.returncode, (1, 2), refused)
                self.assertIn(says, refused.stdout + refused.stderr)
                self.file(name, text.replace(right, then, 1))
                accepted = run(*words)
                self.assertEqual((accepted.returncode, accepted.stderr), (0, ""), accepted.stdout)

    def test_of_a_catalog_is_told_with_what_is_accepted(self):
        self.examine("catalog.toml", CATALOG, IN_CATALOG, ("catalog", "check", "catalog.toml"))

    def test_of_a_study_is_told_with_what_is_accepted(self):
        self.examine("study.toml", STUDY, IN_STUDY, ("plan", "study.toml"))

    def test_on_the_command_line_is_told_with_what_is_accepted(self):
        run("bounds", "catalog.toml", "items", "--epsilon", "5", "--out", "found")
        for words, says, then in ON_THE_COMMAND_LINE:
            with self.subTest(words):
                for left in ("catalog.ledger", "c.toml", "other.toml"):
                    if os.path.exists(left):
                        os.remove(left)
                state = os.path.join(os.getcwd(), "state")
                shutil.rmtree(state, ignore_errors=True)
                refused = run(*words, XDG_STATE_HOME=state)
                self.assertEqual(refused.returncode, 2, refused)
                self.assertIn(says, refused.stderr)
                self.assertFalse(os.path.exists("catalog.ledger"), "nothing is spent on it")
                accepted = run(*then, XDG_STATE_HOME=state)
                self.assertEqual((accepted.returncode, accepted.stderr), (0, ""), accepted.stdout)


if __name__ == "__main__":
    unittest.main()
