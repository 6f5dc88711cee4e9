"""Random studies, and what an optimiser has to know of each: the distinct numbers that must be measured."""

import random

KINDS = ("counts", "sums", "means", "repeated", "exclusive", "mixed", "together")
DELTA = 1e-7  # a tenth of the catalog's
CATALOG = """[budget]
epsilon = 1000
delta = 1e-6
[tables.people]
source = "people.csv"
unit = "row"
row_limit = 1000000
[tables.people.columns]
x = { type = "integer", lower = 0, upper = 100, never_null = true }
y = { type = "integer", lower = 0, upper = 20, never_null = true }
z = { type = "integer", lower = 0, upper = 1000, never_null = true }
"""
UPPER = {"x": 100, "y": 20, "z": 1000}
ROWS = 1000  # for which the accuracy of a mean is stated


def name(kind, number):
    return f"{kind} {number}"


class Study:
    """Statements with a target each, and the items (steps, shift, coordinates) of the least plan."""

    def __init__(self, kind, number):
        self.kind, self.statements, self.items, self.box = kind, [], [], None
        draw = random.Random(f"{kind} {number}")
        getattr(self, kind)(draw)

    def ask(self, sql, accuracy):
        self.statements.append((sql, accuracy))

    def count(self, draw, place):
        steps = draw.randint(3, 300)
        self.ask(f"SELECT COUNT(*) AS n FROM people WHERE x > {place}", steps)
        self.items.append((steps, 1, 1))

    def sum(self, draw, place):
        column = draw.choice("xyz")
        steps = UPPER[column] * draw.randint(3, 100)
        self.ask(f"SELECT SUM({column}) AS n FROM people WHERE x > {place}", steps)
        self.items.append((steps, UPPER[column], 1))

    def mean(self, draw, place):
        column = draw.choice("xyz")
        accuracy = UPPER[column] * draw.randint(5, 100) / ROWS
        self.ask(f"SELECT AVG({column}) AS n FROM people WHERE x > {place}", accuracy)
        self.items.append((int(accuracy * ROWS + 1e-9), UPPER[column], 1))

    def several(self, draw, *makers):
        for place in range(draw.randint(1, 4)):
            draw.choice(makers)(draw, place)

    def counts(self, draw):
        self.several(draw, self.count)

    def sums(self, draw):
        self.several(draw, self.sum)

    def means(self, draw):
        self.several(draw, self.mean)

    def mixed(self, draw):
        self.several(draw, self.count, self.sum, self.mean)

    def repeated(self, draw):
        """The same number several times: the strictest target decides."""
        targets = [draw.randint(3, 300) for _ in range(draw.randint(2, 5))]
        for target in targets:
            self.ask("SELECT COUNT(*) AS n FROM people", target)
        self.items.append((min(targets), 1, 1))

    def exclusive(self, draw):
        """Filters of which a row satisfies one at most, beside a number of all rows."""
        targets = [draw.randint(3, 300) for _ in range(draw.randint(2, 12))]
        for place, target in enumerate(targets):
            self.ask(f"SELECT COUNT(*) AS n FROM people WHERE y = {place}", target)
        whole = draw.randint(3, 300)
        self.ask("SELECT COUNT(*) AS n FROM people", whole)
        self.items += [(min(targets), 1, 1), (whole, 1, 1)]

    def together(self, draw):
        """COUNT(*) and means in one statement: apart, or in one box, whose price is that of one number."""
        columns = draw.sample("xyz", draw.randint(1, 3))
        margins = [draw.randint(5, 200) for _ in range(len(columns) + 1)]
        asked = ["COUNT(*) AS n"] + [f"AVG({one}) AS {one}" for one in columns]
        accuracies = {"n": margins[0]}
        self.items.append((margins[0], 1, 1))
        for column, margin in zip(columns, margins[1:]):
            accuracies[column] = UPPER[column] * margin / ROWS
            self.items.append((UPPER[column] * margin, UPPER[column], 1))
        self.statements.append((f"SELECT {', '.join(asked)} FROM people", accuracies))
        # In rows, and in half ranges times rows.
        self.box = {"numbers": len(margins), "rows": margins[0] + 0.5, "values": [2 * one for one in margins[1:]]}

    def text(self, catalog):
        parts = [f'catalog = "{catalog}"']
        for place, (sql, accuracy) in enumerate(self.statements):
            named = accuracy if isinstance(accuracy, dict) else {"n": accuracy}
            stated = ", ".join(f"{column} = {one}" for column, one in named.items())
            parts.append(f'[[statistic]]\nname = "s{place}"\nsql = "{sql}"\naccuracy = {{ {stated} }}')
        return "\n".join(parts) + "\n"
