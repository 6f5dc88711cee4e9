#include "vernier/engine/arrow/buffers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "vernier/core/names.hpp"

namespace vernier::engine {
namespace {

std::string_view bytes_at(const void* buffer, std::int64_t size) {
  if (buffer == nullptr || size <= 0) return {};
  return {static_cast<const char*>(buffer), static_cast<std::size_t>(size)};
}

std::int64_t bytes_of_bits(std::int64_t count) { return (count + 7) / 8; }

std::int64_t width_of(ArrowKind kind) {
  if (kind == ArrowKind::float16) return 2;
  if (kind == ArrowKind::float32 || kind == ArrowKind::date) return 4;
  if (kind == ArrowKind::float64) return 8;
  if (kind == ArrowKind::text_view) return 16;
  return with_number(kind, []<class Stored>(Stored) { return static_cast<std::int64_t>(sizeof(Stored)); });
}

// What the offsets reach to, in whatever order they are.
template <class Offset>
std::int64_t greatest_offset(const ArrowArray& array) {
  std::int64_t greatest = 0;
  for (std::int64_t i = array.offset; i <= array.offset + array.length; ++i)
    greatest = std::max(greatest, static_cast<std::int64_t>(stored_at<Offset>(array, i)));
  return greatest;
}

template <class Offset>
void add_text_buffers(const ArrowArray& array, std::int64_t end, std::vector<std::string_view>& buffers) {
  buffers.push_back(bytes_at(array.buffers[1], (end + 1) * static_cast<std::int64_t>(sizeof(Offset))));
  buffers.push_back(bytes_at(array.buffers[2], greatest_offset<Offset>(array)));
}

// Behind the views the texts that they point into, and last the sizes of these.
void add_view_buffers(const ArrowArray& array, std::vector<std::string_view>& buffers) {
  const std::int64_t count = array.n_buffers - 3;
  const void* const sizes = array.buffers[array.n_buffers - 1];
  for (std::int64_t i = 0; i < count; ++i)
    buffers.push_back(bytes_at(array.buffers[2 + i], stored_at<std::int64_t>(sizes, i)));
  buffers.push_back(bytes_at(sizes, count * static_cast<std::int64_t>(sizeof(std::int64_t))));
}

}  // namespace

std::vector<std::string_view> buffers_of(const ArrowArray& array, ArrowKind kind) {
  if (kind == ArrowKind::null || kind == ArrowKind::other) return {};
  if (array.length == 0) return std::vector<std::string_view>(is_text(kind) ? 3 : 2);
  const std::int64_t end = array.offset + array.length;
  std::vector<std::string_view> buffers = {bytes_at(array.buffers[0], bytes_of_bits(end))};
  if (kind == ArrowKind::text) {
    add_text_buffers<std::int32_t>(array, end, buffers);
  } else if (kind == ArrowKind::large_text) {
    add_text_buffers<std::int64_t>(array, end, buffers);
  } else {
    buffers.push_back(
        bytes_at(array.buffers[1], kind == ArrowKind::boolean ? bytes_of_bits(end) : end * width_of(kind)));
    if (kind == ArrowKind::text_view) add_view_buffers(array, buffers);
  }
  return buffers;
}

namespace {

constexpr std::size_t lanes = 4;
constexpr std::uint64_t odd = 0xE7037ED1A0B428DBU;

std::uint64_t stirred(std::uint64_t state, std::uint64_t word) { return std::rotl((state ^ word) * odd, 29); }

std::uint64_t last_word(std::string_view bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  return word;
}

}  // namespace

// Every step is one to one in the state, so that a single change is always seen; four words at a time do not wait for
// each other.
void Fingerprint::add(std::string_view bytes) {
  std::array<std::uint64_t, lanes> states{};
  for (std::size_t i = 0; i < lanes; ++i) states[i] = value_ + i;
  value_ = stirred(value_, bytes.size());
  for (; bytes.size() >= sizeof states; bytes.remove_prefix(sizeof states)) {
    std::array<std::uint64_t, lanes> words;
    std::memcpy(words.data(), bytes.data(), sizeof words);
    for (std::size_t i = 0; i < lanes; ++i) states[i] = stirred(states[i], words[i]);
  }
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) value_ = stirred(value_, last_word(bytes.substr(0, 8)));
  if (!bytes.empty()) value_ = stirred(value_, last_word(bytes));
  for (const std::uint64_t state : states) value_ = stirred(value_, state);
}

namespace {

bool is_among(const char* name, const std::vector<std::string>& names) {
  const std::string folded = fold_case(name == nullptr ? "" : name);
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) { return fold_case(one) == folded; });
}

}  // namespace

std::uint64_t fingerprint_of(const ArrowTable& table, const std::vector<std::string>& names) {
  Fingerprint print;
  for (std::int64_t place = 0; place < table.schema().n_children; ++place) {
    if (!is_among(table.schema().children[place]->name, names)) continue;
    const auto column = ArrowColumn::of(table, static_cast<std::size_t>(place));
    if (!column) continue;
    for (const ArrowArray& batch : table.batches()) {
      const ArrowArray& rows = *batch.children[place];
      for (const std::string_view bytes : buffers_of(rows, column->stored_kind())) print.add(bytes);
      if (!column->is_indexed()) continue;
      for (const std::string_view bytes : buffers_of(*rows.dictionary, column->kind())) print.add(bytes);
    }
  }
  return print.value();
}

}  // namespace vernier::engine
