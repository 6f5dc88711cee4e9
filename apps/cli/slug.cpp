#include "cli/slug.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

constexpr std::size_t longest_slug = 60;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

std::string slug_of(std::string_view name) {
  std::string slug;
  for (const char character : name) {
    const char small = character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
    if (is_plain(small)) {
      slug += small;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    if (slug.size() == longest_slug) break;
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "statistic" : slug;
}

}  // namespace

std::vector<std::string> slugs_of(const std::vector<std::string>& names) {
  std::vector<std::string> slugs;
  for (const std::string& name : names) {
    const std::string base = slug_of(name);
    std::string slug = base;
    for (int i = 2; std::find(slugs.begin(), slugs.end(), slug) != slugs.end(); ++i)
      slug = fmt::format("{}-{}", base, i);
    slugs.push_back(std::move(slug));
  }
  return slugs;
}

}  // namespace vernier::cli
