#include "trellis/tasks/tables/bayes/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/share.h"
#include "trellis/formats/tables/csv_line.h"
#include "trellis/formats/tables/table_reader.h"
#include "trellis/tasks/tables/bayes/predict.h"
#include "trellis/tasks/tables/value_confusion.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::bayes {
namespace {

struct GoldRows {
  std::vector<std::vector<Label>> rows;  // with kUnseen
  std::vector<Index> lines;
};

struct JudgedRow {
  std::vector<Label> found;  // of hidden variables; empty: the row is impossible
  double log_likelihood = 0;
  double joint = 0;
};

// A value that the model does not have costs as much as the worst mistake.
double worst_cost(const CostTable& costs) {
  double worst = 0;
  for (Index i = 0; i < costs.num_labels(); ++i) {
    for (const double cost : costs.row(static_cast<Label>(i))) worst = std::max(worst, cost);
  }
  return worst;
}

// Counts the predictions of hidden cells.
class CellTally {
 public:
  void add_variable(const std::string& name, const std::vector<std::string>& values,
                    CostTable costs) {
    VariableEvaluation one;
    one.name = name;
    one.values = values;
    one.confusion.assign((values.size() + 1) * values.size(), 0);
    evaluation.variables.push_back(std::move(one));
    costs_.push_back(std::move(costs));
  }

  // Adds a row by the values of its hidden variables.
  void add(std::span<const Label> truth, std::span<const Label> found) {
    double loss = 0;
    bool wrong = false;
    for (Index k = 0; k < truth.size(); ++k) {
      if (truth[k] == kNoLabel) continue;
      VariableEvaluation& one = evaluation.variables[k];
      const Index values = one.values.size();
      const bool unseen = truth[k] == RowNumbers::kUnseen;
      const Index row = unseen ? values : static_cast<Index>(truth[k]);
      ++one.confusion[row * values + static_cast<Index>(found[k])];
      ++one.cells;
      one.wrong += truth[k] != found[k] ? 1 : 0;
      wrong = wrong || truth[k] != found[k];
      const double cost =
          unseen ? worst_cost(costs_[k]) : costs_[k].row(truth[k])[static_cast<Index>(found[k])];
      one.loss += cost;
      loss += cost;
    }
    evaluation.wrong_rows += wrong ? 1 : 0;
    losses_.push_back(loss);
  }

  void summarise() {
    const auto n = static_cast<double>(losses_.size());
    evaluation.rows = losses_.size();
    for (VariableEvaluation& one : evaluation.variables) {
      evaluation.cells += one.cells;
      evaluation.wrong += one.wrong;
      one.error = percent(one.wrong, one.cells);
      one.loss = one.cells == 0 ? 0 : one.loss / static_cast<double>(one.cells);
    }
    double sum = 0, squares = 0;
    for (const double loss : losses_) sum += loss;
    evaluation.loss = sum / n;
    for (const double loss : losses_) {
      squares += (loss - evaluation.loss) * (loss - evaluation.loss);
    }
    evaluation.loss_deviation = losses_.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    evaluation.error = percent(evaluation.wrong, evaluation.cells);
    evaluation.hamming = static_cast<double>(evaluation.wrong) / n;
  }

  Evaluation evaluation;

 private:
  std::vector<CostTable> costs_;  // by hidden variable
  std::vector<double> losses_;    // of rows
};

class Judge {
 public:
  Judge(const BayesModel& model, const EvaluateOptions& options)
      : model_(model), options_(options), hidden_(hidden_variables(model, options.hide)) {
    if (hidden_.empty()) {
      throw UsageError("there is nothing to compare: give --hide with the columns to predict");
    }
    tally_.evaluation.loss_name = options.loss.value_or(model.loss());
    for (const Index v : hidden_) {
      const NetworkVariable& variable = model.graph().variable(v);
      tally_.add_variable(
          variable.name, variable.values,
          options.loss ? generative::value_costs(*options.loss, variable.values) : model.costs(v));
    }
  }

  Evaluation run(InputFile file) {
    const std::string name = file.name();
    const GoldRows gold = read(std::move(file));
    const std::vector<JudgedRow> judged = judge(gold);
    std::vector<Label> truth;
    for (Index n = 0; n < judged.size(); ++n) {
      if (judged[n].found.empty()) refuse_impossible(name, gold.lines[n]);
      truth.clear();
      for (const Index v : hidden_) truth.push_back(gold.rows[n][v]);
      tally_.add(truth, judged[n].found);
      tally_.evaluation.log_likelihood += judged[n].log_likelihood;
      tally_.evaluation.joint_log_likelihood += judged[n].joint;
    }
    tally_.summarise();
    return std::move(tally_.evaluation);
  }

 private:
  GoldRows read(InputFile file) {
    TableReader reader(std::move(file), options_.delimiter);
    for (const Index v : hidden_) {
      const std::string& name = model_.graph().variable(v).name;
      if (!reader.find(name)) reader.refuse("expected a column with the true values of", name);
    }
    RowNumbers numbers(reader, model_.graph(), hidden_, model_.roles().latent,
                       model_.roles().ignored, options_.unknown);
    std::vector<std::set<std::string>> unseen(hidden_.size());
    GoldRows gold;
    std::vector<std::string> cells;
    std::vector<Label> row;
    while (reader.read(cells)) {
      numbers.number(cells, row);
      for (Index k = 0; k < hidden_.size(); ++k) {
        if (row[hidden_[k]] == RowNumbers::kUnseen) {
          unseen[k].insert(cells[*numbers.column_of()[hidden_[k]]]);
        }
      }
      gold.rows.push_back(row);
      gold.lines.push_back(reader.line());
    }
    if (gold.rows.empty()) throw InputError(reader.name(), 0, "expected rows, found none");
    for (Index k = 0; k < hidden_.size(); ++k) {
      tally_.evaluation.variables[k].unseen_values.assign(unseen[k].begin(), unseen[k].end());
    }
    tally_.evaluation.unknown_values = numbers.unknown_values();
    return gold;
  }

  std::vector<JudgedRow> judge(const GoldRows& gold) const {
    const int threads = resolve_threads(options_.threads);
    std::vector<NetworkInference> inference;
    for (int worker = 0; worker < threads; ++worker) inference.emplace_back(model_.network());
    std::vector<JudgedRow> judged(gold.rows.size());
    parallel_for(judged.size(), threads, [&](Index n, int worker) {
      judge_row(inference[static_cast<Index>(worker)], gold.rows[n], judged[n]);
    });
    return judged;
  }

  void judge_row(NetworkInference& inference, const std::vector<Label>& truth,
                 JudgedRow& judged) const {
    std::vector<Label> row = truth;
    for (const Index v : hidden_) row[v] = kNoLabel;
    judged.log_likelihood = inference.log_evidence(row);
    if (fill(inference, options_.decode, row) == -kInfinity) return;
    for (const Index v : hidden_) judged.found.push_back(row[v]);
    const bool unseen = std::find(truth.begin(), truth.end(), RowNumbers::kUnseen) != truth.end();
    judged.joint = unseen ? -kInfinity : inference.log_evidence(truth);
  }

  const BayesModel& model_;
  const EvaluateOptions& options_;
  std::vector<Index> hidden_;
  CellTally tally_;
};

// Reads a table and the predictions of its hidden columns, row by row.
class PredictedRows {
 public:
  PredictedRows(InputFile file, InputFile predictions, const EvaluateOptions& options)
      : truth_(std::move(file), options.delimiter),
        found_(std::move(predictions), options.delimiter) {
    for (const std::string& name : *options.hide) {
      for (TableReader* table : {&truth_, &found_}) {
        if (!table->find(name)) table->refuse("expected a column", name);
      }
      truth_columns_.push_back(*truth_.find(name));
      found_columns_.push_back(*found_.find(name));
    }
    for (Index c = 0; c < truth_.header().size(); ++c) {
      const std::vector<Index>& hidden = truth_columns_;
      if (std::find(hidden.begin(), hidden.end(), c) != hidden.end()) continue;
      if (const auto column = found_.find(truth_.header()[c])) others_.emplace_back(c, *column);
    }
  }

  // Reads the cells of the hidden columns.
  bool read(std::vector<std::string>& truth, std::vector<std::string>& found) {
    const bool more = truth_.read(truth_cells_);
    if (more != found_.read(found_cells_)) {
      found_.refuse(more ? "expected as many rows as in the file with the true values, found fewer"
                         : "expected the end of the file, since the other file has no more rows");
    }
    if (!more) return false;
    compare_others();
    truth.clear();
    found.clear();
    for (Index k = 0; k < truth_columns_.size(); ++k) {
      truth.push_back(truth_cells_[truth_columns_[k]]);
      found.push_back(found_cells_[found_columns_[k]]);
      if (generative::is_missing(found.back())) {
        found_.refuse(fmt::format("expected a value of '{}', found none",
                                  truth_.header()[truth_columns_[k]]));
      }
    }
    return true;
  }

  const std::string& file() const { return truth_.name(); }

 private:
  void compare_others() const {
    for (const auto& [column, other] : others_) {
      const std::string& expected = truth_cells_[column];
      if (generative::is_missing(expected) || expected == found_cells_[other]) continue;
      found_.refuse(fmt::format("expected '{}' in column '{}', as in {}:{}, found", expected,
                                truth_.header()[column], truth_.name(), truth_.line()),
                    found_cells_[other]);
    }
  }

  TableReader truth_, found_;
  std::vector<Index> truth_columns_, found_columns_;  // hidden ones
  std::vector<std::pair<Index, Index>> others_;       // columns that both files have
  std::vector<std::string> truth_cells_, found_cells_;
};

// The values of one hidden column, in natural order.
class ColumnValues {
 public:
  void add(const std::string& value) {
    if (!generative::is_missing(value)) values_.push_back(value);
  }
  void sort() {
    std::sort(values_.begin(), values_.end(), generative::natural_less);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  }
  Label number(const std::string& value) const {
    if (generative::is_missing(value)) return kNoLabel;
    const auto at =
        std::lower_bound(values_.begin(), values_.end(), value, generative::natural_less);
    return static_cast<Label>(at - values_.begin());
  }
  const std::vector<std::string>& values() const { return values_; }

 private:
  std::vector<std::string> values_;
};

std::string confusion_text(const VariableEvaluation& one) {
  return fmt::format("\n{}: {:.2f} % wrong, {} of {}\n", one.name, one.error, one.wrong,
                     one.cells) +
         generative::confusion_text(one.confusion, one.values, "value");
}

}  // namespace

Evaluation evaluate(const BayesModel& model, InputFile file, const EvaluateOptions& options) {
  return Judge(model, options).run(std::move(file));
}

Evaluation judge_file(InputFile file, InputFile predictions, const EvaluateOptions& options) {
  if (!options.hide || options.hide->empty()) {
    throw UsageError(
        "there is nothing to compare: give --hide with the columns that were predicted");
  }
  PredictedRows rows(std::move(file), std::move(predictions), options);
  std::vector<std::vector<std::string>> truths, founds;
  std::vector<ColumnValues> values(options.hide->size());
  std::vector<std::string> truth, found;
  while (rows.read(truth, found)) {
    for (Index k = 0; k < values.size(); ++k) {
      values[k].add(truth[k]);
      values[k].add(found[k]);
    }
    truths.push_back(truth);
    founds.push_back(found);
  }
  if (truths.empty()) throw InputError(rows.file(), 0, "expected rows, found none");
  CellTally tally;
  tally.evaluation.probable = false;
  tally.evaluation.loss_name = options.loss.value_or("hamming");
  for (Index k = 0; k < values.size(); ++k) {
    values[k].sort();
    tally.add_variable((*options.hide)[k], values[k].values(),
                       generative::value_costs(tally.evaluation.loss_name, values[k].values()));
  }
  std::vector<Label> true_labels(values.size()), found_labels(values.size());
  for (Index n = 0; n < truths.size(); ++n) {
    for (Index k = 0; k < values.size(); ++k) {
      true_labels[k] = values[k].number(truths[n][k]);
      found_labels[k] = values[k].number(founds[n][k]);
    }
    tally.add(true_labels, found_labels);
  }
  tally.summarise();
  return std::move(tally.evaluation);
}

Value Evaluation::record() const {
  Value record = Value::record({{"loss", loss},
                                {"loss_name", loss_name},
                                {"loss_deviation", loss_deviation},
                                {"error", error},
                                {"hamming", hamming},
                                {"rows", rows},
                                {"cells", cells},
                                {"wrong", wrong},
                                {"wrong_rows", wrong_rows},
                                {"unknown_values", unknown_values}});
  if (probable) {
    record["log_likelihood"] = log_likelihood;
    record["joint_log_likelihood"] = joint_log_likelihood;
  }
  for (const VariableEvaluation& one : variables) {
    Value told = Value::record({{"name", one.name},
                                {"values", one.values},
                                {"cells", one.cells},
                                {"wrong", one.wrong},
                                {"error", one.error},
                                {"loss", one.loss},
                                {"unseen_values", one.unseen_values}});
    told["confusion"] =
        generative::confusion_record(one.confusion, one.values.size(), !one.unseen_values.empty());
    record["variables"].push_back(std::move(told));
  }
  return record;
}

std::string Evaluation::to_text() const {
  std::string text = fmt::format(
      "{} rows, {} cells\n"
      "loss ({})     {:.4f} a row, deviation {:.4f}\n"
      "error         {:.2f} % of the cells, {:.2f} a row\n",
      rows, cells, loss_name, loss, loss_deviation, error, hamming);
  if (probable) {
    text += fmt::format("log P(x)      {:.6g}\nlog P(h, x)   {:.6g}\n", log_likelihood,
                        joint_log_likelihood);
  }
  for (const VariableEvaluation& one : variables) text += confusion_text(one);
  return text;
}

std::vector<std::string> Evaluation::warnings() const {
  std::vector<std::string> warnings;
  if (unknown_values > 0) {
    warnings.push_back(fmt::format("{} cells have a value not seen in training: treated as missing",
                                   unknown_values));
  }
  for (const VariableEvaluation& one : variables) {
    for (const std::string& value : one.unseen_values) {
      warnings.push_back(fmt::format(
          "the value '{}' of column '{}' was not seen in training: it counts as a mistake", value,
          one.name));
    }
  }
  return warnings;
}

}  // namespace trellis::bayes
