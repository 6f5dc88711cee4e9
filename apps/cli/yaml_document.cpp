#include "cli/yaml_document.hpp"

#include <optional>
#include <set>

#include <yaml.h>

#include "vernier/query/toml_reader.hpp"

namespace vernier::cli {
namespace {

using query::Place;
using query::Problem;
template <class T>
using Parsed = tl::expected<T, Problem>;

Place place_of(const yaml_mark_t& mark) {
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }

  yaml_event_t* fresh() {
    yaml_event_delete(&event_);
    return &event_;
  }
  const yaml_event_t& get() const { return event_; }
  yaml_event_type_t type() const { return event_.type; }
  Place place() const { return place_of(event_.start_mark); }

 private:
  yaml_event_t event_{};
};

const yaml_char_t* anchor_of(const yaml_event_t& event) {
  if (event.type == YAML_SCALAR_EVENT) return event.data.scalar.anchor;
  if (event.type == YAML_MAPPING_START_EVENT) return event.data.mapping_start.anchor;
  return event.type == YAML_SEQUENCE_START_EVENT ? event.data.sequence_start.anchor : nullptr;
}

const yaml_char_t* tag_of(const yaml_event_t& event) {
  if (event.type == YAML_SCALAR_EVENT) return event.data.scalar.tag;
  if (event.type == YAML_MAPPING_START_EVENT) return event.data.mapping_start.tag;
  return event.type == YAML_SEQUENCE_START_EVENT ? event.data.sequence_start.tag : nullptr;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : ready_(yaml_parser_initialize(&parser_) == 1) {
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (ready_) yaml_parser_delete(&parser_);
  }

  Parsed<YamlNode> document() {
    for (const yaml_event_type_t expected : {YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT}) {
      if (const auto fault = next()) return tl::unexpected(*fault);
      if (event_.type() != expected) return refuse("the file is empty; it should hold SmartNoise's metadata");
    }
    if (const auto fault = next()) return tl::unexpected(*fault);
    Parsed<YamlNode> root = node(1);
    if (!root) return root;
    for (const yaml_event_type_t expected : {YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT}) {
      if (const auto fault = next()) return tl::unexpected(*fault);
      if (event_.type() != expected) return refuse("the file has a second document (---); leave one");
    }
    return root;
  }

 private:
  tl::unexpected<Problem> refuse(std::string sentence) const {
    return tl::unexpected(Problem{event_.place(), std::move(sentence)});
  }

  // Goes to the next event; what cannot be read, or is never read, is a problem.
  std::optional<Problem> next() {
    if (!ready_ || yaml_parser_parse(&parser_, event_.fresh()) != 1) return broken();
    if (event_.type() == YAML_ALIAS_EVENT || anchor_of(event_.get()) != nullptr)
      return Problem{event_.place(), "anchors (&) and aliases (*) are not read; write the value itself"};
    if (tag_of(event_.get()) != nullptr) return Problem{event_.place(), "tags (!) are not read; leave it out"};
    return std::nullopt;
  }

  Problem broken() const {
    const Place place = ready_ ? place_of(parser_.problem_mark) : Place{};
    return {place, "this cannot be read as YAML; see the blanks at the beginning of the line, quotes and colons"};
  }

  Parsed<YamlNode> node(int depth) {
    if (depth > most_yaml_depth) return refuse("this is nested too deeply; SmartNoise's metadata has four levels");
    const Place place = event_.place();
    if (event_.type() == YAML_SCALAR_EVENT) return YamlNode{place, scalar()};
    if (event_.type() == YAML_MAPPING_START_EVENT) {
      return map(depth).map([&](YamlMap entries) { return YamlNode{place, std::move(entries)}; });
    }
    return list(depth).map([&](YamlList items) { return YamlNode{place, std::move(items)}; });
  }

  YamlScalar scalar() const {
    const auto& found = event_.get().data.scalar;
    return {std::string(reinterpret_cast<const char*>(found.value), found.length),
            found.style == YAML_PLAIN_SCALAR_STYLE};
  }

  Parsed<YamlList> list(int depth) {
    YamlList items;
    for (;;) {
      if (const auto fault = next()) return tl::unexpected(*fault);
      if (event_.type() == YAML_SEQUENCE_END_EVENT) return items;
      Parsed<YamlNode> item = node(depth + 1);
      if (!item) return tl::unexpected(item.error());
      items.push_back(*std::move(item));
    }
  }

  Parsed<YamlMap> map(int depth) {
    YamlMap entries;
    std::set<std::string> seen;
    for (;;) {
      if (const auto fault = next()) return tl::unexpected(*fault);
      if (event_.type() == YAML_MAPPING_END_EVENT) return entries;
      if (event_.type() != YAML_SCALAR_EVENT) return refuse("a key must be a text; write name: value");
      const Place place = event_.place();
      std::string key = scalar().text;
      if (!seen.insert(key).second) return refuse("the key " + query::in_quotes(key) + " stands here twice; leave one");
      if (const auto fault = next()) return tl::unexpected(*fault);
      Parsed<YamlNode> value = node(depth + 1);
      if (!value) return tl::unexpected(value.error());
      entries.push_back({std::move(key), place, *std::move(value)});
    }
  }

  yaml_parser_t parser_{};
  bool ready_;
  Event event_;
};

}  // namespace

tl::expected<YamlNode, Problem> parse_yaml(std::string_view text) { return Reader(text).document(); }

std::string described(const YamlNode& node) {
  if (const auto* const scalar = std::get_if<YamlScalar>(&node.content))
    return "the text " + query::in_quotes(scalar->text);
  return std::holds_alternative<YamlMap>(node.content) ? "a map" : "a list";
}

}  // namespace vernier::cli
