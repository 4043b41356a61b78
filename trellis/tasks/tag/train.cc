#include "trellis/tasks/tag/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/fit.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/tag/warm_start.h"
#include "trellis/tasks/training/folds.h"
#include "trellis/tasks/training/result.h"

namespace trellis::tag {
namespace {

using Clock = std::chrono::steady_clock;

// What goes with the attributes one by one does not go with a kernel over all of them.
void require_kernel_fits(const TrainOptions& options, const TrainingSetOptions& data) {
  const auto refuse = [&](std::string_view what) {
    throw UsageError(
        fmt::format("the kernel {} does not go with {}", to_string(*options.kernel), what));
  };
  if (options.training.learner.l1.value_or(0) > 0) {
    refuse("an L1 penalty: it chooses among attributes, and a kernel has none to choose from");
  }
  if (data.hash_bits > 0) refuse("feature hashing, which has no vector of attributes");
  if (options.warm_start != nullptr) refuse("a warm start: its pivots are those of other data");
  if (options.features.min_count > 1) refuse("a minimum count of attributes");
}

// Correct, predicted and true spans; for plain labels, tokens.
std::vector<double> tally_of(const TagScores& scores) {
  if (scores.has_spans()) {
    const SpanCounts counts = scores.spans().overall();
    return {static_cast<double>(counts.correct), static_cast<double>(counts.found),
            static_cast<double>(counts.gold)};
  }
  const auto tokens = static_cast<double>(scores.confusion().num_tokens());
  return {static_cast<double>(scores.confusion().num_correct_tokens()), tokens, tokens};
}

// The chain over the features that the data and the options make; owns all that the model views.
class Problem {
 public:
  Problem(TagData& data, const TrainOptions& options) : set_(data.set) {
    const TransitionRules rules = options.allow_illegal || set_.model_scheme == TagScheme::kPlain
                                      ? TransitionRules(set_.labels.size())
                                      : transition_rules(set_.labels, set_.model_scheme);
    const auto states = std::make_shared<const ChainStates>(rules, options.order);
    ChainFeatureOptions features = options.features;
    features.label_grams = data.features.has_plain_transitions();
    if (options.kernel) features.nodes = FeatureSet::kAll;  // every pivot speaks to every label
    chosen_ = choose_chain_features(*states, features, set_.nodes.size(),
                                    data.features.has_edge_attributes() ? set_.edges.size() : 0,
                                    *set_.examples);
    const Index n = set_.labels.size();
    chain_ = std::make_unique<ChainFeatures>(states, chosen_.node_rows.view(n),
                                             chosen_.edge_rows.view(n * (n + 1)), chosen_.grams);
    costs_ = CostTable::weighted_hamming(label_costs(options));
    model_ = std::make_unique<ChainModel>(*chain_, *set_.examples, *costs_);
    if (chain_->num_features() == 0) {
      throw InputError(set_.file, 0, "the template finds no feature that occurs often enough");
    }
    check_truth();
  }

  const ChainModel& model() const { return *model_; }
  const ChainFeatures& chain() const { return *chain_; }
  const ChosenChainFeatures& chosen() const { return chosen_; }
  Index num_attributes() const {
    return chain_->node_rows().num_attributes() + chain_->edge_rows().num_attributes();
  }

  std::vector<double> label_costs(const TrainOptions& options) const {
    std::vector<double> costs(set_.labels.size(), 1.0);
    for (const auto& [label, weight] : options.label_weights) {
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

  // The weights as they stand behind the pivots themselves.
  void to_pivot_weights(std::span<double> w) const {
    if (set_.kernel == nullptr) return;
    set_.kernel->training.to_pivot_weights(w, chosen_.node_ids, set_.labels.size());
  }

  // Of sequences of the training set, as they are scored in training.
  TagScores scores_on(std::span<const Index> sequences, std::span<const double> w) const {
    TagScores scores(set_.file_scheme);
    LabelTexts gold_texts(set_.labels, set_.model_scheme, set_.file_scheme);
    LabelTexts found_texts = gold_texts;
    Chain::Scratch scratch;
    std::vector<double> s;
    std::vector<Label> found;
    for (const Index i : sequences) {
      const Chain structure = model_->structure(i);
      s.resize(structure.num_parts());
      model_->scores(i, w, s);
      structure.maximize(s, scratch, found);
      scores.add(gold_texts.write(model_->gold(i)), found_texts.write(found));
    }
    return scores;
  }

 private:
  // What is known of a partially labelled sequence must leave it a legal labelling.
  void check_truth() const {
    if (!set_.examples->partially_labelled()) return;
    Chain::Scratch scratch;
    std::vector<double> zeros;
    for (Index i = 0; i < set_.examples->num_examples(); ++i) {
      const Chain truth = model_->truth_structure(i);
      zeros.assign(truth.num_parts(), 0.0);
      if (std::isinf(truth.log_partition(zeros, scratch))) {
        throw InputError(set_.places[i].file, set_.places[i].line,
                         "expected labels that leave the sequence that begins here a legal "
                         "labelling, found none");
      }
    }
  }

  TrainingSet& set_;
  ChosenChainFeatures chosen_;
  std::unique_ptr<ChainFeatures> chain_;
  std::optional<CostTable> costs_;
  std::unique_ptr<ChainModel> model_;
};

// Without a fold of the sequences, judged by it.
class FoldTrial final : public Trial {
 public:
  FoldTrial(const Problem& problem, std::vector<Index> held_out)
      : problem_(problem),
        held_out_(std::move(held_out)),
        train_(without(held_out_, problem.model().num_examples())) {}

  Index dimension() const override { return problem_.model().dimension(); }
  Fitted fit(const FitCall& call) const override {
    FitCall part = call;
    part.examples = train_;
    return trellis::fit(problem_.model(), part);
  }
  std::vector<double> tally(std::span<const double> w) const override {
    return tally_of(problem_.scores_on(held_out_, w));
  }

 private:
  const Problem& problem_;
  std::vector<Index> held_out_;
  std::vector<Index> train_;
};

class TagTraining final : public Trainable, private Trial {
 public:
  TagTraining(TagData& data, const TrainOptions& options)
      : data_(data), options_(options), problem_(data, options) {
    if (data.dev) {
      held_out_ = std::make_unique<HeldOut>(*data.dev, data.set, problem_.chosen().node_ids,
                                            problem_.chosen().edge_ids);
    }
    if (options.warm_start != nullptr) {
      start_ = warm_weights(*options.warm_start, data.set, problem_.chain(),
                            problem_.chosen().node_ids, problem_.chosen().edge_ids);
    }
  }

  const Problem& problem() const { return problem_; }
  TagScores dev_scores(std::span<const double> w) const {
    std::vector<double> expanded(w.begin(), w.end());
    problem_.to_pivot_weights(expanded);
    return held_out_->evaluate(problem_.chain(), expanded, options_.training.threads);
  }
  std::vector<std::string> unseen_dev_labels() const {
    return held_out_ == nullptr ? std::vector<std::string>() : held_out_->unseen_labels();
  }

  // What the bits of the result depend on besides the dials: what was read, which features were
  // chosen, what mistakes cost, and the weights to start from.
  std::string identity() const {
    const auto bytes = [](const auto& values) {
      return std::string_view(reinterpret_cast<const char*>(values.data()),
                              values.size() * sizeof(values[0]));
    };
    std::uint64_t h = combine(data_.set.digest, data_.dev ? data_.dev->digest : 0);
    h = fingerprint(bytes(problem_.chosen().node_rows.targets), h);
    h = fingerprint(bytes(problem_.chosen().edge_rows.targets), h);
    h = fingerprint(bytes(problem_.label_costs(options_)), h);
    h = fingerprint(bytes(start_), h);
    return fmt::format("tag order={} allow_illegal={} kernel={} d={} digest={:016x}",
                       options_.order, options_.allow_illegal,
                       options_.kernel ? to_string(*options_.kernel) : "none", dimension(), h);
  }

  const Trial& whole() const override { return *this; }
  bool has_dev() const override { return held_out_ != nullptr; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    return std::make_unique<FoldTrial>(
        problem_, sequences_of_fold(data_.set, k, folds, options_.training.seed));
  }
  double figure(std::span<const double> tally) const override {
    const bool spans = data_.set.file_scheme != TagScheme::kPlain;
    const auto count = [](double value) { return static_cast<Index>(value); };
    const SpanCounts counts{count(tally[2]), count(tally[1]), count(tally[0])};
    return spans ? counts.f1() : counts.recall();
  }
  std::string_view figure_name() const override {
    return data_.set.file_scheme != TagScheme::kPlain ? "f1" : "accuracy";
  }
  std::vector<double> start() const override { return start_; }

 private:
  Index dimension() const override { return problem_.chain().dimension(); }
  Fitted fit(const FitCall& call) const override { return trellis::fit(problem_.model(), call); }
  std::vector<double> tally(std::span<const double> w) const override {
    return tally_of(dev_scores(w));
  }

  TagData& data_;
  const TrainOptions& options_;
  Problem problem_;
  std::unique_ptr<HeldOut> held_out_;
  std::vector<double> start_;
};

TagFormat format_of(const TrainingSet& set, Index word_column) {
  TagFormat format;
  format.format = set.options.format;
  format.num_columns = set.num_columns;
  format.label_column = set.options.label_column;
  if (format.label_column == kLastColumn) {
    format.label_column = set.num_columns > 0 ? set.num_columns - 1 : 0;
  }
  format.word_column = std::min(word_column, std::max<Index>(set.num_columns, 1) - 1);
  format.comments = set.options.comments;
  format.file_scheme = set.file_scheme;
  format.model_scheme = set.model_scheme;
  return format;
}

// How the model was made; nothing that differs between two runs of the same call.
nlohmann::json provenance(const TrainResult& result, const TrainOptions& options) {
  nlohmann::json training;
  put_provenance(result.learned, options.training.seed, training);
  training["order"] = options.order;
  training["sequences"] = result.sequences;
  training["tokens"] = result.tokens;
  training["attributes"] = result.attributes;
  training["weights"] = result.weights;
  training["min_count"] = options.features.min_count;
  if (options.kernel) training["kernel"] = to_string(*options.kernel);
  if (result.dev) {
    training["dev_" + std::string(result.dev->figure_name())] = result.dev->figure();
  }
  return training;
}

TagModel make_model(const TagData& data, const TrainOptions& options, const Problem& problem,
                    TrainResult& result) {
  TagModelParts parts;
  parts.format = format_of(data.set, options.word_column);
  parts.labels = data.set.labels;
  parts.features = &data.features;
  parts.chain = &problem.chain();
  parts.nodes = &data.set.nodes;
  parts.edges = &data.set.edges;
  parts.node_ids = problem.chosen().node_ids;
  parts.edge_ids = problem.chosen().edge_ids;
  parts.kernel = data.set.kernel.get();
  problem.to_pivot_weights(result.learned.w);
  for (Voter& voter : result.learned.fitted.voters) {
    problem.to_pivot_weights(voter.weights);
    parts.weights.push_back(voter.weights);
    parts.votes.push_back(voter.votes);
  }
  if (parts.votes.empty()) parts.weights.push_back(result.learned.w);
  parts.training = provenance(result, options);
  return TagModel::from_parts(parts);
}

void apply_kernel(const TrainOptions& options, const TrainEvents& events, TrainingSet& set) {
  if (!options.kernel) return;
  const Index dimensions = set.nodes.size();
  apply_kernel(*options.kernel, options.kernel_rank, set);
  events.phase(fmt::format("kernel {} over {} attributes: {} pivots, residual {:.1e}",
                           to_string(*options.kernel), dimensions,
                           set.kernel->training.num_pivots(), set.kernel->training.residual()));
}

}  // namespace

const TaskDefaults& defaults() {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    TaskDefaults task{Loss::named("crf"), kLbfgs, kDca};
    LearnerOptions dca;
    dca.loss = Loss::named("crf");
    LearnerOptions lbfgs;
    lbfgs.warm_up = 3;
    task.rows = {{{kDca}, TaskDefaults::Losses::kAny, dca},
                 {{kLbfgs}, TaskDefaults::Losses::kAny, lbfgs}};
    return task;
  }();
  return table;
}

Able able() {
  return able_of<ChainModel>();
}

LearnerChoice plan(const TrainOptions& options, const TrainingSetOptions& data) {
  if (options.order < 1 || options.order > ChainStates::kMaxOrder) {
    throw UsageError(
        fmt::format("the order must be 1 to {}, not {}", ChainStates::kMaxOrder, options.order));
  }
  if (data.hash_bits < 0 || data.hash_bits > AttributeIndex::kMaxHashBits) {
    throw UsageError(fmt::format("feature hashing has 1 to {} bits (0: none), not {}",
                                 AttributeIndex::kMaxHashBits, data.hash_bits));
  }
  if (options.kernel) require_kernel_fits(options, data);
  if (!options.kernel && options.kernel_rank > 0) {
    throw UsageError("--kernel-rank is about a kernel: say which with --kernel");
  }
  return choose(options.training.learner, defaults(), able(), data.partial,
                options.warm_start != nullptr);
}

TagData read_tag_data(std::vector<InputFile> files, std::optional<InputFile> dev,
                      FeatureTemplate features, TrainingSetOptions options,
                      const TagModel* warm_start) {
  std::vector<std::string> known_labels;
  if (warm_start != nullptr) {
    if (warm_start->voted()) {
      throw UsageError("a voted model has many weight vectors: there is none to start from");
    }
    if (warm_start->hash_bits() != options.hash_bits) {
      throw UsageError("the model to start from hashes its features differently");
    }
    known_labels = warm_start->labels();
    options.keep_scheme = false;
    options.model_scheme = warm_start->format().model_scheme;
  }
  TrainingSet set = read_training_set(std::move(files), features, options, known_labels);
  std::optional<HeldOutSentences> held_out;
  if (dev) held_out = read_held_out(*std::move(dev), features, set);
  return {std::move(features), std::move(set), std::move(held_out)};
}

std::string TrainResult::to_json() const {
  nlohmann::json json;
  put_learned(learned, seconds, json);
  json["sequences"] = sequences;
  json["tokens"] = tokens;
  json["labels"] = labels;
  json["attributes"] = attributes;
  json["weights"] = weights;
  json["lambda"] = lambda;
  if (dev) json["dev"] = dev->to_json();
  return json.dump();
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (learned.fitted.eta > 0) notes.push_back(fmt::format("learning rate {}", learned.fitted.eta));
  if (dev) {
    notes.push_back(fmt::format("best on {}: {} {:.2f} (epoch {})", dev_name, dev->figure_name(),
                                dev->figure(), learned.best_epoch));
  }
  return notes;
}

Trained train(TagData data, const TrainOptions& options, const TrainEvents& events) {
  const Clock::time_point start = Clock::now();
  LearnerChoice choice = plan(options, data.set.options);
  choice.partial = data.set.examples->partially_labelled();
  TrainResult result;
  result.sequences = data.set.examples->num_examples();
  result.tokens = data.set.examples->num_positions();
  result.labels = data.set.labels.size();
  apply_kernel(options, events, data.set);
  const TagTraining training(data, options);
  result.attributes = training.problem().num_attributes();
  result.weights = training.problem().chain().num_features();
  result.unseen_dev_labels = training.unseen_dev_labels();
  events.phase(fmt::format("{} attributes, {} weights", result.attributes, result.weights));
  result.learned =
      learn(training, choice, defaults(), options.training, training.identity(), events);
  result.lambda = result.learned.choice.lambda(result.sequences);
  Trained trained;
  if (!result.learned.interrupted) {
    const bool voted = !result.learned.fitted.voters.empty();
    if (training.has_dev() && !voted) result.dev = training.dev_scores(result.learned.w);
    trained.model = make_model(data, options, training.problem(), result);
  }
  result.seconds.total = std::chrono::duration<double>(Clock::now() - start).count();
  trained.result = std::move(result);
  return trained;
}

}  // namespace trellis::tag
