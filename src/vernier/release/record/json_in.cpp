#include "vernier/release/record/json_in.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "vernier/core/text.hpp"

namespace vernier::release {
namespace {

const Json& nothing() {
  static const Json missing(Json::value_t::discarded);
  return missing;
}
const Json& no_list() {
  static const Json empty = Json::array();
  return empty;
}

// Thrown through the parser, which has no other way to be stopped, and caught right above it.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Watcher {
 public:
  explicit Watcher(int most_depth) : most_depth_(most_depth) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > most_depth_) throw Refused("it is nested too deeply");
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key) insert(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void insert(const std::string& key) {
    if (!keys_.back().insert(key).second) throw Refused("an object has the key '" + key + "' twice");
  }
  int most_depth_;
  std::vector<std::set<std::string>> keys_;
};

bool is_held_by_a_double(std::int64_t number) {
  const auto nearest = static_cast<double>(number);
  return nearest < 0x1p63 && static_cast<std::int64_t>(nearest) == number;
}

std::optional<std::int64_t> whole_of(const Json& json) {
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (!json.is_string()) return std::nullopt;
  const auto& text = json.get_ref<const std::string&>();
  const Result<long long> read = read_integer("it", text);
  if (!read || std::to_string(*read) != text || is_held_by_a_double(*read)) return std::nullopt;
  return *read;
}

std::optional<double> number_of(const Json& json) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return infinity;
  if (json == "-inf") return -infinity;
  return std::nullopt;
}

// Where a text of JSON ends that begins with this quote.
std::size_t behind_text(std::string_view json, std::size_t quote) {
  for (std::size_t i = quote + 1; i < json.size(); ++i) {
    if (json[i] == '\\')
      ++i;
    else if (json[i] == '"')
      return i + 1;
  }
  return json.size();
}

// Whether the number behind this minus is 0, however it is spelled.
bool is_zero(std::string_view digits) {
  const std::string_view mantissa = digits.substr(0, std::min(digits.find_first_not_of("0123456789."), digits.size()));
  return !mantissa.empty() && mantissa.find_first_not_of("0.") == std::string_view::npos;
}

// A writer of records has no sign for it; a reader of JSON would take it for 0.
bool has_negative_zero(std::string_view json) {
  for (std::size_t i = 0; i < json.size();) {
    if (json[i] == '"') {
      i = behind_text(json, i);
      continue;
    }
    const bool begins_number = json[i] == '-' && (i == 0 || (json[i - 1] != 'e' && json[i - 1] != 'E'));
    if (begins_number && is_zero(json.substr(i + 1))) return true;
    ++i;
  }
  return false;
}

}  // namespace

Result<Json> parse_strictly(std::string_view text, int most_depth) {
  if (has_negative_zero(text)) return invalid("a number in it is -0");
  try {
    Watcher watcher(most_depth);
    return Json::parse(text.begin(), text.end(), [&](int depth, Json::parse_event_t event, const Json& parsed) {
      return watcher(depth, event, parsed);
    });
  } catch (const Refused& refused) {
    return invalid(refused.what());
  } catch (const std::exception&) {
    return invalid("it is no JSON");
  }
}

std::string JsonIn::where() const {
  if (outer_ == nullptr) return "";
  std::string where = outer_->where().append(key_);
  if (place_ != no_place) where.append("[").append(std::to_string(place_)).append("]");
  return where + ".";
}

void JsonIn::refuse(std::string_view key, std::string_view why) {
  if (!reading_.is_refused()) reading_.refuse(where() + std::string(key) + " " + std::string(why));
}

void JsonIn::check_object() {
  if (object_.is_object() || object_.is_discarded()) return;
  if (outer_ == nullptr) return reading_.refuse("the record must be an object");
  outer_->refuse(key_, "must be an object");
}

const Json& JsonIn::any(std::string_view key) {
  seen_.push_back(key);
  if (contains(key)) return at(key);
  if (!object_.is_discarded()) refuse(key, "is missing");
  return nothing();
}

void JsonIn::done() {
  if (!object_.is_object()) return;
  for (const auto& [key, value] : object_.items()) {
    if (std::find(seen_.begin(), seen_.end(), key) == seen_.end()) return refuse(key, "is unknown");
  }
}

bool JsonIn::is_list(std::string_view key, const Json& json, std::size_t most) {
  if (json.is_array() && json.size() <= most) return true;
  refuse(key, "must be a list of at most " + std::to_string(most));
  return false;
}

const Json& JsonIn::list(std::string_view key, std::size_t most) {
  const Json& found = any(key);
  if (found.is_discarded()) return no_list();
  return is_list(key, found, most) ? found : no_list();
}

void JsonIn::read_one(std::string_view key, const Json& json, bool& value) {
  if (!json.is_boolean()) return refuse(key, "must be true or false");
  value = json.get<bool>();
}

void JsonIn::read_one(std::string_view key, const Json& json, double& value) {
  const std::optional<double> number = number_of(json);
  if (!number) return refuse(key, "must be a number");
  value = *number;
}

void JsonIn::read_one(std::string_view key, const Json& json, numeric::Rational& value) {
  constexpr std::size_t most_digits = 25000;  // of a decimal that a catalog takes, as a fraction
  const std::string found = text(key, json);
  const auto number = found.size() <= most_digits ? numeric::Rational::of_fraction(found)
                                                  : Result<numeric::Rational>(invalid("it is too long"));
  if (!number) return refuse(key, "must be an exact number such as 3 or 1/20");
  value = *number;
}

std::int64_t JsonIn::whole(std::string_view key, const Json& json, Whole range) {
  const std::optional<std::int64_t> number = whole_of(json);
  if (number && *number >= range.least && *number <= range.greatest) return *number;
  refuse(key, "must be a whole number from " + std::to_string(range.least) + " to " + std::to_string(range.greatest));
  return std::max<std::int64_t>(range.least, 0);
}

std::string JsonIn::text(std::string_view key, const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  refuse(key, "must be a text");
  return "";
}

std::string JsonIn::spelled(double value) { return shortest(value); }

}  // namespace vernier::release
