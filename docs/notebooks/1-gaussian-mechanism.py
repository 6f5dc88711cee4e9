# %% [markdown]
# # The Gaussian mechanism, and whether its intervals hold
#
# A lecture on differential privacy (CS208, Applied Privacy for Data Science, 2022) introduces the Gaussian mechanism and then asks: *which fraction of
# the confidence intervals contains the true value?* This notebook does both, with invented data, so that it runs anywhere.

# %%
import matplotlib.pyplot as plt
import numpy as np
import vernier as vn

plt.rcParams.update({"figure.figsize": (7, 3.6), "figure.dpi": 72})

# %% [markdown]
# ## The data
#
# The education of 10,000 people, from 1 (no schooling completed) to 16 (doctorate). The numbers of people are invented, in the shape of a census.

# %%
people = [70, 40, 110, 140, 180, 230, 260, 350, 2750, 650, 1450, 680, 2050, 740, 210, 90]
education = np.repeat(np.arange(1, 17), people)
len(education), education.mean()

# %% [markdown]
# ## The mechanism
#
# Publish $M(x) = q(x) + \mathcal{N}(0, \sigma^2)$ with
# $$\sigma = \frac{GS_q}{\epsilon} \sqrt{2 \ln(1.25/\delta)}.$$
#
# Here $q$ is the mean of $n = 500$ values between 1 and 16. If $n$ is public, replacing one person moves the mean by at most $GS_q = 15/500$.

# %%
lecture = vn.calibrate("gaussian", epsilon=0.5, delta=1e-8, sensitivity=15 / 500, calibration="classical")
lecture

# %% [markdown]
# The formula is sufficient, not necessary. The least $\sigma$ that keeps the same promise is the one that `analytic` (the default) finds:

# %%
least = vn.calibrate("gaussian", epsilon=0.5, delta=1e-8, sensitivity=15 / 500)
print(f"lecture {lecture.scale:.4f}, least {least.scale:.4f}: {1 - least.scale / lecture.scale:.0%} less noise")

# %% [markdown]
# And for $\epsilon \ge 1$ the proof behind the formula does not hold. Vernier refuses it there:

# %%
try:
    vn.calibrate("gaussian", epsilon=10, delta=1e-5, calibration="classical")
except vn.Error as error:
    print(error)

# %% [markdown]
# ## The noise
#
# R's `dnorm`, `pnorm`, `qnorm` and `rnorm` are here `pdf`, `cdf`, `quantile` and `sample`. The draws come from the operating system's randomness and have
# no seed, so your picture differs from this one in its details.

# %% tags=["random"]
noise = vn.law("gaussian", least.scale)
x = np.linspace(-4, 4, 201) * least.scale
plt.hist(noise.sample(10_000), bins=60, density=True, color="0.85", label="10,000 draws")
plt.plot(x, noise.pdf(x), label="density")
plt.legend();

# %% [markdown]
# Why not Laplace? For one number it is often the better choice: it needs no $\delta$, and at this budget its noise is smaller.

# %%
laplace = vn.calibrate("laplace", epsilon=0.5, sensitivity=15 / 500)
for one in (laplace, least):
    plt.plot(x, vn.law(one.mechanism, one.scale).pdf(x), label=f"{one.mechanism}, 95 % within ±{one.accuracy:.3f}")
plt.legend();

# %% [markdown]
# The Gaussian wins once many numbers are published together. With the same accuracy for both, the costs of one release and of many:

# %%
as_accurate = vn.calibrate("gaussian", accuracy=laplace.accuracy, delta=1e-6, sensitivity=15 / 500)
for times in (1, 10, 100, 1000):
    laplaces, gaussians = (vn.compose(vn.Event(one, times=times), delta=1e-6).epsilon.upper for one in (laplace, as_accurate))
    print(f"{times:4} at delta 1e-6: epsilon {laplaces:7.2f} with laplace, {gaussians:7.2f} with gaussian")

# %% [markdown]
# ## The interval
#
# A confidence interval has *proper coverage* if it contains the true value with probability $1 - \alpha$. The noise is all that stands between the released mean and the mean of
# the sample, and its law is public; so released ± accuracy is such an interval, for **the sample's** mean:

# %%
lecture.accuracy, lecture.alpha

# %% [markdown]
# Let us see. `vn.coverage` draws samples of 500, releases the mean of each, and counts how many intervals hold the true value. (It protects nothing: it is for public or invented data only.)

# %% tags=["random"]
experiment = {"lower": 1, "upper": 16, "size": 500, "delta": 1e-8, "epsilon": (0.1, 0.9, 9), "simulations": 2000, "progress": False}
of_sample = vn.coverage(education, interval="lecture", **experiment)
of_sample.plot();

# %% [markdown]
# Within the bars, 95 % everywhere. But readers of a statistic rarely care about the 500 who happened to be asked. Do the same intervals hold **the population's** mean?

# %% tags=["random"]
of_population = vn.coverage(education, interval="lecture", covers="population", **experiment)
of_population.plot();

# %% tags=["random"]
of_population.plot_intervals();

# %% [markdown]
# They do not, and the more so the *better* the accuracy is: at small $\epsilon$ the noise hides the sampling error, at larger $\epsilon$ the interval shrinks around a sample mean that was never the
# population's. The interval did nothing wrong; the claim did. A point is called refuted where chance explains so few hits in at most one of a million runs:

# %%
of_population.refuted, of_sample.refuted

# %% [markdown]
# ## An interval for the population
#
# Vernier's interval says what it covers. Asked for the population, it reaches over the sampling error too. It does not even need the number of rows to be public.

# %% tags=["random"]
ours = vn.coverage(education, covers="population", **experiment)
ours.plot();

# %% tags=["random"]
ours.plot_intervals();

# %%
ours.refuted

# %% [markdown]
# ## To try
#
# * `statistic="median"` or `"variance"`: which intervals hold then?
# * `size=(100, 2000, 10)` at one epsilon: where does sampling error take over from noise?
# * `interval="lecture-analytic"`: the least $\sigma$ makes the wrong claim fail sooner. Why?
