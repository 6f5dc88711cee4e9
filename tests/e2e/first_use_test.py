"""Files as people have them: each is walked from `catalog new` to a release that equals the one of its tidy twin but for
noise. Usage: first_use_test.py PROGRAM"""
import gzip
import json
import os
import pathlib
import pty
import re
import subprocess
import unittest

from program import ENVIRONMENT, PROGRAM, FolderTest, run

TIDY = "\n".join(["region,income,day,has"] + [f"{'north' if i % 3 else 'south'},{1001 * i},2020-02-{1 + i % 28:02d},{'true' if i % 2 else 'false'}"
                                              for i in range(60)]) + "\n"
COLUMNS = {"region": 'type = "string", keys = ["north", "south"]', "income": 'type = "integer", lower = 0, upper = 65535',
           "day": 'type = "date", lower = 2020-02-01, upper = 2020-02-29', "has": 'type = "boolean"'}
# Each with its budget, at which noise moves no count, and a sum by a few times sixteen.
STATEMENTS = {"SELECT region, SUM(income) AS s FROM data GROUP BY region": 4000,
              "SELECT region, COUNT(*) AS n FROM data GROUP BY region": 1000,
              "SELECT COUNT(income) AS n FROM data WHERE has": 1000,
              "SELECT COUNT(*) AS n FROM data WHERE day < DATE '2020-02-15'": 1000}


def rewritten(change):
    """The tidy file with every row changed, given as a list of cells."""
    head, *rows = TIDY.splitlines()
    return "\n".join([head] + [change(row.split(",")) for row in rows]) + "\n"


def zstd(text, last=True):
    """A frame of Zstandard (RFC 8878) that holds its text as it is, in blocks of 100 bytes; with a wrong type in the last unless `last`."""
    parts = [text[i:i + 100] for i in range(0, len(text), 100)] or [b""]
    blocks = b"".join(((len(part) << 3) | (0 if i + 1 < len(parts) else 1 if last else 7)).to_bytes(3, "little") + part
                      for i, part in enumerate(parts))
    return bytes.fromhex("28b52ffd") + bytes([0, 0x58]) + blocks


def german_day(day):
    year, month, number = day.split("-")
    return f"{int(number)}.{int(month)}.{year}"


def reordered():
    rows = [row.split(",") for row in TIDY.splitlines()]
    return "\n".join(",".join([row[3], row[0], "note" if i == 0 else "x", row[2], row[1]]) for i, row in enumerate(rows)) + "\n"


def objects(change=lambda record: record, name=str):
    """The tidy rows as JSON lines."""
    head, *rows = [row.split(",") for row in TIDY.splitlines()]
    records = [{"region": c[0], "income": int(c[1]), "day": c[2], "has": c[3] == "true"} for c in rows]
    return "".join(json.dumps({name(key): value for key, value in change(record).items()}) + "\n" for record in records)


def halves(change=lambda text: text.encode()):
    """The tidy file in two, the second with its columns in another order."""
    head, *rows = TIDY.splitlines()
    first = "\n".join([head, *rows[:25]]) + "\n"
    second = "\n".join(",".join(reversed(row.split(","))) for row in [head, *rows[25:]]) + "\n"
    return [change(first), change(second)]


# name: (file, its content, lines for the table, lines for columns); a pattern has the content of several files
FILES = {
    "pandas with a missing value": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]}.0,{c[2]},{c[3].title()}"), "", {}),
    "R with exponents": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]}e+00,{c[2]},{c[3].upper()}"), "", {}),
    "German Excel": ("data.csv", rewritten(lambda c: f"{c[0]};{int(c[1]):,};{german_day(c[2])};{c[3]}".replace(",", ".")).replace(
        "region,income,day,has", "region;income;day;has"), 'decimal_mark = ","\nthousands = "."\ndate_format = "%d.%m.%Y"', {}),
    "tabs": ("data.tsv", TIDY.replace(",", "\t"), "", {}),
    "yes and no": ("data.csv", TIDY.replace("true", "Yes").replace("false", "no"), "", {"has": 'true_words = ["yes"], false_words = ["no"]'}),
    "American dates": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]},{c[2][5:7]}/{c[2][8:]}/{c[2][:4]},{c[3]}"), "",
                       {"day": 'date_format = "%m/%d/%Y"'}),
    "timestamps": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]},{c[2]} 12:30:00,{c[3]}"), "", {"day": 'date_format = "%Y-%m-%d %H:%M:%S"'}),
    "blanks around texts": ("data.csv", rewritten(lambda c: f"  {c[0]} , {c[1]} , {c[2]},{c[3]} "), "", {"region": "trim = true"}),
    "a mark of byte order and CR LF": ("data.csv", "\ufeff" + TIDY.replace("\n", "\r\n"), "", {}),
    "quotes everywhere": ("data.csv", rewritten(lambda c: ",".join(f'"{cell}"' for cell in c)), "", {}),
    "COPY with a word for NULL": ("data.csv", TIDY.replace(",0,", ",\\N,"), 'missing = ["\\\\N"]', {}),
    "codes for missing": ("data.csv", TIDY.replace(",0,", ",-9,"), "", {"income": "missing = [-9]"}),
    "gzip": ("data.csv.gz", gzip.compress(TIDY.encode()), "", {}),
    "gzip of tabs": ("data.tsv.gz", gzip.compress(TIDY.replace(",", "\t").encode()), "", {}),
    "gzip in two members": ("data.CSV.GZ", gzip.compress(TIDY[:500].encode()) + gzip.compress(TIDY[500:].encode()), "", {}),
    "Zstandard": ("data.csv.zst", zstd(TIDY.encode()), "", {}),
    "Zstandard of tabs, in two frames": ("data.TSV.Zst", zstd(TIDY[:500].replace(",", "\t").encode()) + zstd(TIDY[500:].replace(",", "\t").encode()),
                                         "", {}),
    "semicolons": ("data.csv", TIDY.replace(",", ";"), "", {}),
    "bars": ("data.csv", TIDY.replace(",", "|"), "", {}),
    "no line feed at the end": ("data.csv", TIDY.rstrip("\n"), "", {}),
    "columns in another order, and one more": ("data.csv", reordered(), "", {}),
    "names in capitals": ("data.csv", TIDY.replace("region,income,day,has", "REGION,INCOME,DAY,HAS"), "", {}),
    "Swiss numbers": ("data.csv", rewritten(lambda c: f"{c[0]},{int(c[1]):,}".replace(",", "'").replace("'", ",", 1) + f",{c[2]},{c[3]}"),
                      'thousands = "\'"', {}),
    "French numbers with blanks": ("data.csv", rewritten(lambda c: ";".join([c[0], f"{int(c[1]):,}".replace(",", " "), c[2], c[3]])).replace(
        "region,income,day,has", "region;income;day;has"), 'thousands = " "', {}),
    "years of two digits": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]},{c[2][8:]}.{c[2][5:7]}.{c[2][2:4]},{c[3]}"), "",
                            {"day": 'date_format = "%d.%m.%y"'}),
    "months by name": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]},{c[2][8:]}-Feb-{c[2][:4]},{c[3]}"), "", {"day": 'date_format = "%d-%b-%Y"'}),
    "t and f of PostgreSQL": ("data.csv", TIDY.replace("true", "t").replace("false", "f"), "", {"has": 'true_words = ["t"], false_words = ["f"]'}),
    "JSON lines": ("data.jsonl", objects(), "", {}),
    "JSON lines of pandas": ("data.ndjson", objects(lambda r: {**r, "income": float(r["income"]), "has": 1 if r["has"] else 0}), "", {}),
    "JSON lines with everything in quotes": ("data.jsonl", objects(lambda r: {key: str(value) for key, value in r.items()}), "", {}),
    "JSON lines with lists, in capitals": ("data.JSONL.gz", gzip.compress(objects(lambda r: {"tags": [{"region": "x"}], **r}, str.upper).encode()), "", {}),
    "JSON lines with German texts": ("data.jsonl.zst", zstd(objects(lambda r: {**r, "income": f"{r['income']:,}".replace(",", "."), "day": german_day(
        r["day"])}).encode()), 'decimal_mark = ","\nthousands = "."\ndate_format = "%d.%m.%Y"', {}),
    "several files": ("data-*.csv", halves(), "", {}),
    "several files, packed": ("data-?.csv.gz", halves(lambda text: gzip.compress(text.encode())), "", {}),
    "several files of JSON lines": ("data-*.jsonl", [objects()[:1000].rsplit("\n", 1)[0].encode() + b"\n",
                                                    objects()[len(objects()[:1000].rsplit("\n", 1)[0]) + 1:].encode()], "", {}),
    "pandas with its index": ("data.csv", rewritten(lambda c: ",".join(["7", *c])).replace("region,", ",region,", 1), "", {}),
    "R with row names": ("data.csv", rewritten(lambda c: f'"1","{c[0]}",{c[1]},"{c[2]}",{c[3].upper()}').replace("region,income,day,has", '"","region","income","day","has"'), "", {}),
    "a delimiter behind every row": ("data.csv", rewritten(lambda c: ",".join([*c, ""])).replace("has\n", "has,\n", 1), "", {}),
    "a name that is there twice": ("data.csv", rewritten(lambda c: ",".join(["x", *c, "y"])).replace("region,income,day,has", "note,region,income,day,has,Note"), "", {}),
    "French numbers of Excel": ("data.csv", rewritten(lambda c: ";".join([c[0], f"{int(c[1]):,}".replace(",", "\u00a0"), c[2], c[3]])).replace(
        "region,income,day,has", "region;income;day;has"), 'thousands = "\u00a0"', {}),
    "dates of SAS": ("data.csv", rewritten(lambda c: f"{c[0]},{c[1]},{c[2][8:]}FEB{c[2][:4]},{c[3]}"), "", {"day": 'date_format = "%d%b%Y"'}),
    "one and nought": ("data.csv", TIDY.replace("true", "1").replace("false", "0"), "", {}),
}


class FirstUse(FolderTest):
    def released(self, path, content, of_table="", of_columns=None, name=""):
        """What is published of the file, or of several, at a budget at which noise moves nothing by more than a few."""
        for number, part in enumerate(content if isinstance(content, list) else [content]):
            pathlib.Path(re.sub(r"[*?]", str(number), path)).write_bytes(part if isinstance(part, bytes) else part.encode())
        made = run("catalog", "new", path)
        self.assertEqual((made.returncode, made.stderr), (0, ""), path)
        catalog = self.content("catalog.toml").replace("# epsilon = 1.0 ", "epsilon = 9000 ")
        catalog = catalog.replace('# unit = "person_id"', f'unit = "row"\n{of_table}')
        catalog = catalog.replace("\nnote = {}", "")
        self.assertEqual("# TAGS: a list or an object" in catalog, "lists, in capitals" in name)
        for name, declared in COLUMNS.items():
            more = (of_columns or {}).get(name, "")
            catalog = re.sub(rf"^{name} = {{.*}}$", lambda _: f"{name} = {{ {declared}{', ' + more if more else ''} }}", catalog, flags=re.M | re.I)
        self.file("catalog.toml", catalog)
        checked = run("catalog", "check", "catalog.toml")
        self.assertEqual((checked.returncode, checked.stderr), (0, ""), checked.stdout)
        values = []
        for sql, epsilon in STATEMENTS.items():
            asked = run("query", "--catalog", "catalog.toml", sql, "--epsilon", str(epsilon), "--json", XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))
            self.assertEqual((asked.returncode, asked.stderr), (0, ""), asked.stdout)
            for row in json.loads(asked.stdout)["statistics"][0]["rows"]:
                values += [cell["value"] for cell in row.values() if isinstance(cell, dict)]
        for left in os.listdir("."):
            if left.startswith(("catalog", "data")):
                os.remove(left)
        return values

    def test_messy_files_give_what_their_tidy_twins_give(self):
        truth = [1201200, 570570, 40, 20, 30, 32]
        for name, (path, content, of_table, of_columns) in {"tidy": ("data.csv", TIDY, "", {}), **FILES}.items():
            with self.subTest(name):
                for value, exact in zip(self.released(path, content, of_table, of_columns, name), truth, strict=True):
                    self.assertAlmostEqual(value, exact, delta=500 if exact > 1000 else 0)

    def test_without_the_declaration_cells_are_null_and_the_steward_is_told_what_to_write(self):
        path, content, _, _ = FILES["German Excel"]
        self.file(path, content)
        self.assertEqual(run("catalog", "new", path).returncode, 0)
        catalog = self.content("catalog.toml").replace("# epsilon = 1.0 ", "epsilon = 1 ").replace('# unit = "person_id"', 'unit = "row"')
        for name, declared in COLUMNS.items():
            catalog = re.sub(rf"^{name} = {{.*}}$", f"{name} = {{ {declared} }}", catalog, flags=re.M)
        self.file("catalog.toml", catalog)
        told = run("catalog", "check", "catalog.toml", "--data")
        self.assertEqual((told.returncode, told.stderr), (0, ""))
        self.assertIn("for the steward alone", told.stdout)
        self.assertIn('day: 60 cells cannot be read and count as NULL; add date_format = "%d.%m.%Y" to the column', told.stdout)
        self.assertIn('decimal_mark = ",", thousands = "."', told.stdout)
        counted = json.loads(run("catalog", "check", "catalog.toml", "--data", "--json").stdout)["tables"][0]
        self.assertEqual(counted["rows"], 60)
        self.assertEqual([column["unreadable"] for column in counted["columns"]], [0, 59, 60, 0])
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_a_column_with_points_in_a_table_with_decimal_commas_is_told_so(self):
        self.file("data.csv", "a;b\n" + "1,5;2.5\n" * 9)
        self.file("catalog.toml", '[budget]\nepsilon = 1\n[tables.data]\nsource = "data.csv"\ndelimiter = ";"\ndecimal_mark = ","\nunit = "row"\n'
                  '[tables.data.columns]\na = { type = "real" }\nb = { type = "real" }\n')
        told = run("catalog", "check", "catalog.toml", "--data").stdout
        self.assertIn('b: 9 cells cannot be read and count as NULL; add decimal_mark = "." to the column', told)
        self.file("catalog.toml", self.content("catalog.toml").replace('b = { type = "real" }', 'b = { type = "real", decimal_mark = "." }'))
        self.assertNotIn("cannot be read", run("catalog", "check", "catalog.toml", "--data").stdout)

    def test_rows_without_a_declared_key_count_under_the_rest(self):
        self.file("data.csv", "region,size\n" + "north,1\n" * 20 + ",2\n" * 30 + "Atlantis,3\n" * 40 + "south,4\n" * 50)
        catalog = ('[budget]\nepsilon = 9000\n[tables.data]\nsource = "data.csv"\nunit = "row"\n[tables.data.columns]\n'
                   'region = { type = "string", keys = ["north", "south"], rest = "elsewhere", labels = { elsewhere = "Elsewhere" } }\n'
                   'size = { type = "integer", lower = 0, upper = 9 }\n')
        self.file("catalog.toml", catalog)
        told = run("catalog", "check", "catalog.toml", "--data")
        self.assertIn("region: 40 values are none of the keys, so that their rows count under the rest", told.stdout)
        for sql, expected in (("SELECT region, COUNT(*) AS n FROM data GROUP BY region", {"north": 20, "south": 50, "elsewhere": 70}),
                              ("SELECT region AS r, SUM(size) AS n FROM data GROUP BY 1 ORDER BY region", {"elsewhere": 180, "north": 20, "south": 200})):
            with self.subTest(sql):
                asked = run("query", "--catalog", "catalog.toml", sql, "--epsilon", "1000", "--json")
                self.assertEqual((asked.returncode, asked.stderr), (0, ""), asked.stdout)
                rows = json.loads(asked.stdout)["statistics"][0]["rows"]
                self.assertEqual([(next(iter(row.values())), row["n"]["value"]) for row in rows], list(expected.items()))
        self.file("catalog.toml", catalog.replace(', rest = "elsewhere", labels = { elsewhere = "Elsewhere" }', ""))
        self.assertIn("region: 40 values are none of the keys, so that their rows are in no group; add rest = ",
                      run("catalog", "check", "catalog.toml", "--data").stdout)

    def test_a_rest_that_is_none_is_refused(self):
        for declared, sentence in (('keys = ["a"], rest = "a"', "choose a value that stands for none of them"), ('rest = "a"', "declare keys, or leave rest out"),
                                   ('keys = ["a"], rest = 1', "a key of the column 'k' must be a text")):
            with self.subTest(declared):
                self.file("catalog.toml", '[budget]\nepsilon = 1\n[tables.data]\nsource = "data.csv"\nunit = "row"\n[tables.data.columns]\n'
                          f'k = {{ type = "string", {declared} }}\n')
                told = run("catalog", "check", "catalog.toml")
                self.assertEqual(told.returncode, 2)
                self.assertIn(sentence, told.stdout)

    def test_kinds_of_files_that_cannot_be_read_get_a_sentence_that_helps(self):
        for name, advice in (("people.xlsx", "save the sheet as CSV"), ("people.csv.xz", "unpack it, or pack it as .csv.gz or .csv.zst"),
                             ("people.parquet.gz", "which is compressed within; unpack it"), ("people.dta", "is a file of Stata; write it as CSV or Parquet there"),
                             ("people.sav", "is a file of SPSS; write it"), ("people.txt", "rename the file"),
                             ("people.json", "COPY (FROM 'people.json') TO 'people.jsonl'"), ("part-*.csv", "no file has a name such as 'part-*.csv'"),
                             ("people.jsonl", "write every record as an object on a line of its own")):
            if "*" not in name:
                self.file(name, "x")
            done = run("catalog", "new", name)
            self.assertEqual(done.returncode, 1 if "*" in name else 2, name)
            self.assertIn(advice, done.stderr)

    def test_a_first_line_without_names_gets_a_sentence_that_helps(self):
        for content, advice in (("", "is empty, where the names of the columns stand; put them there"),
                                ("\n1,2\n", "is empty, where the names of the columns stand; put them there"),
                                ("# exported today\na,b\n1,2\n", "is a comment; remove what stands before the line with the names")):
            self.file("people.csv", content)
            done = run("catalog", "new", "people.csv")
            self.assertEqual((done.returncode, done.stdout), (2, ""), content)
            self.assertIn(advice, done.stderr)

    def test_columns_that_no_catalog_can_name_are_left_out_and_said(self):
        self.file("people.csv", ",age, income,x,X\n0,30,1,2,3\n")
        done = run("catalog", "new", "people.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("catalog.toml names the one column of people.csv", done.stdout)
        sentences = ["column 1 is left out, since its name cannot stand in a catalog: it is empty; where it is needed, rename it in the file",
                     "column 3 is left out, since its name cannot stand in a catalog: it begins or ends with a blank;",
                     "column 4 is left out, since its name cannot stand in a catalog: it is that of another one, up to case;", "column 5 is left out"]
        for sentence in sentences:
            self.assertIn(sentence, done.stdout)
            self.assertIn("# " + sentence, self.content("catalog.toml"))
        os.remove("catalog.toml")
        for content, advice in ((",", "rename it in the file"), ("sep=;\nregion;income\n", "only tells Excel how cells are parted; remove it"),
                                ("größe;income\n".encode("latin-1"), "the name of column 1 of 'people.csv' is not UTF-8; save the file in UTF-8")):
            pathlib.Path("people.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
            done = run("catalog", "new", "people.csv")
            self.assertEqual(done.returncode, 2, content)
            self.assertIn(advice, done.stderr)
        self.file("people.csv", "Table 1: Income by region\n\nregion,income\n")
        self.assertIn("where its first line is a title, remove what stands before the line with the names", run("catalog", "new", "people.csv").stdout)

    def test_the_advice_to_the_steward_is_accepted_and_reads_the_cells(self):
        cells = {"integer": {"1\u00a0234": 'thousands = "\u00a0"', "1\u202f234": 'thousands = "\u202f"', "1'234": "thousands = \"'\"", "NA": 'missing = ["NA"]', "\\N": 'missing = ["\\\\N"]', "..": 'missing = [".."]'},
                 "real": {"1.234,5": 'decimal_mark = ",", thousands = "."', "1\u00a0234,5": 'decimal_mark = ",", thousands = "\u00a0"', "1,5": 'decimal_mark = ","', "-": 'missing = ["-"]'},
                 "date": {"29.02.2020 12:30": 'date_format = "%d.%m.%Y %H:%M"', "29FEB2020": 'date_format = "%d%b%Y"', "2020-02-29T01:02:03.5Z": 'date_format = "%Y-%m-%dT%H:%M:%S.%fZ"', "N/A": 'missing = ["N/A"]'},
                 "boolean": {"WAHR": 'true_words = ["wahr"], false_words = ["falsch"]', "non": 'true_words = ["oui"], false_words = ["non"]', "NULL": 'missing = ["NULL"]'}}
        for declared, of_type in cells.items():
            names = [f"c{i}" for i in range(len(of_type))]
            self.file("data.csv", ";".join(names) + "\n" + (";".join(of_type) + "\n") * 5)
            lines = {name: f'type = "{declared}"' for name in names}
            def catalog():
                self.file("catalog.toml", '[budget]\nepsilon = 1\n[tables.data]\nsource = "data.csv"\ndelimiter = ";"\nunit = "row"\n[tables.data.columns]\n'
                          + "".join(f"{name} = {{ {line} }}\n" for name, line in lines.items()))
                return json.loads(run("catalog", "check", "catalog.toml", "--data", "--json").stdout)["tables"][0]["columns"]
            for (cell, advice), found in zip(of_type.items(), catalog(), strict=True):
                with self.subTest(cell):
                    self.assertEqual((found["unreadable"], found["advice"]), (5, advice))
                    lines[found["name"]] += f", {advice}"
            self.assertEqual([one["unreadable"] for one in catalog()], [0] * len(names))

    def test_words_for_missing_are_told_beside_what_else_is_written_otherwise(self):
        self.file("data.csv", "a;b\n" + "1,5;NA\n" * 6 + "NA;1\n" * 3)
        self.file("catalog.toml", '[budget]\nepsilon = 1\n[tables.data]\nsource = "data.csv"\ndelimiter = ";"\nunit = "row"\n'
                  '[tables.data.columns]\na = { type = "real" }\nb = { type = "real", missing = [-9] }\n')
        told = run("catalog", "check", "catalog.toml", "--data").stdout
        self.assertIn('a: 9 cells cannot be read and count as NULL; add decimal_mark = ",", missing = ["NA"] to the column', told)
        self.assertIn("b: 6 cells cannot be read and count as NULL; declare how they are written, or those that mean missing; what no", told)

    def test_a_file_in_another_encoding_is_told_so(self):
        pathlib.Path("data.csv").write_bytes("region,size\nKöln,1\nBonn,2\n".encode("latin-1"))
        self.file("catalog.toml", '[budget]\nepsilon = 1\n[tables.data]\nsource = "data.csv"\nunit = "row"\n[tables.data.columns]\n'
                  'region = { type = "string" }\nsize = { type = "integer" }\n')
        self.assertIn("region: 1 cell cannot be read and counts as NULL; save the file in UTF-8, which this is not", run("catalog", "check", "catalog.toml", "--data").stdout)

    def test_utf_16_is_named_in_every_order_of_bytes(self):
        for encoding in ("utf-16", "utf-16-be"):
            mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
            pathlib.Path("people.csv").write_bytes(mark + TIDY.replace("\n", "\r\n").encode(encoding))
            done = run("catalog", "new", "people.csv")
            self.assertEqual(done.returncode, 2)
            self.assertIn("is written in UTF-16; save it in UTF-8", done.stderr)

    def test_a_damaged_gzip_fails_as_a_whole_and_costs_nothing(self):
        packed = gzip.compress(TIDY.encode())
        flipped = bytearray(packed)
        flipped[len(packed) // 2] ^= 0xFF
        catalog = "[budget]\nepsilon = 9\n[tables.data]\nsource = \"data.csv.gz\"\nunit = \"row\"\n[tables.data.columns]\n" + "".join(
            f"{name} = {{ {declared} }}\n" for name, declared in COLUMNS.items())
        self.file("catalog.toml", catalog)
        sentences = set()
        for content in (packed[:-9], packed[:60], packed + b"more", bytes(flipped), b"not packed", b"", packed[:-8] + bytes(8)):
            pathlib.Path("data.csv.gz").write_bytes(content)
            for sql in STATEMENTS:
                done = run("query", "--catalog", "catalog.toml", sql, "--epsilon", "1")
                self.assertEqual((done.returncode, done.stdout), (1, ""), content[:20])
                sentences.add(done.stderr)
        self.assertEqual(len(sentences), 1)
        self.assertIn("data.csv.gz' is damaged, or is not what its name says; pack it anew", sentences.pop())
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_a_damaged_zstandard_file_fails_as_a_whole_and_costs_nothing(self):
        packed = zstd(TIDY.encode())
        self.file("catalog.toml", "[budget]\nepsilon = 9\n[tables.data]\nsource = \"data.csv.zst\"\nunit = \"row\"\n[tables.data.columns]\n" + "".join(
            f"{name} = {{ {declared} }}\n" for name, declared in COLUMNS.items()))
        sentences = set()
        for content in (packed[:-9], packed[:60], packed + b"more", packed + b"x", zstd(TIDY.encode(), last=False), b"not packed", b"",
                        gzip.compress(TIDY.encode())):
            pathlib.Path("data.csv.zst").write_bytes(content)
            for sql in STATEMENTS:
                done = run("query", "--catalog", "catalog.toml", sql, "--epsilon", "1")
                self.assertEqual((done.returncode, done.stdout), (1, ""), content[:20])
                sentences.add(done.stderr)
        self.assertEqual(len(sentences), 1)
        self.assertIn("data.csv.zst' is damaged, or is not what its name says; pack it anew", sentences.pop())
        self.assertFalse(os.path.exists("catalog.ledger"))

    def test_nothing_is_left_of_what_was_unpacked(self):
        os.mkdir("temporary")
        pathlib.Path("data.csv.gz").write_bytes(gzip.compress(TIDY.encode()))
        catalog = "[budget]\nepsilon = 9000\n[tables.data]\nsource = \"data.csv.gz\"\nunit = \"row\"\n[tables.data.columns]\n" + "".join(
            f"{name} = {{ {declared} }}\n" for name, declared in COLUMNS.items())
        self.file("catalog.toml", catalog)
        done = run("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM data", "--epsilon", "1000", "--json",
                   TMPDIR=os.path.join(os.getcwd(), "temporary"), XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))
        self.assertEqual(json.loads(done.stdout)["statistics"][0]["rows"][0]["n"]["value"], 60)
        self.assertEqual(os.listdir("temporary"), [])
        full = run("query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM data", "--epsilon", "1000",
                   TMPDIR=os.path.join(os.getcwd(), "no such folder"))
        self.assertIn("make room there, or name another folder in the environment as TMPDIR", full.stderr)

    def test_an_accuracy_and_an_epsilon_are_both_kept(self):
        self.file("data.csv", TIDY)
        catalog = "[budget]\nepsilon = 9\n[tables.data]\nsource = \"data.csv\"\nunit = \"row\"\n[tables.data.columns]\n" + "".join(
            f"{name} = {{ {declared} }}\n" for name, declared in COLUMNS.items())
        self.file("catalog.toml", catalog)
        asked = ["query", "--catalog", "catalog.toml", "SELECT COUNT(*) AS n FROM data", "--json", "--epsilon", "1", "--accuracy"]
        cheap = json.loads(run(*asked, "30", XDG_STATE_HOME=os.path.join(os.getcwd(), "state")).stdout)
        self.assertLess(cheap["guarantee"]["epsilon"], 0.2)
        self.assertLessEqual(cheap["statistics"][0]["rows"][0]["n"]["accuracy"], 30)
        dear = run(*asked, "1", XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))
        self.assertEqual(dear.returncode, 2)
        self.assertIn("raise the budget, or relax the accuracy", dear.stderr)


class Limits(FolderTest):
    CATALOG = """[budget]
epsilon = 9000

[tables.items]
source = "items.csv"
unit = "customer"

[tables.items.columns]
customer = { type = "integer" }
price = { type = "integer", lower = 0, upper = 10 }
"""

    def asked(self, catalog, *options):
        self.file("items.csv", "customer,price\n" + "".join(f"{i % 100},5\n" for i in range(1000)))
        self.file("shop.toml", catalog)
        return run("query", "--catalog", "shop.toml", "SELECT COUNT(*) AS n FROM items", "--epsilon", "900", "--json", *options,
                   XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))

    @staticmethod
    def value(done):
        return json.loads(done.stdout)["statistics"][0]["rows"][0]["n"]["value"]

    def test_one_row_of_each_unit_counts_and_that_is_said_before_it_is_paid_for(self):
        self.assertEqual(self.value(self.asked(self.CATALOG)), 100)
        master, terminal = pty.openpty()
        words = ("query", "--catalog", "shop.toml", "SELECT COUNT(*) AS n FROM items", "--epsilon", "900")
        done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=terminal, stdin=subprocess.DEVNULL, text=True, check=True,
                              timeout=120, env={**ENVIRONMENT, "XDG_STATE_HOME": os.path.join(os.getcwd(), "state")})
        os.close(terminal)
        said = os.read(master, 4096).decode()
        os.close(master)
        self.assertTrue(said.startswith("vernier: of each customer at most 1 row counts, since nothing says how many may; write --max-rows R "
                                        "and --max-groups M, or max_rows and max_groups of the table"), said)
        self.assertIn("of each customer at most 1 row counts\n", done.stdout)

    def test_limits_that_are_stated_are_kept_without_a_word(self):
        done = self.asked(self.CATALOG, "--max-rows", "10")
        self.assertEqual((done.stderr, self.value(done)), ("", 1000))
        done = self.asked(self.CATALOG.replace("unit =", "max_rows = 4\nunit ="))
        self.assertEqual((done.stderr, self.value(done)), ("", 400))
        done = self.asked(self.CATALOG.replace("unit =", "max_rows = 4\nunit ="), "--max-rows", "10")
        self.assertEqual((done.stderr, self.value(done)), ("", 1000))

    def test_a_plan_says_what_counts_of_each_unit(self):
        self.asked(self.CATALOG)
        study = 'catalog = "shop.toml"\nbudget = { epsilon = 1 }\n[[statistic]]\nname = "n"\nsql = "SELECT COUNT(*) AS n FROM items"\n'
        self.file("study.toml", study)
        self.assertIn("n: of each customer at most 1 row counts; nothing says how many may, so write max_rows and max_groups\n",
                      run("plan", "study.toml").stdout)
        self.file("study.toml", study + "max_rows = 10\n")
        self.assertIn("n: of each customer at most 10 rows count\n", run("plan", "study.toml").stdout)

    def test_a_row_that_is_a_unit_has_no_limits(self):
        done = self.asked(self.CATALOG.replace('unit = "customer"', 'unit = "row"\nmax_rows = 2'))
        self.assertEqual(done.returncode, 2)
        self.assertIn("max_rows of the table 'items' is for units with several rows, but here every row is one; leave it out", done.stderr)


class Ledgers(FolderTest):
    def spend(self, catalog):
        return run("query", "--catalog", catalog, "SELECT COUNT(*) AS n FROM t", "--epsilon", "0.75", XDG_STATE_HOME=os.path.join(os.getcwd(), "state"))

    def test_two_catalogs_in_a_folder_have_a_ledger_each(self):
        self.file("t.csv", "x\n1\n")
        for name in ("north.toml", "south.toml"):
            self.file(name, '[budget]\nepsilon = 1\n[tables.t]\nsource = "t.csv"\nunit = "row"\n[tables.t.columns]\nx = { type = "integer" }\n')
            self.assertEqual(self.spend(name).returncode, 0)
        self.assertTrue(os.path.exists("north.ledger") and os.path.exists("south.ledger"))
        self.assertNotEqual(self.spend("north.toml").returncode, 0)

    def test_a_ledger_of_the_former_name_is_not_forgotten(self):
        self.file("t.csv", "x\n1\n")
        text = '[budget]\nepsilon = 1\n{}[tables.t]\nsource = "t.csv"\nunit = "row"\n[tables.t.columns]\nx = {{ type = "integer" }}\n'
        self.file("north.toml", text.format('ledger = "catalog.ledger"\n'))
        self.assertEqual(self.spend("north.toml").returncode, 0)
        self.file("north.toml", text.format(""))
        refused = self.spend("north.toml")
        self.assertEqual(refused.returncode, 2)
        self.assertIn('write ledger = "catalog.ledger" into [budget] to go on with it, or ledger = "north.ledger" to begin another', refused.stderr)
        self.file("north.toml", text.format('ledger = "north.ledger"\n'))
        self.assertEqual(self.spend("north.toml").returncode, 0)


if __name__ == "__main__":
    unittest.main()
