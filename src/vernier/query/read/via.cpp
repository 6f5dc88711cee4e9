#include "vernier/query/read/via.hpp"

#include <algorithm>

#include "vernier/core/files_say.hpp"
#include "vernier/core/names.hpp"

namespace vernier::query {
namespace {

constexpr const char* example = "unit = { via = \"orders.order_id\", is = \"customer_id\", by = \"order_id\" }";

bool is_same(std::string_view a, std::string_view b) { return fold_case(a) == fold_case(b); }

// "orders.o_orderkey"
void read_place(TableReader& reader, const TomlNode& node, const std::string& written, Via& via) {
  const std::size_t dot = written.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == written.size()) {
    return reader.refuse(
        node.place, reader.subject("via"),
        "must be a protected table and its column that is looked up, such as orders.order_id, but it is " +
            in_quotes(written),
        std::string("write for example ") + example);
  }
  via.table = written.substr(0, dot);
  via.key = written.substr(dot + 1);
}

void check_own_column(TableReader& reader, const Via& via, const Table& table) {
  const Column* const own = table.column(via.by);
  const Place place = reader.find("by") != nullptr ? reader.find("by")->place : reader.place();
  if (own != nullptr && own->name == via.by) return;
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  reader.refuse(place, reader.subject("by"),
                "must be one of the table's columns, which has what is looked up, but it is " + in_quotes(via.by) +
                    suggestion(via.by, names),
                "");
}

}  // namespace

std::optional<Via> read_via(TableReader& reader, const TomlNode& node, const TomlTable& content, const Table& table,
                            std::vector<Problem>& problems) {
  TableReader inner(content, node.place, reader.subject("unit"), problems);
  Via via;
  inner.require("via", toml(example));
  const auto written = inner.text("via", "orders.order_id");
  if (written) read_place(inner, *inner.find("via"), *written, via);
  inner.require("is", toml(example));
  via.is = inner.text("is", "customer_id").value_or("");
  via.by = inner.text("by", "order_id").value_or(via.key);
  inner.finish();
  if (via.key.empty() || via.is.empty()) return std::nullopt;
  check_own_column(inner, via, table);
  if (table.column(via.is) == nullptr) return via;
  inner.refuse(inner.find("is")->place, inner.subject("is"),
               "is " + in_quotes(via.is) + ", which is a column of the table itself",
               "write " + toml("unit = \"" + via.is + "\"") + " if it names the unit, or rename it");
  return std::nullopt;
}

namespace {

class Owners {
 public:
  Owners(std::vector<Table>& tables, const std::vector<Table>& public_tables, std::vector<Problem>& problems)
      : tables_(tables), public_tables_(public_tables), problems_(problems) {}

  void find_all() {
    for (Table& table : tables_) {
      if (table.via) find(table, 0);
    }
  }

 private:
  void refuse(const Table& table, const std::string& sentence, std::string advice = "") {
    problems_.push_back(
        {table.place, "the unit of the table " + in_quotes(table.name) + " " + sentence, std::move(advice)});
  }

  Table* named(const std::string& name) {
    const auto found =
        std::find_if(tables_.begin(), tables_.end(), [&](const Table& one) { return is_same(one.name, name); });
    return found == tables_.end() ? nullptr : &*found;
  }

  // Whether the table has its unit now.
  bool find(Table& table, std::size_t steps) {
    Via& via = *table.via;
    if (via.owner) return true;
    if (steps == most_steps_to_unit) {
      refuse(table, "lies behind more than " + std::to_string(most_steps_to_unit) + " tables, or behind itself",
             "let one of them name its unit by a column of its own");
      return false;
    }
    Table* const owner = named(via.table);
    if (owner == nullptr) return no_owner(table);
    if (owner->via && !find(*owner, steps + 1)) return false;
    if (!check_owner(table, *owner)) return false;
    via.table = owner->name;
    via.owner = std::make_shared<const Table>(*owner);
    return true;
  }

  bool no_owner(const Table& table) {
    const auto is_it = [&](const Table& one) { return is_same(one.name, table.via->table); };
    const bool is_public = std::any_of(public_tables_.begin(), public_tables_.end(), is_it);
    std::vector<std::string> names;
    for (const Table& one : tables_) names.push_back(one.name);
    refuse(table, "is found by way of " + in_quotes(table.via->table) +
                      (is_public ? ", which is public and has no units"
                                 : ", which is no table of this catalog" + suggestion(table.via->table, names)));
    return false;
  }

  bool check_owner(const Table& table, const Table& owner) {
    const Via& via = *table.via;
    if (!owner.unit) {
      refuse(table, "is found by way of " + in_quotes(owner.name) + ", every row of which is a unit of its own",
             "declare a column of it as its unit");
      return false;
    }
    if (*owner.unit != via.is) {
      refuse(table,
             "is " + in_quotes(via.is) + ", but that of " + in_quotes(owner.name) + " is " + in_quotes(*owner.unit),
             "write " + toml("is = \"" + *owner.unit + "\""));
      return false;
    }
    return check_key(table, owner);
  }

  bool check_key(const Table& table, const Table& owner) {
    const Column* const own = table.column(table.via->by);
    const Column* const key = owner.column(table.via->key);
    if (own == nullptr) return false;  // told before
    if (key == nullptr || key->name != table.via->key) {
      refuse(table,
             "is found by the column " + in_quotes(table.via->key) + ", which " + in_quotes(owner.name) + " has not");
      return false;
    }
    if (key->type == own->type && key->type != Type::real) return true;
    refuse(table,
           "is found where " + in_quotes(own->name) + " is equal to " + in_quotes(key->name) + " of " +
               in_quotes(owner.name) + ", but " +
               (key->type == Type::real ? "reals hardly ever meet" : "they are of different types"),
           "declare both as integer or string");
    return false;
  }

  std::vector<Table>& tables_;
  const std::vector<Table>& public_tables_;
  std::vector<Problem>& problems_;
};

}  // namespace

void find_owners(std::vector<Table>& tables, const std::vector<Table>& public_tables, std::vector<Problem>& problems) {
  Owners(tables, public_tables, problems).find_all();
}

}  // namespace vernier::query
