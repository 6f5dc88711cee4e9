#include "ledger/races/long_ledger.hpp"

#include "ledger/races/audit.hpp"
#include "ledger/races/needed.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::testing {

using namespace ledger;

namespace {

Entry entry_of(std::int64_t index, const Terms& terms, const Spend& spend) {
  if (index == 1) return {.index = 1, .kind = Kind::terms, .time = 1700000000, .content = canonical(terms, "long")};
  const std::string name = std::to_string(index / 2);
  const std::string release = std::string(32 - name.size(), '0') + name;
  if (index % 2 == 1) {
    return {.index = index,
            .kind = Kind::settle,
            .time = 1700000000 + index,
            .release = release,
            .content = std::string(64, 'c')};
  }
  return {.index = index,
          .kind = Kind::reserve,
          .time = 1700000000 + index,
          .release = release,
          .request = "request-" + name,
          .analyst = "rosa",
          .study = "visits per week",
          .unit = "patient",
          .plan = spend.plan,
          .cost = spend.price.total};
}

}  // namespace

void write_long_ledger(const std::filesystem::path& path, const Terms& terms, std::int64_t entries) {
  const auto store = needed(open_sqlite(path, Missing::is_made));
  const auto work = needed(store->begin(Access::write));
  const Spend spend = spend_of_units(terms, 1, "any");
  std::string head;
  for (std::int64_t index = 1; index <= entries; ++index) {
    Entry entry = entry_of(index, terms, spend);
    entry.hash = needed(hash_of(head, entry));
    needed(index == 1 ? work->begin(entry, Quanta::of(terms.epsilon, terms.delta).budget()) : work->append(entry));
    head = entry.hash;
  }
  needed(work->commit());
}

}  // namespace vernier::testing
