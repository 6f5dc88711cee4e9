#' Do intervals hold as often as they say?
#'
#' Draws samples, releases each as [vn_release()] would, and counts how often the interval holds the true value.
#' **Nothing is protected and nothing is charged: the data must be public or synthetic.**
#'
#' @param data A vector of numbers. `distribution` may stand in its place.
#' @param distribution `"normal"`, `"skewed"`, `"two-point"`, `"constant"` or `"uniform"`.
#' @param statistic `"mean"` (default), `"sum"`, `"count"`, `"median"` and others; see `vernier coverage --help`.
#' @param epsilon,size,alpha,lower,upper One number, several ascending ones, or `list(first, last, points)`.
#' @param delta,granularity,simulations,fraction One number.
#' @param covers `"sample"` or `"population"`.
#' @param mechanism,interval The noise, and how intervals are made from it.
#' @param guaranteed,public_count `TRUE` to use the proven interval, or to treat the number of rows as public.
#' @return A data frame of the class `vn_coverage` with a row for every combination: among others `epsilon`, `size`,
#'   `coverage`, its own confidence interval `low` and `high`, `width` and `refuted`. `attr(x, "refuted")` is whether
#'   any of them refutes what was claimed.
#' @examples
#' vn_coverage(distribution = "uniform", size = 500, epsilon = c(1, 2), simulations = 200)
#' @export
vn_coverage <- function(data = NULL, distribution = NULL, statistic = NULL, epsilon = NULL, size = NULL, alpha = NULL, lower = NULL,
                        upper = NULL, delta = NULL, granularity = NULL, simulations = NULL, fraction = NULL, covers = NULL,
                        mechanism = NULL, interval = NULL, guaranteed = FALSE, public_count = FALSE) {
  if (is.null(data) && is.null(distribution)) invalid("the values are missing; give data, a vector of numbers, or distribution = \"normal\"")
  if (!is.null(data) && (!is.numeric(data) || anyNA(data))) invalid("data is no vector of numbers without NA; give one")
  words <- words_of(list(distribution = distribution, statistic = statistic, epsilon = spread_of("epsilon", epsilon), size = spread_of("size", size),
                         alpha = spread_of("alpha", alpha), lower = spread_of("lower", lower), upper = spread_of("upper", upper), delta = delta,
                         granularity = granularity, simulations = simulations, fraction = fraction, covers = covers, mechanism = mechanism,
                         interval = interval, guaranteed = flag_of("guaranteed", guaranteed), public_count = flag_of("public_count", public_count),
                         origin = if (!is.null(data)) "the data"))
  found <- read_json(texts_of(core_coverage(words$names, words$values, as.numeric(data), !is.null(data))))
  names <- setdiff(names(found$points[[1L]]), "intervals")
  frame <- as.data.frame(lapply(stats::setNames(names, names), function(name) {
    values <- lapply(found$points, `[[`, name)
    if (is.logical(values[[1L]])) unlist(values) else column_of(found$points, name)
  }))
  structure(frame, class = c("vn_coverage", "data.frame"), refuted = found$refuted, statistic = found$statistic, covers = found$covers,
            simulations = found$simulations, intervals = drawn_intervals(found$intervals))
}

drawn_intervals <- function(intervals) {
  do.call(rbind, lapply(intervals, function(one) data.frame(low = number_of(one$low), high = number_of(one$high), truth = number_of(one$truth), holds = one$holds)))
}

#' @export
print.vn_coverage <- function(x, ...) {
  if (is.null(attr(x, "statistic"))) return(print(plain(x), ...))
  shown <- intersect(c("epsilon", "size", "alpha", "mechanism", "coverage", "low", "high", "width", "refuted"), names(x))
  cat(sprintf("coverage of the %s (%s), %s simulations: %s\n", attr(x, "statistic"), attr(x, "covers"), attr(x, "simulations"),
              if (attr(x, "refuted")) "REFUTED" else "stands"))
  print(plain(x)[shown], row.names = FALSE, ...)
  invisible(x)
}

#' @export
summary.vn_coverage <- function(object, ...) {
  data.frame(least = min(object$coverage), mean = mean(object$coverage), claimed = 1 - max(object$alpha), refuted = attr(object, "refuted"))
}

#' @export
confint.vn_coverage <- function(object, parm, level, ...) {
  matrix(c(object$low, object$high), ncol = 2L, dimnames = list(paste("epsilon", object$epsilon), c("low", "high")))
}

#' @export
plot.vn_coverage <- function(x, ...) {
  interval_plot(format(x$epsilon, trim = TRUE), x$coverage, x$low, x$high, xlab = "epsilon", ylab = "coverage",
                main = paste("how often intervals of the", attr(x, "statistic"), "hold"), line = 1 - x$alpha[1L], ...)
}

#' @export
as.data.frame.vn_coverage <- function(x, ...) bare(x)
