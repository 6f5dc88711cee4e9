#pragma once

#include <random>
#include <string>
#include <vector>

namespace vernier::testing {

// Statements that were bent: bytes changed, parts deleted, doubled, moved or taken from others, words and brackets
// thrown in. The same seed gives the same ones.
class Mutations {
 public:
  Mutations(std::uint64_t seed, std::vector<std::string> corpus, std::vector<std::string> words)
      : bits_(seed), corpus_(std::move(corpus)), words_(std::move(words)) {}

  std::string next() {
    std::string text = one_of(corpus_);
    for (std::size_t i = 1 + below(4); i > 0; --i) mutate(text);
    if (text.size() > 70000) text.resize(70000);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : bits_() % n; }
  const std::string& one_of(const std::vector<std::string>& list) { return list[below(list.size())]; }

  std::string part_of(const std::string& text) { return text.substr(below(text.size() + 1), 1 + below(40)); }

  static std::string repeated(const std::string& part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count && text.size() < 20000; ++i) text += part;
    return text;
  }

  void mutate(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(10)) {
      case 0:
        text.replace(at, 1, 1, static_cast<char>(below(below(8) == 0 ? 256 : 128)));
        break;
      case 1:
        text.erase(at, 1 + below(8));
        break;
      case 2:
        text.insert(at, " " + one_of(words_) + " ");
        break;
      case 3:
        text.insert(at, one_of(words_));
        break;
      case 4:
        text.insert(at, part_of(one_of(corpus_)));
        break;
      case 5:
        text.insert(at, part_of(text));
        break;
      case 6:
        text.insert(at, "(" + one_of(corpus_) + ")");
        break;
      case 7:
        text.insert(at, repeated(text.substr(at, 1 + below(6)), std::size_t{1} << below(9)));
        break;
      case 8:
        text.insert(at, repeated(one_of(words_), 1 + below(40)));
        break;
      default:
        replace_word(text, at);
        break;
    }
  }

  void replace_word(std::string& text, std::size_t at) {
    const std::size_t begin = text.find_first_of(" ,()", at);
    if (begin == std::string::npos) return;
    const std::size_t end = text.find_first_of(" ,()", begin + 1);
    text.replace(begin + 1, end == std::string::npos ? end : end - begin - 1, one_of(words_));
  }

  std::mt19937_64 bits_;
  std::vector<std::string> corpus_;
  std::vector<std::string> words_;
};

}  // namespace vernier::testing
