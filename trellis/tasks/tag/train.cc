#include "trellis/tasks/tag/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/learning_run.h"
#include "trellis/tasks/tag/held_out.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/run_learner.h"
#include "trellis/tasks/tag/warm_start.h"

namespace trellis::tag {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<std::pair<std::string_view, Learner>, 11> kLearners = {{
    {"lbfgs", Learner::kLbfgs},
    {"dca", Learner::kDca},
    {"sgd", Learner::kSgd},
    {"perceptron", Learner::kPerceptron},
    {"mira", Learner::kMira},
    {"bcfw", Learner::kBcfw},
    {"bmrm", Learner::kBmrm},
    {"extragradient", Learner::kExtragradient},
    {"projected-gradient", Learner::kProjectedGradient},
    {"smo", Learner::kSmo},
    {"qp", Learner::kQp},
}};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One training run, in the order of its steps.
class Training {
 public:
  Training(const TrainOptions& options, const FeatureTemplate& features, const TrainEvents& events)
      : options_(options), template_(features), events_(events) {
    result_.loss = options.loss.value_or(default_loss(options.learner));
    require_cell(options_, result_.loss);
    if (!(options_.c > 0)) throw UsageError(fmt::format("C must be positive, not {}", options_.c));
    if (!(options_.epsilon >= 0) || !(options_.delta >= 0)) {
      throw UsageError(fmt::format("epsilon and delta must not be negative, but are {} and {}",
                                   options_.epsilon, options_.delta));
    }
    if (!(options_.l1 >= 0))
      throw UsageError(fmt::format("the L1 weight must not be negative, but is {}", options_.l1));
    if (options_.order < 1 || options_.order > ChainStates::kMaxOrder) {
      throw UsageError(
          fmt::format("the order must be 1 to {}, not {}", ChainStates::kMaxOrder, options_.order));
    }
    if (options_.kernel) require_kernel_fits();
    const int hash_bits = options_.data.hash_bits;
    if (hash_bits < 0 || hash_bits > AttributeIndex::kMaxHashBits) {
      throw UsageError(fmt::format("feature hashing has 1 to {} bits (0: none), not {}",
                                   AttributeIndex::kMaxHashBits, hash_bits));
    }
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    require_writable(options_.checkpoint);
    read();
    choose_features();
    check_truth();
    start_weights();
    read_held_out();
    result_.read_seconds = seconds_since(start);
    learn();
    if (!result_.interrupted) {
      write();
      run_->discard_checkpoint();
    }
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  // What goes with the attributes one by one does not go with a kernel over all of them.
  void require_kernel_fits() const {
    const std::string kernel = to_string(*options_.kernel);
    const auto refuse = [&](std::string_view what) {
      throw UsageError(fmt::format("the kernel {} does not go with {}", kernel, what));
    };
    if (options_.l1 > 0) {
      refuse("an L1 penalty: it chooses among attributes, and a kernel has none to choose from");
    }
    if (options_.data.hash_bits > 0) refuse("feature hashing, which has no vector of attributes");
    if (!options_.warm_start.empty()) refuse("a warm start: its pivots are those of other data");
    if (options_.features.min_count > 1) refuse("a minimum count of attributes");
  }

  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  void read() {
    std::vector<std::string> known_labels;
    TrainingSetOptions data = options_.data;
    data.threads = options_.threads;
    if (!options_.warm_start.empty()) {
      old_model_ = std::make_unique<TagModel>(TagModel::load(options_.warm_start));
      if (old_model_->voted())
        throw UsageError("a voted model has many weight vectors: there is none to start from");
      if (old_model_->hash_bits() != data.hash_bits) {
        throw UsageError("the model to start from hashes its features differently");
      }
      known_labels = old_model_->labels();
      data.keep_scheme = false;
      data.model_scheme = old_model_->format().model_scheme;
    }
    set_ = read_training_set(options_.files, template_, data, known_labels);
    result_.sequences = set_.examples->num_examples();
    result_.tokens = set_.examples->num_positions();
    result_.labels = set_.labels.size();
    result_.repaired_labels = set_.repaired_labels;
    result_.lambda = lambda_from_c(options_.c, result_.sequences);
    phase(fmt::format("read {} sequences, {} tokens, {} labels ({})", result_.sequences,
                      result_.tokens, result_.labels, to_string(set_.model_scheme)));
    if (!options_.kernel) return;
    const Index dimensions = set_.nodes.size();
    apply_kernel(*options_.kernel, options_.kernel_rank, set_);
    phase(fmt::format("kernel {} over {} attributes: {} pivots, residual {:.1e}",
                      to_string(*options_.kernel), dimensions, set_.kernel->training.num_pivots(),
                      set_.kernel->training.residual()));
  }

  void choose_features() {
    const TransitionRules rules = options_.allow_illegal || set_.model_scheme == TagScheme::kPlain
                                      ? TransitionRules(set_.labels.size())
                                      : transition_rules(set_.labels, set_.model_scheme);
    const auto states = std::make_shared<const ChainStates>(rules, options_.order);
    ChainFeatureOptions features = options_.features;
    features.label_grams = template_.has_plain_transitions();
    if (options_.kernel) features.nodes = FeatureSet::kAll;  // every pivot speaks to every label
    chosen_ = choose_chain_features(*states, features, set_.nodes.size(),
                                    template_.has_edge_attributes() ? set_.edges.size() : 0,
                                    *set_.examples);
    const Index n = set_.labels.size();
    chain_ = std::make_unique<ChainFeatures>(states, chosen_.node_rows.view(n),
                                             chosen_.edge_rows.view(n * (n + 1)), chosen_.grams);
    costs_ = std::make_unique<CostTable>(CostTable::weighted_hamming(label_costs()));
    model_ = std::make_unique<ChainModel>(*chain_, *set_.examples, *costs_);
    result_.attributes =
        chain_->node_rows().num_attributes() + chain_->edge_rows().num_attributes();
    result_.weights = chain_->num_features();
    if (result_.weights == 0) {
      throw InputError(options_.files.front(), 0,
                       "the template finds no feature that occurs often enough");
    }
    phase(fmt::format("{} attributes, {} weights", result_.attributes, result_.weights));
  }

  std::vector<double> label_costs() const {
    std::vector<double> costs(set_.labels.size(), 1.0);
    for (const auto& [label, weight] : options_.label_weights) {
      const auto found = std::find(set_.labels.begin(), set_.labels.end(), label);
      if (found == set_.labels.end()) {
        throw UsageError(
            fmt::format("the label '{}', which is given a weight, does not occur", label));
      }
      if (!(weight >= 0) || std::isinf(weight)) {
        throw UsageError(
            fmt::format("the weight of label '{}' is {}, not a number that is ≥ 0", label, weight));
      }
      costs[static_cast<Index>(found - set_.labels.begin())] = weight;
    }
    return costs;
  }

  // What is known of a partially labelled sequence must leave it a legal labelling.
  void check_truth() const {
    if (!set_.examples->partially_labelled()) return;
    Chain::Scratch scratch;
    std::vector<double> zeros;
    for (Index i = 0; i < set_.examples->num_examples(); ++i) {
      const Chain truth = model_->truth_structure(i);
      zeros.assign(truth.num_parts(), 0.0);
      if (std::isinf(truth.log_partition(zeros, scratch))) {
        throw InputError(options_.files[set_.places[i].file], set_.places[i].line,
                         "expected labels that leave the sequence that begins here a legal "
                         "labelling, found none");
      }
    }
  }

  void start_weights() {
    weights_.assign(chain_->dimension(), 0.0);
    if (old_model_ != nullptr) {
      weights_ = warm_weights(*old_model_, set_, *chain_, chosen_.node_ids, chosen_.edge_ids);
    }
  }

  void read_held_out() {
    if (options_.dev.empty()) return;
    held_out_ = std::make_unique<HeldOut>(options_.dev, template_, set_, chosen_.node_ids,
                                          chosen_.edge_ids);
    result_.unseen_dev_labels = held_out_->unseen_labels();
    phase(fmt::format("watching {} sequences of {}", held_out_->num_sequences(), options_.dev));
  }

  TagScores dev_scores(std::span<const double> w) const {
    if (set_.kernel == nullptr) return held_out_->evaluate(*chain_, w, options_.threads);
    std::vector<double> expanded(w.begin(), w.end());
    to_pivot_weights(expanded);
    return held_out_->evaluate(*chain_, expanded, options_.threads);
  }
  double dev_figure(std::span<const double> w) const { return dev_scores(w).figure(); }

  void to_pivot_weights(std::span<double> w) const {
    set_.kernel->training.to_pivot_weights(w, chosen_.node_ids, set_.labels.size());
  }

  // Of all that the bits of the result depend on besides the options: what was read, which features
  // were chosen, what mistakes cost, and the weights to start from.
  std::uint64_t digest() const {
    const auto bytes = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()),
                              values.size() * sizeof(values[0]));
    };
    std::uint64_t h = combine(set_.digest, held_out_ == nullptr ? 0 : held_out_->digest());
    h = fingerprint(bytes(chosen_.node_rows.targets), h);
    h = fingerprint(bytes(chosen_.edge_rows.targets), h);
    h = fingerprint(bytes(label_costs()), h);
    return fingerprint(bytes(weights_), h);
  }

  // What must be the same for a checkpoint to fit this run. To be asked before learning begins.
  std::string signature() const {
    return fmt::format(
        "{} {} C={} l1={} order={} kernel={} warm_up={} seed={} n={} d={} tokens={} digest={:016x}",
        to_string(options_.learner), result_.loss.description(), options_.c, options_.l1,
        options_.order, options_.kernel ? to_string(*options_.kernel) : "none", options_.warm_up,
        options_.seed, result_.sequences, result_.weights, result_.tokens, digest());
  }

  void learn() {
    LearningRunOptions run_options;
    run_options.threads = options_.threads;
    run_options.certify = options_.certify || options_.gap > 0;
    run_options.gap = options_.gap;
    run_options.seed = options_.seed;
    run_options.patience = patience();
    run_options.checkpoint = options_.checkpoint;
    run_options.resume = options_.resume;
    run_options.on_epoch = events_.on_epoch;
    run_options.stop = events_.stop;
    std::function<double(std::span<const double>)> judge;
    if (held_out_ != nullptr) judge = [this](std::span<const double> w) { return dev_figure(w); };
    run_ = std::make_unique<LearningRun>(std::move(run_options), signature(), judge);
    LearnerRun learned =
        run_learner(options_, result_.loss, *model_, set_.examples->partially_labelled(), weights_,
                    run_->control(), judge);
    result_.summary = std::move(learned.summary);
    result_.eta = learned.eta;
    voters_ = std::move(learned.voters);
    result_.interrupted = !run_->finish(result_.summary, weights_);
    if (result_.interrupted || held_out_ == nullptr || !voters_.empty()) return;
    result_.best_epoch = run_->best_epoch();
    result_.dev = dev_scores(weights_);
  }

  // Epochs without a better figure: an epoch of an online learner does more than an iteration.
  Index patience() const {
    const bool online = options_.learner != Learner::kLbfgs && options_.learner != Learner::kBmrm &&
                        !sees_parts(options_.learner);
    return options_.patience > 0 ? options_.patience : online ? 5 : 20;
  }

  void write() {
    TagModelParts parts;
    parts.format.format = options_.data.format;
    parts.format.num_columns = set_.num_columns;
    parts.format.label_column =
        options_.data.label_column == kLastColumn && set_.num_columns > 0 ? set_.num_columns - 1
        : options_.data.label_column == kLastColumn                       ? 0
                                                    : options_.data.label_column;
    parts.format.word_column =
        std::min(options_.word_column, std::max<Index>(set_.num_columns, 1) - 1);
    parts.format.comments = options_.data.comments;
    parts.format.file_scheme = set_.file_scheme;
    parts.format.model_scheme = set_.model_scheme;
    parts.labels = set_.labels;
    parts.features = &template_;
    parts.chain = chain_.get();
    parts.nodes = &set_.nodes;
    parts.edges = &set_.edges;
    parts.node_ids = chosen_.node_ids;
    parts.edge_ids = chosen_.edge_ids;
    if (set_.kernel != nullptr) {
      parts.kernel = set_.kernel.get();
      to_pivot_weights(weights_);
      for (Voter& voter : voters_) to_pivot_weights(voter.weights);
    }
    for (const Voter& voter : voters_) {
      parts.weights.push_back(voter.weights);
      parts.votes.push_back(voter.votes);
    }
    if (voters_.empty()) parts.weights.push_back(weights_);
    parts.training = provenance();
    if (!options_.model.empty()) write_tag_model(parts, options_.model);
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    training["learner"] = std::string(to_string(options_.learner));
    training["loss"] = result_.loss.description();
    training["c"] = options_.c;
    training["l1"] = options_.l1;
    training["order"] = options_.order;
    training["sequences"] = result_.sequences;
    training["tokens"] = result_.tokens;
    training["attributes"] = result_.attributes;
    training["weights"] = result_.weights;
    training["seed"] = options_.seed;
    training["min_count"] = options_.features.min_count;
    if (options_.kernel) training["kernel"] = to_string(*options_.kernel);
    put_provenance(result_.summary, training);
    if (result_.dev) {
      training["best_epoch"] = result_.best_epoch;
      training["dev_" + std::string(result_.dev->figure_name())] = result_.dev->figure();
    }
    return training;
  }

  const TrainOptions& options_;
  const FeatureTemplate& template_;
  const TrainEvents& events_;
  TrainResult result_;
  std::unique_ptr<TagModel> old_model_;
  TrainingSet set_;
  ChosenChainFeatures chosen_;
  std::unique_ptr<ChainFeatures> chain_;
  std::unique_ptr<CostTable> costs_;
  std::unique_ptr<ChainModel> model_;
  std::unique_ptr<HeldOut> held_out_;
  std::unique_ptr<LearningRun> run_;
  std::vector<double> weights_;
  std::vector<Voter> voters_;
};

}  // namespace

std::string_view to_string(Learner learner) {
  for (const auto& [name, value] : kLearners) {
    if (value == learner) return name;
  }
  return "";
}

Learner parse_learner(std::string_view name) {
  for (const auto& [known, value] : kLearners) {
    if (known == name) return value;
  }
  std::string known_names;
  for (const auto& [known, value] : kLearners) {
    known_names += (known_names.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(fmt::format("unknown learner '{}': expected one of {}", name, known_names));
}

Loss default_loss(Learner learner) {
  if (learner == Learner::kPerceptron) return Loss::named("perceptron");
  if (learner == Learner::kLbfgs || learner == Learner::kDca || learner == Learner::kSgd) {
    return Loss::named("crf");
  }
  return Loss::named("svm");
}

bool sees_parts(Learner learner) {
  return learner == Learner::kExtragradient || learner == Learner::kProjectedGradient ||
         learner == Learner::kSmo || learner == Learner::kQp;
}

nlohmann::json TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  json["sequences"] = sequences;
  json["tokens"] = tokens;
  json["labels"] = labels;
  json["attributes"] = attributes;
  json["weights"] = weights;
  json["loss"] = loss.description();
  json["lambda"] = lambda;
  if (eta > 0) json["eta"] = eta;
  if (dev) {
    json["best_epoch"] = best_epoch;
    json["dev"] = dev->to_json();
  }
  return json;
}

TrainResult train_tagger(const TrainOptions& options, const FeatureTemplate& features,
                         const TrainEvents& events) {
  return Training(options, features, events).run();
}

}  // namespace trellis::tag
