test_that("a budget, a scale and an accuracy say the same", {
  by_accuracy <- vn_calibrate("geometric", accuracy = 50)
  expect_s3_class(by_accuracy, "data.frame")
  expect_equal(by_accuracy$epsilon, 0.0593127, tolerance = 1e-6)
  expect_equal(vn_calibrate("geometric", scale = by_accuracy$scale)$accuracy, 50)
  expect_lte(vn_calibrate("laplace", epsilon = 1)$epsilon, 1)
})

test_that("the analytic Gaussian is that of Balle and Wang", {
  found <- vn_calibrate("gaussian", epsilon = 1, delta = 1e-6)
  a <- 1 / (2 * found$scale)
  delta <- pnorm(a - found$scale) - exp(1) * pnorm(-a - found$scale)
  expect_lte(delta, 1e-6)
  expect_equal(delta, 1e-6, tolerance = 1e-9)
  expect_lt(found$scale, vn_calibrate("gaussian", epsilon = 0.999, delta = 1e-6, calibration = "classical")$scale)
})

test_that("vectors give rows", {
  rows <- vn_calibrate("laplace", epsilon = c(0.5, 1, 2))
  expect_equal(nrow(rows), 3)
  expect_equal(rows$scale, c(2, 1, 0.5))
  expect_error(vn_calibrate("laplace", epsilon = c(0.5, 1, 2), alpha = c(0.1, 0.2)), "vectors of one length")
})

test_that("numbers count as they are written", {
  expect_equal(written("x", 0.1), "0.1")
  expect_equal(written("x", 1e-6), "1e-06")
  expect_equal(written("x", 1 / 3), "0.3333333333333333")
  expect_equal(written("x", 123456789), "123456789")
  expect_equal(as.numeric(written("x", pi)), pi)
})

test_that("errors are conditions with the sentence of the command line and its parts", {
  error <- expect_error(vn_calibrate("geometric", accuracy = -5), class = "vn_invalid")
  expect_s3_class(error, "vn_error")
  expect_match(conditionMessage(error), "^accuracy must not be negative, but it is '-5'")
  expect_equal(error$kind, "invalid")
  expect_error(vn_calibrate("laplace"), class = "vn_invalid")
  expect_error(vn_calibrate("laplace", epsilon = NA), "epsilon is NA; write a number")
  expect_error(vn_calibrate("laplace", epsilon = "one"), class = "vn_invalid")
})

test_that("results have methods", {
  found <- vn_calibrate("geometric", accuracy = 50)
  expect_output(print(found), "0.0593")
  expect_output(summary(found), "within \u00b1 50, 95 % of the time")
  expect_equal(unname(confint(found)), matrix(c(-50, 50), 1))
  expect_equal(colnames(confint(found)), c("2.5 %", "97.5 %"))
  expect_equal(colnames(confint(vn_calibrate("laplace", epsilon = 1, alpha = c(0.05, 0.01)))), c("low", "high"))
  expect_identical(class(as.data.frame(found)), "data.frame")
  expect_error(confint(found, level = 0.9), "state alpha")
})
