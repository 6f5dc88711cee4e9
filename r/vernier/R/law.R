density_function <- 0L
cumulative_function <- 1L
tail_function <- 2L
quantile_function <- 3L
sample_function <- 4L

#' The laws of noise
#'
#' A law with its density, distribution, quantile and random functions. The density of an integer law is its
#' probability. Probabilities come from certified bounds of relative distance below 1e-15, tails at any distance too.
#'
#' @param mechanism `"laplace"`, `"geometric"`, `"gaussian"` or `"discrete-gaussian"`.
#' @param scale The scale of the noise; of the Gaussian laws the standard deviation, of the discrete one nearly so.
#' @return A list of the class `vn_law` with `mechanism`, `scale`, `standard_deviation`, `is_discrete` and the
#'   functions `d`, `p`, `q` and `r`.
#' @examples
#' noise <- vn_law("geometric", scale = 10)
#' noise
#' noise$q(0.975)
#' noise$p(30, lower.tail = FALSE)
#' @export
vn_law <- function(mechanism, scale) {
  told <- law_of(text_of("mechanism", mechanism), scale, density_function, numeric())
  made <- list(mechanism = told$texts[1L], scale = as.numeric(told$texts[2L]), standard_deviation = as.numeric(told$texts[3L]),
               is_discrete = told$texts[4L] == "integers")
  name <- made$mechanism
  made$d <- function(x, log = FALSE) law_density(name, x, scale, log)
  made$p <- function(q, lower.tail = TRUE, log.p = FALSE) law_cumulative(name, q, scale, lower.tail, log.p)
  made$q <- function(p, lower.tail = TRUE, log.p = FALSE) law_quantile(name, p, scale, lower.tail, log.p)
  made$r <- function(n) law_random(name, n, scale)
  structure(made, class = "vn_law")
}

law_of <- function(mechanism, scale, what, points, size = 0) {
  if (!is.numeric(scale) || length(scale) != 1L || is.na(scale)) invalid(paste0("scale is ", kind_of(scale), "; write a number such as 10"))
  answer <- core_law(mechanism, as.numeric(scale), what, as.numeric(points), size)
  texts_of(answer)
  answer
}

# By the value at each point, for every scale that is given; what is NA stays NA.
law_values <- function(mechanism, points, scale, what) {
  if (!is.numeric(points) && !all(is.na(points))) invalid(paste0("x is ", kind_of(points), "; write numbers"))
  if (!length(points) || !length(scale)) return(numeric())
  length <- max(length(points), length(scale))
  points <- rep_len(as.numeric(points), length)
  scale <- rep_len(scale, length)
  values <- points
  for (one in unique(scale)) {
    at <- which(scale == one & !is.na(points))
    values[at] <- law_of(mechanism, one, what, points[at])$values
  }
  values
}

is_discrete <- function(mechanism) mechanism %in% c("geometric", "discrete-gaussian")

law_density <- function(mechanism, x, scale, log) {
  values <- inside <- as.numeric(x)
  off <- is.infinite(inside) | is_discrete(mechanism) & !is.na(inside) & inside != round(inside)
  if (any(off & !is.infinite(inside))) warning("non-integer x: their probability is 0", call. = FALSE)
  inside[off] <- NA
  values <- law_values(mechanism, inside, scale, density_function)
  values[rep_len(off, length(values))] <- 0
  if (log) log(values) else values
}

law_cumulative <- function(mechanism, q, scale, lower.tail, log.p) {
  inside <- as.numeric(q)
  if (is_discrete(mechanism)) inside <- floor(inside)
  far <- is.infinite(inside)
  inside[far] <- NA
  values <- law_values(mechanism, inside, scale, if (lower.tail) cumulative_function else tail_function)
  far <- rep_len(far, length(values))
  values[far] <- as.numeric((rep_len(as.numeric(q), length(values))[far] > 0) == lower.tail)
  if (log.p) log(values) else values
}

law_quantile <- function(mechanism, p, scale, lower.tail, log.p) {
  inside <- as.numeric(p)
  if (log.p) inside <- exp(inside)
  wrong <- !is.na(inside) & (inside < 0 | inside > 1)
  if (any(wrong)) warning("NaNs produced", call. = FALSE)
  inside[wrong] <- NA
  values <- law_values(mechanism, inside, scale, quantile_function)
  if (!lower.tail) values <- 0 - values  # the laws are symmetric, and 1 - p would lose the digits of a small p
  values[rep_len(wrong, length(values))] <- NaN
  values
}

law_random <- function(mechanism, n, scale) {
  if (length(n) > 1L) n <- length(n)
  if (!is.numeric(n) || length(n) != 1L || is.na(n) || n < 0) invalid(paste0("n is ", kind_of(n), "; write how many draws there are to be"))
  if (length(scale) == 1L) return(law_of(mechanism, scale, sample_function, numeric(), floor(n))$values)
  values <- numeric(floor(n))
  scale <- rep_len(scale, length(values))
  for (one in unique(scale)) {
    at <- which(scale == one)
    values[at] <- law_of(mechanism, one, sample_function, numeric(), length(at))$values
  }
  values
}

#' @export
print.vn_law <- function(x, ...) {
  cat(sprintf("%s noise of scale %s over the %s, standard deviation %s\n", x$mechanism, format(x$scale),
              if (x$is_discrete) "integers" else "reals", format(x$standard_deviation)))
  invisible(x)
}

#' @export
summary.vn_law <- function(object, ...) {
  chances <- c(0.5, 0.9, 0.95, 0.99, 0.999)
  data.frame(probability = chances, within = object$q((1 + chances) / 2))
}

#' @export
confint.vn_law <- function(object, parm, level = 0.95, ...) {
  interval_matrix(object$q((1 - level) / 2), object$q((1 + level) / 2), object$mechanism, level)
}

#' @export
plot.vn_law <- function(x, ...) {
  ends <- x$q(c(0.0005, 0.9995))
  at <- if (x$is_discrete) unique(round(seq(ends[1L], ends[2L], length.out = 401L))) else seq(ends[1L], ends[2L], length.out = 401L)
  curve_plot(at, x$d(at), xlab = "noise", ylab = if (x$is_discrete) "probability" else "density",
             main = sprintf("%s, scale %s", x$mechanism, format(x$scale)), ...)
}

#' Density, distribution, quantiles and draws of noise
#'
#' As R has them for other distributions: `d` is the density, of the integer laws the probability, `p` the distribution
#' function, `q` the quantile function and `r` draws. All are centred on 0. The Gaussian law is `dnorm()` with mean 0;
#' `rgaussian()` and `rlaplace()` draw on a fine grid, as a private release must. The draws come from the operating
#' system and have no seed.
#'
#' @param x,q Values.
#' @param p Probabilities.
#' @param n The number of draws.
#' @param scale,sigma The scale of the noise; of the Gaussian laws it is their standard deviation, of the discrete one nearly so.
#' @param log,log.p Whether probabilities are given as logarithms.
#' @param lower.tail Whether probabilities are `P[X <= x]`, else `P[X > x]`.
#' @return A vector.
#' @examples
#' dgeometric2(0:3, scale = 1)
#' pdgaussian(10, sigma = 5, lower.tail = FALSE)
#' qlaplace(0.975, scale = 10)
#' rgeometric2(5, scale = 10)
#' @name laws
NULL

#' @rdname laws
#' @export
dlaplace <- function(x, scale, log = FALSE) law_density("laplace", x, scale, log)

#' @rdname laws
#' @export
plaplace <- function(q, scale, lower.tail = TRUE, log.p = FALSE) law_cumulative("laplace", q, scale, lower.tail, log.p)

#' @rdname laws
#' @export
qlaplace <- function(p, scale, lower.tail = TRUE, log.p = FALSE) law_quantile("laplace", p, scale, lower.tail, log.p)

#' @rdname laws
#' @export
rlaplace <- function(n, scale) law_random("laplace", n, scale)

#' @rdname laws
#' @export
dgeometric2 <- function(x, scale, log = FALSE) law_density("geometric", x, scale, log)

#' @rdname laws
#' @export
pgeometric2 <- function(q, scale, lower.tail = TRUE, log.p = FALSE) law_cumulative("geometric", q, scale, lower.tail, log.p)

#' @rdname laws
#' @export
qgeometric2 <- function(p, scale, lower.tail = TRUE, log.p = FALSE) law_quantile("geometric", p, scale, lower.tail, log.p)

#' @rdname laws
#' @export
rgeometric2 <- function(n, scale) law_random("geometric", n, scale)

#' @rdname laws
#' @export
dgaussian <- function(x, sigma, log = FALSE) law_density("gaussian", x, sigma, log)

#' @rdname laws
#' @export
pgaussian <- function(q, sigma, lower.tail = TRUE, log.p = FALSE) law_cumulative("gaussian", q, sigma, lower.tail, log.p)

#' @rdname laws
#' @export
qgaussian <- function(p, sigma, lower.tail = TRUE, log.p = FALSE) law_quantile("gaussian", p, sigma, lower.tail, log.p)

#' @rdname laws
#' @export
rgaussian <- function(n, sigma) law_random("gaussian", n, sigma)

#' @rdname laws
#' @export
ddgaussian <- function(x, sigma, log = FALSE) law_density("discrete-gaussian", x, sigma, log)

#' @rdname laws
#' @export
pdgaussian <- function(q, sigma, lower.tail = TRUE, log.p = FALSE) law_cumulative("discrete-gaussian", q, sigma, lower.tail, log.p)

#' @rdname laws
#' @export
qdgaussian <- function(p, sigma, lower.tail = TRUE, log.p = FALSE) law_quantile("discrete-gaussian", p, sigma, lower.tail, log.p)

#' @rdname laws
#' @export
rdgaussian <- function(n, sigma) law_random("discrete-gaussian", n, sigma)
