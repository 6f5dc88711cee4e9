# Runs the examples of docs/guide/r.md, in order and in a folder of their own.
arguments <- commandArgs(trailingOnly = TRUE)
lines <- readLines(arguments[1L])
library(vernier)
begins <- which(lines == "```r")
stopifnot(length(begins) >= 4L)
setwd(tempdir())
grDevices::pdf(NULL)
for (begin in begins) {
  end <- begin + which(lines[-seq_len(begin)] == "```")[1L]
  for (example in as.list(parse(text = lines[(begin + 1L):(end - 1L)]))) {
    value <- withVisible(eval(example, globalenv()))
    if (value$visible) print(value$value)
  }
}
stopifnot(abs(vn_calibrate("geometric", accuracy = 50)$epsilon - 0.0593) < 1e-4, nrow(published$commute) == 3L,
          all(abs(published$commute$value - c(25, 40, 15)) < 5), attr(vn_verify(published), "holds"))
