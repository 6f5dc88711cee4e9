#include "tongue.hpp"

#include <fmt/format.h>

namespace vernier::python {
namespace {

std::string_view without_zeros(std::string_view number) { return number.substr(number.find_first_not_of('0')); }

std::string day(std::string_view written) {
  return fmt::format("datetime.date({}, {}, {})", without_zeros(written.substr(0, 4)),
                     without_zeros(written.substr(5, 2)), without_zeros(written.substr(8, 2)));
}
std::string list(const std::string& inner, bool /*is_nested*/) { return "[" + inner + "]"; }
std::string table(const std::string& inner) { return "{" + inner + "}"; }

bool is_number(std::string_view name) { return !name.empty() && name.find_first_not_of("0123456789") == name.npos; }
std::string member(std::string_view name) {
  return is_number(name) ? fmt::format("{}: ", name) : fmt::format("\"{}\": ", name);
}
std::string table_named(std::string_view name) { return fmt::format("the vn.Table '{}'", name); }

constexpr cli::Tongue tongue = {
    .terms = {"argument", "arguments", "a dictionary", "", "", "another one", "the vn.Budget",
              "engine=", "shares of the budget", "{\"anna\": 0.5}", "{\"anna\": 0.5}", "a vn.Table",
              "a dictionary such as {\"table\": \"people\", \"where\": \"age >= 18\"}", "a vn.Statistic",
              "[vn.Statistic(\"people\", \"SELECT COUNT(*) AS people FROM people\")]",
              "[vn.Tables(\"people\", \"people\", [\"sex\"], up_to=1)]", "[vn.Series(\"cases\", ...)]",
              "give the study an epsilon, or the statistic an accuracy"},
    .true_word = "True",
    .false_word = "False",
    .assigned = "=",
    .day = day,
    .list = list,
    .table = table,
    .member = member,
    .table_named = table_named,
};

}  // namespace

std::string python_spelling(std::string_view name, std::string_view value) {
  return cli::spelled_in(tongue, name, value);
}

}  // namespace vernier::python
