#' Statistics about people, with differential privacy and proven margins of error
#'
#' State a privacy budget and learn how accurate the numbers will be, or state the accuracy you need and learn the
#' least budget that buys it: [vn_calibrate()]. What many releases cost together: [vn_compose()]. From a data frame or
#' a file to published numbers with their confidence intervals: [vn_catalog()], [vn_study()], [vn_plan()],
#' [vn_release()], [vn_verify()]. Whether intervals hold as often as they say: [vn_coverage()]. The noise itself:
#' [vn_law()] and its density, distribution, quantile and random functions.
#'
#' Noise is drawn from the randomness of the operating system. It has no seed, and `set.seed()` does not touch it.
#'
#' Errors are conditions of the class `vn_error`, and of a class for their kind such as `vn_invalid`. Their message is
#' one sentence, and the parts of it are their fields `kind`, `subject`, `problem`, `advice` and `place`.
#'
#' @keywords internal
#' @useDynLib vernier, .registration = TRUE
#' @importFrom stats confint
"_PACKAGE"

#' The version of the library
#'
#' @return A text.
#' @examples
#' vn_version()
#' @export
vn_version <- function() ask("version")
