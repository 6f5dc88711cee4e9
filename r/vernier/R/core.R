# How R speaks to the library: parameters by name as texts, numbers as they are written; an error is a condition.

# A number as a person would write it: 0.1 is one tenth, not the double that is nearest to it.
written <- function(name, value) {
  if (is.character(value) && length(value) == 1L && !is.na(value)) return(enc2utf8(value))
  if (inherits(value, "integer64")) return(as.character(value))
  if (!is.numeric(value) || length(value) != 1L || is.na(value)) {
    invalid(paste0(name, " is ", kind_of(value), "; write a number such as 0.5"))
  }
  if (is.infinite(value)) return(if (value > 0) "inf" else "-inf")
  for (digits in 15:17) {
    text <- formatC(value, digits = digits, width = 1L, format = "g")
    if (as.numeric(text) == value) break
  }
  text
}

text_of <- function(name, value) {
  if (!is.character(value) || length(value) != 1L || is.na(value)) invalid(paste0(name, " is ", kind_of(value), "; write a text"))
  enc2utf8(value)
}

# What a value is, for a sentence.
kind_of <- function(value) {
  if (is.null(value)) return("NULL")
  if (length(value) == 1L && is.atomic(value) && is.na(value)) return("NA")
  class <- class(value)[1L]
  if (length(value) != 1L && is.atomic(value)) return(paste0("a vector of ", length(value), " values"))
  paste(if (grepl("^[aeiou]", class)) "an" else "a", class)
}

invalid <- function(sentence) {
  signal(sentence, list(kind = "invalid", problem = sentence))
}

signal <- function(sentence, parts) {
  condition <- structure(
    class = c(paste0("vn_", parts$kind), "vn_error", "error", "condition"),
    list(message = sentence, call = NULL, kind = parts$kind, subject = parts$subject, problem = parts$problem,
         advice = parts$advice, place = parts$place)
  )
  stop(condition)
}

# The texts of an answer, or its error as a condition.
texts_of <- function(answer) {
  if (answer$failed) signal(answer$texts[1L], jsonlite::fromJSON(answer$texts[2L])$error)
  answer$texts
}

# list(epsilon = 1, event = c("a", "b"), flag = TRUE) as names and values; what is NULL or FALSE is left out.
words_of <- function(given) {
  names <- character()
  values <- character()
  for (name in names(given)) {
    value <- given[[name]]
    if (is.null(value) || isFALSE(value)) next
    texts <- if (isTRUE(value)) NA_character_ else if (is.character(value)) enc2utf8(value) else vapply(value, function(one) written(name, one), "")
    names <- c(names, rep(name, length(texts)))
    values <- c(values, texts)
  }
  list(names = names, values = as.character(values))
}

ask <- function(question, given = list()) {
  words <- words_of(given)
  texts_of(core_ask(question, words$names, words$values))
}

read_json <- function(text) jsonlite::fromJSON(text, simplifyVector = FALSE)

# A figure of JSON, in which infinities and integers beyond 2^53 are texts.
number_of <- function(value) if (is.null(value)) NA_real_ else as.numeric(value)

flag_of <- function(name, value) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) invalid(paste0(name, " is ", kind_of(value), "; it is TRUE or FALSE"))
  value
}

# Several numbers as the command line takes them; a list(first, last, points) is a range.
spread_of <- function(name, value) {
  if (is.null(value) || is.character(value) && length(value) == 1L) return(value)
  if (is.list(value) && length(value) == 3L) return(paste(vapply(value, function(one) written(name, one), ""), collapse = ":"))
  if (length(value) == 0L) invalid(paste0(name, " has no number; write at least one"))
  paste(vapply(value, function(one) written(name, one), ""), collapse = ",")
}
