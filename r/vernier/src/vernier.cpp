#include <memory>
#include <string>
#include <vector>

#include <cpp11.hpp>

#include "frame.hpp"
#include "vernier_r.h"

// R's side of vernier_r.h: vectors of R in, list(failed, texts) out. Conditions are raised by R/core.R.
namespace {

struct Free {
  void operator()(vernier_answer* answer) const { vernier_free(answer); }
};
using Answer = std::unique_ptr<vernier_answer, Free>;

// The names and values of parameters, which outlive the question.
class Words {
 public:
  Words(const cpp11::strings& names, const cpp11::strings& values) {
    for (R_xlen_t i = 0; i < names.size(); ++i) {
      names_.push_back(std::string(names[i]));
      values_.push_back(values[i] == NA_STRING ? std::string() : std::string(values[i]));
      flags_.push_back(values[i] == NA_STRING);
    }
    for (std::size_t i = 0; i < names_.size(); ++i)
      words_.push_back({names_[i].c_str(), flags_[i] ? nullptr : values_[i].c_str()});
  }
  const vernier_word* data() const { return words_.data(); }
  std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::string> names_, values_;
  std::vector<bool> flags_;  // what is NA has no value
  std::vector<vernier_word> words_;
};

cpp11::writable::list told(const Answer& answer) {
  cpp11::writable::strings texts;
  for (std::size_t i = 0; i < vernier_texts(answer.get()); ++i) {
    std::size_t bytes = 0;
    const char* const text = vernier_text(answer.get(), i, &bytes);
    texts.push_back(cpp11::r_string(std::string(text, bytes)));
  }
  return cpp11::writable::list(
      {cpp11::named_arg("failed") = vernier_failed(answer.get()) != 0, cpp11::named_arg("texts") = texts});
}

void look_for_interrupt(void*) { R_CheckUserInterrupt(); }
int goes_on(double) { return R_ToplevelExec(look_for_interrupt, nullptr) == TRUE ? 1 : 0; }

}  // namespace

[[cpp11::register]] cpp11::list core_ask(std::string question, cpp11::strings names, cpp11::strings values) {
  const Words words(names, values);
  return told(Answer(vernier_ask(question.c_str(), words.data(), words.size())));
}

[[cpp11::register]] cpp11::list core_coverage(cpp11::strings names, cpp11::strings values, cpp11::doubles data,
                                              bool has_data) {
  const Words words(names, values);
  const std::vector<double> own(data.begin(), data.end());
  static const double nothing = 0;
  const double* const place = !has_data ? nullptr : own.empty() ? &nothing : own.data();
  return told(Answer(vernier_coverage(words.data(), words.size(), place, own.size(), goes_on)));
}

[[cpp11::register]] cpp11::list core_release(cpp11::strings names, cpp11::strings values, cpp11::strings tables,
                                             cpp11::list frames) {
  const Words words(names, values);
  std::vector<std::string> table_names;
  std::vector<ArrowArrayStream> streams;
  for (R_xlen_t i = 0; i < frames.size(); ++i) {
    const cpp11::list frame(frames[i]);
    table_names.push_back(std::string(tables[i]));
    const auto rows = static_cast<std::int64_t>(cpp11::as_cpp<double>(frame["rows"]));
    streams.push_back(Frame::stream(std::make_shared<Frame>(
        cpp11::strings(frame["names"]), cpp11::list(frame["columns"]), cpp11::strings(frame["kinds"]), rows)));
  }
  std::vector<vernier_rows> rows;
  for (std::size_t i = 0; i < streams.size(); ++i) rows.push_back({table_names[i].c_str(), &streams[i]});
  return told(Answer(vernier_release(words.data(), words.size(), rows.data(), rows.size(), goes_on)));
}

// The texts of the answer, and the values of the function at the points; of a sample `size` draws.
[[cpp11::register]] cpp11::list core_law(std::string mechanism, double scale, int function, cpp11::doubles points,
                                         double size) {
  const auto asked = static_cast<vernier_function>(function);
  const std::vector<double> at(points.begin(), points.end());
  std::vector<double> values(asked == VERNIER_SAMPLE ? static_cast<std::size_t>(size) : at.size());
  const Answer answer(vernier_law(mechanism.c_str(), scale, asked, at.data(), values.data(), values.size(), goes_on));
  cpp11::writable::list both = told(answer);
  both.push_back(cpp11::named_arg("values") = cpp11::writable::doubles(values.begin(), values.end()));
  return both;
}
