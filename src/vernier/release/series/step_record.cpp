#include "vernier/release/series/step_record.hpp"

#include "vernier/core/hash.hpp"
#include "vernier/core/version.hpp"
#include "vernier/plan/series/description.hpp"
#include "vernier/release/record/json_in.hpp"

namespace vernier::release {
namespace {

constexpr int most_depth_of_step = 12;
constexpr std::size_t most_cells_of_step = 100'000;
constexpr std::string_view certificate_begins = "\"certificate\":{\"kind\":\"series\"";
constexpr std::array<std::string_view, 3> kind_names = {"each", "last", "cumulative"};

// A value that follows from the plan.
template <class V>
void same_value(V& v, const std::string& name, const query::Value& value) {
  if (const auto* const day = std::get_if<query::Day>(&value)) return v.same(name, query::text_of(*day));
  std::visit(
      [&]<class T>(const T& known) {
        if constexpr (!std::is_same_v<T, query::Day>) v.same(name, known);
      },
      value);
}

template <class V>
void describe_number(V& v, Of<V, series::Number>& number, Of<V, double>& accuracy, double confidence) {
  std::array<std::int64_t, 2> interval{number.low, number.high};
  v("value", number.value);
  v("estimate", number.estimate);
  v("accuracy", accuracy);
  v("interval", interval);
  v.same("confidence", confidence);
  v.same("coverage", std::string_view("proven"));
  if constexpr (V::reads) {
    number.low = interval[0];
    number.high = interval[1];
  }
}

template <class V>
void describe_published(V& v, Of<V, StepRecord>& record, std::size_t place) {
  const plan::SeriesFacts& facts = record.plan.series[place];
  const auto cells = static_cast<std::size_t>(facts.cells());
  v.same("name", facts.name);
  v.same("step", query::text_of(facts.calendar.first_day(record.step)));
  v.same("last_day", query::text_of(facts.calendar.last_day(record.step)));
  v.same("number", record.step + 1);
  v.same("last_steps", facts.last);
  if constexpr (V::reads) record.numbers[place].resize(cells);
  const double confidence = confidence_of(record.plan.alpha);
  v.exactly("rows", cells, [&](V& row, std::size_t cell) {
    const std::vector<query::Value> keys = keys_of_cell(facts, cell);
    for (std::size_t i = 0; i < keys.size(); ++i) same_value(row, facts.columns[i].name, keys[i]);
    for (std::size_t kind = 0; kind < 3; ++kind) {
      row.object(kind_names[kind], [&](V& number) {
        describe_number(number, record.numbers[place][cell][kind], record.accuracies[place][kind], confidence);
      });
    }
  });
}

template <class V>
void describe_step_of(V& v, Of<V, StepRecord>& record) {
  v("release", record.id);
  v("study", record.study);
  v.same("unit", record.plan.unit.value_or("row"));
  v.same("neighbours", std::string_view("add-remove"));
  v.object("guarantee", [&](V& guarantee) {
    guarantee.same("epsilon", record.plan.epsilon);
    guarantee.same("delta", record.plan.delta.value());
    guarantee.same("method", std::string(name_of(record.plan.method)));
  });
  v.exactly("series", record.plan.series.size(), [&](V& one, std::size_t i) { describe_published<V>(one, record, i); });
  v.same("catalog_hash", record.plan.catalog);
  v("plan_hash", record.plan_hash);
  v.object("ledger", [&](V& receipt) {
    receipt("index", record.receipt.index, Whole{1, INT64_MAX});
    receipt("head", record.receipt.head);
  });
  v.object("versions", [&](V& versions) {
    versions("vernier", record.software);
    versions("engine", record.engine);
  });
  v("assumptions", record.assumptions);
}

template <class V>
void describe_noisy_steps(V& v, Of<V, StepRecord>& record, std::size_t place) {
  auto& steps = record.noisy[place];
  const auto grow = [&] {
    if constexpr (V::reads) steps.emplace_back();
  };
  v.lists(
      "noisy", steps.size(), static_cast<std::size_t>(query::most_series_steps),
      grow, [&](std::size_t i) -> auto& { return steps[i]; });
  const auto cells = static_cast<std::size_t>(record.plan.series[place].cells());
  bool is_good = static_cast<std::int64_t>(steps.size()) == record.step - record.first + 1;
  for (const auto& one : steps) is_good = is_good && one.size() == cells;
  v.require("noisy", is_good, "must have every cell of the steps from first to step");
}

template <class V>
void describe_step_charge(V& v, Of<V, SeriesCharge>& charge) {
  v("accountant", charge.accountant);
  v("budget_epsilon", charge.budget_epsilon);
  v("budget_delta", charge.budget_delta);
  v("manner", charge.manner);
  v("epsilon", charge.epsilon);
  v("delta", charge.delta);
}

template <class V>
void describe_step_documents(V& v, Of<V, StepRecord>& record) {
  const auto grow = [&] {
    if constexpr (V::reads) record.documents.emplace_back();
  };
  v.objects("documents", record.documents.size(), 10'000, grow, [&](V& document, std::size_t i) {
    document("name", record.documents[i].name);
    document("sha256", record.documents[i].sha256);
  });
}

template <class V>
void describe_step_certificate(V& v, Of<V, StepRecord>& record) {
  v.same("kind", std::string_view("series"));
  v.object("plan", [&](V& plan) { plan::describe_series_plan(plan, record.plan); });
  std::int64_t steps = query::most_series_steps;
  std::size_t cells = 0;
  for (const plan::SeriesFacts& one : record.plan.series) {
    steps = std::min(steps, one.calendar.steps());
    cells = std::max(cells, static_cast<std::size_t>(one.cells()));
  }
  v.require("plan", cells <= most_cells_of_step, "must have 100,000 groups at most");
  v("step", record.step, Whole{0, steps - 1});
  v("first", record.first, Whole{0, record.step});
  v("previous", record.previous);
  if constexpr (V::reads) {
    record.noisy.resize(record.plan.series.size());
    record.numbers.resize(record.plan.series.size());
    record.accuracies.resize(record.plan.series.size());
  }
  v.exactly("series", record.plan.series.size(),
            [&](V& one, std::size_t i) { describe_noisy_steps<V>(one, record, i); });
  v.object("charge", [&](V& charge) { describe_step_charge(charge, record.charge); });
  describe_step_documents(v, record);
  v("public_key", record.public_key);
  v("signature", record.signature);
}

}  // namespace

std::vector<query::Value> keys_of_cell(const plan::SeriesFacts& facts, std::size_t cell) {
  std::vector<query::Value> keys(facts.columns.size());
  for (std::size_t i = keys.size(); i-- > 0;) {
    const auto& known = facts.columns[i].keys;
    keys[i] = known[cell % known.size()];
    cell /= known.size();
  }
  return keys;
}

void add_noisy_cells(std::vector<NoisyCells>& cells, const plan::SeriesPlan& plan,
                     const std::vector<NoisySteps>& noisy) {
  cells.resize(noisy.size());
  for (const plan::SeriesBundle& bundle : plan.bundles) {
    for (std::size_t i = 0; i < bundle.count; ++i) cells[bundle.first + i].parts = parts_of_table(bundle, i);
    for (std::size_t t = 0; t < noisy[bundle.first].size(); ++t) {
      std::vector<std::vector<std::int64_t>> measured;
      for (std::size_t i = 0; i < bundle.count; ++i) measured.push_back(noisy[bundle.first + i][t]);
      std::vector<std::vector<series::Wide>> tables = tables_of(bundle, std::move(measured));
      for (std::size_t i = 0; i < bundle.count; ++i) cells[bundle.first + i].steps.push_back(std::move(tables[i]));
    }
  }
}

std::vector<CellNumbers> numbers_at(const plan::PlannedSeries& planned, const plan::SeriesFacts& facts,
                                    const NoisyCells& noisy, std::size_t step) {
  std::vector<CellNumbers> numbers(static_cast<std::size_t>(facts.cells()));
  std::vector<series::Wide> line(step + 1);
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    for (std::size_t t = 0; t <= step; ++t) line[t] = noisy.steps[t][cell];
    for (const series::Kind kind : series::all_kinds) {
      numbers[cell][static_cast<std::size_t>(kind)] =
          series::number_of(numerator_of(planned.design().of(kind), step, std::span<const series::Wide>(line)),
                            planned.accuracy(kind, step), facts.row_limit, noisy.parts);
    }
  }
  return numbers;
}

Result<std::string> signed_step_record(StepRecord record, const SigningKey& key) {
  record.public_key = key.public_key().hex();
  record.signature.clear();
  std::string text = json_of([&](JsonOut& out) {
    describe_step_of(out, std::as_const(record));
    out.object("certificate", [&](JsonOut& inner) { describe_step_certificate(inner, std::as_const(record)); });
  });
  return with_signature(std::move(text) + "\n", key);
}

bool is_step_record(std::string_view text) { return text.find(certificate_begins) != std::string_view::npos; }

Result<StepRecord> read_step_record(std::string_view text) {
  VERNIER_TRY(const Json json, parse_strictly(text, most_depth_of_step));
  Reading reading;
  StepRecord record;
  JsonIn in(reading, json);
  in.object("certificate", [&](JsonIn& certificate) { describe_step_certificate(certificate, record); });
  if (!reading.is_refused()) {
    describe_step_of(in, record);
    in.done();
  }
  if (reading.problem()) return invalid(*reading.problem());
  return record;
}

std::vector<std::string> assumptions_of(const plan::SeriesPlanFacts& facts) {
  std::vector<std::string> sentences = {
      facts.unit
          ? "The column '" + *facts.unit + "' names the unit: all rows about one person have the same value in it."
          : "Each row is a unit of its own: a person with several rows is protected for each of them, not for all.",
      "Nobody can tell whether one unit is in the data (add-remove), from all steps of the series together.",
      "Types, keys and row limits come from the catalog, which was not written by looking at the data.",
      "Intervals tell the error of the noise alone; the rows are not taken for a sample of anything.",
      "The guarantee is for all steps of the series together; the ledger adds up all releases of the catalog.",
      "The randomness of the operating system cannot be predicted, and only the releases were seen by others."};
  for (const plan::SeriesFacts& one : facts.series) {
    sentences.push_back(
        "Rows of the table '" + one.table +
        "' are only ever added, and never changed or taken away; the day of a row of '" + one.name +
        "' is that of its arrival. No row arrives with a day whose step was published before: it would not be counted "
        "as the intervals say.");
    if (!facts.unit) continue;
    const std::string spaced =
        one.apart > 1 ? ", each at least " + std::to_string(one.apart) + " steps behind the one before" : "";
    sentences.push_back("Of a unit the first " + std::to_string(one.max_steps) + " steps of '" + one.name +
                        "' count in which it has rows" + spaced + "; at each of them it counts once" +
                        (one.columns.empty() ? "." : ", in the first of its groups in the declared order."));
  }
  return sentences;
}

}  // namespace vernier::release
