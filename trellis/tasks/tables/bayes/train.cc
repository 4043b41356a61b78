#include "trellis/tasks/tables/bayes/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/frame/training/run_stages.h"
#include "trellis/generative/network/estimation.h"
#include "trellis/generative/network/inference.h"
#include "trellis/generative/network/network_em.h"
#include "trellis/tasks/tables/bayes/blanket_training.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::bayes {
namespace {

using generative::Estimator;
using generative::EstimatorOptions;

std::vector<CostTable> target_costs(const std::vector<NetworkVariable>& variables,
                                    const std::vector<Index>& targets, const std::string& loss) {
  std::vector<CostTable> costs;
  for (const Index v : targets) {
    costs.push_back(generative::value_costs(loss, variables[v].values));
  }
  return costs;
}

std::string needed_by(Estimator estimator) {
  return fmt::format("the estimator {} requires (use --estimator em for missing values)",
                     to_string(estimator));
}

std::vector<std::string> variable_names(const std::vector<NetworkVariable>& variables,
                                        const std::vector<Index>& list) {
  std::vector<std::string> names;
  for (const Index v : list) names.push_back(variables[v].name);
  return names;
}

// One training; the methods stand in the order of its steps.
class BayesTraining {
 public:
  BayesTraining(const RowData& data, const NetworkFile* network, const HeldOutRows* dev,
                const TrainOptions& options, const TrainEvents& events)
      : data_(data),
        network_(network),
        dev_(dev),
        options_(options),
        events_(events),
        targets_(find_variables(data.variables, options.targets, "--target")),
        costs_(target_costs(data.variables, targets_, estimator().loss_or_default())) {
    if (options.keep_tables && data.added_values > 0) {
      throw InputError(
          data.files.front(), 0,
          fmt::format(
              "has {} values that the network file does not declare, so its tables cannot be kept",
              data.added_values));
    }
    stages_ = make_stages(options, identity(), events);
  }

  Trained run() {
    Trained trained;
    trained.stages = stages_;
    if (choose_structure()) {
      if (const auto theta = estimate_tables()) {
        BayesNetwork network(graph_, *theta);
        describe(network);
        trained.model.emplace(std::move(network), Roles{targets_, data_.latent, data_.ignored},
                              generative::loss_name(estimator().loss_or_default()), costs_,
                              provenance());
      }
    }
    trained.result = std::move(result_);
    return trained;
  }

 private:
  const EstimatorOptions& estimator() const { return options_.estimator; }

  // Everything that determines the result: options, rows, and the contents of further files.
  std::string identity() const {
    std::uint64_t files =
        generative::combine_files(dev_ == nullptr ? 0 : dev_->digest, costs_, estimator());
    if (network_ != nullptr) files = combine(files, digest_of(*network_));
    return fmt::format("bayes digest={:016x} files={:016x}", data_.digest, files);
  }
  static std::uint64_t digest_of(const NetworkFile& network) {
    std::uint64_t digest = 0;
    for (const std::vector<Index>& list : network.graph->all_parents()) {
      digest = combine(digest, list.size());
      for (const Index parent : list) digest = combine(digest, parent);
    }
    if (network.theta) {
      for (const double value : *network.theta) {
        digest = combine(digest, std::bit_cast<std::uint64_t>(value));
      }
    }
    return digest;
  }

  // Returns false if interrupted.
  bool choose_structure() {
    std::optional<NetworkParents> parents;
    if (network_ != nullptr) {
      parents = network_->graph->all_parents();
    } else {
      parents = learn_parents(data_, targets_, options_.structure, *stages_, events_);
      if (!parents) return false;
    }
    graph_ = std::make_shared<const NetworkGraph>(data_.variables, *std::move(parents));
    for (Index v = 0; v < graph_->num_variables(); ++v) {
      result_.arrows += graph_->parents(v).size();
    }
    if (network_ == nullptr) {
      events_.phase(fmt::format("structure {}: {} arrows, {} parameters",
                                options_.structure.structure, result_.arrows,
                                graph_->distributions().dimension()));
    }
    return true;
  }

  // Empty: interrupted.
  std::optional<std::vector<double>> estimate_tables() {
    result_.estimator = estimator().estimator;
    switch (estimator().estimator) {
      case Estimator::kMl:
        return count();
      case Estimator::kEm:
        return climb();
      case Estimator::kConditional:
      case Estimator::kMaxMargin:
        return discriminate();
    }
    return std::nullopt;
  }

  // Relative frequencies, or the tables of the file.
  std::vector<double> tables(std::span<const double> counts) const {
    if (options_.keep_tables) return *network_->theta;
    return log_proportions(graph_->distributions(), counts, estimator().alpha());
  }

  std::vector<double> count() {
    const Stopwatch watch;
    std::vector<double> counts(graph_->distributions().dimension(), 0.0);
    if (!options_.keep_tables) {
      data_.require_values(needed_by(Estimator::kMl));
      counts = count_families(*graph_, data_.rows);
    }
    std::vector<double> theta = tables(counts);
    const double alpha = options_.keep_tables ? 0 : estimator().alpha();
    result_.summary = generative::counted(counts, alpha, theta, watch.seconds(), events_);
    return theta;
  }

  std::optional<std::vector<double>> climb() {
    auto found = generative::climb(
        estimator(),
        [this](Index restart, const generative::EmTold& told) { return climb_once(restart, told); },
        *stages_, events_);
    if (!found) return std::nullopt;
    return result_.keep(*std::move(found));
  }

  std::optional<generative::EmEnd> climb_once(Index restart, const generative::EmTold& told) const {
    EmOptions options;
    options.smoothing = estimator().alpha();
    options.restarts = 1;
    options.first_start = restart;
    options.iterations = estimator().iterations.value_or(100);
    options.tolerance = estimator().tolerance.value_or(1e-6);
    options.seed = estimator().seed;
    options.threads = estimator().threads;
    const EmResult found = maximise_expectation(
        graph_, data_.rows, options, {},
        [&](const EmIteration& step) { return told(step.iteration - 1, step.objective); });
    if (found.stopped) return std::nullopt;
    const std::span<const double> theta = found.network.theta();
    generative::EmEnd end{{theta.begin(), theta.end()},
                          {{}, found.log_likelihood, found.converged}};
    for (const EmIteration& step : found.history) end.run.objectives.push_back(step.objective);
    return end;
  }

  std::optional<std::vector<double>> discriminate() {
    data_.require_values(needed_by(estimator().estimator));
    const BlanketTask task(graph_, tables(count_families(*graph_, data_.rows)), data_.rows,
                           dev_ == nullptr ? nullptr : &dev_->rows, targets_, costs_, estimator());
    generative::DiscriminativeResult found =
        generative::train_discriminative(task, estimator(), *stages_, events_);
    if (found.interrupted) return std::nullopt;
    result_.touched = variable_names(data_.variables, task.touched());
    result_.touched_parameters = task.distributions().dimension();
    return task.whole(result_.keep(std::move(found)));
  }

  void describe(const BayesNetwork& network) {
    result_.rows = data_.rows.size();
    result_.variables = graph_->num_variables();
    result_.parameters = network.theta().size();
    result_.structure = options_.structure.is_file() ? "file" : options_.structure.structure;
    result_.targets = options_.targets;
    result_.latent = variable_names(data_.variables, data_.latent);
    result_.ignored = data_.ignored;
    result_.added_values = data_.added_values;
    result_.kept_tables = options_.keep_tables;
    result_.missing = generative::missing_mass(network.distributions(), network.theta());
    NetworkInference inference(network);
    const NetworkData merged = data_.rows.merged();
    for (Index i = 0; i < merged.size(); ++i) {
      result_.log_likelihood += merged.weight(i) * inference.log_evidence(merged.row(i));
    }
  }

  // The same for two runs of the same call.
  Value provenance() const {
    Value training;
    training["estimator"] = options_.keep_tables && !estimator().discriminative()
                                ? "none"
                                : to_string(estimator().estimator);
    training["structure"] = result_.structure;
    training["rows"] = result_.rows;
    if (!options_.keep_tables) training["smoothing"] = estimator().alpha();
    result_.put_provenance(estimator(), training);
    if (result_.discriminative) training["trained_tables"] = result_.touched;
    return training;
  }

  const RowData& data_;
  const NetworkFile* network_;
  const HeldOutRows* dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  std::vector<Index> targets_;
  std::vector<CostTable> costs_;
  std::shared_ptr<Stages> stages_;
  std::shared_ptr<const NetworkGraph> graph_;
  TrainResult result_;
};

void check_targets(const std::vector<std::string>& targets, const EstimatorOptions& estimator,
                   const StructureOptions& structure) {
  if (targets.empty() && estimator.discriminative()) {
    throw UsageError(fmt::format("--estimator {} requires --target COLUMN, the column to predict",
                                 to_string(estimator.estimator)));
  }
  if (targets.size() != 1 && structure.structure == "naive") {
    throw UsageError("--structure naive requires one --target, the parent of all others");
  }
  const std::string loss = estimator.loss_or_default();
  if (estimator.loss && targets.empty()) {
    throw UsageError("--loss requires --target");
  }
  if (targets.size() > 1 && generative::loss_name(loss) == "table") {
    throw UsageError("--loss FILE requires exactly one --target: for several use hamming or ring");
  }
}

}  // namespace

void check(const TrainFiles& files, const TrainOptions& options) {
  const EstimatorOptions& estimator = options.estimator;
  estimator.check(!files.dev.empty());
  generative::require_costs(estimator.loss_or_default());
  options.structure.check();
  check_targets(options.targets, estimator, options.structure);
  if (!options.keep_tables) return;
  if (!options.structure.is_file()) {
    throw UsageError("--keep-tables requires --structure FILE");
  }
  if (estimator.estimator == Estimator::kEm) {
    throw UsageError(
        "--keep-tables cannot be combined with --estimator em, which estimates all tables");
  }
}

Trained train(const RowData& data, const NetworkFile* network, const HeldOutRows* dev,
              const TrainOptions& options, const TrainEvents& events) {
  return BayesTraining(data, network, dev, options, events).run();
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  check(files, options);
  const Stopwatch watch;
  std::optional<NetworkFile> network;
  if (options.structure.is_file()) {
    network = read_network(options.structure.structure);
    if (options.keep_tables && !network->theta) {
      throw InputError(options.structure.structure, 0, "has no tables for --keep-tables");
    }
  }
  const RowData data =
      read_training_rows(files.train, files.data, network ? network->graph.get() : nullptr);
  events.phase(fmt::format("read {} rows, {} variables", data.rows.size(), data.variables.size()));
  std::optional<HeldOutRows> dev;
  if (!files.dev.empty()) {
    dev = read_held_out_rows(InputFile(files.dev), files.data.delimiter, data, options.targets);
  }
  const double read_seconds = watch.seconds();
  Trained trained =
      train(data, network ? &*network : nullptr, dev ? &*dev : nullptr, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

BayesModel import_network(const std::string& path, const std::vector<std::string>& targets,
                          const std::string& loss) {
  const NetworkFile file = read_network(path);
  if (!file.theta)
    throw InputError(
        path, 0, "has no probability tables: use 'trellis bayes train' to estimate them from data");
  const std::vector<NetworkVariable>& variables = file.graph->variables();
  Roles roles;
  roles.targets = find_variables(variables, targets, "--target");
  if (roles.targets.size() > 1 && generative::loss_name(loss) == "table") {
    throw UsageError("--loss FILE requires exactly one --target: for several use hamming or ring");
  }
  std::vector<CostTable> costs = target_costs(variables, roles.targets, loss);
  return {file.network(), std::move(roles), generative::loss_name(loss), std::move(costs),
          Value::record({{"estimator", "none"}, {"structure", "file"}})};
}

}  // namespace trellis::bayes
