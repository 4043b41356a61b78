#include "trellis/tasks/classify/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/parallel.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/generative/naive_bayes.h"
#include "trellis/problem/chain/attribute_store.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/cost_table.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/tasks/classify/classifier.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/run_learner.h"
#include "trellis/tasks/learning_run.h"
#include "trellis/tasks/linear_scores.h"

namespace trellis::classify {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A row of all labels for every attribute.
RowStorage full_rows(Index num_attributes, Index num_labels) {
  RowStorage rows;
  rows.num_dense = num_attributes;
  rows.begin.resize(num_attributes + 1);
  rows.targets.resize(num_attributes * num_labels);
  for (Index a = 0; a <= num_attributes; ++a) rows.begin[a] = a * num_labels;
  for (Index k = 0; k < rows.targets.size(); ++k) {
    rows.targets[k] = static_cast<std::uint32_t>(k % num_labels);
  }
  const Index words = AttributeRows::mask_words(num_labels);
  rows.masks.assign(num_attributes * words, ~std::uint64_t{0});
  if (num_labels % 64 == 0) return rows;
  const std::uint64_t last = (std::uint64_t{1} << (num_labels % 64)) - 1;
  for (Index a = 0; a < num_attributes; ++a) rows.masks[(a + 1) * words - 1] = last;
  return rows;
}

AttributeStore store_of(const Documents& documents, Index num_attributes) {
  AttributeStore store;
  for (Index i = 0; i < documents.size(); ++i) {
    const auto ids = documents.attributes(i);
    const std::uint32_t begin[2] = {0, static_cast<std::uint32_t>(ids.size())};
    store.add(begin, ids, documents.of(i));
  }
  std::vector<AttributeId> same(num_attributes);
  std::iota(same.begin(), same.end(), AttributeId{0});
  store.finish(same, num_attributes);
  return store;
}

void check_numbers(const TrainOptions& options, double c) {
  if (!(c > 0) || std::isinf(c)) throw UsageError(fmt::format("C must be positive, not {}", c));
  if (!(options.epsilon >= 0) || !(options.delta >= 0)) {
    throw UsageError(fmt::format("epsilon and delta must not be negative, but are {} and {}",
                                 options.epsilon, options.delta));
  }
  if (!(options.l1 >= 0)) {
    throw UsageError(fmt::format("the L1 weight must not be negative, but is {}", options.l1));
  }
  if (options.gap && !(*options.gap >= 0)) {
    throw UsageError(
        fmt::format("the gap to stop at must not be negative, but is {}", *options.gap));
  }
  if (!(options.alpha > 0) || std::isinf(options.alpha)) {
    throw UsageError(fmt::format("alpha must be a positive number, not {}", options.alpha));
  }
  if (options.data.ngrams < 1 || options.data.ngrams > FeatureOptions::kMaxNgrams) {
    throw UsageError(fmt::format("n-grams have 1 to {} words, not {}", FeatureOptions::kMaxNgrams,
                                 options.data.ngrams));
  }
}

// One training run, in the order of its steps.
class Training {
 public:
  Training(const TrainOptions& options, const TrainEvents& events)
      : options_(options), events_(events) {
    result_.learner = options.learner.value_or(default_learner(options.loss));
    result_.loss = options.loss.value_or(default_loss(result_.learner));
    require_cell(options_, result_.learner, result_.loss);
    result_.c = options.c.value_or(result_.loss.hinge() ? 1 : 10);
    check_numbers(options_, result_.c);
    if (options_.data.files.empty()) throw UsageError("there is no file to learn from");
    if (options_.resume && naive_bayes_asked()) {
      throw UsageError("naive Bayes is over in one pass: there is nothing to resume");
    }
  }

  TrainResult run() {
    const Clock::time_point start = Clock::now();
    require_writable(options_.model);
    if (!naive_bayes_asked()) require_writable(options_.checkpoint);
    read();
    read_held_out_set();
    result_.read_seconds = seconds_since(start);
    naive_bayes_asked() ? estimate(start) : learn();
    if (!result_.interrupted) write();
    if (run_ != nullptr && !result_.interrupted) run_->discard_checkpoint();
    result_.total_seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  bool naive_bayes_asked() const { return result_.learner == Learner::kNaiveBayes; }
  void phase(const std::string& message) const {
    if (events_.on_phase) events_.on_phase(message);
  }

  void read() {
    TrainingSetOptions data = options_.data;
    data.reader.labelled = true;
    data.threads = options_.threads;
    set_ = read_training_set(data);
    const bool plain = set_.format == InputFormat::kLibsvm || naive_bayes_asked();
    // Rennie et al. (2003) give the complement weighted texts of length 1 as well.
    const bool counts = plain && !(options_.complement && set_.format == InputFormat::kText);
    features_.format = set_.format;
    features_.lowercase = options_.data.lowercase;
    features_.ngrams = options_.data.ngrams;
    features_.bias = options_.data.bias;
    features_.weighting =
        options_.weighting.value_or(counts ? Weighting::kCount : Weighting::kLogTfidf);
    features_.normalize = options_.normalize.value_or(!counts);
    if (naive_bayes_asked()) require_counts();
    weigh_documents(features_, options_.data.files, set_);
    result_.documents = set_.documents.size();
    result_.labels = set_.labels.size();
    result_.features = set_.vocabulary.size();
    result_.weights = result_.features * result_.labels;
    result_.lambda = lambda_from_c(result_.c, result_.documents);
    weights_.assign(result_.weights, 0.0);
    phase(fmt::format("read {} documents, {} labels, {} features", result_.documents,
                      result_.labels, result_.features));
  }

  void require_counts() const {
    for (Index i = 0; i < set_.documents.size(); ++i) {
      for (const float count : set_.documents.of(i)) {
        if (count >= 0) continue;
        throw InputError(options_.data.files[set_.places[i].file], set_.places[i].line,
                         "expected counts, as naive Bayes needs, found a value below 0");
      }
    }
  }

  Vectorizer vectorizer() const {
    return {features_, set_.vocabulary.table().view(), set_.idf, set_.bias};
  }

  void read_held_out_set() {
    if (options_.dev.empty()) return;
    ReaderOptions reader;
    reader.format = set_.format;
    if (set_.format == InputFormat::kText) reader.columns = set_.columns;
    held_out_ = std::make_unique<HeldOutSet>(
        read_held_out(options_.dev, reader, vectorizer(), set_.labels));
    result_.unseen_dev_labels = held_out_->unseen_labels;
    phase(fmt::format("watching {} documents of {}", held_out_->documents.size(), options_.dev));
  }

  std::vector<Label> predict_held_out(std::span<const double> w) const {
    const Documents& documents = held_out_->documents;
    std::vector<Label> predicted(documents.size());
    std::vector<std::vector<double>> scores(static_cast<Index>(resolve_threads(options_.threads)),
                                            std::vector<double>(set_.labels.size()));
    parallel_for(documents.size(), options_.threads, [&](Index i, int worker) {
      std::vector<double>& s = scores[static_cast<Index>(worker)];
      add_up_scores(documents.attributes(i), documents.of(i), w, s);
      predicted[i] = best_label(s);
    });
    return predicted;
  }

  double dev_accuracy(std::span<const double> w) const {
    const std::vector<Label> predicted = predict_held_out(w);
    Index correct = 0;
    for (Index i = 0; i < predicted.size(); ++i) {
      correct += predicted[i] == held_out_->documents.labels[i] ? 1 : 0;
    }
    return 100 * static_cast<double>(correct) / static_cast<double>(predicted.size());
  }

  void score_held_out() {
    if (held_out_ == nullptr) return;
    const std::vector<Label> predicted = predict_held_out(weights_);
    result_.dev.emplace();
    for (Index i = 0; i < predicted.size(); ++i) {
      const Label gold = held_out_->documents.labels[i];
      // The text of a label that training does not have does not matter: it is a miss.
      result_.dev->add(gold == kNoLabel ? "(unseen)" : set_.labels[static_cast<Index>(gold)],
                       set_.labels[static_cast<Index>(predicted[i])]);
    }
  }

  std::vector<double> label_costs() const {
    std::vector<double> costs(set_.labels.size(), 1.0);
    for (const auto& [label, weight] : options_.label_weights) {
      const auto found = std::lower_bound(set_.labels.begin(), set_.labels.end(), label);
      if (found == set_.labels.end() || *found != label) {
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

  // What must be the same for a checkpoint to fit this run.
  std::string signature() const {
    std::uint64_t digest = set_.documents.digest();
    if (held_out_ != nullptr) digest = combine(digest, held_out_->documents.digest());
    const std::vector<double> costs = label_costs();
    digest = fingerprint({reinterpret_cast<const char*>(costs.data()), costs.size() * 8}, digest);
    return fmt::format("classify {} {} C={} l1={} stored={} seed={} n={} d={} digest={:016x}",
                       to_string(result_.learner), result_.loss.description(), result_.c,
                       options_.l1, options_.stored_dual, options_.seed, result_.documents,
                       result_.weights, digest);
  }

  void learn() {
    const RowStorage rows = full_rows(set_.vocabulary.size(), set_.labels.size());
    const AttributeStore store = store_of(set_.documents, set_.vocabulary.size());
    const CostTable costs = CostTable::weighted_hamming(label_costs());
    const MulticlassModel model(rows.view(set_.labels.size()), store, set_.documents.labels, costs);
    LearningRunOptions options;
    options.threads = options_.threads;
    options.gap = resolve_gap(options_, result_.learner, result_.loss);
    options.certify = options_.certify || options.gap > 0;
    options.seed = options_.seed;
    options.patience = options_.patience > 0                ? options_.patience
                       : result_.learner == Learner::kLbfgs ? 20
                                                            : 5;
    options.checkpoint = options_.checkpoint;
    options.resume = options_.resume;
    options.on_epoch = events_.on_epoch;
    options.stop = events_.stop;
    EarlyStopping::Metric metric;
    if (held_out_ != nullptr)
      metric = [this](std::span<const double> w) { return dev_accuracy(w); };
    run_ = std::make_unique<LearningRun>(std::move(options), signature(), metric);
    LearnerRun learned = run_learner(options_, result_.learner, result_.loss, result_.lambda, model,
                                     weights_, run_->control(), metric);
    result_.summary = std::move(learned.summary);
    result_.eta = learned.eta;
    result_.interrupted = !run_->finish(result_.summary, weights_);
    if (result_.interrupted) return;
    result_.best_epoch = run_->best_epoch();
    score_held_out();
  }

  // Naive Bayes. The bias is no word of the vocabulary: its row holds the priors.
  void estimate(Clock::time_point start) {
    const Index first = set_.bias == kNoAttribute ? 0 : 1;
    NaiveBayesCounts counts(set_.labels.size(), set_.vocabulary.size() - first);
    std::vector<AttributeId> ids;
    for (Index i = 0; i < set_.documents.size(); ++i) {
      ids.clear();
      for (const AttributeId a : set_.documents.attributes(i).subspan(first)) {
        ids.push_back(static_cast<AttributeId>(a - first));
      }
      counts.add(set_.documents.labels[i], ids, set_.documents.of(i).subspan(first));
    }
    const NaiveBayesEstimate estimate = naive_bayes(counts, {options_.alpha, options_.complement});
    if (first == 1) std::copy(estimate.bias.begin(), estimate.bias.end(), weights_.begin());
    std::copy(estimate.weights.begin(), estimate.weights.end(),
              weights_.begin() + static_cast<std::ptrdiff_t>(first * set_.labels.size()));
    // A minimum in closed form: nothing is left between objective and bound.
    EpochRecord record;
    record.epoch = 1;
    record.objective = record.bound = estimate.objective;
    if (std::isfinite(estimate.objective)) record.gap = 0;
    record.passes = 1;
    record.seconds = seconds_since(start) - result_.read_seconds;
    score_held_out();
    if (result_.dev) record.dev = result_.dev->accuracy();
    if (result_.dev) result_.best_epoch = 1;
    if (events_.on_epoch) events_.on_epoch(record);
    LearnSummary& summary = result_.summary;
    summary.history = {record};
    summary.termination = Termination::kConverged;
    summary.objective = record.objective;
    summary.bound = record.bound;
    summary.gap = record.gap;
    summary.epochs = 1;
    summary.seconds = record.seconds;
  }

  void write() const {
    if (options_.model.empty()) return;
    ClassifyModelParts parts;
    parts.features = features_;
    if (set_.format == InputFormat::kText) parts.columns = set_.columns;
    parts.labels = set_.labels;
    parts.vocabulary = &set_.vocabulary;
    parts.idf = set_.idf;
    parts.weights = weights_;
    if (naive_bayes_asked() && !options_.complement) parts.beta = 1;
    if (!naive_bayes_asked() && !result_.loss.hinge()) parts.beta = result_.loss.beta;
    parts.training = provenance();
    write_classify_model(parts, options_.model);
  }

  // How the model was made; nothing that differs between two runs of the same call.
  nlohmann::json provenance() const {
    nlohmann::json training;
    training["learner"] = std::string(to_string(result_.learner));
    if (naive_bayes_asked()) {
      training["alpha"] = options_.alpha;
      training["complement"] = options_.complement;
    } else {
      training["loss"] = result_.loss.description();
      training["c"] = result_.c;
      training["l1"] = options_.l1;
      training["seed"] = options_.seed;
    }
    training["documents"] = result_.documents;
    training["features"] = result_.features;
    training["weights"] = result_.weights;
    training["min_count"] = options_.data.min_count;
    put_provenance(result_.summary, training);
    if (result_.dev) {
      training["best_epoch"] = result_.best_epoch;
      training["dev_accuracy"] = result_.dev->accuracy();
    }
    return training;
  }

  const TrainOptions& options_;
  const TrainEvents& events_;
  TrainResult result_;
  FeatureOptions features_;
  TrainingSet set_;
  std::unique_ptr<HeldOutSet> held_out_;
  std::vector<double> weights_;
  std::unique_ptr<LearningRun> run_;
};

}  // namespace

nlohmann::json TrainResult::to_json() const {
  nlohmann::json json;
  put_summary(summary, {read_seconds, total_seconds}, json);
  json["documents"] = documents;
  json["labels"] = labels;
  json["features"] = features;
  json["weights"] = weights;
  json["learner"] = std::string(classify::to_string(learner));
  if (learner != Learner::kNaiveBayes) {
    json["loss"] = loss.description();
    json["c"] = c;
    json["lambda"] = lambda;
  }
  if (eta > 0) json["eta"] = eta;
  if (dev) {
    json["best_epoch"] = best_epoch;
    json["dev"] = dev->to_json();
  }
  return json;
}

TrainResult train_classifier(const TrainOptions& options, const TrainEvents& events) {
  return Training(options, events).run();
}

}  // namespace trellis::classify
