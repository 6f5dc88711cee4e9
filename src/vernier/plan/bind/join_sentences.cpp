#include "vernier/plan/bind/join_sentences.hpp"

#include <algorithm>

#include "vernier/query/made.hpp"

namespace vernier::plan {
namespace {

std::string marked(const std::string& name) { return "'" + name + "'"; }

// Among the joins of a query that was never read, each link has the place of one.
query::Join stated(const TableLink& link) {
  query::Join join{.table = link.other, .columns = {link.table, link.column}};
  join.kind = link.is_way ? query::JoinKind::lookup : query::JoinKind::by_unit;
  join.right = {link.other_column};
  return join;
}

TableLink link_of(const query::Join& stated) {
  return {stated.kind == query::JoinKind::lookup, stated.columns[0], stated.columns[1], stated.table, stated.right[0]};
}

TableLink way_of(const query::Table& table) {
  const query::Via& via = *table.via;
  return {true, table.name, via.by, via.table, via.key};
}

std::string sentence_of(const TableLink& link) {
  if (link.is_way) {
    return "A row of the table " + marked(link.table) + " belongs to every unit of the table " + marked(link.other) +
           " that has a row there whose " + marked(link.other_column) + " is its " + marked(link.column) +
           ". What one row says of several units is protected as something that they have in common.";
  }
  return "The column " + marked(link.column) + " of the table " + marked(link.table) + " and the column " +
         marked(link.other_column) + " of the table " + marked(link.other) +
         " name the same units: one unit is protected in both of them together.";
}

}  // namespace

namespace {

// Rows of tables that a statement puts together are of the same units.
template <class Add>
void add_made_links(const BoundStatistic& statistic, const Add& add) {
  if (statistic.query.made.empty()) return;
  std::vector<query::Table> tables = query::sources_of(own_table(statistic));
  for (const BoundJoin& join : statistic.joins) {
    for (query::Table& one : query::sources_of(join.table)) tables.push_back(std::move(one));
  }
  std::erase_if(tables, [](const query::Table& one) { return one.is_public; });
  for (const query::Table& one : tables) {
    if (one.name != tables.front().name && !one.via)
      add({false, tables.front().name, *tables.front().unit, one.name, *one.unit});
  }
}

}  // namespace

std::vector<TableLink> links_of(const BoundStatistic& statistic) {
  std::vector<TableLink> links;
  const auto add = [&](TableLink link) {
    if (std::find(links.begin(), links.end(), link) == links.end()) links.push_back(std::move(link));
  };
  if (statistic.joins.size() != statistic.query.joins.size()) {
    for (const query::Join& one : statistic.query.joins) add(link_of(one));
    return links;
  }
  for (const query::Table& table : protected_tables(statistic)) {
    if (table.via) add(way_of(table));
  }
  add_made_links(statistic, add);
  for (const BoundJoin& join : statistic.joins) {
    if (join.table.is_public || join.table.made || statistic.table.made) continue;
    add({false, statistic.table.name, join.left.front().name, join.table.name, join.right.front().name});
  }
  return links;
}

void state_links(BoundStatistic& statistic, const std::vector<TableLink>& links) {
  statistic.query.joins.clear();
  for (const TableLink& link : links) statistic.query.joins.push_back(stated(link));
}

std::vector<std::string> join_sentences(const BoundStatistic& statistic) {
  std::vector<std::string> sentences;
  for (const TableLink& link : links_of(statistic)) sentences.push_back(sentence_of(link));
  return sentences;
}

}  // namespace vernier::plan
