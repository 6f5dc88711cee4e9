#include "vernier/core/error.hpp"

#include <algorithm>
#include <utility>

#include "vernier/core/files_say.hpp"

namespace vernier {
namespace {

// A parameter stands between two of these, which no text that is shown to people holds.
constexpr char mark = '\x1f';

std::string with_blank(std::string text) { return text.empty() ? text : text + " "; }

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == text.npos &&
         text.find_first_of("0123456789") != text.npos;
}

std::string marked(std::string_view content) { return std::string(1, mark).append(content).append(1, mark); }

// "name" or "name=value", as it stands between the marks.
std::string spelled_parameter(std::string_view content, const Spelling& spelling) {
  const std::size_t equals = content.find('=');
  if (equals == content.npos) return spelling(content, {});
  return spelling(content.substr(0, equals), content.substr(equals + 1));
}

Place place_of(const Error& error) { return error.place ? error.place->place : Place{}; }

}  // namespace

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid:
      return "invalid";
    case ErrorKind::entropy:
      return "entropy";
    case ErrorKind::exhausted:
      return "exhausted";
    case ErrorKind::system:
      return "system";
    case ErrorKind::engine:
      return "engine";
    case ErrorKind::stopped:
      break;
  }
  return "stopped";
}

std::string text_of(const Location& location) {
  return location.file + ":" + std::to_string(location.place.line) + ":" + std::to_string(location.place.column);
}

std::string parameter(std::string_view name) { return marked(name); }

std::string parameter(std::string_view name, std::string_view value) {
  return marked(std::string(name).append("=").append(value));
}

std::string plain_spelling(std::string_view name, std::string_view value) {
  if (const auto said = said_in_files(name, value)) return *said;
  return value.empty() ? std::string(name) : std::string(name).append(" = ").append(value);
}

std::string option_spelling(std::string_view name, std::string_view value) {
  if (const auto said = said_in_files(name, value)) return *said;
  std::string option = "--" + std::string(name);
  std::replace(option.begin(), option.end(), '_', '-');
  return value.empty() ? option : option.append(" ").append(value);
}

std::string keyword_spelling(std::string_view name, std::string_view value) {
  if (const auto said = said_in_files(name, value)) return *said;
  std::string keyword(name);
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  if (value.empty()) return keyword;
  return is_number(value) ? keyword.append("=").append(value) : keyword.append("=\"").append(value).append("\"");
}

std::string spelled(std::string_view text, const Spelling& spelling) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find(mark);
    const std::size_t end = begin == text.npos ? begin : text.find(mark, begin + 1);
    if (end == text.npos) return out.append(text);
    out.append(text.substr(0, begin)).append(spelled_parameter(text.substr(begin + 1, end - begin - 1), spelling));
    text.remove_prefix(end + 1);
  }
}

std::string Error::statement(const Spelling& spelling) const {
  return spelled(with_blank(subject) + problem + (advice.empty() ? "" : "; " + advice), spelling);
}

std::string Error::sentence(const Spelling& spelling) const {
  std::string text = place ? text_of(*place) + ": " : std::string();
  text += statement(spelling);
  if (!others.empty()) {
    text += " (and " + std::to_string(others.size()) + (others.size() == 1 ? " more problem" : " more problems");
    text += place ? " in this file)" : ")";
  }
  for (const std::string& line : details) text += "\n  " + line;
  return text;
}

Error after(std::string words, Error error) {
  (error.subject.empty() ? error.problem : error.subject).insert(0, words);
  return error;
}

Error about(std::string subject, Error error) {
  if (error.subject.empty()) {
    error.subject = std::move(subject);
  } else {
    error.subject = subject + ": " + error.subject;
  }
  return error;
}

Error at(Location location, Error error) {
  if (!error.place) error.place = std::move(location);
  return error;
}

Error spelled(Error error, const Spelling& spelling) {
  for (std::string* const part : {&error.subject, &error.problem, &error.advice}) *part = spelled(*part, spelling);
  for (Error& other : error.others) other = spelled(std::move(other), spelling);
  return error;
}

Error together(std::vector<Error> errors) {
  std::vector<Error> all;
  for (Error& error : errors) {
    std::vector<Error> others = std::exchange(error.others, {});
    all.push_back(std::move(error));
    all.insert(all.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
  }
  std::stable_sort(all.begin(), all.end(), [](const Error& a, const Error& b) { return place_of(a) < place_of(b); });
  Error first = std::move(all.front());
  first.others.assign(std::make_move_iterator(all.begin() + 1), std::make_move_iterator(all.end()));
  return first;
}

}  // namespace vernier
