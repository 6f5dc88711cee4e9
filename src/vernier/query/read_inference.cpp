#include "vernier/query/read_inference.hpp"

#include <optional>

#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

constexpr std::array<std::string_view, 5> denoise_names = {"none", "least-risk", "james-stein", "soft-threshold",
                                                           "consistent"};

Denoise read_denoise(TableReader& reader) {
  const auto word = reader.word("denoise", {denoise_names.begin(), denoise_names.end()});
  for (std::size_t i = 0; word && i < denoise_names.size(); ++i) {
    if (*word == denoise_names[i]) return static_cast<Denoise>(i);
  }
  return Denoise::none;
}

// A key of a group, as text_of shows its value: 5, 2.5; none for what is no key.
std::optional<std::string> key_text(const TomlNode& node) {
  if (const auto* const text = std::get_if<std::string>(&node.content)) return *text;
  const auto number = number_of(node);
  if (!number) return std::nullopt;
  std::string text = number->text();
  return text.find('/') == std::string::npos ? std::move(text) : plain(nearest(*number));
}

std::optional<Difference> difference_of(const TomlNode& node) {
  const auto* const pair = std::get_if<TomlArray>(&node.content);
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  auto first = key_text(pair->front()), second = key_text(pair->back());
  if (!first || !second || *first == *second) return std::nullopt;
  return Difference{*std::move(first), *std::move(second)};
}

std::vector<Difference> read_differences(TableReader& reader) {
  const TomlNode* const node = reader.find("differences");
  if (node == nullptr) return {};
  std::vector<Difference> differences;
  const auto* const pairs = std::get_if<TomlArray>(&node->content);
  for (std::size_t i = 0; pairs != nullptr && i < pairs->size(); ++i) {
    auto difference = difference_of((*pairs)[i]);
    if (!difference) break;
    differences.push_back(*std::move(difference));
  }
  if (pairs == nullptr || pairs->empty() || differences.size() != pairs->size()) {
    reader.refuse(node->place, reader.subject("differences") +
                                   " must be a list of pairs of groups that differ, such as [[\"north\", \"south\"]], "
                                   "but it is something else");
  }
  return differences;
}

}  // namespace

std::string_view name_of(Denoise denoise) { return denoise_names[static_cast<std::size_t>(denoise)]; }

Inference read_inference(TableReader& reader) {
  const auto covers = reader.word("covers", {"sample", "population"});
  return {.of_population = covers && *covers == "population",
          .is_guaranteed = reader.boolean("guaranteed").value_or(false),
          .is_simultaneous = reader.boolean("simultaneous").value_or(false),
          .has_clamped_share = reader.boolean("clamped_share").value_or(false),
          .denoise = read_denoise(reader),
          .differences = read_differences(reader)};
}

}  // namespace vernier::query
