#include "vernier/study/series/measured.hpp"

#include <charconv>

namespace vernier::study {
namespace {

constexpr std::string_view head = "vernier steps 1";

// Words between blanks and line ends, one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : left_(text) {}

  std::string_view word() {
    const std::size_t end = left_.find_first_of(" \n");
    const std::string_view found = left_.substr(0, end);
    left_.remove_prefix(end == std::string_view::npos ? left_.size() : end + 1);
    return found;
  }

  std::int64_t number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(left_.data(), left_.data() + left_.size(), value);
    const auto length = static_cast<std::size_t>(end - left_.data());
    is_good_ = is_good_ && error == std::errc() && length < left_.size();
    left_.remove_prefix(std::min(length + 1, left_.size()));
    return value;
  }

  // Not more than there are characters for.
  std::size_t count() {
    const std::int64_t found = number();
    is_good_ = is_good_ && found >= 0 && static_cast<std::size_t>(found) <= left_.size();
    return is_good_ ? static_cast<std::size_t>(found) : 0;
  }

  bool is_good() const { return is_good_; }

 private:
  std::string_view left_;
  bool is_good_ = true;
};

}  // namespace

std::string text_of(const StandingStep& step) {
  std::string text(head);
  text += "\n" + step.before + "\n" + step.record + "\n";
  const auto add = [&](std::int64_t number, char behind) { text += std::to_string(number) + behind; };
  add(step.step, ' ');
  add(step.first, ' ');
  add(static_cast<std::int64_t>(step.noisy.size()), '\n');
  for (const release::NoisySteps& series : step.noisy) {
    for (const std::vector<std::int64_t>& numbers : series) {
      add(static_cast<std::int64_t>(numbers.size()), '\n');
      for (const std::int64_t one : numbers) add(one, '\n');
    }
  }
  return text;
}

Result<StandingStep> read_measured(std::string_view text) {
  const Failure odd = invalid("a step of the series was stored in a form that this version does not read");
  if (!text.starts_with(head)) return odd;
  Words words(text.substr(head.size() + 1));
  StandingStep step;
  step.before = words.word();
  step.record = words.word();
  step.step = words.number();
  step.first = words.number();
  if (step.first < 0 || step.step < step.first || step.step > query::most_series_steps) return odd;
  step.noisy.resize(words.count());
  for (release::NoisySteps& series : step.noisy) {
    series.resize(static_cast<std::size_t>(step.step - step.first) + 1);
    for (std::vector<std::int64_t>& numbers : series) {
      numbers.resize(words.count());
      for (std::int64_t& one : numbers) one = words.number();
      if (!words.is_good()) return odd;
    }
  }
  return words.is_good() ? Result<StandingStep>(std::move(step)) : odd;
}

ledger::Documents shown(ledger::Documents documents) {
  std::erase_if(documents, [](const ledger::Document& one) { return one.name == measured_name; });
  return documents;
}

}  // namespace vernier::study
