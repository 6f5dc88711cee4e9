#include "ledger/races/forgery.hpp"

#include <fstream>
#include <sstream>

#include <sqlite3.h>

#include "ledger/races/lives.hpp"
#include "ledger/races/needed.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {

using namespace ledger;
namespace fs = std::filesystem;

const Terms forged_terms = terms_of_units(10000);

Home home_in(const fs::path& folder) {
  return {[=] { return needed(open_sqlite(folder / "ledger", Missing::is_error)); },
          forged_terms,
          {.file = folder / "witness"}};
}

namespace {

// SQL past all rules of the file: its triggers are away meanwhile, and its checks look elsewhere.
class BareFile {
 public:
  explicit BareFile(const fs::path& folder) {
    sqlite3_open((folder / "ledger").c_str(), &handle_);
    run("PRAGMA ignore_check_constraints = ON");
    for (const auto& row : rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")) {
      run("DROP TRIGGER " + row[0]);
      triggers_.push_back(row[1]);
    }
  }
  BareFile(const BareFile&) = delete;
  BareFile& operator=(const BareFile&) = delete;
  ~BareFile() {
    for (const std::string& trigger : triggers_) sqlite3_exec(handle_, trigger.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(handle_);
  }

  void run(const std::string& sql) {
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(std::string(sqlite3_errmsg(handle_)) + " in " + sql);
    }
  }
  using Rows = std::vector<std::vector<std::string>>;
  Rows rows(const std::string& sql) {
    Rows found;
    sqlite3_exec(handle_, sql.c_str(), take, &found, nullptr);
    return found;
  }

 private:
  static int take(void* rows, int columns, char** values, char**) {
    auto& row = static_cast<Rows*>(rows)->emplace_back();
    for (int i = 0; i < columns; ++i) row.emplace_back(values[i] == nullptr ? "" : values[i]);
    return 0;
  }
  sqlite3* handle_ = nullptr;
  std::vector<std::string> triggers_;
};

std::int64_t entries_of(const Original& original) { return static_cast<std::int64_t>(original.content.entries.size()); }

std::string any_index(const Original& original, Chance& chance) {
  return std::to_string(1 + static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(entries_of(original))));
}

struct Column {
  std::string name;
  bool is_number;
};

// To something that it was not.
std::string another_value(const Column& column, Chance& chance) {
  if (column.is_number) {
    const std::string steps[] = {" + 1", " - 1", " + 1000000000000000", " - 1000000000000000", " * -1 - 1"};
    return column.name + steps[chance() % 5];
  }
  const std::string changes[] = {column.name + " || 'x'", "'another'", "substr(" + column.name + ", 2) || 'y'",
                                 "char(65) || " + column.name};
  return changes[chance() % 4];
}

std::string edit(const fs::path& folder, const std::string& table, const Column& column, const std::string& where,
                 Chance& chance) {
  const std::string sql = "UPDATE " + table + " SET " + column.name + " = " + another_value(column, chance) + where;
  BareFile(folder).run(sql);
  return sql;
}

std::string edit_entry(const Original& original, const fs::path& folder, Chance& chance) {
  const Column columns[] = {{"time", true},   {"release", false}, {"request", false}, {"analyst", false},
                            {"study", false}, {"unit", false},    {"plan", false},    {"epsilon", true},
                            {"delta", true},  {"content", false}, {"hash", false},    {"kind", false},
                            {"manner", false}};
  return edit(folder, "entries", columns[chance() % 13], " WHERE idx = " + any_index(original, chance), chance);
}

std::string edit_rest(const Original& original, const fs::path& folder, Chance& chance) {
  const Column columns[] = {{"left_epsilon", true}, {"left_delta", true}};
  const bool is_last = chance() % 4 == 0;
  const std::string index = is_last ? std::to_string(entries_of(original)) : any_index(original, chance);
  return edit(folder, "entries", columns[chance() % 2], " WHERE idx = " + index, chance);
}

// Of all entries, so that only the terms know better.
std::string raise_all(const Original&, const fs::path& folder, Chance& chance) {
  const std::string sql = "UPDATE entries SET left_epsilon = left_epsilon + " + std::to_string(1 + chance() % 1000);
  BareFile(folder).run(sql);
  return sql;
}

std::string any_document(const fs::path& folder, Chance& chance) {
  const auto count = std::stoul(BareFile(folder).rows("SELECT count(*) FROM documents")[0][0]);
  return " WHERE rowid = (SELECT rowid FROM documents LIMIT 1 OFFSET " + std::to_string(chance() % count) + ")";
}

std::string edit_document(const Original&, const fs::path& folder, Chance& chance) {
  const std::string changes[] = {"name = name || 'x'", "content = CAST('other' AS BLOB)", "release = 'another'",
                                 "content = CAST(content || 'x' AS BLOB)"};
  const std::string sql = "UPDATE documents SET " + changes[chance() % 4] + any_document(folder, chance);
  BareFile(folder).run(sql);
  return sql;
}

std::string delete_document(const Original&, const fs::path& folder, Chance& chance) {
  BareFile(folder).run("DELETE FROM documents" + any_document(folder, chance));
  return "a document was deleted";
}

std::string delete_entry(const Original& original, const fs::path& folder, Chance& chance) {
  const std::string index = any_index(original, chance);
  BareFile(folder).run("DELETE FROM entries WHERE idx = " + index);
  return "entry " + index + " was deleted";
}

std::string swap_entries(const Original& original, const fs::path& folder, Chance& chance) {
  const std::string one = any_index(original, chance);
  std::string two = one;
  while (two == one) two = any_index(original, chance);
  BareFile(folder).run("UPDATE entries SET idx = -1 WHERE idx = " + one + "; UPDATE entries SET idx = " + one +
                       " WHERE idx = " + two + "; UPDATE entries SET idx = " + two + " WHERE idx = -1");
  return "entries " + one + " and " + two + " were swapped";
}

// What is left after each entry, as their costs have it.
void set_rests(BareFile& file) {
  const std::int64_t budget = Quanta::of(forged_terms.epsilon, forged_terms.delta).budget().epsilon;
  file.run("UPDATE entries SET left_epsilon = " + std::to_string(budget) +
           " - (SELECT sum(epsilon) FROM entries AS former WHERE former.idx <= entries.idx)");
}

// The end, with everything that belongs to it: a ledger that holds, and only the witness knows better.
std::string cut_end(const Original& original, const fs::path& folder, Chance& chance) {
  const std::int64_t left =
      1 + static_cast<std::int64_t>(chance() % static_cast<std::uint64_t>(entries_of(original) - 1));
  BareFile file(folder);
  file.run("DELETE FROM entries WHERE idx > " + std::to_string(left));
  file.run("DELETE FROM documents WHERE release NOT IN (SELECT release FROM entries WHERE kind = 'settle')");
  return "all after entry " + std::to_string(left) + " was cut off";
}

// From some entry on everything is cheaper, with hashes that hold.
std::string write_anew(const Original& original, const fs::path& folder, Chance& chance) {
  BareFile file(folder);
  const std::size_t first = 2 + chance() % (original.content.entries.size() - 2);
  std::string head = original.content.entries[first - 1].hash;
  for (std::size_t i = first; i < original.content.entries.size(); ++i) {
    Entry entry = original.content.entries[i];
    entry.cost.epsilon /= 2;
    entry.time += 1;
    head = needed(hash_of(head, entry));
    file.run("UPDATE entries SET time = time + 1, epsilon = epsilon / 2, hash = '" + head +
             "' WHERE idx = " + std::to_string(entry.index));
  }
  set_rests(file);
  return "all after entry " + std::to_string(first) + " was written anew";
}

void replace_file(const fs::path& from, const fs::path& folder) {
  fs::remove(folder / "ledger-wal");
  fs::remove(folder / "ledger-shm");
  fs::copy_file(from / "ledger", folder / "ledger", fs::copy_options::overwrite_existing);
  if (fs::exists(from / "ledger-wal")) fs::copy_file(from / "ledger-wal", folder / "ledger-wal");
}

std::string bring_back(const Original& original, const fs::path& folder, Chance& chance) {
  replace_file(original.older[chance() % original.older.size()], folder);
  return "an older copy was brought back";
}

void change_bytes(const fs::path& path, const std::function<void(std::string&)>& change) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = text.str();
  change(bytes);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string flip_bit(const Original&, const fs::path& folder, Chance& chance) {
  std::string what;
  change_bytes(folder / "ledger", [&](std::string& bytes) {
    const std::size_t at = chance() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << chance() % 8));
    what = "a bit of byte " + std::to_string(at) + " was flipped";
  });
  return what;
}

std::string truncate(const Original&, const fs::path& folder, Chance& chance) {
  const auto size = chance() % fs::file_size(folder / "ledger");
  fs::resize_file(folder / "ledger", size);
  return "the file was cut off after " + std::to_string(size) + " bytes";
}

// The last copy has its latest entries in the write-ahead log alone.
std::string lose_log(const Original& original, const fs::path& folder, Chance& chance) {
  replace_file(original.folder / "open", folder);
  if (chance() % 2 == 0) {
    fs::remove(folder / "ledger-wal");
    return "the write-ahead log was removed";
  }
  const auto size = chance() % fs::file_size(folder / "ledger-wal");
  fs::resize_file(folder / "ledger-wal", size);
  return "the write-ahead log was cut off after " + std::to_string(size) + " bytes";
}

std::string swap_log(const Original& original, const fs::path& folder, Chance&) {
  replace_file(original.folder / "open", folder);
  fs::copy_file(original.older[0] / "ledger-wal", folder / "ledger-wal", fs::copy_options::overwrite_existing);
  return "the write-ahead log was replaced by an older one";
}

void copy_ledger(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (const char* name : {"ledger", "ledger-wal"}) {
    if (fs::exists(from / name)) fs::copy_file(from / name, to / name);
  }
}

void release(Ledger& ledger, const Home& home, int number) {
  const std::string request = "q" + std::to_string(number);
  Spend spend = spend_of_request(home, request);
  spend.analyst = number % 2 == 0 ? "ada" : "bo";
  needed(ledger.reserve(spend));
  if (number % 3 != 2) needed(ledger.settle(spend.release, documents_of("content " + request)));
}

}  // namespace

Original make_original(const fs::path& folder, int releases) {
  Original original{folder, {}, {}};
  fs::create_directories(folder);
  const auto quarter = numeric::Rational::of_decimal("0.25");
  Home home = home_in(folder);
  auto ledger = needed(Ledger::open(needed(open_sqlite(folder / "ledger", Missing::is_made)), forged_terms,
                                    {.witness = home.witness, .shares = {{"ada", *quarter}, {"bo", *quarter}}}));
  const int before[] = {600, 6, 1};  // releases, each of 5/3 entries
  for (int i = 0; i < releases; ++i) {
    for (const int last : before) {
      if (releases - i != last) continue;
      original.older.push_back(folder / ("before" + std::to_string(last)));
      copy_ledger(folder, original.older.back());
    }
    release(*ledger, home, i);
  }
  copy_ledger(folder, folder / "open");
  ledger.reset();
  original.content = audit(*home.store(), forged_terms, home.witness);
  return original;
}

const std::vector<Forgery>& forgeries() {
  static const std::vector<Forgery> all = {
      {"an entry", edit_entry},
      {"what is left", edit_rest},
      {"more is left", raise_all},
      {"a document", edit_document},
      {"no document", delete_document},
      {"no entry", delete_entry},
      {"entries swapped", swap_entries},
      {"an end cut off", cut_end},
      {"a new history", write_anew},
      {"an older copy", bring_back},
      {"a bit", flip_bit},
      {"half a file", truncate},
      {"no log", lose_log},
      {"an older log", swap_log},
  };
  return all;
}

}  // namespace vernier::testing
