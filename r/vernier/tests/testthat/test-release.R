test_that("from a data frame to numbers that a stranger can verify", {
  study <- vn_study(survey_catalog(), commute = "SELECT region, AVG(minutes) AS minutes, COUNT(*) AS people FROM survey GROUP BY region",
                    epsilon = 20)
  plan <- vn_plan(study, what_if = c(1, 40))
  expect_equal(plan$column, c("minutes", "people"))
  expect_equal(attr(plan, "epsilon"), 20, tolerance = 1e-9)
  expect_true(summary(plan)$affordable)
  expect_output(print(plan), "confidence")
  expect_gt(attr(plan, "what_if")$accuracy[1], attr(plan, "what_if")$accuracy[3])

  published <- vn_release(study)
  table <- published$commute
  expect_s3_class(table, "data.frame")
  expect_equal(table$region, c("north", "south", "west"))
  expect_equal(table$minutes, c(25, 40, 15), tolerance = 0.05)
  expect_true(all(table$people_low <= table$people & table$people <= table$people_high))
  expect_true(all(table$minutes_low < table$minutes & table$minutes < table$minutes_high))
  first <- jsonlite::fromJSON(attr(published, "record"), simplifyVector = FALSE)$statistics[[1]]$rows[[1]]$minutes
  expect_equal(c(table$minutes_low[1], table$minutes_high[1], table$minutes_margin[1]), c(unlist(first$interval), first$accuracy))
  expect_equal(nrow(as.data.frame(published)), 6)
  expect_equal(dim(confint(published)), c(6L, 2L))
  expect_output(print(table), "95 %")
  expect_output(print(published), "commute")
  expect_equal(summary(published)$numbers, 6)

  verdict <- vn_verify(published)
  expect_true(attr(verdict, "holds"))
  expect_output(print(verdict), "holds")
  attr(published, "record") <- sub("commute", "commuts", attr(published, "record"))
  forged <- vn_verify(published)
  expect_false(attr(forged, "holds"))
  expect_output(print(forged), "does not hold")
})

test_that("a study in a file, and a folder of what is published", {
  folder <- tempfile("files")
  dir.create(folder)
  utils::write.csv(survey, file.path(folder, "survey.csv"), row.names = FALSE, quote = FALSE)
  catalog <- vn_catalog(vn_budget(epsilon = 100, ledger = "survey.ledger"), folder = folder,
                        survey = vn_table(survey_columns, unit = "row", source = "survey.csv", row_limit = 10000))
  writeLines(catalog$text, file.path(folder, "catalog.toml"))
  writeLines(vn_study(catalog, people = "SELECT COUNT(*) AS people FROM survey", epsilon = 20)$text, file.path(folder, "study.toml"))
  out <- file.path(folder, "published")
  published <- vn_release(file.path(folder, "study.toml"), out = out)
  expect_equal(published$people$value, 1500, tolerance = 0.01)
  expect_true(all(c("release.json", "report.html") %in% list.files(out)))
  expect_true(attr(vn_verify(out), "holds"))
  cat("x", file = file.path(out, "report.html"), append = TRUE)
  expect_false(attr(vn_verify(out), "holds"))
})

test_that("every kind of column is read, and NA is missing", {
  t <- data.frame(b = c(TRUE, FALSE, NA), i = c(1L, 2L, NA), g = c(1.5, NaN, -2), s = c("a", NA, "\u00fc"), f = factor(c("x", "y", "x")),
                  d = as.Date(c("2026-01-01", NA, "1969-12-31")))
  t <- t[rep(1:3, each = 400), ]
  columns <- list(b = "boolean", i = vn_column("integer", bounds = c(0, 10)), g = vn_column("real", bounds = c(-5, 5)), s = "string",
                  f = "string", d = vn_column("date", bounds = as.Date(c("1960-01-01", "2030-01-01"))))
  near <- function(where, n) expect_lt(abs(count_of(t, columns, where) - n), 20)
  near("TRUE", 1200)
  near("b", 400)
  near("i >= 1", 800)
  near("i IS NULL", 400)
  near("g > -3", 800)
  near("s = '\u00fc'", 400)
  near("f = 'x'", 800)
  near("d < DATE '1970-01-01'", 400)
  near("d IS NULL", 400)
})

test_that("integer64 is read as integers", {
  bits <- structure(c(4.940656458412465e-324, 9.881312916824931e-324), class = "integer64")  # the bytes of 1 and 2
  t <- data.frame(i = 1:1000)
  t$i <- structure(rep(unclass(bits), 500), class = "integer64")
  expect_lt(abs(count_of(t, list(i = vn_column("integer", bounds = c(0, 10))), "i = 2") - 500), 20)
})

test_that("text in other encodings, and bytes that are no text, cause no error", {
  latin <- "\xfc"
  Encoding(latin) <- "latin1"
  bytes <- "\xff"
  Encoding(bytes) <- "bytes"
  t <- data.frame(s = rep(c(latin, bytes), each = 500))
  expect_lt(abs(count_of(t, list(s = "string"), "s = '\u00fc'") - 500), 20)
})

test_that("rows may come with the release", {
  catalog <- vn_catalog(vn_budget(epsilon = 100, ledger = "l.ledger"), folder = tempfile(), survey = vn_table(survey_columns, unit = "row"))
  study <- vn_study(catalog, people = "SELECT COUNT(*) AS people FROM survey", epsilon = 20)
  expect_error(vn_release(study), class = "vn_error")
  expect_equal(vn_release(study, data = list(survey = survey))$people$value, 1500, tolerance = 0.01)
  expect_error(vn_release(study, data = survey), "no named list of data frames")
})

test_that("the same request gets the same answer, and pays once", {
  study <- vn_study(survey_catalog(epsilon = 1), people = "SELECT COUNT(*) AS people FROM survey", epsilon = 0.9)
  first <- vn_release(study, request = "r1")
  again <- vn_release(study, request = "r1")
  expect_equal(first$people$value, again$people$value)
  expect_true(summary(again)$repeated)
  error <- expect_error(vn_release(study), class = "vn_error")
  expect_match(conditionMessage(error), "epsilon")
})

test_that("what is wrong is refused before there is data, in one sentence", {
  expect_error(vn_catalog(vn_budget(epsilon = -1), survey = vn_table(survey_columns, unit = "row")), class = "vn_invalid")
  expect_error(vn_column("integer", bounds = 3), "not two values")
  expect_error(vn_table(survey_columns, data = survey, source = "x.csv"), "leave one of them out")
  expect_error(vn_table(list(t = "date"), data = data.frame(t = Sys.time())), "as.Date")
  expect_error(vn_table(list(t = "string"), data = data.frame(t = I(list(1)))), "vector of numbers")
  error <- expect_error(vn_study(survey_catalog(), a = "SELECT name FROM survey", epsilon = 1), class = "vn_invalid")
  expect_false(grepl("<study>", conditionMessage(error), fixed = TRUE))
  expect_error(vn_plan("no/such/study.toml"), "cannot be read")
  expect_error(vn_plan(3), "make one by vn_study")
})

test_that("errors are in the words of R, and none speaks of TOML", {
  refusal <- function(column, ...) {
    conditionMessage(expect_error(vn_catalog(vn_budget(epsilon = 1), survey = vn_table(list(x = column), ...)), class = "vn_invalid"))
  }
  told <- c(
    refusal(vn_column("date", bounds = c(1, 2)), unit = "row"), refusal(vn_column("boolean", keys = "yes"), unit = "row"),
    refusal(vn_column("integer", bounds = c(2, 1)), unit = "row"), refusal(vn_column("number"), unit = "row"), refusal(vn_column("string")),
    conditionMessage(expect_error(vn_study(survey_catalog(), a = "SELECT COUNT(*) AS n FROM survey"), class = "vn_invalid")))
  expect_match(told[1L], "as.Date(\"2026-01-31\")", fixed = TRUE)
  expect_match(told[2L], "TRUE or FALSE", fixed = TRUE)
  expect_match(told[5L], "unit = \"person_id\"", fixed = TRUE)
  expect_match(told[6L], "give the study an epsilon", fixed = TRUE)
  expect_false(any(grepl("true or false|quotes|\\[|takes no key|a table such as|line [0-9]|<catalog>|--", told)))
})

test_that("names, texts and numbers are written as TOML reads them", {
  expect_equal(toml_value("k", I("a\"b\\c")), "[\"a\\\"b\\\\c\"]")
  expect_equal(toml_value("k", list(`a b` = 0.1, c = TRUE)), "{ \"a b\" = 0.1, c = true }")
  expect_equal(toml_value("k", as.Date("2026-01-31")), "2026-01-31")
  expect_equal(toml_value("k", c(1L, 2L)), "[1, 2]")
})
