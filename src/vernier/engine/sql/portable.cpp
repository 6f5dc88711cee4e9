#include "vernier/engine/sql/portable.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/utf8.hpp"
#include "vernier/query/expression/span.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using query::Value;

std::string hex_of(std::int64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(16, '0');
  auto rest = static_cast<std::uint64_t>(value);
  for (std::size_t i = text.size(); i-- > 0; rest >>= 4) text[i] = digits[rest & 15U];
  return text;
}

std::vector<Type> group_types(const plan::Sql& sql) {
  return sql.has_cells ? std::vector<Type>{Type::integer} : sql.key_types;
}

std::vector<Type> followed_by_integers(std::vector<Type> types, std::size_t count) {
  types.insert(types.end(), count, Type::integer);
  return types;
}

bool is_key(const Cell& cell) {
  if (!cell) return false;
  const auto* const text = std::get_if<std::string>(&*cell);
  return text == nullptr || (is_utf8(*text) && text->find('\0') == std::string::npos &&
                             text->size() <= static_cast<std::size_t>(plan::longest_private_key));
}

// Groups by their keys, or by the number of a public one.
class Groups {
 public:
  explicit Groups(const plan::Sql& sql) : sql_(sql), keys_(group_types(sql).size()) {}
  Groups(const Groups&) = delete;
  Groups& operator=(const Groups&) = delete;
  ~Groups() {
    while (!places_.empty()) {
      auto node = places_.extract(places_.begin());
      for (Value& key : node.key()) wipe(key);
    }
  }

  // Whether the rows are groups, each once in a pass, with their tallies, which are added to those of former passes.
  bool add_tallies(const Cells& cells) {
    std::vector<bool> seen(groups_.size());
    for (const auto& row : cells.rows) {
      if (!std::all_of(row.begin(), row.end(), is_key)) return false;
      const std::size_t place = place_of(row);
      seen.resize(groups_.size());
      if (seen[place]) return false;
      seen[place] = true;
      for (std::size_t i = 0; i < sql_.tallies; ++i) add(groups_[place].tallies[i], integer(row[keys_ + i]));
    }
    return true;
  }

  // Whether the rows are groups, points and how many rows have them; each point once in a pass. Of private keys only
  // groups with units count; of public ones another statement may have seen another state of the data.
  bool add_histogram(std::size_t place, const Cells& cells) {
    for (const auto& row : cells.rows) {
      if (!std::all_of(row.begin(), row.end(), is_key)) return false;
      groups_[place_of(row)].histograms[place].push_back({integer(row[keys_]), integer(row[keys_ + 1])});
    }
    return true;
  }

  // After the last pass: points in their order, each once.
  void finish_histogram(std::size_t place) {
    for (RawGroup& group : groups_) finish(group.histograms[place], sql_.packing[place]);
  }

  RawAggregates taken() { return RawAggregates(std::move(groups_)); }

 private:
  static std::int64_t integer(const Cell& cell) { return std::get<std::int64_t>(*cell); }

  // A tally of a pass is within 2^62, and so is the sum.
  static void add(std::int64_t& sum, std::int64_t part) {
    constexpr query::Int128 most = query::Int128{1} << 62;
    sum = static_cast<std::int64_t>(std::clamp(query::Int128{sum} + part, -most, most));
  }

  std::size_t place_of(const std::vector<Cell>& row) {
    const auto [found, is_new] = places_.try_emplace(key_of(row), groups_.size());
    if (is_new) add_group(row);
    return found->second;
  }

  std::vector<Value> key_of(const std::vector<Cell>& row) const {
    std::vector<Value> key;
    for (std::size_t i = 0; i < keys_; ++i) key.push_back(*row[i]);
    return key;
  }

  void add_group(const std::vector<Cell>& row) {
    RawGroup& group = groups_.emplace_back();
    if (sql_.has_cells)
      group.cell = integer(row.front());
    else
      group.keys = key_of(row);
    group.tallies.assign(sql_.tallies, 0);
    group.histograms.resize(sql_.histograms);
  }

  static void finish(std::vector<noise::Occupied>& histogram, std::int64_t packing) {
    std::sort(histogram.begin(), histogram.end(),
              [](const noise::Occupied& a, const noise::Occupied& b) { return a.point < b.point; });
    std::vector<noise::Occupied> merged;
    merged.reserve(histogram.size());
    for (const noise::Occupied& one : histogram) {
      if (!merged.empty() && merged.back().point == one.point)
        add(merged.back().rows, one.rows);
      else
        merged.push_back(one);
    }
    histogram = packing == 0 ? std::move(merged) : weighed(merged, packing);
  }

  const plan::Sql& sql_;
  std::size_t keys_;
  std::vector<RawGroup> groups_;
  std::map<std::vector<Value>, std::size_t> places_;
};

}  // namespace

namespace {

// The units whose number has this remainder; all of them where there is one pass.
std::string condition(const plan::Sql& sql, const Running& running, std::int64_t pass) {
  if (running.passes == 1 || !sql.unit) return "TRUE";
  const std::string of = running.in.constant(running.passes);
  const std::string number = *sql.unit == Type::integer   ? "u"
                             : *sql.unit == Type::date    ? running.in.day_number("u")
                             : *sql.unit == Type::boolean ? "CASE WHEN u THEN 1 ELSE 0 END"
                                                          : running.in.hash_of("u");
  return "((" + number + " % " + of + ") + " + of + ") % " + of + " = " + running.in.constant(pass);
}

void replace_all(std::string& text, char place, const std::string& by) {
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + by.size())) {
    text.replace(at, 1, by);
  }
}

std::int64_t passes_of(const std::string& text, const Running& running) {
  return text.find(plan::pass_place) == std::string::npos ? 1 : running.passes;
}

}  // namespace

std::string told(const std::string& text, const plan::Sql& sql, const Running& running, std::int64_t pass) {
  std::string told = text;
  replace_all(told, plan::secret_place, hex_of(running.secret[0]) + hex_of(running.secret[1]));
  replace_all(told, plan::pass_place, condition(sql, running, pass));
  return told;
}

Result<RawAggregates> run_portable(const plan::Sql& sql, const Running& running, const ReadCells& read) {
  const std::vector<Type> keys = group_types(sql);
  Groups groups(sql);
  for (std::int64_t pass = 0; !sql.text.empty() && pass < passes_of(sql.text, running); ++pass) {
    VERNIER_TRY(const Cells cells, read(told(sql.text, sql, running, pass), followed_by_integers(keys, sql.tallies)));
    if (!groups.add_tallies(cells)) return failed_run();
  }
  for (std::size_t i = 0; i < sql.histogram_texts.size(); ++i) {
    const std::string& text = sql.histogram_texts[i];
    for (std::int64_t pass = 0; pass < passes_of(text, running); ++pass) {
      VERNIER_TRY(const Cells cells, read(told(text, sql, running, pass), followed_by_integers(keys, 2)));
      if (!groups.add_histogram(i, cells)) return failed_run();
    }
    groups.finish_histogram(i);
  }
  return groups.taken();
}

}  // namespace vernier::engine
