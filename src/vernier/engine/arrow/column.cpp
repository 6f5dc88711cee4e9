#include "vernier/engine/arrow/column.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/engine/cells.hpp"

namespace vernier::engine {
namespace {

using Kinds = std::array<std::pair<std::string_view, ArrowKind>, 17>;

// The format strings of the specification.
constexpr Kinds kinds = {{{"n", ArrowKind::null},
                          {"b", ArrowKind::boolean},
                          {"c", ArrowKind::int8},
                          {"C", ArrowKind::uint8},
                          {"s", ArrowKind::int16},
                          {"S", ArrowKind::uint16},
                          {"i", ArrowKind::int32},
                          {"I", ArrowKind::uint32},
                          {"l", ArrowKind::int64},
                          {"L", ArrowKind::uint64},
                          {"e", ArrowKind::float16},
                          {"f", ArrowKind::float32},
                          {"g", ArrowKind::float64},
                          {"u", ArrowKind::text},
                          {"U", ArrowKind::large_text},
                          {"vu", ArrowKind::text_view},
                          {"tdD", ArrowKind::date}}};

// Of formats that no column of a catalog can hold.
std::string other_name(std::string_view format) {
  if (format == "tdm") return "a date in milliseconds";
  if (format.starts_with("ts")) return format.ends_with(':') ? "a timestamp" : "a timestamp with a time zone";
  if (format.starts_with("tt")) return "a time of day";
  if (format.starts_with("tD") || format.starts_with("ti")) return "a duration";
  if (format.starts_with("d:")) return "a decimal number";
  if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) return "binary";
  if (format.starts_with('+')) return "nested values";
  return "a type that is not known";
}

std::string_view name_of(ArrowKind kind) {
  if (kind == ArrowKind::null) return "null";
  if (kind == ArrowKind::boolean) return "boolean";
  if (kind == ArrowKind::date) return "date";
  if (is_index(kind)) return "integer";
  return kind <= ArrowKind::float64 ? "real" : "string";
}

}  // namespace

ArrowKind arrow_kind(std::string_view format) {
  for (const auto& [name, kind] : kinds) {
    if (name == format) return kind;
  }
  return ArrowKind::other;
}

bool is_index(ArrowKind kind) { return kind >= ArrowKind::int8 && kind <= ArrowKind::uint64; }
bool is_text(ArrowKind kind) { return kind >= ArrowKind::text && kind <= ArrowKind::text_view; }

std::string arrow_type_name(const ArrowSchema& schema) {
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  if (values.format == nullptr || values.dictionary != nullptr) return "a type that is not known";
  if (schema.dictionary != nullptr && !is_index(arrow_kind(schema.format))) return "a type that is not known";
  const ArrowKind kind = arrow_kind(values.format);
  return kind == ArrowKind::other ? other_name(values.format) : std::string(name_of(kind));
}

bool has_buffers(const ArrowArray& array, ArrowKind kind) {
  if (kind == ArrowKind::null) return true;
  const bool is_view = kind == ArrowKind::text_view;
  const bool is_text = kind == ArrowKind::text || kind == ArrowKind::large_text;
  if (is_view ? array.n_buffers < 3 : array.n_buffers != (is_text ? 3 : 2)) return false;
  if (array.buffers == nullptr) return false;
  if (array.null_count > 0 && array.buffers[0] == nullptr) return false;
  if (is_view && array.n_buffers > 3 && array.buffers[array.n_buffers - 1] == nullptr) return false;
  return array.length == 0 || array.buffers[1] != nullptr;
}

Result<void> check_dictionary(const ArrowArray* dictionary, ArrowKind kind) {
  if (dictionary == nullptr || dictionary->release == nullptr) return malformed_arrow("a dictionary is missing");
  constexpr std::int64_t most = std::int64_t{1} << 52;
  if (dictionary->length < 0 || dictionary->length > most || dictionary->offset < 0 || dictionary->offset > most)
    return malformed_arrow("the length of a dictionary is out of range");
  return has_buffers(*dictionary, kind) ? Result<void>()
                                        : malformed_arrow("a dictionary has not the buffers of its type");
}

namespace {

// A row that is NULL as a whole has no value in any column.
void leave_out_null_rows(const ArrowArray& batch, std::int64_t first, Positions positions) {
  if (batch.n_buffers == 0 || batch.buffers == nullptr) return;
  const Validity validity(batch);
  if (validity.all()) return;
  std::int64_t next = batch.offset + first;
  for (std::int64_t& position : positions) {
    if (!validity.at(next++)) position = no_value;
  }
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowTable& table, std::size_t place) : table_(&table), place_(place) {
  const ArrowSchema& schema = *table.schema().children[place];
  const ArrowSchema& values = schema.dictionary == nullptr ? schema : *schema.dictionary;
  kind_ = values.format == nullptr || values.dictionary != nullptr ? ArrowKind::other : arrow_kind(values.format);
  if (schema.dictionary != nullptr) index_ = arrow_kind(schema.format);
}

Result<ArrowColumn> ArrowColumn::of(const ArrowTable& table, std::size_t place) {
  const ArrowColumn column(table, place);
  VERNIER_TRY(column.check());
  return column;
}

Result<void> ArrowColumn::check() const {
  if (kind_ == ArrowKind::other || (index_ && !is_index(*index_)))
    return invalid("a column of the rows is of a type that cannot be read", "cast it to the declared one");
  for (std::size_t i = 0; i < table_->batches().size(); ++i) {
    const ArrowArray& rows = array(i);
    if (!has_buffers(rows, index_.value_or(kind_))) return malformed_arrow("a column has not the buffers of its type");
    if (Result<void> checked = index_ ? check_dictionary(rows.dictionary, kind_) : Result<void>(); !checked)
      return checked;
  }
  return {};
}

const ArrowArray& ArrowColumn::values(std::size_t batch) const {
  return index_ ? *array(batch).dictionary : array(batch);
}

void ArrowColumn::find(std::size_t batch, std::int64_t first, Positions positions) const {
  const ArrowArray& rows = array(batch);
  const ArrowKind kind = index_.value_or(kind_);
  std::int64_t next = rows.offset + table_->batches()[batch].offset + first;
  if (kind == ArrowKind::null) return std::fill(positions.begin(), positions.end(), no_value);
  if (const Validity validity(rows); validity.all()) {
    for (std::int64_t& position : positions) position = next++;
  } else {
    for (std::int64_t& position : positions) position = validity.at(next) ? next : no_value, ++next;
  }
  leave_out_null_rows(table_->batches()[batch], first, positions);
  if (index_) find_indexed(rows, positions);
}

void ArrowColumn::find_indexed(const ArrowArray& array, Positions positions) const {
  const ArrowArray& dictionary = *array.dictionary;
  const Validity validity(dictionary);
  const std::int64_t end = kind_ == ArrowKind::null ? 0 : dictionary.length;
  with_number(*index_, [&]<class Stored>(Stored) {
    for (std::int64_t& position : positions) {
      if (position == no_value) continue;
      const auto index = stored_at<Stored>(array, position);
      const bool is_there = std::cmp_greater_equal(index, 0) && std::cmp_less(index, end);
      position = is_there && validity.at(dictionary.offset + static_cast<std::int64_t>(index))
                     ? dictionary.offset + static_cast<std::int64_t>(index)
                     : no_value;
    }
  });
}

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
