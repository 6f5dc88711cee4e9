#' What a study will cost, and how accurate it will be
#'
#' Reads no data and spends nothing.
#'
#' @param study Made by [vn_study()], or the path of a study file.
#' @param catalog Of a study file: the only catalog that it may name.
#' @param analyst Whose share of the budget would pay, where there are shares.
#' @param what_if Other epsilons: the accuracies at each of them are in `attr(plan, "what_if")`.
#' @return A data frame of the class `vn_plan` with a row for every published column: `statistic`, `column`,
#'   `mechanism`, `scale` in steps of `granularity`, `accuracy` (in the units of `accuracy_in`) and `share`, the part of
#'   the budget. `summary()` gives the guarantee and what the
#'   ledger has left; `confint()` the interval of each number around its exact one.
#' @inherit vn_release examples
#' @export
vn_plan <- function(study, catalog = NULL, analyst = NULL, what_if = NULL) {
  texts <- ask("plan", c(study_words(study, catalog), list(analyst = analyst, what_if = what_if)))
  found <- read_json(texts[1L])
  rows <- do.call(rbind, lapply(found$statistics, function(one) do.call(rbind, lapply(one$releases, planned_row, statistic = one$name))))
  points <- do.call(rbind, lapply(found$what_if, what_if_rows, names = vapply(found$statistics, `[[`, "", "name")))
  structure(rows, class = c("vn_plan", "data.frame"), text = texts[2L], epsilon = number_of(found$guarantee$epsilon),
            delta = number_of(found$guarantee$delta), method = found$guarantee$method, alpha = number_of(found$alpha),
            affordable = found$ledger$affordable, ledger = ledger_frame(found$ledger), what_if = points)
}

planned_row <- function(release, statistic) {
  data.frame(statistic = statistic, column = or_na(release$column), mechanism = release$mechanism, scale = number_of(release$scale), granularity = number_of(release$granularity),
             accuracy = number_of(release$accuracy), accuracy_in = if (is.null(release$accuracy_in)) "value" else release$accuracy_in,
             share = number_of(release$share))
}

or_na <- function(value) if (is.null(value) || !nzchar(value)) NA_character_ else value

what_if_rows <- function(point, names) {
  do.call(rbind, Map(function(accuracies, statistic) {
    if (!length(accuracies)) return(NULL)
    data.frame(epsilon = number_of(point$epsilon), statistic = statistic, column = names(accuracies),
               accuracy = vapply(accuracies, number_of, 0), row.names = NULL)
  }, point$accuracies, names))
}

ledger_frame <- function(ledger) {
  do.call(rbind, lapply(ledger$amounts, function(one) {
    data.frame(amount = one$name, allowed = number_of(one$allowed), left = number_of(one$left), price = number_of(one$price))
  }))
}

#' @export
print.vn_plan <- function(x, ...) {
  if (is.null(attr(x, "text"))) return(print(plain(x), ...))
  cat(attr(x, "text"))
  invisible(x)
}

#' @export
summary.vn_plan <- function(object, ...) {
  structure(list(epsilon = attr(object, "epsilon"), delta = attr(object, "delta"), method = attr(object, "method"),
                 affordable = attr(object, "affordable"), ledger = attr(object, "ledger")), class = "vn_plan_summary")
}

#' @export
print.vn_plan_summary <- function(x, ...) {
  cat(sprintf("epsilon %s at delta %s, by %s; the ledger has %s for it\n", format(x$epsilon, digits = 6), format(x$delta), x$method,
              if (isTRUE(x$affordable)) "enough" else "not enough"))
  print(x$ledger, row.names = FALSE)
  invisible(x)
}

#' @export
confint.vn_plan <- function(object, parm, level, ...) {
  known <- !is.na(object$column) & object$accuracy_in == "value"
  names <- paste(object$statistic, object$column, sep = ": ")[known]
  interval_matrix(-object$accuracy[known], object$accuracy[known], names, 1 - attr(object, "alpha"))
}

#' @export
plot.vn_plan <- function(x, ...) {
  shown <- plain(x)[!is.na(x$column), ]
  bar_plot(paste(shown$statistic, shown$column, sep = ": "), shown$share, ylab = "share of the budget", main = "what costs how much", ...)
}

#' @export
as.data.frame.vn_plan <- function(x, ...) bare(x)

# Without what only methods know.
bare <- function(x) {
  attributes(x) <- attributes(x)[c("names", "row.names")]
  plain(x)
}
