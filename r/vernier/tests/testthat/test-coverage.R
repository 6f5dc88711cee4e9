test_that("intervals of the sample hold, and the lecture's do not hold the population", {
  ours <- vn_coverage(distribution = "uniform", size = 500, epsilon = c(1, 2), simulations = 400)
  expect_equal(ours$epsilon, c(1, 2))
  expect_false(attr(ours, "refuted"))
  lecture <- vn_coverage(distribution = "uniform", size = 500, epsilon = 5, delta = 1e-8, interval = "lecture", covers = "population",
                         simulations = 400)
  expect_true(attr(lecture, "refuted"))
  expect_lt(lecture$coverage, 0.5)
  expect_output(print(lecture), "REFUTED")
  expect_equal(dim(confint(ours)), c(2L, 2L))
  expect_true(summary(lecture)$refuted)
})

test_that("a vector may stand in place of a distribution", {
  found <- vn_coverage(rep(1:16, 20), lower = 1, upper = 16, size = 100, epsilon = list(0.5, 1, 2), simulations = 100)
  expect_equal(found$epsilon, c(0.5, 1))
  expect_error(vn_coverage(), "the values are missing")
  expect_error(vn_coverage(c(1, NA), lower = 1, upper = 2, size = 1, epsilon = 1), "without NA")
})
