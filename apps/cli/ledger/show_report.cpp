#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/ledger/amounts.hpp"
#include "cli/ledger/ledger.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"

// What `vernier ledger show` prints, within 80 columns: what is spent is rounded up, what is left is rounded down.
namespace vernier::cli {
namespace {

using ledger::Cost;
using ledger::Spending;

constexpr int bar_cells = 10;
constexpr std::size_t most_studies = 12;     // the dearest; the others are one line
constexpr std::size_t most_unanswered = 10;  // the last; the others are counted
constexpr std::size_t indent = 12;

// The greater of both parts.
std::int64_t part_of(const Cost& spent, const Cost& most) {
  return std::max(thousandths_up(spent.epsilon, most.epsilon), thousandths_up(spent.delta, most.delta));
}

std::string part_text(std::int64_t thousandths) {
  return fmt::format("{} {:>7}", bar(thousandths, bar_cells), percent_text(thousandths));
}

std::string name_of_analyst(const std::string& name) {
  return name.empty() ? "(nobody named)" : shortened(one_line(name), 20);
}

class Report {
 public:
  Report(Output& output, const study::LedgerShow& show)
      : output_(output),
        show_(show),
        reading_(show.reading),
        text_(reading_.rules.quanta),
        whole_(reading_.balance()) {}

  void write() {
    write_head();
    write_amounts();
    if (reading_.book) {
      if (!show_.analysts.empty()) write_analysts();
      if (!reading_.summary.by_study().empty()) write_studies();
      if (ledger::charges_by_divergence(reading_.rules.terms.accountant)) write_manners();
    } else if (show_.has_shares) {
      write_analysts();
    }
    write_capacity();
    write_unanswered();
  }

 private:
  bool has_delta() const { return reading_.rules.terms.accountant != ledger::Accountant::pure; }

  void line(const std::string& name, const std::string& value) {
    output_.write(wrapped(fmt::format("{:<{}}", name, indent), value, indent));
  }

  void write_head() {
    const ledger::Terms& terms = reading_.rules.terms;
    line("ledger", one_line(reading_.name));
    if (reading_.book) {
      line("", fmt::format("{} {}, the last of {}", text::grouped(reading_.book->position().index),
                           reading_.book->position().index == 1 ? "entry" : "entries",
                           utc_text(reading_.summary.last_time())));
      line("head", reading_.book->position().head);
    } else {
      line("", "does not exist yet: nothing was spent");
    }
    line("accountant", fmt::format("{}, neighbours {}", name_of(terms.accountant), name_of(terms.neighbours)));
    line("adds up by", reading_.rules.theorem);
    write_units();
    write_witness();
  }

  // Whom the releases so far protect; it stays so.
  void write_units() {
    if (!reading_.book) return;
    const char* name = "protects";
    for (const auto& [folded, one] : reading_.book->units().tables()) {
      const std::string table = one_line(one.table);
      line(std::exchange(name, ""), one.unit ? fmt::format("each {} of {}", one_line(*one.unit), table)
                                             : fmt::format("nobody of {}, which is public", table));
    }
  }

  void write_witness() {
    if (reading_.catalog.budget.without_witness) {
      line("witness", "none, as the catalog asks: an older copy of the ledger goes unnoticed");
    }
    if (!reading_.witness) return;
    line("witness", one_line(reading_.witness->path.string()));
    const auto& memory = reading_.witness->memory;
    line("", memory ? fmt::format("saw entry {} of {}", text::grouped(memory->position.index),
                                  text::grouped(reading_.book->position().index))
                    : "has seen nothing yet; the next release begins it");
  }

  Row amount_row(const char* name, const QuantaText& text, std::int64_t left, std::int64_t most) const {
    const std::int64_t thousandths = thousandths_up(most - left, most);
    return {name, text.up(most - left), text.down(left), text.exact(most), part_text(thousandths)};
  }

  void write_amounts() {
    std::vector<Row> rows = {amount_row("epsilon", text_.epsilon, whole_.left.epsilon, whole_.most.epsilon)};
    if (has_delta()) rows.push_back(amount_row("delta", text_.delta, whole_.left.delta, whole_.most.delta));
    output_.write("\n");
    write_aligned(output_, {{"budget"}, number("spent"), number("left"), number("of"), {"spent"}}, rows);
  }

  static Heading number(std::string text) { return {std::move(text), Align::right}; }

  // The columns of a cost: of delta only where it counts.
  void add_cost(Row& row, const Cost& cost) const {
    row.push_back(text_.epsilon.up(cost.epsilon));
    if (has_delta()) row.push_back(text_.delta.up(cost.delta));
  }
  void add_most(Row& row, const Cost& most) const {
    row.push_back(text_.epsilon.down(most.epsilon));
    if (has_delta()) row.push_back(text_.delta.down(most.delta));
  }
  void add_cost_headings(std::vector<Heading>& headings, const std::string& epsilon, const std::string& delta) const {
    headings.push_back(number(epsilon));
    if (has_delta()) headings.push_back(number(delta));
  }

  void write_analysts() {
    std::vector<Heading> headings = {{"analyst"}};
    add_cost_headings(headings, "epsilon", "delta");
    if (show_.has_shares) add_cost_headings(headings, "share: epsilon", "delta");
    headings.push_back({show_.has_shares ? "spent of the share" : "of the budget"});
    std::vector<Row> rows;
    for (const study::AnalystLine& line : show_.analysts) {
      Row row = {name_of_analyst(line.name)};
      add_cost(row, line.spent);
      if (show_.has_shares) add_most(row, line.most);
      const bool has_none = line.most == Cost{};
      row.push_back(has_none ? "has no share now" : part_text(part_of(line.spent, line.most)));
      rows.push_back(std::move(row));
    }
    if (show_.has_shares) rows.push_back(reserve_row());
    output_.write("\n");
    write_aligned(output_, headings, rows);
  }

  Row reserve_row() const {
    Row row = {"(reserve)", "-"};
    if (has_delta()) row.push_back("-");
    add_most(row, show_.reserve);
    row.push_back("in no share");
    return row;
  }

  Row spending_row(const std::string& name, const std::string& releases, const Cost& cost) const {
    Row row = {name, releases};
    add_cost(row, cost);
    row.push_back(part_text(part_of(cost, whole_.most)));
    return row;
  }
  Row spending_row(const std::string& name, const Spending& spending) const {
    return spending_row(name, text::grouped(spending.releases), spending.cost);
  }

  void write_spending(const char* title, const std::vector<Row>& rows) {
    std::vector<Heading> headings = {{title}, number("releases")};
    add_cost_headings(headings, "epsilon", "delta");
    headings.push_back({"of the budget"});
    output_.write("\n");
    write_aligned(output_, headings, rows);
  }

  void write_studies() {
    std::vector<std::pair<std::string, Spending>> studies(reading_.summary.by_study().begin(),
                                                          reading_.summary.by_study().end());
    std::stable_sort(studies.begin(), studies.end(), [&](const auto& a, const auto& b) {
      return part_of(a.second.cost, whole_.most) > part_of(b.second.cost, whole_.most);
    });
    std::vector<Row> rows;
    Spending others;
    for (std::size_t i = 0; i < studies.size(); ++i) {
      if (i < most_studies) {
        rows.push_back(spending_row(shortened(one_line(studies[i].first), 28), studies[i].second));
      } else {
        others.cost = others.cost + studies[i].second.cost;
        others.releases += studies[i].second.releases;
      }
    }
    if (studies.size() > most_studies) {
      rows.push_back(spending_row(fmt::format("{} others", studies.size() - most_studies), others));
    }
    write_spending("study", rows);
  }

  void write_manners() {
    const ledger::Summary& summary = reading_.summary;
    Spending divergence = summary.by_divergence();
    divergence.cost = divergence.cost - show_.conversion;
    write_spending("charged", {spending_row("by totals", summary.by_total()), spending_row("by divergence", divergence),
                               spending_row("for the conversion", reading_.balance().is_open ? "once" : "not yet",
                                            show_.conversion)});
  }

  void write_capacity() {
    if (show_.accuracies.empty()) {
      output_.write("\nwhat is left is not enough for another count of any use\n");
      return;
    }
    output_.write("\nleft for so many more counts, each a study of its own, within (95 %)\n");
    std::vector<Heading> headings = {{show_.has_shares ? "analyst" : "everybody"}};
    for (const std::int64_t accuracy : show_.accuracies) headings.push_back(number("±" + text::grouped(accuracy)));
    std::vector<Row> rows;
    for (const study::CapacityLine& line : show_.capacity) {
      Row row = {line.name.empty() ? "" : name_of_analyst(line.name)};
      for (const release::Capacity& one : line.capacities) row.push_back(text::grouped(one.counts));
      rows.push_back(std::move(row));
    }
    write_aligned(output_, headings, rows);
  }

  void write_unanswered() {
    std::vector<const ledger::Entry*> entries;
    for (const auto& [release, entry] : reading_.summary.unanswered()) entries.push_back(&entry);
    if (entries.empty()) return;
    std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) { return a->index < b->index; });
    output_.write(fmt::format("\npaid for and not answered: {}; a run that fails gives nothing back\n",
                              text::grouped(static_cast<std::int64_t>(entries.size()))));
    std::vector<Row> rows;
    for (std::size_t i = entries.size() - std::min(entries.size(), most_unanswered); i < entries.size(); ++i) {
      const ledger::Entry& entry = *entries[i];
      rows.push_back({text::grouped(entry.index), utc_text(entry.time), name_of_analyst(entry.analyst),
                      shortened(one_line(entry.study), 20), text_.epsilon.up(entry.cost.epsilon)});
    }
    write_aligned(output_, {number("entry"), {"time"}, {"analyst"}, {"study"}, number("epsilon")}, rows);
  }

  Output& output_;
  const study::LedgerShow& show_;
  const study::LedgerReading& reading_;
  CostText text_;
  ledger::Balance whole_;
};

}  // namespace

void write_ledger_report(Output& output, const study::LedgerShow& show) { Report(output, show).write(); }

}  // namespace vernier::cli
