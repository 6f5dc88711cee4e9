test_that("what is composed lies between its ends", {
  found <- vn_compose("laplace,scale=20,times=100", delta = 1e-6)
  expect_equal(found$epsilon, 2.19328554, tolerance = 1e-6)
  expect_lte(found$epsilon_lower, found$epsilon)
  expect_equal(found$method, "loss-distribution")
  expect_output(print(found), "epsilon 2.193")
  expect_output(methods <- summary(found), "epsilon 2.193")
  expect_gte(min(methods$proves, na.rm = TRUE), found$epsilon)
  expect_equal(unname(confint(found)[1, ]), c(found$epsilon_lower, found$epsilon))
})

test_that("pure releases add up, and a scale is found", {
  expect_gte(vn_compose("pure,epsilon=0.25,times=2", delta = 0)$epsilon, 0.5)
  expect_equal(vn_compose("laplace,times=20", epsilon = 1, delta = 1e-4, solve = "scale")$scale, 13.547, tolerance = 1e-3)
})

test_that("calibrations are events", {
  one <- vn_calibrate("gaussian", epsilon = 1, delta = 1e-6)
  expect_equal(vn_compose(one, delta = 1e-6)$epsilon, 1, tolerance = 1e-9)
  expect_error(vn_compose(character(), delta = 1e-6), "there is no event")
})
