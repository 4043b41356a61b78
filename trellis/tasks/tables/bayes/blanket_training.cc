#include "trellis/tasks/tables/bayes/blanket_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/generative/network/network_model.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/filling.h"
#include "trellis/tasks/tables/example_losses.h"

namespace trellis::bayes {
namespace {

using generative::EstimatorOptions;
using generative::SlackPenalty;
using generative::Tally;

bool is_listed(const std::vector<Index>& list, Index v) {
  return std::find(list.begin(), list.end(), v) != list.end();
}

// Presents the part model of a subgraph as a model over its first parameters.
class BlanketModel {
 public:
  using Structure = NetworkModel::Structure;
  using Workspace = NetworkModel::Workspace;

  BlanketModel(const NetworkModel& model, Index dimension)
      : model_(&model), dimension_(dimension) {}

  Index num_examples() const { return model_->num_examples(); }
  Index dimension() const { return dimension_; }
  double example_weight(Index i) const { return model_->example_weight(i); }
  JunctionTree structure(Index i) const { return model_->structure(i); }
  const JunctionTree::Output& gold(Index i) const { return model_->gold(i); }
  void scores(Index i, std::span<const double> theta, std::span<double> s) const {
    model_->scores(i, theta, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const {
    model_->add_costs(i, scale, s);
  }
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const {
    model_->add_features(i, z, scale, gradient);
  }
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const {
    model_->features(i, z, scale, workspace, slope);
  }

 private:
  const NetworkModel* model_;
  Index dimension_;
};

class BlanketExamples {
 public:
  using Model = BlanketModel;
  BlanketExamples(std::shared_ptr<const NetworkGraph> subgraph, const NetworkData& rows,
                  std::vector<Index> hidden, NetworkModelOptions options, Index dimension)
      : subgraph_(std::move(subgraph)),
        network_(*subgraph_, rows, std::move(hidden), std::move(options)),
        model_(network_, dimension) {}
  const BlanketModel& model() const { return model_; }

 private:
  std::shared_ptr<const NetworkGraph> subgraph_;
  NetworkModel network_;
  BlanketModel model_;
};

}  // namespace

BlanketTask::BlanketTask(std::shared_ptr<const NetworkGraph> graph, std::vector<double> theta,
                         const NetworkData& rows, const NetworkData* dev,
                         std::vector<Index> targets, std::vector<CostTable> costs,
                         const EstimatorOptions& options)
    : graph_(std::move(graph)),
      theta_(std::move(theta)),
      rows_(rows),
      dev_(dev),
      targets_(std::move(targets)),
      costs_(std::move(costs)),
      options_(options) {
  find_blanket();
  for (Index d = 0; d < subgraph_->distributions().num(); ++d) {
    const bool within =
        touched_.size() == blanket_.size() || d < subgraph_->first_distribution(touched_.size());
    if (within) distributions_.add(subgraph_->distributions().size(d));
  }
}

void BlanketTask::find_blanket() {
  for (Index v = 0; v < graph_->num_variables(); ++v) {
    const std::vector<Index>& parents = graph_->parents(v);
    const bool is_child = std::any_of(parents.begin(), parents.end(),
                                      [&](Index u) { return is_listed(targets_, u); });
    if (is_child || is_listed(targets_, v)) touched_.push_back(v);
  }
  blanket_ = touched_;
  for (const Index v : touched_) {
    for (const Index parent : graph_->parents(v)) {
      if (!is_listed(blanket_, parent)) blanket_.push_back(parent);
    }
  }
  std::vector<Index> place(graph_->num_variables(), 0);
  std::vector<NetworkVariable> variables;
  for (Index k = 0; k < blanket_.size(); ++k) {
    place[blanket_[k]] = k;
    variables.push_back(graph_->variable(blanket_[k]));
  }
  NetworkParents parents(blanket_.size());
  for (Index k = 0; k < touched_.size(); ++k) {
    for (const Index parent : graph_->parents(touched_[k])) parents[k].push_back(place[parent]);
  }
  subgraph_ = std::make_shared<const NetworkGraph>(std::move(variables), std::move(parents));
}

std::vector<double> BlanketTask::whole(std::span<const double> touched_theta) const {
  std::vector<double> theta = theta_;
  for (Index k = 0; k < touched_.size(); ++k) {
    const Index cells = graph_->num_rows(touched_[k]) * graph_->num_values(touched_[k]);
    const auto table = touched_theta.subspan(subgraph_->first_parameter(k), cells);
    std::copy(table.begin(), table.end(),
              theta.begin() + static_cast<std::ptrdiff_t>(graph_->first_parameter(touched_[k])));
  }
  return theta;
}

NetworkData BlanketTask::blanket_rows(std::span<const Index> examples) const {
  NetworkData rows(blanket_.size());
  std::vector<Label> row(blanket_.size());
  for (const Index i : examples) {
    for (Index k = 0; k < row.size(); ++k) row[k] = rows_.row(i)[blanket_[k]];
    rows.add(row, rows_.weight(i));
  }
  return rows;
}

std::unique_ptr<generative::ExampleLosses> BlanketTask::losses(std::span<const Index> examples,
                                                               double gamma) const {
  std::vector<Index> hidden;
  NetworkModelOptions options;
  for (Index k = 0; k < blanket_.size(); ++k) {
    const auto target = std::find(targets_.begin(), targets_.end(), blanket_[k]);
    if (target == targets_.end()) {
      options.costs.push_back(CostTable::hamming(subgraph_->num_values(k)));
    } else {
      hidden.push_back(k);
      options.costs.push_back(costs_[static_cast<Index>(target - targets_.begin())]);
    }
  }
  // Merged rows get a weight, which scales L_k: equivalent to repeated rows if h is linear.
  options.merge_rows = options_.penalty_or_default() != SlackPenalty::kQuadratic;
  return generative::losses_of(
      std::make_unique<BlanketExamples>(subgraph_, blanket_rows(examples), std::move(hidden),
                                        std::move(options), distributions_.dimension()),
      options_, gamma);
}

std::vector<double> BlanketTask::frequencies(std::span<const Index> examples) const {
  const std::vector<double> counts = count_families(*subgraph_, blanket_rows(examples));
  return log_proportions(distributions_, std::span(counts).first(distributions_.dimension()),
                         options_.alpha());
}

std::vector<double> BlanketTask::towards() const {
  const std::string path = options_.towards_or_default();
  const BayesModel other = BayesModel::read(path);
  const NetworkGraph& theirs = other.graph();
  std::vector<double> theta;
  for (const Index v : touched_) {
    const NetworkVariable& variable = graph_->variable(v);
    const auto found = theirs.find(variable.name);
    bool same = found && theirs.variable(*found).values == variable.values &&
                theirs.parents(*found).size() == graph_->parents(v).size();
    for (Index k = 0; same && k < graph_->parents(v).size(); ++k) {
      const NetworkVariable& mine = graph_->variable(graph_->parents(v)[k]);
      const NetworkVariable& parent = theirs.variable(theirs.parents(*found)[k]);
      same = parent.name == mine.name && parent.values == mine.values;
    }
    if (!same) {
      throw InputError(
          path, 0,
          fmt::format("is a model whose table of '{}' differs from the table to be trained",
                      variable.name));
    }
    const Index cells = graph_->num_rows(v) * graph_->num_values(v);
    const auto table = other.network().theta().subspan(theirs.first_parameter(*found), cells);
    theta.insert(theta.end(), table.begin(), table.end());
  }
  return theta;
}

Tally BlanketTask::judge(std::span<const double> theta, std::span<const Index> examples) const {
  return tally(theta, rows_, examples);
}

Tally BlanketTask::judge_dev(std::span<const double> theta) const {
  std::vector<Index> all(dev_->size());
  std::iota(all.begin(), all.end(), Index{0});
  return tally(theta, *dev_, all);
}

Tally BlanketTask::tally(std::span<const double> theta, const NetworkData& rows,
                         std::span<const Index> examples) const {
  const BayesNetwork network(graph_, whole(theta));
  NetworkInference inference(network);
  std::vector<Label> row;
  Tally tally;
  for (const Index i : examples) {
    row.assign(rows.row(i).begin(), rows.row(i).end());
    for (const Index v : targets_) row[v] = kNoLabel;
    const bool possible = fill(inference, Decode::kMap, row) != -kInfinity;
    for (Index k = 0; k < targets_.size(); ++k) {
      const Label truth = rows.row(i)[targets_[k]];
      if (truth == kNoLabel) continue;
      const std::span<const double> costs = costs_[k].row(truth);
      // A row that cannot be explained has the cost of the worst mistake.
      tally.loss += possible ? costs[static_cast<Index>(row[targets_[k]])]
                             : *std::max_element(costs.begin(), costs.end());
    }
    tally.examples += rows.weight(i);
  }
  return tally;
}

}  // namespace trellis::bayes
