#include "vernier/engine/arrow/digest.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "vernier/core/keyed_hash.hpp"
#include "vernier/core/utf8.hpp"
#include "vernier/engine/arrow/column.hpp"
#include "vernier/engine/arrow/entries.hpp"

namespace vernier::engine {
namespace {

using query::Type;

constexpr std::int64_t most_at_once = 2048;

// Two hashes of a column, so that what is hashed does not depend on where batches end: values behind each other, and a
// byte for each that says whether it is there.
struct Hashes {
  KeyedHash values;
  KeyedHash known;
  Entries<std::string> entries = {};
};

template <class Stored, class Read>
void add_values(const ArrowArray& values, ArrowKind kind, Positions positions, KeyedHash& to, const Read& read) {
  std::array<Stored, most_at_once> out{};
  read(values, kind, positions, out.data());
  to.add({reinterpret_cast<const char*>(out.data()), positions.size() * sizeof(Stored)});
}

// Its length, in one byte where that is enough, and the text: no other texts behind each other have the same bytes.
void append_counted(std::string_view text, std::string& to) {
  constexpr std::uint64_t most = 0xFE;
  const std::uint64_t size = text.size();
  to += static_cast<char>(std::min(size, most + 1));
  if (size > most) to.append(reinterpret_cast<const char*>(&size), sizeof size);
  to.append(text);
}

// By put(i, text); what is no text, or no UTF-8, is NULL as in a statement.
template <class Put>
void each_text(const ArrowArray& values, ArrowKind kind, Positions positions, const Put& put) {
  std::vector<std::string> written(is_text(kind) ? 0 : positions.size());
  if (!is_text(kind)) read_texts(values, kind, positions, written.data());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == no_value) continue;
    const std::optional<std::string_view> text =
        is_text(kind) ? text_at(values, kind, positions[i]) : std::optional<std::string_view>(written[i]);
    text&& is_utf8(*text) ? put(i, *text) : void(positions[i] = no_value);
  }
}

// What is hashed of each entry of a dictionary.
using Written = Entries<std::string>;

void append_entries(const Written& entries, Positions positions, std::string& to) {
  for (std::int64_t& position : positions) {
    const std::string* const text = position == no_value ? nullptr : entries.at(position);
    text != nullptr ? void(to += *text) : void(position = no_value);
  }
}

// Of rows that are together in a batch with as many.
void add_texts(const ArrowColumn& column, const ArrowArray& values, std::int64_t rows, Positions positions,
               Written& entries, KeyedHash& to) {
  std::string together;
  const auto write = [&](Positions all, std::string* made) {
    each_text(values, column.kind(), all, [&](std::size_t i, std::string_view text) {
      made[i].clear();
      append_counted(text, made[i]);
    });
  };
  if (entries.hold(column, values, rows, write)) {
    append_entries(entries, positions, together);
  } else {
    each_text(values, column.kind(), positions,
              [&](std::size_t, std::string_view text) { append_counted(text, together); });
  }
  to.add(together);
}

void add_typed(Type type, const ArrowColumn& column, const ArrowArray& values, std::int64_t rows, Positions positions,
               Written& entries, KeyedHash& to) {
  const ArrowKind kind = column.kind();
  switch (type) {
    case Type::boolean:
      return add_values<bool>(values, kind, positions, to, read_booleans);
    case Type::integer:
      return add_values<std::int64_t>(values, kind, positions, to, read_integers);
    case Type::real:
      return add_values<double>(values, kind, positions, to, read_reals);
    case Type::string:
      return add_texts(column, values, rows, positions, entries, to);
    case Type::date:
      return add_values<std::int32_t>(values, kind, positions, to, read_days);
  }
}

// `first` of so many rows of a batch.
void add_rows(Type type, const ArrowColumn& column, std::size_t batch, std::int64_t first, std::int64_t rows,
              Positions positions, Hashes& to) {
  column.find(batch, first, positions);
  add_typed(type, column, column.values(batch), rows, positions, to.entries, to.values);
  std::array<char, most_at_once> known{};
  std::transform(positions.begin(), positions.end(), known.begin(),
                 [](std::int64_t position) { return static_cast<char>(position != no_value); });
  to.known.add({known.data(), positions.size()});
}

Result<std::string> digest_of_column(Type type, const ArrowTable& rows, const ArrowColumn& column,
                                     std::string_view key) {
  VERNIER_TRY(KeyedHash values, KeyedHash::of(key));
  VERNIER_TRY(KeyedHash known, KeyedHash::of(key));
  Hashes hashes{std::move(values), std::move(known)};
  std::array<std::int64_t, most_at_once> room{};
  for (std::size_t batch = 0; batch < rows.batches().size(); ++batch) {
    const std::int64_t length = rows.batches()[batch].length;
    for (std::int64_t first = 0; first < length; first += most_at_once) {
      const auto count = static_cast<std::size_t>(std::min(most_at_once, length - first));
      add_rows(type, column, batch, first, length, Positions(room.data(), count), hashes);
    }
  }
  VERNIER_TRY(const std::string of_values, std::move(hashes.values).digits());
  VERNIER_TRY(const std::string of_known, std::move(hashes.known).digits());
  return of_values + of_known;
}

}  // namespace

Result<std::string> digest_of(const query::Table& table, const SourceColumns& source, std::string_view key) {
  VERNIER_TRY(KeyedHash all, KeyedHash::of(key));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    VERNIER_TRY(const ArrowColumn column, ArrowColumn::of(*source.rows, source.places[i]));
    VERNIER_TRY(const std::string digest, digest_of_column(table.columns[i].type, *source.rows, column, key));
    all.add_counted(table.columns[i].name);
    all.add_counted(digest);
  }
  return std::move(all).digits();
}

}  // namespace vernier::engine
