# A survey of 1,500 people, and a catalog of it in a folder of its own.
survey <- data.frame(region = rep(c("north", "south", "west"), 500), minutes = rep(c(25, 40, 15), 500))
survey_columns <- list(region = vn_column("string", keys = c("north", "south", "west")),
                       minutes = vn_column("integer", bounds = c(0, 120)))

survey_catalog <- function(data = survey, columns = survey_columns, epsilon = 100) {
  vn_catalog(vn_budget(epsilon = epsilon, ledger = "survey.ledger"), folder = tempfile("survey"),
             survey = vn_table(columns, unit = "row", data = data))
}

count_of <- function(data, columns, where = "TRUE") {
  catalog <- vn_catalog(vn_budget(epsilon = 100, ledger = "t.ledger"), folder = tempfile("t"), t = vn_table(columns, unit = "row", data = data))
  sql <- sprintf("SELECT COUNT(*) AS n FROM t WHERE %s", where)
  vn_release(vn_study(catalog, n = sql, epsilon = 50))$n$value
}
