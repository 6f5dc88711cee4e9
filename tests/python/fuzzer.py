"""Calls public functions, classes and methods with weird values, and keeps what broke. fuzz.py runs it."""
import inspect
import pickle
import random
import re
import sys
import tempfile
import warnings

from weird import Spite, weird_values

import vernier
import vernier.compat.opendp

# What Python itself says of a call that does not fit a signature.
SIGNATURE = re.compile(r"missing \d+ required|unexpected keyword|positional argument|multiple values|takes no|expected \d+ argument")
# Long by design, and called now and then only: one in so many of their turns.
RARE = {"release": 50, "coverage": 50, "compose": 10, "plan": 10}
# Made by functions; nobody builds one by hand.
RESULTS = {"Balance", "Calibration", "Calibrations", "Composition", "Coverage", "Denoising", "Ends", "History", "Law", "Page", "Plan",
           "Release", "ReleasedTable", "SeriesPlan", "SeriesStep", "Verdict"}
OF_SEQUENCES = {"count", "index"}  # Python's own, which compare whatever they are given
STARTS_PROGRAMS = {"audit", "serve"}  # for ten minutes unless told otherwise, and for good
SIZES = {"size": 1000, "simulations": 20, "points": 5}
# What the people earn. The exact total is what nobody may learn: noise of a scale near the greatest income hits its twelve
# digits in less than one of a million runs.
INCOMES = [700_000_001] * 211
TOTAL = sum(INCOMES)


def targets():
    """Everything public that can be called, by name."""
    for module in (vernier, vernier.compat.opendp):
        for name in module.__all__:
            thing = getattr(module, name)
            if callable(thing) and name not in RESULTS | STARTS_PROGRAMS and not (inspect.isclass(thing) and issubclass(thing, BaseException)):
                yield name, thing


def parameters(thing):
    """Their names, and whether each is needed."""
    try:
        found = [p for p in inspect.signature(thing).parameters.values() if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    except ValueError:
        return {}
    return {p.name: p.default is p.empty for p in found}


# What fits the parameters of these names: half of the values are such, so that calls come far.
FITTING = {
    "mechanism": ["geometric", "laplace", "gaussian", "discrete-gaussian"], "name": ["geometric", "gaussian", "people"],
    "epsilon": [1, 0.5, "0.1"], "delta": [1e-6, 0.01], "alpha": [0.05, 0.5], "scale": [10, 2.5], "accuracy": [50, 3], "sensitivity": [1, 2],
    "events": [["gaussian,scale=20,times=10"], "laplace,scale=5"], "distribution": ["normal", "two-point"], "size": [50], "simulations": [20],
    "sql": ["SELECT COUNT(*) AS n FROM people", "SELECT SUM(income) AS total, AVG(income) AS mean FROM people"], "unit": ["row"],
    "columns": [{"age": vernier.Column("integer", bounds=(0, 100)), "income": vernier.Column("integer", bounds=(0, 10**9))}],
    "x": [0, 1, [1, 2]], "p": [0.5, [0.1, 0.9]], "progress": [False], "type": ["integer", "real"], "bounds": [(0, 1)],
}


def seeds():
    """One of each kind of result and declaration, of a small survey."""
    table = vernier.Table(FITTING["columns"][0], unit="row", row_limit=1000, data={"age": [40] * len(INCOMES), "income": INCOMES})
    catalog = vernier.Catalog(vernier.Budget(epsilon=10_000), {"people": table}, folder=tempfile.mkdtemp(dir="."))
    statistics = [vernier.Statistic(name, sql) for name, sql in zip(("people", "incomes"), FITTING["sql"])]
    study = vernier.Study(catalog, statistics, epsilon=1)
    release = vernier.release(study, progress=False)
    return {"catalog": catalog, "study": study, "release": release, "plan": vernier.plan(study), "ledger": vernier.Ledger(catalog),
            "table": release["people"], "calibration": vernier.calibrate("geometric", epsilon=1), "law": vernier.law("geometric", 2),
            "composition": vernier.compose(FITTING["events"][0], delta=1e-6)}


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = weird_values()
        self.targets = list(targets())
        self.seeds = seeds()
        self.made = list(self.seeds.values())  # results, which are called too
        self.findings = []
        self.sentences = set()  # of errors

    def value(self, name):
        if name in SIZES and self.random.random() < 0.9:
            return self.random.randrange(SIZES[name])
        fitting = [self.seeds[name]] if name in self.seeds else FITTING.get(name)
        if fitting and self.random.random() < 0.6:
            return self.random.choice(fitting)
        return self.random.choice(self.made) if self.random.random() < 0.05 else self.random.choice(self.values)

    def chosen(self):
        """A public callable, or a method or operation of something that was made."""
        if self.random.random() < 0.5:
            name, thing = self.random.choice(self.targets)
            return (name, thing) if self.random.randrange(RARE.get(name, 1)) == 0 else self.chosen()
        made = self.random.choice(self.made)
        if self.random.random() < 0.1:
            return "pickle", lambda: pickle.loads(pickle.dumps(made))
        names = [name for name in dir(made) if (not name.startswith("_") or name in ("__eq__", "__getitem__", "__reduce__")) and name not in OF_SEQUENCES]
        name = self.random.choice([name for name in names if "plot" not in name] or ["__repr__"])
        return f"{type(made).__name__}.{name}", lambda *args, **named: (
            attribute(*args, **named) if inspect.ismethod(attribute := getattr(made, name)) else attribute)

    def call(self):
        name, thing = self.chosen()
        names = parameters(thing)
        given = {n: self.value(n) for n, is_needed in names.items() if self.random.random() < (0.95 if is_needed else 0.4)}
        args = () if names else [self.value("") for _ in range(self.random.randrange(3))]
        try:
            result = thing(*args, **given)
        except vernier.Error as error:
            if len(self.sentences) < 1000:
                self.sentences.add(str(error))
            return
        except (Spite, MemoryError, RecursionError):
            return
        except (AttributeError, pickle.PicklingError) as error:
            if name != "pickle" and "readonly" not in str(error):
                self.findings.append(describe(name, given or args, error))
            return
        except TypeError as error:
            if not SIGNATURE.search(str(error)) and name != "pickle":
                self.findings.append(describe(name, given or args, error))
            return
        except BaseException as error:  # also what is meant to end the process
            self.findings.append(describe(name, given or args, error))
            return
        if type(result).__module__.startswith("vernier") and len(self.made) < 200:
            self.made.append(result)


def describe(name, given, error):
    try:
        return f"{name}({given!r}): {error!r}"[:500]
    except Exception:  # of a value that cannot be shown
        return f"{name}(a spiteful value): {error!r}"[:500]


def prepare():
    """A process that fuzzes: without warnings, and with little room for recursion."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(500)
