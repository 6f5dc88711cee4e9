# %% [markdown]
# # A release from a pandas frame
#
# From rows in memory to published numbers, each with an interval: what a steward declares, what an analyst asks, what it costs, what comes out, and how a stranger checks it. The data are an invented survey of
# 2,400 employees.

# %%
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import vernier as vn

plt.rcParams.update({"figure.figsize": (7, 3.6), "figure.dpi": 72})

# %% [markdown]
# ## The rows

# %%
person = np.arange(2400)
frame = pd.DataFrame({
    "person": person,
    "department": np.array(["sales", "research", "production", "service"])[np.digitize(37 * person % 100, [40, 65, 90])],
    "hours": 30 + (7 * person + person // 13) % 17,
    "content": (person % 5 < 3).astype(int),
})
frame.head(3)

# %% [markdown]
# ## What the steward declares
#
# Nothing is learned from the data: types, bounds and keys stand in the catalog, and so does whose data it is (`unit`: one person) and what may be spent on all studies together, for ever. The same
# could be a TOML file; `to_toml()` writes it.

# %%
folder = tempfile.mkdtemp()  # a real ledger lives in one place and stays there

people = vn.Table(
    columns={
        "person": vn.Column("integer"),
        "department": vn.Column("string", keys=["sales", "research", "production", "service"]),
        "hours": vn.Column("integer", bounds=(0, 60)),
        "content": vn.Column("integer", bounds=(0, 1)),
    },
    unit="person",
    max_rows=1,  # everybody has one row, in one department
    max_groups=1,
    data=frame,
)
catalog = vn.Catalog(vn.Budget(epsilon=2, delta=1e-6), {"people": people}, folder=folder)
catalog

# %% [markdown]
# ## What the analyst asks
#
# Two tables, with the accuracy that their readers need: within 15 people, within half an hour. No epsilon is stated; the plan finds the least that will do.

# %%
study = vn.Study(catalog, name="departments", statistics=[
    vn.Statistic("staff", "SELECT department, COUNT(*) AS people FROM people GROUP BY department", accuracy={"people": 15}),
    vn.Statistic("work", "SELECT AVG(hours) AS hours, AVG(content) AS content FROM people", accuracy={"hours": 0.5, "content": 0.03},
                 typical_rows=2400),
])

# %% [markdown]
# ## What it will cost
#
# Planning reads no row and spends nothing. It may be repeated until everybody agrees.

# %%
plan = vn.plan(study)
plan

# %%
plan.plot();

# %% [markdown]
# ## The release
#
# Now the price is written into the ledger, then the rows are read (as Arrow, without a copy), then noise is added. The order matters: had the machine failed in between, the budget would be spent all the same. There is no way to the
# numbers before the noise, and no seed. Run the cell again and the stored answer comes, for nothing: `again=True` pays for new noise.

# %% tags=["random"]
release = vn.release(study, progress=False)
release

# %% tags=["random"]
release["staff"].plot();

# %% [markdown]
# The data are invented, so for once we may look whether the intervals hold. Each does with probability 95 %, so one of the four misses now and then; `simultaneous=True` in the statistic would make
# them hold together.

# %% tags=["random"]
published = release["staff"].to_pandas().set_index("department")
published["exact"] = frame["department"].value_counts()
published["holds"] = published["exact"].between(published["people_low"], published["people_high"])
published

# %% [markdown]
# ## On to other libraries
#
# A released table is a column of keys and, for each number, the value and the ends of its interval. pandas, polars and Arrow take it as it is.

# %% tags=["random"]
release["work"].to_polars()

# %%
release["staff"].to_arrow().schema

# %% [markdown]
# ## A stranger checks it
#
# The record `release.json` names everything that was done: unit, bounds, mechanisms, scales, conversions. `vn.verify` computes every figure again from the record alone, without the data.

# %%
verdict = vn.verify(release)
bool(verdict)

# %% [markdown]
# And if somebody makes a department one person larger?

# %%
count = release["staff"].rows[0]["people"]["value"]
forged = release.record.replace(f'"value":{count}'.encode(), f'"value":{count + 1}'.encode(), 1)
forged == release.record, bool(vn.verify(forged))

# %% [markdown]
# ## The ledger remembers

# %%
ledger = vn.Ledger(catalog)
ledger

# %%
ledger.plot();

# %% [markdown]
# It also refuses. A study that needs more than what is left does not run, whoever asks:

# %%
greedy = vn.Study(catalog, name="greedy", epsilon=1.99, statistics=[vn.Statistic("staff", "SELECT COUNT(*) AS people FROM people")])
try:
    vn.release(greedy, progress=False)
except vn.Error as error:
    print(error)

# %% [markdown]
# ## To try
#
# * Give the same `request="2026-11"` to `vn.release` twice: what is charged the second time?
# * `covers="population"` in a `vn.Statistic`: the 2,400 as a sample of those who might have answered.
# * `vn.release(study, out="departments")` and open `departments/report.html`: the page for those who only want to read.
