#include "vernier/query/catalog.hpp"

// Tables that have their unit by way of another one.
namespace vernier::query {

Table seen(const Table& table) {
  if (!table.via || !table.via->owner) return table;
  const Table owner = seen(*table.via->owner);
  const Column* const found = owner.column(table.via->is);
  if (found == nullptr) return table;
  Column unit = *found;
  unit.name = table.via->is;
  Table made = table;
  made.columns.push_back(std::move(unit));
  return made;
}

std::vector<Table> owners_of(const Table& table) {
  std::vector<Table> owners;
  for (const Table* one = &table; one->via && one->via->owner; one = one->via->owner.get()) {
    owners.push_back(*one->via->owner);
  }
  return owners;
}

}  // namespace vernier::query
