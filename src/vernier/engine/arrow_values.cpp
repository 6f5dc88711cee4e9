#include <array>
#include <cmath>
#include <limits>

#include "vernier/engine/arrow_buffer.hpp"
#include "vernier/engine/arrow_column.hpp"
#include "vernier/query/value.hpp"

namespace vernier::engine {
namespace {

// Every value that is there by `read`, which may make its position `no_value`.
template <class Out, class Read>
void read_each(Positions positions, Out* out, const Read& read) {
  for (std::size_t i = 0; i < positions.size(); ++i) out[i] = positions[i] == no_value ? Out{} : read(positions[i]);
}

// IEEE 754 binary16: one bit of sign, five of exponent, ten of fraction.
double of_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double size = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) == 0 ? size : -size;
}

template <class Offset>
std::optional<std::string_view> text_between(const ArrowArray& array, std::int64_t position) {
  const auto first = stored_at<Offset>(array, position), last = stored_at<Offset>(array, position + 1);
  if (first < 0 || last < first) return std::nullopt;
  if (first == last) return std::string_view();
  const auto* const bytes = static_cast<const char*>(array.buffers[2]);
  if (bytes == nullptr) return std::nullopt;
  return std::string_view(bytes + first, static_cast<std::size_t>(last - first));
}

// Sixteen bytes: the length, and either up to twelve bytes of text, or four of them with the number of a buffer and the
// place in it. The sizes of these buffers stand in the last one.
struct View {
  std::int32_t length;
  std::int32_t prefix;
  std::int32_t buffer;
  std::int32_t offset;
};
constexpr std::int32_t longest_inline = 12;

std::optional<std::string_view> viewed_text(const ArrowArray& array, std::int64_t position) {
  const auto view = stored_at<View>(array, position);
  if (view.length < 0) return std::nullopt;
  const auto length = static_cast<std::size_t>(view.length);
  if (view.length <= longest_inline) {
    const auto* const views = static_cast<const char*>(array.buffers[1]);
    return std::string_view(views + position * static_cast<std::int64_t>(sizeof view) + sizeof view.length, length);
  }
  const std::int64_t buffers = array.n_buffers - 3;
  if (view.buffer < 0 || view.buffer >= buffers || view.offset < 0) return std::nullopt;
  const auto size = stored_at<std::int64_t>(array.buffers[array.n_buffers - 1], view.buffer);
  const auto* const bytes = static_cast<const char*>(array.buffers[2 + view.buffer]);
  if (bytes == nullptr || std::int64_t{view.offset} + view.length > size) return std::nullopt;
  return std::string_view(bytes + view.offset, length);
}

}  // namespace

void read_booleans(const ArrowArray& values, Positions positions, bool* out) {
  read_each(positions, out, [&](std::int64_t position) { return bit_at(values.buffers[1], position); });
}

void read_integers(const ArrowArray& values, ArrowKind kind, Positions positions, std::int64_t* out) {
  with_number(kind, [&]<class Stored>(Stored) {
    read_each(positions, out, [&](std::int64_t& position) {
      const auto value = stored_at<Stored>(values, position);
      if (std::in_range<std::int64_t>(value)) return static_cast<std::int64_t>(value);
      position = no_value;
      return std::int64_t{0};
    });
  });
}

void read_reals(const ArrowArray& values, ArrowKind kind, Positions positions, double* out) {
  const auto read_as = [&]<class Stored>(Stored) {
    read_each(positions, out,
              [&](std::int64_t position) { return static_cast<double>(stored_at<Stored>(values, position)); });
  };
  if (kind == ArrowKind::float64) return read_as(double{});
  if (kind == ArrowKind::float32) return read_as(float{});
  if (kind != ArrowKind::float16) return with_number(kind, read_as);
  read_each(positions, out, [&](std::int64_t position) { return of_half(stored_at<std::uint16_t>(values, position)); });
}

void read_days(const ArrowArray& values, Positions positions, std::int32_t* out) {
  static const std::int32_t first = query::Day::of(1, 1, 1)->number, last = query::Day::of(9999, 12, 31)->number;
  read_each(positions, out, [&](std::int64_t& position) {
    const auto day = stored_at<std::int32_t>(values, position);
    if (day >= first && day <= last) return day;
    position = no_value;
    return std::int32_t{0};
  });
}

std::optional<std::string_view> text_at(const ArrowArray& values, ArrowKind kind, std::int64_t position) {
  if (kind == ArrowKind::text) return text_between<std::int32_t>(values, position);
  return kind == ArrowKind::large_text ? text_between<std::int64_t>(values, position) : viewed_text(values, position);
}

}  // namespace vernier::engine
