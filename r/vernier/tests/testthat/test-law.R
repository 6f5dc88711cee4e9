test_that("densities, probabilities and quantiles are those of the laws", {
  x <- c(-3.5, -1, 0, 0.25, 7)
  expect_equal(dgaussian(x, 2), dnorm(x, sd = 2), tolerance = 1e-14)
  expect_equal(pgaussian(x, 2), pnorm(x, sd = 2), tolerance = 1e-14)
  expect_equal(qgaussian(c(0.01, 0.5, 0.9), 2), qnorm(c(0.01, 0.5, 0.9), sd = 2), tolerance = 1e-14)
  expect_equal(dlaplace(x, 2), exp(-abs(x) / 2) / 4, tolerance = 1e-14)
  expect_equal(plaplace(-3, 2), exp(-1.5) / 2, tolerance = 1e-14)
  k <- -40:40
  q <- exp(-1)
  expect_equal(dgeometric2(k, 1), q^abs(k) * (1 - q) / (1 + q), tolerance = 1e-14)
  weights <- exp(-(-60:60)^2 / 18)
  expect_equal(ddgaussian(0:3, 3), exp(-(0:3)^2 / 18) / sum(weights), tolerance = 1e-14)
})

test_that("p, q and d agree", {
  for (name in c("laplace", "geometric", "gaussian", "discrete-gaussian")) {
    law <- vn_law(name, scale = 5)
    expect_equal(law$p(2) + law$p(2, lower.tail = FALSE), 1, tolerance = 1e-14)
    expect_equal(law$p(law$q(0.9)) >= 0.9 - 1e-12, TRUE)
    expect_equal(law$d(1, log = TRUE), log(law$d(1)))
    expect_equal(law$q(c(0, 1)), c(-Inf, Inf))
    expect_equal(law$p(c(-Inf, Inf)), c(0, 1))
    expect_equal(law$d(c(-Inf, Inf)), c(0, 0))
    expect_true(is.na(law$q(NA)))
  }
  geometric <- vn_law("geometric", scale = 10)
  expect_equal(geometric$q(0.975), 30)
  expect_lt(geometric$p(29), 0.975)
})

test_that("far tails keep their digits", {
  expect_equal(pgaussian(30, 1, lower.tail = FALSE), pnorm(30, lower.tail = FALSE), tolerance = 1e-13)
  expect_equal(qgaussian(1e-20, 1, lower.tail = FALSE), qnorm(1e-20, lower.tail = FALSE), tolerance = 1e-13)
})

test_that("what R's own functions warn of is warned of", {
  expect_warning(expect_equal(dgeometric2(0.5, 1), 0), "non-integer")
  expect_warning(expect_equal(qlaplace(2, 1), NaN), "NaNs")
  expect_equal(pgeometric2(0.5, 1), pgeometric2(0, 1))
  expect_equal(dlaplace(0, c(1, 2)), c(0.5, 0.25))
  expect_error(dlaplace(0, -1), class = "vn_invalid")
  expect_error(vn_law("nosuch", 1), class = "vn_invalid")
})

test_that("draws follow their law and no seed", {
  # A mean of 20,000 draws is off by more than 7 of its standard deviations in one of 1e11 runs.
  for (name in c("laplace", "geometric", "gaussian", "discrete-gaussian")) {
    law <- vn_law(name, scale = 5)
    draws <- law$r(20000)
    expect_lt(abs(mean(draws)), 7 * law$standard_deviation / sqrt(20000))
    share <- mean(draws <= law$q(0.8))
    expect_lt(abs(share - law$p(law$q(0.8))), 7 * 0.4 / sqrt(20000))
    expect_equal(all(draws == round(draws)), law$is_discrete)
  }
  first <- {
    set.seed(1)
    rlaplace(20, 5)
  }
  set.seed(1)
  expect_false(identical(first, rlaplace(20, 5)))
  expect_length(rlaplace(0, 1), 0)
})

test_that("a law is shown", {
  law <- vn_law("geometric", scale = 10)
  expect_output(print(law), "geometric noise of scale 10 over the integers")
  expect_equal(unname(confint(law)[1, ]), c(-30, 30))
  expect_equal(summary(law)$within[3], 30)
})
