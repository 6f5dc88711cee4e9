#' What an analyst asks
#'
#' One or more SELECT statements that are planned and paid for together. [vn_plan()] says what they will cost,
#' [vn_release()] publishes them.
#'
#' @param catalog Made by [vn_catalog()].
#' @param ... Statements by the names of their statistics: texts, or made by `vn_statistic()`.
#' @param epsilon,delta What the study may cost. They may be left out where every statistic states an accuracy.
#' @param alpha The probability with which each interval may miss.
#' @param name The name of the study in releases and in the ledger.
#' @param sql One SELECT.
#' @param accuracy A named list by column: its numbers are to lie within plus or minus this.
#' @param weight How much the statistic matters where the budget is shared.
#' @param max_groups,max_rows How many groups one person may be in, and with how many rows in each.
#' @param typical_rows The group size for which the accuracy of a mean is stated.
#' @param covers `"sample"` or `"population"`: what the intervals are about.
#' @param guaranteed,simultaneous,denoise,differences,clamped_share Further keys of `[[statistic]]` in a study.
#' @return A list of the class `vn_study` or `vn_statistic`.
#' @inherit vn_release examples
#' @export
vn_study <- function(catalog, ..., epsilon = NULL, delta = NULL, alpha = NULL, name = "study") {
  asked <- list(...)
  if (!inherits(catalog, "vn_catalog")) invalid(paste0("the catalog is ", kind_of(catalog), "; make one by vn_catalog()"))
  if (!length(asked) || is.null(names(asked)) || any(!nzchar(names(asked)))) {
    invalid("the statements of a study have no names; write for example people = \"SELECT COUNT(*) AS people FROM people\"")
  }
  budget <- Filter(Negate(is.null), list(epsilon = epsilon, delta = delta))
  lines <- toml_part(NULL, list(catalog = "catalog.toml", alpha = alpha, budget = if (length(budget)) budget))
  for (one in names(asked)) {
    statistic <- if (inherits(asked[[one]], "vn_statistic")) asked[[one]] else vn_statistic(asked[[one]])
    lines <- c(lines, toml_part("[[statistic]]", c(list(name = one), unclass(statistic))))
  }
  made <- structure(list(name = text_of("name", name), text = paste0(paste(lines, collapse = "\n"), "\n"), catalog = catalog), class = "vn_study")
  made$statistics <- ask("study", study_words(made))
  made
}

#' @rdname vn_study
#' @export
vn_statistic <- function(sql, accuracy = NULL, weight = NULL, max_groups = NULL, max_rows = NULL, typical_rows = NULL, covers = NULL,
                         guaranteed = NULL, simultaneous = NULL, denoise = NULL, differences = NULL, clamped_share = NULL) {
  structure(list(sql = text_of("sql", sql), accuracy = if (!is.null(accuracy)) as.list(accuracy), weight = weight, max_groups = max_groups,
                 max_rows = max_rows, typical_rows = typical_rows, covers = covers, guaranteed = guaranteed, simultaneous = simultaneous,
                 denoise = denoise, differences = differences, clamped_share = clamped_share), class = "vn_statistic")
}

#' @export
print.vn_study <- function(x, ...) {
  cat(sprintf("study '%s': %s\n", x$name, paste(x$statistics, collapse = ", ")))
  invisible(x)
}

# A study that was made here, or the file of one.
study_words <- function(study, catalog = NULL) {
  if (inherits(study, "vn_study")) {
    return(list(name = study$name, study_text = study$text, catalog_text = study$catalog$text, folder = study$catalog$folder))
  }
  if (!is.character(study) || length(study) != 1L || is.na(study)) {
    invalid(paste0("the study is ", kind_of(study), "; make one by vn_study(), or give the path of a file"))
  }
  list(study = path.expand(study), catalog = if (!is.null(catalog)) path.expand(text_of("catalog", catalog)))
}
