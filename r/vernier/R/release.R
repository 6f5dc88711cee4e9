#' Publish numbers with their confidence intervals
#'
#' Pays from the ledger, reads the data, adds noise and signs the result. What was paid stays paid, whatever happens
#' afterwards.
#'
#' @param study Made by [vn_study()], or the path of a study file.
#' @param data A named list of data frames for tables whose rows are not in the catalog.
#' @param catalog Of a study file: the only catalog that it may name.
#' @param out A new folder for the report, charts, CSV and `release.json`; none is written where it is `NULL`.
#' @param analyst Whose share of the budget pays, where there are shares.
#' @param request An id of your own: the same id gets the same answer again, and pays once.
#' @return A list of the class `vn_release` with one data frame for each statistic, by its name. Each has a row for
#'   every group: its keys, then `value`, `low`, `high` and `margin`; with several numbers each is named as in the SQL,
#'   such as `people`, `people_low`, `people_high` and `people_margin`. `as.data.frame()` is all of it, a row for every
#'   number; `confint()` the intervals; `summary()` the guarantee; `attr(x, "record")` the text of `release.json`.
#' @examples
#' people <- data.frame(region = rep(c("north", "south"), 500), minutes = rep(c(25, 40), 500))
#' columns <- list(region = vn_column("string", keys = c("north", "south")),
#'                 minutes = vn_column("integer", bounds = c(0, 120)))
#' catalog <- vn_catalog(vn_budget(epsilon = 2, ledger = "example.ledger"), folder = tempfile(),
#'                       people = vn_table(columns, unit = "row", data = people))
#' sql <- "SELECT region, AVG(minutes) AS minutes FROM people GROUP BY region"
#' study <- vn_study(catalog, commute = sql, epsilon = 1)
#' vn_plan(study)
#' published <- vn_release(study)
#' published$commute
#' confint(published)
#' vn_verify(published)
#' @export
vn_release <- function(study, data = list(), catalog = NULL, out = NULL, analyst = NULL, request = NULL) {
  if (is.data.frame(data) || !is.list(data) || length(data) && is.null(names(data))) {
    invalid("data is no named list of data frames; write for example data = list(people = people)")
  }
  rows <- utils::modifyList(if (inherits(study, "vn_study")) study$catalog$data else list(), data)
  if (inherits(study, "vn_study")) dir.create(study$catalog$folder, showWarnings = FALSE, recursive = TRUE)
  words <- words_of(c(study_words(study, catalog), list(out = if (!is.null(out)) path.expand(text_of("out", out)), analyst = analyst, request = request)))
  frames <- Map(frame_of, sprintf("the data of '%s'", names(rows)), rows)
  texts <- texts_of(core_release(words$names, words$values, as.character(names(rows)), unname(frames)))
  released(texts[1L], texts[2L], texts[3L] == "repeated")
}

# The record of a release as data frames.
released <- function(record, report = NULL, is_repeated = FALSE) {
  found <- read_json(record)
  tables <- Map(released_table, found$statistics, found$certificate$statistics)
  names(tables) <- vapply(found$statistics, `[[`, "", "name")
  structure(tables, class = "vn_release", record = record, report = report, is_repeated = is_repeated,
            epsilon = number_of(found$guarantee$epsilon), delta = number_of(found$guarantee$delta), study = found$study)
}

released_table <- function(statistic, certified) {
  keys <- unlist(statistic$keys)
  columns <- setdiff(names(statistic$rows[[1L]]), keys)
  if (!length(statistic$rows)) columns <- Filter(nzchar, vapply(statistic$releases, function(one) if (is.null(one$column)) "" else one$column, ""))
  parts <- Map(function(key, type) key_column(lapply(statistic$rows, `[[`, key), type), keys, unlist(certified$key_types))
  for (column in columns) parts <- c(parts, figures_of(statistic$rows, column, alone = length(columns) == 1L))
  names(parts) <- make.unique(names(parts), sep = "_")
  frame <- structure(parts, class = c("vn_released", "data.frame"), row.names = .set_row_names(length(statistic$rows)))
  structure(frame, keys = keys, columns = columns, statistic = statistic$name, sql = statistic$sql,
            confidence = if (length(statistic$rows)) number_of(statistic$rows[[1L]][[columns[1L]]]$confidence) else NA_real_)
}

key_column <- function(values, type) {
  texts <- vapply(values, function(one) if (is.null(one)) NA_character_ else as.character(one), "")
  switch(type, integer = , real = as.numeric(texts), boolean = as.logical(texts), date = as.Date(texts), texts)
}

figures_of <- function(rows, column, alone) {
  read <- function(get) vapply(rows, function(row) number_of(get(row[[column]])), 0)
  parts <- list(value = read(function(one) one$value), low = read(function(one) one$interval[[1L]]),
                high = read(function(one) one$interval[[2L]]), margin = read(function(one) one$accuracy))
  if (length(rows) && !is.null(rows[[1L]][[column]]$denoised)) parts$denoised <- read(function(one) one$denoised)
  if (!alone) names(parts) <- c(column, paste(column, names(parts)[-1L], sep = "_"))
  parts
}

# One row for every number of a statistic.
long_table <- function(table) {
  columns <- attr(table, "columns")
  prefixes <- if (length(columns) == 1L) "" else paste0(columns, "_")
  do.call(rbind, Map(function(column, prefix) {
    part <- function(name) plain(table)[[paste0(prefix, name)]]
    value <- if (nzchar(prefix)) plain(table)[[column]] else part("value")
    data.frame(statistic = rep(attr(table, "statistic"), length(value)), group = group_labels(table), column = rep(column, length(value)),
               value = value, low = part("low"), high = part("high"), margin = part("margin"))
  }, columns, prefixes))
}

group_labels <- function(table) {
  keys <- attr(table, "keys")
  if (!length(keys)) return(rep("all", nrow(table)))
  do.call(paste, c(unname(lapply(keys, function(key) as.character(plain(table)[[key]]))), sep = ", "))
}

#' @export
print.vn_release <- function(x, ...) {
  report <- attr(x, "report")
  if (length(report) && nzchar(report)) cat(report) else for (table in unclass(x)) print(table)
  invisible(x)
}

#' @export
print.vn_released <- function(x, ...) {
  if (is.null(attr(x, "columns"))) return(print(plain(x), ...))
  shown <- bare(x)
  row.names(shown) <- NULL
  cat(attr(x, "statistic"), "\n", sep = "")
  print(shown, row.names = FALSE, ...)
  if (!is.na(attr(x, "confidence"))) cat(sprintf("each interval holds with probability %s %%\n", format(100 * attr(x, "confidence"))))
  invisible(x)
}

#' @export
as.data.frame.vn_release <- function(x, ...) {
  frame <- do.call(rbind, unname(lapply(unclass(x), long_table)))
  row.names(frame) <- NULL
  frame
}

#' @export
as.data.frame.vn_released <- function(x, ...) bare(x)

#' @export
summary.vn_release <- function(object, ...) {
  data.frame(study = attr(object, "study"), epsilon = attr(object, "epsilon"), delta = attr(object, "delta"), statistics = length(object),
             numbers = nrow(as.data.frame(object)), repeated = attr(object, "is_repeated"))
}

#' @export
summary.vn_released <- function(object, ...) long_table(object)

#' @export
confint.vn_release <- function(object, parm, level, ...) {
  do.call(rbind, lapply(unclass(object), function(table) confint(table)))
}

#' @export
confint.vn_released <- function(object, parm, level, ...) {
  if (!missing(level)) invalid("level does not change what was published; state alpha in vn_study()")
  long <- long_table(object)
  interval_matrix(long$low, long$high, paste(long$statistic, long$group, long$column, sep = ": "), attr(object, "confidence"))
}

#' @export
plot.vn_release <- function(x, statistic = 1L, ...) plot(x[[statistic]], ...)

#' @export
plot.vn_released <- function(x, column = attr(x, "columns")[1L], ...) {
  long <- long_table(x)
  long <- long[long$column == column, ]
  if (!nrow(long)) invalid(paste0("the statistic '", attr(x, "statistic"), "' has no number of this name; it has ", paste(attr(x, "columns"), collapse = ", ")))
  interval_plot(long$group, long$value, long$low, long$high, xlab = paste(attr(x, "keys"), collapse = ", "), ylab = column,
                main = attr(x, "statistic"), ...)
}

#' Whether a release holds
#'
#' Computes every figure of a release again from its signed record. No data is read.
#'
#' @param release The result of [vn_release()], or the path of a published folder or of its `release.json`.
#' @param public_key The publisher's key, as PEM text or the path of a file that holds it; without one any key that the
#'   record names will do.
#' @return A data frame of the class `vn_verdict` with a row for every kind of check: `name`, `what` and `count`.
#'   `attr(x, "holds")` says whether all of it holds, and `attr(x, "problem")` what does not.
#' @inherit vn_release examples
#' @export
vn_verify <- function(release, public_key = NULL) {
  if (!is.null(public_key) && !grepl("-----BEGIN", text_of("public_key", public_key), fixed = TRUE)) {
    if (!file.exists(public_key)) invalid(paste0("the file '", public_key, "' of the public key is not there; give its path, or the PEM text"))
    public_key <- paste(readLines(public_key, warn = FALSE), collapse = "\n")
  }
  what <- if (inherits(release, "vn_release")) list(record = attr(release, "record")) else list(place = path.expand(text_of("release", release)))
  found <- read_json(ask("verify", c(what, list(public_key = public_key))))
  checks <- data.frame(name = vapply(found$checks, `[[`, "", "name"), what = vapply(found$checks, `[[`, "", "what"),
                       count = vapply(found$checks, function(one) number_of(one$count), 0))
  structure(checks, class = c("vn_verdict", "data.frame"), holds = found$holds, problem = found$first_problem, signer = found$signer)
}

#' @export
print.vn_verdict <- function(x, ...) {
  if (is.null(attr(x, "holds"))) return(print(plain(x), ...))
  if (attr(x, "holds")) cat(sprintf("holds: %s figures computed again\n", format(sum(x$count), big.mark = ",")))
  else cat("does not hold: ", attr(x, "problem"), "\n", sep = "")
  invisible(x)
}

#' @export
summary.vn_verdict <- function(object, ...) bare(object)

#' @export
as.data.frame.vn_verdict <- function(x, ...) bare(x)
