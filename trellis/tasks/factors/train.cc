#include "trellis/tasks/factors/train.h"

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/structure/graphs/belief_factor_graph.h"
#include "trellis/structure/graphs/factor_graph.h"
#include "trellis/structure/graphs/relaxed_factor_graph.h"
#include "trellis/structure/graphs/reweighted_factor_graph.h"
#include "trellis/structure/limited_search.h"
#include "trellis/tasks/factors/graph_decoder.h"
#include "trellis/tasks/factors/graph_model.h"

namespace trellis::factors {
namespace {

// Calls make.template operator()<S>() with the structure of an inference; `limited`: its search has
// a limit.
template <class Make>
auto with_structure(Inference inference, bool limited, const Make& make) {
  switch (inference) {
    case Inference::kRelaxed:
      return make.template operator()<RelaxedFactorGraph>();
    case Inference::kBeliefs:
      return make.template operator()<BeliefFactorGraph>();
    case Inference::kReweighted:
      return make.template operator()<ReweightedFactorGraph>();
    case Inference::kExact:
      break;
  }
  return limited ? make.template operator()<LimitedSearch<FactorGraph>>()
                 : make.template operator()<FactorGraph>();
}

template <class S>
class FactorsTrainable final : public Trainable {
 public:
  FactorsTrainable(const FactorsData& data, std::span<const GraphRecord> dev, Inference decoding,
                   const TrainOptions& options)
      : data_(data),
        dev_(dev),
        decoding_(decoding),
        options_(options),
        model_(data.graphs, data.features.dimension(), options.search_limit),
        whole_(trial_of(model_, {}, [this](std::span<const double> w) {
          return tally_of(
              evaluate(decoder(w), dev_, data_.features.domains(), options_.training.threads));
        })) {}

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return data_.graphs.size(); }
  bool has_dev() const override { return !dev_.empty(); }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const Index n = data_.graphs.size();
    std::vector<Index> held = deal_folds(n, folds, options_.training.seed)[k];
    std::vector<Index> rest = without(held, n);
    // Folds run side by side, so each is evaluated on one thread.
    return trial_of(
        model_, std::move(rest), [this, held = std::move(held)](std::span<const double> w) {
          return tally_of(evaluate(decoder(w), data_.graphs, data_.features.domains(), 1, held));
        });
  }
  double figure(std::span<const double> tally) const override {
    return tally[1] == 0 ? 100 : 100 * tally[0] / tally[1];
  }
  std::string_view figure_name() const override { return "accuracy"; }

 private:
  GraphDecoder decoder(std::span<const double> w) const {
    return GraphDecoder(w, decoding_, options_.search_limit);
  }
  static std::vector<double> tally_of(const FactorsScores& scores) {
    return {static_cast<double>(scores.variables().right),
            static_cast<double>(scores.variables().total)};
  }

  const FactorsData& data_;
  std::span<const GraphRecord> dev_;
  Inference decoding_;
  const TrainOptions& options_;
  GraphModel<S> model_;
  std::unique_ptr<Trial> whole_;
};

// Everything that determines the bits of a run: layouts, features and truth.
std::uint64_t digest(std::span<const GraphRecord> graphs) {
  std::uint64_t all = graphs.size();
  for (const GraphRecord& graph : graphs) {
    for (Index v = 0; v < graph.variables.size(); ++v) {
      all = combine(all, combine(graph.layout.num_values(v), graph.gold[v]));
    }
    for (Index f = 0; f < graph.layout.num_factors(); ++f) {
      const FactorGraphLayout::Factor& factor = graph.layout.factor(f);
      all = combine(all, combine(static_cast<std::uint64_t>(factor.kind), factor.detail));
      for (const Literal& link : graph.layout.links(factor)) {
        all = combine(all, 2 * std::uint64_t{link.state} + (link.negated ? 1 : 0));
      }
      if (factor.kind != FactorKind::kTree) continue;
      const FactorGraphLayout::Tree& tree = graph.layout.tree(factor);
      all = combine(all, combine(static_cast<std::uint64_t>(tree.roots),
                                 static_cast<std::uint64_t>(tree.crossing)));
      for (const std::uint32_t head : tree.head) all = combine(all, head);
      for (const Index begin : tree.begin) all = combine(all, begin);
    }
    for (const WeightRow& row : graph.rows) {
      all = combine(all, combine(row.part, row.weight));
      all = combine(all, std::bit_cast<std::uint64_t>(row.value));
    }
  }
  return all;
}

TrainResult sizes_of(const FactorsData& data) {
  TrainResult result;
  result.graphs = data.graphs.size();
  result.weights = data.features.dimension();
  for (const GraphRecord& graph : data.graphs) {
    result.variables += graph.variables.size();
    result.factors += graph.factors.size();
  }
  return result;
}

Value provenance(const TrainResult& result, const TrainOptions& options) {
  Value training;
  put_provenance(result.learned, options.training.seed, training);
  training["inference"] = to_string(result.inference);
  training["graphs"] = result.graphs;
  training["variables"] = result.variables;
  training["factors"] = result.factors;
  training["weights"] = result.weights;
  if (result.dev) training["dev_accuracy"] = result.dev->variables().accuracy();
  return training;
}

LearnerChoice choose_for(const LearnerOptions& said, Inference inference) {
  return choose(said, defaults(inference), able(inference));
}

// Names the inferences that accept these options.
std::string remedy(const LearnerOptions& said) {
  std::string words;
  for (const std::string& name : words_of<Inference>()) {
    try {
      choose_for(said, parse_named<Inference>(name));
      words += (words.empty() ? "" : " or ") + name;
    } catch (const UsageError&) {
      continue;  // refused, too
    }
  }
  return words;
}

Plan plan_inference(const TrainOptions& options) {
  const LearnerOptions& said = options.training.learner;
  if (options.inference) {
    try {
      return {*options.inference, choose_for(said, *options.inference)};
    } catch (const UsageError& error) {
      const std::string others = remedy(said);
      if (others.empty()) throw;  // the inference is not the cause
      throw UsageError(fmt::format("with --inference {} {}; use --inference {}",
                                   to_string(*options.inference), error.what(), others));
    }
  }
  try {
    return {Inference::kExact, choose_for(said, Inference::kExact)};
  } catch (const UsageError& error) {
    const std::string others = remedy(said);
    if (others.empty()) throw;
    if (others.find(to_string(Inference::kReweighted)) == std::string::npos) {
      throw UsageError(fmt::format("{}; use --inference {}", error.what(), others));
    }
  }
  return {Inference::kReweighted, choose_for(said, Inference::kReweighted)};
}

}  // namespace

const TaskDefaults& defaults(Inference inference) {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    // A search for the best assignment takes longer than all steps on cached cuts. Below a gap of 1
    // % of the objective, metrics on held-out graphs do not change any more.
    LearnerOptions all, to_the_gap;
    all.c = 1;
    to_the_gap.gap = 1e-2;
    to_the_gap.gap_every = 5;
    to_the_gap.epochs = 200;
    to_the_gap.patience = 20;
    TaskDefaults made{Loss::named("svm"), kLbfgs, kBcfw};
    made.rows = {{{kBcfw, kBmrm}, TaskDefaults::Losses::kHinge, to_the_gap},
                 {LearnerSet::all(), {}, all}};
    made.grid = {0.01, 0.1, 1, 10};
    return made;
  }();
  static const TaskDefaults for_sums = [] {
    LearnerOptions likely;
    likely.loss = Loss::named("crf");
    TaskDefaults made = table;
    made.loss = *likely.loss;
    made.rows.push_back({{kLbfgs, kDca, kSgd}, {}, likely});
    return made;
  }();
  static const TaskDefaults for_estimates = [] {
    TaskDefaults made = for_sums;
    made.smooth = kDca;  // a line search requires exact values
    return made;
  }();
  if (inference == Inference::kBeliefs) return for_estimates;
  return inference == Inference::kReweighted ? for_sums : table;
}

Able able(Inference inference) {
  Able able = with_structure(inference, false, []<class S>() { return able_of<GraphModel<S>>(); });
  // Structures with sums also have best outputs, but those belong to `exact`.
  if (sums(inference)) able.hinge = able.linear_costs = able.k_best = false;
  return able;
}

Able able() {
  return able(Inference::kExact) | able(Inference::kRelaxed) | able(Inference::kBeliefs) |
         able(Inference::kReweighted);
}

Plan plan(const TrainOptions& options, bool has_dev) {
  Plan made = plan_inference(options);
  refuse_voters(made.choice, options.training, defaults(made.inference), "a factor graph");
  require_something_to_choose_by(options.training, has_dev);
  return made;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["inference"] = to_string(inference);
  record["graphs"] = graphs;
  record["variables"] = variables;
  record["factors"] = factors;
  record["weights"] = weights;
  if (lambda > 0) record["lambda"] = lambda;
  if (dev) {
    record["best_epoch"] = learned.best_epoch;
    record["dev"] = Value::record({{"accuracy", dev->variables().accuracy()},
                                   {"exact", dev->exact()},
                                   {"hamming_loss", dev->hamming_loss()}});
  }
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (inference == Inference::kRelaxed || inference == Inference::kReweighted) {
    notes.push_back(
        fmt::format("{} inference: the objective is for an upper bound of the exact loss",
                    to_string(inference)));
  }
  if (inference == Inference::kBeliefs) {
    notes.emplace_back("beliefs inference: the objective is an estimate");
  }
  if (dev) {
    notes.push_back(fmt::format("on {}: {:.2f} % of variables and {:.2f} % of graphs correct",
                                dev_name, dev->variables().accuracy(), dev->exact()));
  }
  return notes;
}

Trained train(const FactorsData& data, std::span<const GraphRecord> dev,
              const TrainOptions& options, const TrainEvents& events) {
  const Stopwatch watch;
  const Plan made = plan(options, !dev.empty());
  Trained trained{std::nullopt, sizes_of(data)};
  TrainResult& result = trained.result;
  result.inference = made.inference;
  const std::string identity =
      fmt::format("factors n={} d={} digest={:016x}/{:016x}", result.graphs, result.weights,
                  digest(data.graphs), digest(dev));
  const Inference decoding = decoding_of(made.inference);
  const bool limited = !made.choice.takes_k_best();
  result.learned = with_structure(made.inference, limited, [&]<class S>() {
    const FactorsTrainable<S> trainable(data, dev, decoding, options);
    return learn(trainable, made.choice, defaults(made.inference), options.training, identity,
                 events);
  });
  result.seconds.total = watch.seconds();
  if (!result.learned.usable()) return trained;
  result.lambda = result.learned.choice.lambda(result.graphs);
  if (!dev.empty()) {
    result.dev = evaluate(GraphDecoder(result.learned.w, decoding, options.search_limit), dev,
                          data.features.domains(), options.training.threads);
  }
  trained.model.emplace(data.features, made.inference, result.learned.w,
                        provenance(result, options));
  result.seconds.total = watch.seconds();
  return trained;
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  plan(options, !files.dev.empty());
  FactorsData data;
  data.graphs = read_graphs(files.files, data.features, true);
  const TrainResult sizes = sizes_of(data);
  events.phase(fmt::format("read {} graphs, {} variables, {} factors, {} weights", sizes.graphs,
                           sizes.variables, sizes.factors, sizes.weights));
  std::vector<GraphRecord> dev;
  if (!files.dev.empty()) {
    FactorFeatures known = data.features.frozen_copy();
    dev = read_graphs(files.dev, known, true);
    events.phase(fmt::format("evaluating each epoch on {} graphs", dev.size()));
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::factors
