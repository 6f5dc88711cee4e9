library(testthat)
library(vernier)

test_check("vernier")
