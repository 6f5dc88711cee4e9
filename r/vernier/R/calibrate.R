#' From a privacy budget to an accuracy, and back
#'
#' State one of `epsilon`, `scale` and `accuracy` and learn the others. What is found is on the safe side: a scale is
#' rounded up, an epsilon too. Vectors give one row for each of their values.
#'
#' @param mechanism `"laplace"`, `"geometric"`, `"gaussian"` or `"discrete-gaussian"`.
#' @param epsilon,delta The privacy budget. The Gaussian mechanisms need a `delta` above 0.
#' @param scale The scale of the noise; of Gaussian noise its standard deviation.
#' @param accuracy The margin of error: the noise is at most this in size with probability `1 - alpha`.
#' @param alpha The probability with which the noise may be larger.
#' @param sensitivity The most that one person can move the exact number.
#' @param cells For how many numbers at once the accuracy holds.
#' @param calibration Of the Gaussian mechanism: `"analytic"` (default), `"classical"` or `"dwork-roth"`.
#' @return A data frame of the class `vn_calibration`, with the columns `mechanism`, `sensitivity`, `scale`, `epsilon`,
#'   `delta`, `rho`, `alpha`, `cells`, `accuracy` and `standard_deviation`. `confint()` gives the interval around 0 in
#'   which the noise lies.
#' @examples
#' vn_calibrate("geometric", accuracy = 50)$epsilon
#' vn_calibrate("gaussian", epsilon = c(0.5, 1), delta = 1e-6)
#' @export
vn_calibrate <- function(mechanism, epsilon = NULL, delta = NULL, scale = NULL, accuracy = NULL, alpha = 0.05,
                         sensitivity = 1, cells = 1, calibration = NULL) {
  given <- list(mechanism = mechanism, epsilon = epsilon, delta = delta, scale = scale, accuracy = accuracy, alpha = alpha,
                sensitivity = sensitivity, cells = cells, calibration = calibration)
  rows <- lapply(each_of(given), function(one) read_json(ask("calibrate", one)))
  figures <- c("mechanism", "calibration", "sensitivity", "scale", "epsilon", "delta", "rho", "alpha", "cells", "accuracy",
               "accuracy_strict", "standard_deviation")
  frame <- as.data.frame(lapply(stats::setNames(figures, figures), function(name) column_of(rows, name)))
  structure(frame, class = c("vn_calibration", "data.frame"))
}

# One list for each row of parameters of one length; single values stand in every row.
each_of <- function(given) {
  given <- Filter(Negate(is.null), given)
  longest <- max(lengths(given))
  other <- names(given)[!lengths(given) %in% c(1L, longest)]
  if (length(other)) {
    invalid(paste0(other[1L], " has ", length(given[[other[1L]]]), " values, but another parameter has ", longest,
                   "; give vectors of one length"))
  }
  lapply(seq_len(longest), function(i) lapply(given, function(value) if (length(value) == 1L) value[[1L]] else value[[i]]))
}

column_of <- function(rows, name) {
  values <- lapply(rows, `[[`, name)
  if (any(vapply(values, is.character, NA))) return(vapply(values, function(one) if (is.null(one)) NA_character_ else one, ""))
  vapply(values, number_of, 0)
}

#' @export
print.vn_calibration <- function(x, ...) {
  shown <- intersect(c("mechanism", "scale", "epsilon", "delta", "alpha", "accuracy", "standard_deviation"), names(x))
  print(as.data.frame(x)[shown], row.names = FALSE, ...)
  if ("accuracy" %in% shown) cat("accuracy: the noise is at most this in size, except with probability alpha\n")
  invisible(x)
}

#' @export
summary.vn_calibration <- function(object, ...) {
  cat(sprintf("%s noise of scale %s costs epsilon %s%s: within \u00b1 %s, %s %% of the time\n", object$mechanism,
              signif(object$scale, 6), signif(object$epsilon, 6), ifelse(object$delta > 0, paste(" at delta", object$delta), ""),
              signif(object$accuracy, 6), 100 * (1 - object$alpha)), sep = "")
  invisible(object)
}

#' @export
confint.vn_calibration <- function(object, parm, level, ...) {
  if (!missing(level)) invalid("level does not change what was calibrated; state alpha in vn_calibrate()")
  interval_matrix(-object$accuracy, object$accuracy, rep(object$mechanism, length.out = nrow(object)), 1 - object$alpha)
}

# Its columns are named after their shares, as R does it, where all rows have the same.
interval_matrix <- function(low, high, names, confidence) {
  confidence <- unique(confidence)
  ends <- c("low", "high")
  if (length(confidence) == 1L) ends <- sprintf("%s %%", format(100 * c(1 - confidence, 1 + confidence) / 2, trim = TRUE))
  matrix(c(low, high), ncol = 2L, dimnames = list(names, ends))
}

#' @export
as.data.frame.vn_calibration <- function(x, ...) plain(x)

# The same as a data frame and nothing else.
plain <- function(x) structure(x, class = "data.frame")

#' @export
plot.vn_calibration <- function(x, ...) {
  curve_plot(x$epsilon, x$accuracy, xlab = "epsilon", ylab = "accuracy (\u00b1)", main = x$mechanism[1L], log = "xy", ...)
}
