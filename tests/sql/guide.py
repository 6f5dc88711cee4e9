"""The page of all statements of the corpus, as docs/guide/statements.md has it. Usage: guide.py PROGRAM [--write]

Without --write it fails where the page is another one.
"""
import os
import subprocess
import sys
import tempfile

from corpus_test import FILES, HERE, PROGRAM, cases, make_files

PAGE = os.path.join(HERE, "..", "..", "docs", "guide", "statements.md")
HEAD = """# Every statement of the tests

What becomes of each statement of [tests/sql](../../tests/sql/README.md): every accepted one is compared with DuckDB's own answer, and of the refused ones the sentence and what it advises are tried. [The SQL that is private](sql.md) says what it all means. This page is made by `tests/sql/guide.py`.

The tables are `people` (every row is a unit), `visits` (unit `person_id`) and the public `regions`, in a second catalog `stays` (unit `patient`) and the public `wards`, and in a third `calls` (unit `caller`).
"""


def title_of(path):
    with open(path, encoding="utf-8") as file:
        return next((line[1:].strip() for line in file if line.startswith("#")), os.path.basename(path)).rstrip(".")


def told(catalog, statement):
    done = subprocess.run([PROGRAM, "sql", f"{catalog}.toml", statement], capture_output=True, text=True, check=False)
    return done.stderr.split("\n")[0].removeprefix("vernier: ")


def section_of(path):
    accepted, refused = [], []
    for catalog, verdict, statement, instead in cases(path):
        if verdict.startswith("accepted"):
            accepted.append(statement)
            continue
        short = statement if len(statement) < 400 else statement[:397] + "..."
        refused.append("\n".join([short, "", "  " + told(catalog, statement)] + [f"  -> {one}" for one in instead]))
    text = f"\n## {title_of(path)}\n"
    if accepted:
        text += "\n```text\n" + "\n".join(accepted) + "\n```\n"
    if refused:
        text += "\nRefused:\n" + "".join(f"\n```text\n{one}\n```\n" for one in refused)
    return text


def page():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make_files()
        text = HEAD + "".join(section_of(path) for path in FILES)
        os.chdir(HERE)
    return text


def main():
    made = page()
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(made)
        return 0
    with open(PAGE, encoding="utf-8") as file:
        if file.read() == made:
            print("the page is that of the statements")
            return 0
    print("docs/guide/statements.md is not what tests/sql/guide.py makes; run it with --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
