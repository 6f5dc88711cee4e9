test_that("a slope of two columns, a regression of three and their intervals", {
  x <- rep(0:10, 300)
  z <- rep(0:4, length.out = length(x))
  rows <- data.frame(x = x, z = z, y = 10 + 2 * x + 3 * z + rep(c(-1, 1), length.out = length(x)))
  columns <- list(x = vn_column("integer", bounds = c(0, 10)), z = vn_column("integer", bounds = c(0, 4)),
                  y = vn_column("integer", bounds = c(0, 50)))
  catalog <- vn_catalog(vn_budget(epsilon = 1000, ledger = "t.ledger"), folder = tempfile("t"), t = vn_table(columns, unit = "row", data = rows))
  study <- vn_study(catalog, alpha = 1e-6, epsilon = 100,
                    pair = "SELECT REGR_SLOPE(y, x) AS slope, CORR(y, x) AS r, COVAR_SAMP(y, x) AS c FROM t",
                    several = "SELECT REGR_SLOPE(y, z, x) AS of_z, REGR_R2(y, z, x) AS r2 FROM t")
  published <- vn_release(study)
  exact <- c(slope = unname(coef(lm(y ~ x, rows))[2]), r = cor(rows$y, rows$x), c = cov(rows$y, rows$x))
  pair <- published$pair
  for (name in names(exact)) {
    expect_lte(pair[[paste0(name, "_low")]], exact[[name]])
    expect_gte(pair[[paste0(name, "_high")]], exact[[name]])
  }
  expect_equal(pair$slope, exact[["slope"]], tolerance = 0.05)
  expect_equal(published$several$of_z, 3, tolerance = 0.05)
  expect_true(published$several$r2 <= 1 && published$several$r2_high > 0.98)
  expect_equal(dim(confint(published)), c(5L, 2L))
  expect_true(attr(vn_verify(published), "holds"))
})
