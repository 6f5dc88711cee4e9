test_that("results are drawn, with ggplot2 and without", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  study <- vn_study(survey_catalog(), commute = "SELECT region, COUNT(*) AS people FROM survey GROUP BY region", epsilon = 5)
  all <- list(vn_calibrate("laplace", epsilon = c(0.5, 1)), vn_compose("laplace,scale=20,times=10", delta = 1e-6), vn_law("laplace", 1),
              vn_plan(study), vn_release(study), vn_coverage(distribution = "uniform", size = 100, epsilon = 1, simulations = 50))
  for (one in all) {
    if (has_ggplot()) expect_s3_class(plot(one), "ggplot")
    before <- options(vernier.ggplot = FALSE)
    expect_null(plot(one))
    options(before)
  }
})
