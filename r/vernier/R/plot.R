# Pictures: by ggplot2 where it is installed, else by R's own graphics. A picture of ggplot2 is returned, to be added to.

utils::globalVariables(c("x", "y", "low", "high"))  # columns of what is drawn

blue <- "#0072B2"

# options(vernier.ggplot = FALSE) draws without it.
has_ggplot <- function() !isFALSE(getOption("vernier.ggplot")) && requireNamespace("ggplot2", quietly = TRUE)

curve_plot <- function(x, y, xlab, ylab, main, log = "", ...) {
  if (!has_ggplot()) {
    graphics::plot(x, y, xlab = xlab, ylab = ylab, main = main, log = log, type = "b", pch = 19, col = blue, ...)
    return(invisible(NULL))
  }
  drawn <- ggplot2::ggplot(data.frame(x = x, y = y), ggplot2::aes(x = x, y = y)) +
    ggplot2::geom_line(colour = blue) + ggplot2::geom_point(colour = blue) +
    ggplot2::labs(x = xlab, y = ylab, title = main) + ggplot2::theme_minimal()
  if (grepl("x", log)) drawn <- drawn + ggplot2::scale_x_log10()
  if (grepl("y", log)) drawn <- drawn + ggplot2::scale_y_log10()
  drawn
}

# A point and its interval for each label; `line` is a level to compare with.
interval_plot <- function(labels, y, low, high, xlab, ylab, main, line = NULL, ...) {
  if (!has_ggplot()) {
    place <- seq_along(y)
    graphics::plot(place, y, ylim = range(low, high, line, finite = TRUE), xaxt = "n", xlab = xlab, ylab = ylab, main = main,
                   pch = 19, col = blue, ...)
    graphics::segments(place, low, place, high, col = blue)
    graphics::axis(1, place, labels)
    if (!is.null(line)) graphics::abline(h = line, lty = 2)
    return(invisible(NULL))
  }
  data <- data.frame(x = factor(labels, unique(labels)), y = y, low = low, high = high)
  drawn <- ggplot2::ggplot(data, ggplot2::aes(x = x, y = y, ymin = low, ymax = high)) +
    ggplot2::geom_pointrange(colour = blue) + ggplot2::labs(x = xlab, y = ylab, title = main) + ggplot2::theme_minimal()
  if (!is.null(line)) drawn <- drawn + ggplot2::geom_hline(yintercept = line, linetype = 2)
  drawn
}

bar_plot <- function(labels, y, ylab, main, ...) {
  if (!has_ggplot()) {
    graphics::barplot(y, names.arg = labels, ylab = ylab, main = main, col = blue, ...)
    return(invisible(NULL))
  }
  ggplot2::ggplot(data.frame(x = factor(labels, unique(labels)), y = y), ggplot2::aes(x = x, y = y)) +
    ggplot2::geom_col(fill = blue) + ggplot2::labs(x = NULL, y = ylab, title = main) + ggplot2::theme_minimal()
}
