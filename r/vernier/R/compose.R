#' What many releases cost together
#'
#' Composes releases into one guarantee: the least epsilon at a delta, or the least delta at an epsilon, each between
#' two certified ends.
#'
#' @param events One or several texts such as `"gaussian,scale=20,times=100"` or `"pure,epsilon=0.1,times=3"`; or the
#'   result of [vn_calibrate()], of which each row is one release.
#' @param epsilon,delta One of the two, to learn the other; both together with `solve`.
#' @param solve `"scale"`: find the least common scale of the events that have none.
#' @param neighbours `"add-remove"` (default) or `"replace"`: in what neighbouring data sets differ.
#' @param tightness How far apart the two ends may be.
#' @return A data frame of the class `vn_composition` with one row: `epsilon`, `epsilon_lower`, `delta`, `delta_lower`,
#'   `scale`, `method`, `neighbours`. The upper ends are certified. `summary()` shows what each method proves, and
#'   `confint()` the two ends of what was asked.
#' @examples
#' vn_compose("laplace,scale=20,times=100", delta = 1e-6)
#' summary(vn_compose("gaussian,scale=20,times=100", delta = 1e-6))
#' @export
vn_compose <- function(events, epsilon = NULL, delta = NULL, solve = NULL, neighbours = NULL, tightness = NULL) {
  given <- list(event = events_of(events), epsilon = epsilon, delta = delta, solve = solve, neighbours = neighbours,
                tightness = tightness)
  found <- read_json(ask("compose", given))
  asked <- if (is.list(found$epsilon)) "epsilon" else if (is.list(found$delta)) "delta" else "scale"
  frame <- data.frame(epsilon = end_of(found$epsilon, "upper"), epsilon_lower = end_of(found$epsilon, "lower"),
                      delta = end_of(found$delta, "upper"), delta_lower = end_of(found$delta, "lower"),
                      scale = number_of(found$scale), method = found$method, neighbours = found$neighbours)
  structure(frame, class = c("vn_composition", "data.frame"), methods = vapply(found$methods, number_of, 0), asked = asked)
}

events_of <- function(events) {
  if (inherits(events, "vn_calibration")) {
    return(sprintf("%s,scale=%s,sensitivity=%s", events$mechanism, vapply(events$scale, function(one) written("scale", one), ""),
                   vapply(events$sensitivity, function(one) written("sensitivity", one), "")))
  }
  if (!is.character(events) || !length(events) || anyNA(events)) {
    invalid("there is no event; give one, for example \"laplace,scale=20\"")
  }
  events
}

# What was stated has no ends.
end_of <- function(figure, end) if (is.list(figure)) number_of(figure[[end]]) else number_of(figure)

#' @export
print.vn_composition <- function(x, ...) {
  asked <- attr(x, "asked")
  if (is.null(asked)) return(print(plain(x), ...))
  if (asked == "scale") {
    cat(sprintf("scale %s meets epsilon %s at delta %s, by %s\n", format(x$scale, digits = 9), x$epsilon, x$delta, x$method))
  } else {
    cat(sprintf("epsilon %s at delta %s, by %s; %s is at least %s\n", format(x$epsilon, digits = 9), format(x$delta, digits = 9),
                x$method, asked, format(x[[paste0(asked, "_lower")]], digits = 9)))
  }
  invisible(x)
}

#' @export
summary.vn_composition <- function(object, ...) {
  print(object)
  methods <- attr(object, "methods")
  data.frame(method = names(methods), proves = unname(methods), says = ifelse(is.na(methods), "nothing", ""), row.names = NULL)
}

#' @export
confint.vn_composition <- function(object, parm, level, ...) {
  asked <- attr(object, "asked")
  if (asked == "scale") asked <- "epsilon"
  matrix(c(object[[paste0(asked, "_lower")]], object[[asked]]), ncol = 2L, dimnames = list(asked, c("lower", "upper")))
}

#' @export
plot.vn_composition <- function(x, ...) {
  methods <- attr(x, "methods")
  methods <- methods[!is.na(methods)]
  what <- if (attr(x, "asked") == "delta") "delta" else "epsilon"
  bar_plot(names(methods), unname(methods), ylab = what, main = paste("what each method proves:", what), ...)
}

#' @export
as.data.frame.vn_composition <- function(x, ...) {
  frame <- plain(x)
  attr(frame, "methods") <- attr(frame, "asked") <- NULL
  frame
}
