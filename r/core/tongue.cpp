#include "tongue.hpp"

namespace vernier::r {
namespace {

std::string day(std::string_view written) { return "as.Date(\"" + std::string(written) + "\")"; }
std::string list(const std::string& inner, bool is_nested) { return (is_nested ? "list(" : "c(") + inner + ")"; }
std::string table(const std::string& inner) { return "list(" + inner + ")"; }

bool is_name(std::string_view name) {
  const std::string_view rest = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  return !name.empty() && name.find_first_not_of(rest) == name.npos && name.find_first_of("0123456789_.") != 0;
}
std::string member(std::string_view name) {
  return is_name(name) ? std::string(name) + " = " : "`" + std::string(name) + "` = ";
}
std::string table_named(std::string_view name) { return "vn_table() '" + std::string(name) + "'"; }

constexpr cli::Tongue tongue = {
    .terms = {"argument", "arguments", "a named list", "", "", "another one", "vn_budget()", "engine",
              "shares of the budget", "list(anna = 0.5)", "list(anna = 0.5)", "vn_table()",
              "a list such as list(table = \"people\", where = \"age >= 18\")", "a statement, or vn_statistic()",
              "people = \"SELECT COUNT(*) AS people FROM people\"",
              "a study in a file, whose tables begin with [[table]]",
              "a study in a file, whose series begin with [[series]]",
              "give the study an epsilon, or the statistic an accuracy"},
    .true_word = "TRUE",
    .false_word = "FALSE",
    .assigned = " = ",
    .day = day,
    .list = list,
    .table = table,
    .member = member,
    .table_named = table_named,
};

}  // namespace

std::string r_spelling(std::string_view name, std::string_view value) { return cli::spelled_in(tongue, name, value); }

}  // namespace vernier::r
