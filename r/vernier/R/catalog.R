#' What a steward declares: the budget, and what is public about the data
#'
#' A catalog says whose data is protected, what may be spent on it in all, and what is public about its columns. It is
#' checked when it is built, before there is any data. `vernier catalog` on the command line takes the same in a file.
#'
#' @param budget Made by `vn_budget()`.
#' @param ... Tables by their names, each made by `vn_table()`.
#' @param folder Where the ledger and files are found from.
#' @param epsilon,delta What may be spent, for ever, on everything that is published from the catalog.
#' @param ledger The file that keeps what was spent.
#' @param accountant,witness,shares Further keys of `[budget]` in a catalog; `shares` is a named list by analyst.
#' @param columns A named list of columns, each made by `vn_column()`. Columns that are not declared are not read.
#' @param unit The column whose values are protected, such as `"person_id"`, or `"row"` where every row is a person of
#'   its own.
#' @param data A data frame with the rows. `source` may name a file in its place, or [vn_release()] gets the rows.
#' @param source A CSV or Parquet file with the rows.
#' @param neighbours,row_limit,weight,public_count,public Further keys of `[tables.NAME]` in a catalog.
#' @param type `"integer"`, `"real"`, `"string"`, `"boolean"` or `"date"`.
#' @param bounds `c(lower, upper)`: values outside are clamped.
#' @param keys The public values of a column, all of which are published as groups.
#' @param granularity,labels Further keys of a column in a catalog.
#' @return A list of the class `vn_catalog`, `vn_budget`, `vn_table` or `vn_column`.
#' @examples
#' people <- data.frame(region = rep(c("north", "south"), 500), minutes = rep(c(25, 40), 500))
#' catalog <- vn_catalog(
#'   vn_budget(epsilon = 2, delta = 1e-6, ledger = "survey.ledger"),
#'   people = vn_table(list(region = vn_column("string", keys = c("north", "south")),
#'                          minutes = vn_column("integer", bounds = c(0, 120))), unit = "row", data = people),
#'   folder = tempdir())
#' catalog
#' @export
vn_catalog <- function(budget, ..., folder = ".") {
  tables <- list(...)
  if (!inherits(budget, "vn_budget")) invalid(paste0("the budget of a catalog is ", kind_of(budget), "; write vn_budget(epsilon = 1)"))
  if (!length(tables) || is.null(names(tables)) || any(!nzchar(names(tables)))) {
    invalid("the tables of a catalog have no names; write for example people = vn_table(...)")
  }
  is_table <- vapply(tables, inherits, NA, "vn_table")
  if (!all(is_table)) invalid(paste0("the table '", names(tables)[!is_table][1L], "' is no table; write vn_table(columns, unit = ...)"))
  lines <- toml_part("[budget]", unclass(budget))
  for (name in names(tables)) {
    table <- tables[[name]]
    lines <- c(lines, toml_part(sprintf("[tables.%s]", toml_key(name)), table$entries),
               toml_part(sprintf("[tables.%s.columns]", toml_key(name)), lapply(table$columns, unclass)))
  }
  made <- list(text = paste0(paste(lines, collapse = "\n"), "\n"), folder = normalizePath(folder, mustWork = FALSE), budget = budget,
               data = Filter(Negate(is.null), lapply(tables, `[[`, "data")))
  declared <- read_json(ask("catalog", list(catalog_text = made$text, folder = made$folder)))
  if (length(declared$problems)) invalid(paste(vapply(declared$problems, `[[`, "", "sentence"), collapse = "\n"))
  structure(made, class = "vn_catalog", declared = declared)
}

#' @rdname vn_catalog
#' @export
vn_budget <- function(epsilon, delta = NULL, ledger = NULL, accountant = NULL, witness = NULL, shares = NULL) {
  structure(list(epsilon = epsilon, delta = delta, ledger = ledger, accountant = accountant, witness = witness, shares = shares),
            class = "vn_budget")
}

#' @rdname vn_catalog
#' @export
vn_table <- function(columns, unit = NULL, data = NULL, source = NULL, neighbours = NULL, row_limit = NULL, weight = NULL,
                     public_count = NULL, public = NULL) {
  if (!is.null(data) && !is.null(source)) invalid("a table has data and also a source; its rows stand in one place, so leave one of them out")
  if (!is.list(columns) || is.null(names(columns))) {
    invalid("the columns of a table have no names; write for example list(age = vn_column(\"integer\", bounds = c(0, 100)))")
  }
  columns <- lapply(columns, function(one) if (is.character(one)) vn_column(one) else one)
  if (!is.null(data)) {
    data <- declared_part("data", data, names(columns))
    frame_of("data", data)
  }
  entries <- list(source = source, format = if (is.null(source)) "arrow", unit = unit, neighbours = neighbours, row_limit = row_limit,
                  weight = weight, public_count = public_count, public = public)
  structure(list(columns = columns, entries = entries, data = data), class = "vn_table")
}

#' @rdname vn_catalog
#' @export
vn_column <- function(type, bounds = NULL, keys = NULL, granularity = NULL, labels = NULL) {
  if (!is.null(bounds) && length(bounds) != 2L) invalid("the bounds of a column are not two values; write c(lower, upper), for example c(0, 100)")
  structure(list(type = text_of("type", type), lower = bounds[1L], upper = bounds[2L], granularity = granularity,
                 keys = if (!is.null(keys)) I(if (is.factor(keys)) as.character(keys) else keys),
                 labels = if (!is.null(labels)) as.list(labels)), class = "vn_column")
}

#' @export
print.vn_catalog <- function(x, ...) {
  tables <- vapply(attr(x, "declared")$tables, `[[`, "", "name")
  cat(sprintf("catalog of %s; budget epsilon %s%s\n", paste(tables, collapse = ", "), x$budget$epsilon,
              if (is.null(x$budget$delta)) "" else paste(", delta", x$budget$delta)))
  invisible(x)
}

# The columns of a data frame that are declared: others are neither looked at nor copied.
declared_part <- function(name, data, declared) {
  if (!is.data.frame(data)) invalid(paste0(name, " is ", kind_of(data), "; give a data frame"))
  as.data.frame(data)[tolower(names(data)) %in% tolower(declared)]
}

# What the library reads of a data frame: columns by kind. A column of no kind that a catalog can declare is refused by its
# class, never by its values.
frame_of <- function(name, data) {
  if (!is.data.frame(data)) invalid(paste0(name, " is ", kind_of(data), "; give a data frame"))
  columns <- lapply(names(data), function(column) as_column(column, data[[column]]))
  list(names = enc2utf8(names(data)), columns = lapply(columns, `[[`, "values"), kinds = vapply(columns, `[[`, "", "kind"),
       rows = as.numeric(nrow(data)))
}

as_column <- function(name, values) {
  if (is.factor(values)) return(list(kind = "u", values = as.character(values)))
  if (inherits(values, "Date")) return(list(kind = "d", values = as.numeric(values)))
  if (inherits(values, "integer64")) return(list(kind = "l", values = unclass(values)))
  if (inherits(values, c("POSIXt", "difftime"))) invalid(paste0("the column '", name, "' holds times; give days, by as.Date()"))
  kind <- switch(typeof(values), logical = "b", integer = "i", double = "g", character = "u", NULL)
  if (is.null(kind) || !is.null(dim(values))) {
    invalid(paste0("the column '", name, "' is ", kind_of(values), "; give a vector of numbers, texts, days or TRUE and FALSE"))
  }
  list(kind = kind, values = as.vector(values))
}
