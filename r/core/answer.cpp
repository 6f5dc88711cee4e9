#include "answer.hpp"

#include "cli/program_error.hpp"
#include "tongue.hpp"

namespace vernier::r {
cli::Given given(const vernier_word* words, std::size_t count) {
  cli::Given all;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string>& values = all.values[words[i].name];
    if (words[i].value != nullptr) values.emplace_back(words[i].value);  // a flag has none
  }
  return all;
}

vernier_answer* failed(Error error) {
  const Spelling spelling = cli::is_of_program(error) ? r_spelling : keyword_spelling;
  const Error told = cli::without_invented_places(std::move(error));
  cli::Output parts;
  cli::JsonWriter json(parts);
  cli::write_error(json, told, spelling);
  return new vernier_answer{true, {cli::program_text(told, spelling), parts.text()}};
}

}  // namespace vernier::r

extern "C" {

int vernier_failed(const vernier_answer* answer) { return answer->failed ? 1 : 0; }
size_t vernier_texts(const vernier_answer* answer) { return answer->texts.size(); }

const char* vernier_text(const vernier_answer* answer, size_t place, size_t* bytes) {
  *bytes = answer->texts[place].size();
  return answer->texts[place].data();
}

void vernier_free(vernier_answer* answer) { delete answer; }
}
