# %% [markdown]
# # Choosing a budget by accuracy: a small survey
#
# "Which epsilon should we use?" has no answer by itself. "How wrong may a published number be?" has one, and the people who asked for the survey know it. This notebook goes from the
# second question to the first, for a survey of 800 employees: how many are content in each of four departments, and how many hours they work.

# %%
import matplotlib.pyplot as plt
import numpy as np
import vernier as vn

plt.rcParams.update({"figure.figsize": (7, 3.6), "figure.dpi": 72})

# %% [markdown]
# ## One number
#
# A count that is right within ±10, 95 % of the time. Counts are whole numbers, so the noise is `geometric`, the whole-number form of Laplace noise.

# %%
count = vn.calibrate("geometric", accuracy=10)
count

# %% [markdown]
# The other way round, to see what a little more or less would cost:

# %%
for accuracy in (5, 10, 20, 40):
    one = vn.calibrate("geometric", accuracy=accuracy)
    print(f"within ±{accuracy:2}: epsilon {one.epsilon:.4f}")

# %% [markdown]
# Half the error costs twice the budget. That is the whole trade: there is no clever place on this line, only a price.

# %% [markdown]
# ## How accurate is accurate enough?
#
# The 800 are a sample of 20,000 employees. If half of them are content, the count among 800 differs from its expectation by chance already:

# %%
sampling = 1.96 * np.sqrt(800 * 0.5 * 0.5)
print(f"sampling error: ±{sampling:.0f} people of 800")

# %% [markdown]
# Noise of ±10 beside a sampling error of ±28 widens the interval to about $\sqrt{28^2 + 10^2} \approx 30$. Noise of ±5 would cost twice as much and make it 28: not worth it. A rule of thumb:
# **noise of a third of the sampling error is nearly free of loss; finer is wasted budget.**

# %% [markdown]
# ## Four numbers that hold together
#
# A table has four departments. Each person is in one of them, so the table costs no more than one count. But a reader looks at all four numbers, and "95 % of the time" should be said of the table:

# %%
table = vn.calibrate("geometric", accuracy=10, cells=4)
print(f"one cell: epsilon {count.epsilon:.4f}; all four together: epsilon {table.epsilon:.4f}")

# %% [markdown]
# ## Several questions
#
# Three such tables: content, hours, plans to leave. Costs add up; how much, `vn.compose` knows, from above and from below.

# %%
survey = vn.compose(vn.Event(table, times=3), delta=1e-6)
survey

# %% [markdown]
# Three releases are few: the sum of the epsilons is about the best that can be said. With many, it is not. Suppose the survey is repeated every month for four years:

# %%
for months in (1, 12, 48):
    cost = vn.compose(vn.Event(table, times=3 * months), delta=1e-6)
    print(f"{months:2} months: epsilon {cost.epsilon.upper:6.3f} by {cost.method}; plain addition says {3 * months * table.epsilon:.3f}")

# %%
vn.compose(vn.Event(table, times=3 * 48), delta=1e-6).plot();

# %% [markdown]
# And if the board grants epsilon 5 for the four years? Leave the scale open and let it be found:

# %%
granted = vn.compose(vn.Event("discrete-gaussian", times=3 * 48), epsilon=5, delta=1e-6, solve="scale")
within = vn.accuracy("discrete-gaussian", scale=granted.scale, cells=4)
print(f"scale {granted.scale:.3f}: every table within ±{within}")

# %% [markdown]
# ## Does it hold?
#
# A promise about intervals can be tested before anybody's data is touched: invent a population, draw surveys of 800 from it, release them, count. Here the share of the content, half of the
# population, with the budget of one table:

# %% tags=["random"]
check = vn.coverage(distribution="two-point,share=0.5", statistic="proportion", covers="population", size=800,
                    epsilon=[0.1, 0.2, float(f"{table.epsilon:.3f}"), 0.6, 1], simulations=1000, progress=False)
check.plot();

# %%
check.refuted

# %% [markdown]
# The widths show the rule of thumb at work: from a point on, more budget hardly narrows the interval.

# %% tags=["random"]
plt.plot(check.points["epsilon"], 800 * check.points["width"] / 2, "o-")
plt.xlabel("epsilon")
plt.ylabel("± people of 800, noise and sampling")
plt.ylim(0);

# %% [markdown]
# ## What to write down
#
# 1. The error that the readers can live with, and for how many numbers together it shall hold.
# 2. The epsilon that this costs, once and over the years: computed, not chosen.
# 3. What the interval covers: the people who were asked, or those whom they stand for.
#
# The next notebook does all of this with real rows: the accuracy stands in the study, and the plan tells the price before anything is spent.
