#include "trellis/tasks/bayes/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/bayes/predict.h"
#include "trellis/tasks/generative/value_costs.h"

namespace trellis::bayes {
namespace {

nlohmann::json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

double percent(Index part, Index whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

struct GoldRows {
  std::vector<std::vector<Label>> rows;  // with kUnseen
  std::vector<Index> lines;
};

struct JudgedRow {
  std::vector<Label> found;  // of the hidden variables; empty: the row is impossible
  double log_likelihood = 0;
  double joint = 0;
};

class Judge {
 public:
  Judge(const BayesModel& model, const EvaluateOptions& options)
      : model_(model), options_(options), hidden_(hidden_variables(model, options.hide)) {
    if (hidden_.empty()) {
      throw UsageError("there is nothing to compare: --hide names the columns to be told");
    }
    evaluation_.loss_name = options.loss.value_or(model.loss());
    for (const Index v : hidden_) {
      const NetworkVariable& variable = model.graph().variable(v);
      VariableEvaluation one;
      one.name = variable.name;
      one.values = variable.values;
      one.confusion.assign((variable.values.size() + 1) * variable.values.size(), 0);
      evaluation_.variables.push_back(std::move(one));
      costs_.push_back(options.loss ? generative::value_costs(*options.loss, variable.values)
                                    : model.costs(v));
    }
  }

  Evaluation run(InputFile file) {
    const std::string name = file.name();
    const GoldRows gold = read(std::move(file));
    const std::vector<JudgedRow> judged = judge(gold);
    std::vector<double> losses;
    for (Index n = 0; n < judged.size(); ++n) {
      if (judged[n].found.empty()) refuse_impossible(name, gold.lines[n]);
      losses.push_back(add(gold.rows[n], judged[n]));
    }
    summarise(losses);
    return std::move(evaluation_);
  }

 private:
  GoldRows read(InputFile file) {
    TableReader reader(std::move(file), options_.delimiter);
    for (const Index v : hidden_) {
      const std::string& name = model_.graph().variable(v).name;
      if (!reader.find(name)) reader.refuse("expected a column with the truth of", name);
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
    if (gold.rows.empty()) throw InputError(reader.name(), 0, "there is no row in it");
    for (Index k = 0; k < hidden_.size(); ++k) {
      evaluation_.variables[k].unseen_values.assign(unseen[k].begin(), unseen[k].end());
    }
    evaluation_.unknown_values = numbers.unknown_values();
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

  // Returns what the mistakes of the row cost.
  double add(const std::vector<Label>& truth, const JudgedRow& judged) {
    double loss = 0;
    bool wrong = false;
    for (Index k = 0; k < hidden_.size(); ++k) {
      const Label gold = truth[hidden_[k]], found = judged.found[k];
      if (gold == kNoLabel) continue;
      VariableEvaluation& one = evaluation_.variables[k];
      const Index values = one.values.size();
      const Index row = gold == RowNumbers::kUnseen ? values : static_cast<Index>(gold);
      ++one.confusion[row * values + static_cast<Index>(found)];
      ++one.cells;
      one.wrong += gold != found ? 1 : 0;
      wrong = wrong || gold != found;
      const double cost = gold == RowNumbers::kUnseen
                              ? worst_cost(costs_[k])
                              : costs_[k].row(gold)[static_cast<Index>(found)];
      one.loss += cost;
      loss += cost;
    }
    evaluation_.wrong_rows += wrong ? 1 : 0;
    evaluation_.log_likelihood += judged.log_likelihood;
    evaluation_.joint_log_likelihood += judged.joint;
    return loss;
  }

  // A value that the model does not have costs as much as the worst mistake.
  static double worst_cost(const CostTable& costs) {
    double worst = 0;
    for (Index i = 0; i < costs.num_labels(); ++i) {
      for (const double cost : costs.row(static_cast<Label>(i))) worst = std::max(worst, cost);
    }
    return worst;
  }

  void summarise(const std::vector<double>& losses) {
    const auto n = static_cast<double>(losses.size());
    evaluation_.rows = losses.size();
    for (VariableEvaluation& one : evaluation_.variables) {
      evaluation_.cells += one.cells;
      evaluation_.wrong += one.wrong;
      one.error = percent(one.wrong, one.cells);
      one.loss = one.cells == 0 ? 0 : one.loss / static_cast<double>(one.cells);
    }
    double sum = 0, squares = 0;
    for (const double loss : losses) sum += loss;
    evaluation_.loss = sum / n;
    for (const double loss : losses) {
      squares += (loss - evaluation_.loss) * (loss - evaluation_.loss);
    }
    evaluation_.loss_deviation = losses.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
    evaluation_.error = percent(evaluation_.wrong, evaluation_.cells);
    evaluation_.hamming = static_cast<double>(evaluation_.wrong) / n;
  }

  const BayesModel& model_;
  const EvaluateOptions& options_;
  std::vector<Index> hidden_;
  std::vector<CostTable> costs_;  // by hidden variable
  Evaluation evaluation_;
};

void put_confusion(const VariableEvaluation& one, nlohmann::json& json) {
  const Index n = one.values.size();
  json["confusion"] = nlohmann::json::array();
  for (Index i = 0; i < (one.unseen_values.empty() ? n : n + 1); ++i) {
    const auto row = one.confusion.begin() + static_cast<std::ptrdiff_t>(i * n);
    json["confusion"].push_back(std::vector<Index>(row, row + static_cast<std::ptrdiff_t>(n)));
  }
}

std::string confusion_text(const VariableEvaluation& one) {
  const Index n = one.values.size();
  std::string text =
      fmt::format("\n{}: {:.2f} % wrong, {} of {}\n{:>16}  {:>8}  {:>8}  {:>8}  taken for\n",
                  one.name, one.error, one.wrong, one.cells, "value", "true", "found", "right");
  for (Index i = 0; i < n; ++i) {
    Index truth = 0, found = 0, most = 0, worst = i;
    for (Index j = 0; j < n; ++j) {
      truth += one.confusion[i * n + j];
      if (j != i && one.confusion[i * n + j] > most) {
        most = one.confusion[i * n + j];
        worst = j;
      }
    }
    for (Index j = 0; j <= n; ++j) found += one.confusion[j * n + i];
    text += fmt::format("{:>16}  {:>8}  {:>8}  {:>8}", one.values[i], truth, found,
                        one.confusion[i * n + i]);
    text += most > 0 ? fmt::format("  {} ({})\n", one.values[worst], most) : "\n";
  }
  return text;
}

}  // namespace

Evaluation evaluate(const BayesModel& model, InputFile file, const EvaluateOptions& options) {
  return Judge(model, options).run(std::move(file));
}

std::string Evaluation::to_json() const {
  nlohmann::json json = {{"loss", loss},
                         {"loss_name", loss_name},
                         {"loss_deviation", loss_deviation},
                         {"error", error},
                         {"hamming", hamming},
                         {"rows", rows},
                         {"cells", cells},
                         {"wrong", wrong},
                         {"wrong_rows", wrong_rows},
                         {"log_likelihood", finite_or_null(log_likelihood)},
                         {"joint_log_likelihood", finite_or_null(joint_log_likelihood)},
                         {"unknown_values", unknown_values}};
  for (const VariableEvaluation& one : variables) {
    nlohmann::json told = {{"name", one.name},
                           {"values", one.values},
                           {"cells", one.cells},
                           {"wrong", one.wrong},
                           {"error", one.error},
                           {"loss", one.loss},
                           {"unseen_values", one.unseen_values}};
    put_confusion(one, told);
    json["variables"].push_back(std::move(told));
  }
  return json.dump();
}

std::string Evaluation::to_text() const {
  std::string text = fmt::format(
      "{} rows, {} cells\n"
      "loss ({})     {:.4f} a row, deviation {:.4f}\n"
      "error         {:.2f} % of the cells, {:.2f} a row\n"
      "log P(x)      {:.6g}\n"
      "log P(h, x)   {:.6g}\n",
      rows, cells, loss_name, loss, loss_deviation, error, hamming, log_likelihood,
      joint_log_likelihood);
  for (const VariableEvaluation& one : variables) text += confusion_text(one);
  return text;
}

std::vector<std::string> Evaluation::warnings() const {
  std::vector<std::string> warnings;
  if (unknown_values > 0) {
    warnings.push_back(fmt::format(
        "{} cells have a value that training has not seen: taken for missing", unknown_values));
  }
  for (const VariableEvaluation& one : variables) {
    for (const std::string& value : one.unseen_values) {
      warnings.push_back(
          fmt::format("training has not seen the value '{}' of column '{}': it counts as a mistake",
                      value, one.name));
    }
  }
  return warnings;
}

}  // namespace trellis::bayes
