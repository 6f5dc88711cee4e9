#include <cmath>

#include "vernier/engine/arrow_buffer.hpp"
#include "vernier/engine/arrow_column.hpp"
#include "vernier/engine/as_declared.hpp"

namespace vernier::engine {
namespace {

using query::Day;

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

// The day of a number, where it lies in the years that there are.
std::optional<Day> day_of(std::int32_t number) {
  static const std::int32_t first = Day::of(1, 1, 1)->number, last = Day::of(9999, 12, 31)->number;
  return number >= first && number <= last ? std::optional(Day{number}) : std::nullopt;
}

struct ToDayNumber {
  static std::optional<std::int32_t> of(const auto& value) {
    const std::optional<Day> day = ToDay::of(value);
    return day ? std::optional(day->number) : std::nullopt;
  }
};

// Of every position what `value` says, which may be nothing.
template <class Out, class Value>
void read_each(Positions positions, Out* out, const Value& value) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::optional<Out> read;
    if (positions[i] != no_value) read = value(positions[i]);
    if (!read) positions[i] = no_value;
    out[i] = read ? *std::move(read) : Out{};
  }
}

// Whatever kind the values are of.
template <class To, class Out>
void read_values(const ArrowArray& values, ArrowKind kind, Positions positions, Out* out) {
  const auto read_by = [&](const auto& value) { read_each(positions, out, value); };
  switch (kind) {
    case ArrowKind::null:
    case ArrowKind::other:
      return read_by([](std::int64_t) { return std::optional<Out>(); });
    case ArrowKind::boolean:
      return read_by([&](std::int64_t at) { return To::of(bit_at(values.buffers[1], at)); });
    case ArrowKind::float16:
      return read_by([&](std::int64_t at) { return To::of(of_half(stored_at<std::uint16_t>(values, at))); });
    case ArrowKind::float32:
      return read_by([&](std::int64_t at) { return To::of(double{stored_at<float>(values, at)}); });
    case ArrowKind::float64:
      return read_by([&](std::int64_t at) { return To::of(stored_at<double>(values, at)); });
    case ArrowKind::text:
    case ArrowKind::large_text:
    case ArrowKind::text_view:
      return read_by([&](std::int64_t at) {
        const std::optional<std::string_view> text = text_at(values, kind, at);
        return text ? To::of(*text) : std::nullopt;
      });
    case ArrowKind::date:
      return read_by([&](std::int64_t at) {
        const std::optional<Day> day = day_of(stored_at<std::int32_t>(values, at));
        return day ? To::of(*day) : std::nullopt;
      });
    default:
      return with_number(kind, [&]<class Stored>(Stored) {
        read_by([&](std::int64_t at) { return To::of(stored_at<Stored>(values, at)); });
      });
  }
}

}  // namespace

void read_booleans(const ArrowArray& values, ArrowKind kind, Positions positions, bool* out) {
  read_values<ToBoolean>(values, kind, positions, out);
}

void read_integers(const ArrowArray& values, ArrowKind kind, Positions positions, std::int64_t* out) {
  read_values<ToInteger>(values, kind, positions, out);
}

void read_reals(const ArrowArray& values, ArrowKind kind, Positions positions, double* out) {
  read_values<ToReal>(values, kind, positions, out);
}

void read_days(const ArrowArray& values, ArrowKind kind, Positions positions, std::int32_t* out) {
  read_values<ToDayNumber>(values, kind, positions, out);
}

void read_texts(const ArrowArray& values, ArrowKind kind, Positions positions, std::string* out) {
  read_values<ToText>(values, kind, positions, out);
}

std::optional<std::string_view> text_at(const ArrowArray& values, ArrowKind kind, std::int64_t position) {
  if (kind == ArrowKind::text) return text_between<std::int32_t>(values, position);
  return kind == ArrowKind::large_text ? text_between<std::int64_t>(values, position) : viewed_text(values, position);
}

}  // namespace vernier::engine
