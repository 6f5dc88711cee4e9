# Catalogs and studies are written as the TOML of their files and read by the library, so that the same rules hold.

toml_string <- function(text) {
  text <- gsub("\\", "\\\\", enc2utf8(text), fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("\n", "\\n", gsub("\t", "\\t", gsub("\r", "\\r", text, fixed = TRUE), fixed = TRUE), fixed = TRUE)
  paste0("\"", text, "\"")
}

toml_key <- function(key) if (grepl("^[A-Za-z0-9_-]+$", key)) key else toml_string(key)

toml_one <- function(name, value) {
  if (is.logical(value) && !is.na(value)) return(if (value) "true" else "false")
  if (inherits(value, "Date")) return(format(value))
  if (is.factor(value)) value <- as.character(value)
  if (is.character(value)) return(toml_string(text_of(name, value)))
  written(name, value)
}

# A named list is a table, a longer vector or a list without names an array; I() makes an array of a single value.
toml_value <- function(name, value) {
  if (is.list(value) && !is.null(names(value))) {
    said <- Filter(Negate(is.null), value)
    inner <- vapply(names(said), function(key) paste(toml_key(key), "=", toml_value(key, said[[key]])), "")
    return(paste0("{ ", paste(inner, collapse = ", "), " }"))
  }
  if (is.list(value) || length(value) != 1L || inherits(value, "AsIs")) {
    inner <- vapply(seq_along(value), function(i) {
      one <- value[[i]]
      if (inherits(value, "Date")) one <- value[i]
      if (length(one) == 1L) toml_one(name, one) else toml_value(name, one)
    }, "")
    return(paste0("[", paste(inner, collapse = ", "), "]"))
  }
  toml_one(name, value)
}

# Lines `key = value`; what is NULL is left out.
toml_lines <- function(entries) {
  said <- Filter(Negate(is.null), entries)
  vapply(names(said), function(key) paste(toml_key(key), "=", toml_value(key, said[[key]])), "", USE.NAMES = FALSE)
}

# list(c(heading, list(...))) as a document.
toml_part <- function(heading, entries) c(heading, toml_lines(entries), "")
