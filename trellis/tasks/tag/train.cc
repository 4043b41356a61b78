#include "trellis/tasks/tag/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/fit.h"
#include "trellis/fit/fit_kernel.h"
#include "trellis/frame/training/folds.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/frame/training/result.h"
#include "trellis/problem/chain/chain_model.h"
#include "trellis/problem/chain/untied_chain_model.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/label_costs.h"
#include "trellis/tasks/tag/model/transition_rules.h"

namespace trellis::tag {
namespace {

// Options for individual attributes cannot be combined with a kernel over all attributes.
void require_fit(const TrainOptions& options, const TrainingSetOptions& data) {
  const auto refuse = [&](std::string_view what) {
    throw UsageError(
        fmt::format("--kernel {} cannot be combined with {}", to_string(*options.kernel), what));
  };
  require_kernel_fits(options.kernel, options.kernel_rank > 0, options.implicit,
                      options.training.learner.l1.value_or(0) > 0);
  if (!options.kernel) return;
  if (data.hash_bits > 0) refuse("--hash-bits, which keeps no vector of attributes");
  if (options.warm_start != nullptr)
    refuse("--warm-start: the pivots of a model depend on its data");
  if (options.features.min_count > 1) refuse("--min-count");
}

// For a warm start: the number of each label in the old model, or ChainStates::kNone.
std::vector<Index> old_labels(const TagModel& model, std::span<const std::string> labels) {
  std::vector<Index> old;
  for (const std::string& label : labels) {
    const Label found = model.find_label(label);
    old.push_back(found == kNoLabel ? ChainStates::kNone : static_cast<Index>(found));
  }
  return old;
}

// Copies the rows of one kind. `old_target` maps a target to that of the old model, or to
// ChainStates::kNone.
template <class OldTarget>
void copy_rows(const AttributeIndex& index, std::span<const AttributeId> row_of,
               const AttributeRows& rows, const TagModel::Attributes& old_ids,
               const AttributeRows& old_rows, const double* old_weights,
               const OldTarget& old_target, double* weights) {
  const std::vector<std::uint64_t> fingerprints = index.fingerprints();
  for (Index id = 0; id < row_of.size(); ++id) {
    if (row_of[id] == kNoAttribute) continue;
    // A bucket represents all fingerprints that end in its number.
    const AttributeId old = old_ids.find(index.hash_bits() > 0 ? id : fingerprints[id]);
    if (old == kNoAttribute) continue;
    const std::span<const std::uint32_t> targets = rows.targets(row_of[id]);
    for (Index j = 0; j < targets.size(); ++j) {
      const Index found = old_rows.find(old, old_target(targets[j]));
      if (found == AttributeRows::kNoWeight) continue;
      weights[rows.begin(row_of[id]) + j] = old_weights[found];
    }
  }
}

void copy_grams(const ChainFeatures& old, const double* old_weights, const ChainFeatures& chain,
                std::span<const Index> old_label, double* weights) {
  const auto copy = [&](std::uint32_t rank, std::uint32_t old_rank) {
    if (rank != GramWeights::kNone && old_rank != GramWeights::kNone) {
      weights[rank] = old_weights[old_rank];
    }
  };
  const int levels = std::min(chain.states().order(), old.states().order());
  for (int n = 1; n <= levels; ++n) {
    const Index level = static_cast<Index>(n) - 1;
    const ChainStates old_states(old.states().rules(), n);
    for_each_transition(ChainStates(chain.states().rules(), n), [&](std::span<const Label> history,
                                                                    Label label, Index gram) {
      std::vector<Label> before;
      for (const Label y : history) {
        if (old_label[static_cast<Index>(y)] == ChainStates::kNone) return;
        before.push_back(static_cast<Label>(old_label[static_cast<Index>(y)]));
      }
      const Index to = old_label[static_cast<Index>(label)];
      if (to == ChainStates::kNone) return;
      const Index old_gram = find_gram(old_states, before, static_cast<Label>(to));
      if (old_gram == ChainStates::kNone) return;
      copy(chain.grams().levels[level][gram], old.grams().levels[level][old_gram]);
    });
  }
  for (Index j = 0; j < old_label.size(); ++j) {
    if (old_label[j] != ChainStates::kNone) {
      copy(chain.grams().stop[j], old.grams().stop[old_label[j]]);
    }
  }
}

// Correct, predicted and true spans; for plain labels, counts of tokens.
std::vector<double> tally_of(const TagScores& scores) {
  const MatchCounts counts = scores.overall();
  return {static_cast<double>(counts.correct), static_cast<double>(counts.found),
          static_cast<double>(counts.gold)};
}

// The chain over the features of data and options; owns everything that its model views.
class TagTrainable final : public Trainable {
 public:
  TagTrainable(TagData& data, const TrainOptions& options)
      : data_(data), set_(data.set), options_(options) {
    const TransitionRules rules = options.allow_illegal || set_.model_scheme == TagScheme::kPlain
                                      ? TransitionRules(set_.labels.size())
                                      : transition_rules(set_.labels, set_.model_scheme);
    const auto states = std::make_shared<const ChainStates>(rules, options.order);
    ChainFeatureOptions features = options.features;
    features.label_grams = data.features.has_plain_transitions();
    if (options.kernel) features.nodes = FeatureSet::kAll;  // pivots have weights for all labels
    chosen_ = choose_chain_features(*states, features, set_.nodes.size(),
                                    data.features.has_edge_attributes() ? set_.edges.size() : 0,
                                    *set_.examples);
    const Index n = set_.labels.size();
    chain_ = std::make_unique<ChainFeatures>(states, chosen_.node_rows.view(n),
                                             chosen_.edge_rows.view(n * (n + 1)), chosen_.grams);
    costs_ = label_costs(set_.labels, options.label_weights);
    cost_table_ = CostTable::weighted_hamming(costs_);
    model_ = std::make_unique<ChainModel>(*chain_, *set_.examples, *cost_table_);
    if (chain_->num_features() == 0) {
      throw InputError(set_.file, 0,
                       "no feature of the template occurs often enough (--min-count)");
    }
    check_truth();
    if (set_.kernel != nullptr && set_.kernel->training.group() != nullptr) {
      kernelised_.emplace(*model_, *set_.kernel->training.group());
    }
    if (data.dev) {
      held_out_ =
          std::make_unique<HeldOut>(*data.dev, data.set, chosen_.node_ids, chosen_.edge_ids);
    }
    if (options.warm_start != nullptr) {
      start_ =
          warm_weights(*options.warm_start, data.set, *chain_, chosen_.node_ids, chosen_.edge_ids);
    }
    whole_ = trial({}, [this](std::span<const double> w) { return dev_scores(w); });
  }

  const ChainFeatures& chain() const { return *chain_; }
  TagScores dev_scores(std::span<const double> w) const {
    std::vector<double> expanded(w.begin(), w.end());
    to_pivot_weights(expanded);
    return held_out_->evaluate(*chain_, expanded, options_.training.threads);
  }
  std::vector<std::string> unseen_dev_labels() const {
    return held_out_ == nullptr ? std::vector<std::string>() : held_out_->unseen_labels();
  }
  // The parts of the model file; the weights become those of the pivots themselves.
  TagModelParts parts(Learned& learned) const {
    TagModelParts parts;
    parts.labels = set_.labels;
    parts.features = &data_.features;
    parts.chain = chain_.get();
    parts.nodes = &set_.nodes;
    parts.edges = &set_.edges;
    parts.node_ids = chosen_.node_ids;
    parts.edge_ids = chosen_.edge_ids;
    parts.kernel = set_.kernel.get();
    to_pivot_weights(learned.w);
    for (Voter& voter : learned.fitted.voters) {
      to_pivot_weights(voter.weights);
      parts.weights.emplace_back(voter.weights);
      parts.votes.push_back(voter.votes);
    }
    if (parts.votes.empty()) parts.weights.emplace_back(learned.w);
    return parts;
  }

  // Everything that determines the bits of the result, except the learner's options: the data, the
  // chosen features, the costs of mistakes, and the initial weights.
  std::string identity() const {
    std::uint64_t h = combine(set_.digest, data_.dev ? data_.dev->digest : 0);
    h = digest(chosen_.node_rows.targets, h);
    h = digest(chosen_.edge_rows.targets, h);
    h = digest(costs_, h);
    h = digest(start_, h);
    return fmt::format("tag d={} digest={:016x}", chain_->dimension(), h);
  }

  const Trial& whole() const override { return *whole_; }
  Index num_examples() const override { return set_.examples->num_examples(); }
  bool has_dev() const override { return held_out_ != nullptr; }
  std::unique_ptr<Trial> fold(Index k, Index folds) const override {
    const std::vector<Index> held = sequences_of_fold(set_, k, folds, options_.training.seed);
    return trial(without(held, set_.examples->num_examples()),
                 [this, held](std::span<const double> w) { return scores_on(held, w); });
  }
  double figure(std::span<const double> tally) const override {
    const auto count = [](double value) { return static_cast<Index>(value); };
    return watched_figure(set_.file_scheme, {count(tally[2]), count(tally[1]), count(tally[0])});
  }
  std::string_view figure_name() const override { return watched_name(set_.file_scheme); }

 private:
  template <class Judge>
  std::unique_ptr<Trial> trial(std::vector<Index> sequences, const Judge& judge) const {
    auto fit = [this, sequences = std::move(sequences)](const FitCall& call) {
      FitCall chosen = call;
      chosen.examples = sequences;
      return kernelised_ ? fit_kernel(*model_, *set_.kernel->training.group(), chosen)
                         : trellis::fit(*model_, chosen);
    };
    return std::make_unique<JudgedTrial>(
        chain_->dimension(), std::move(fit),
        [judge](std::span<const double> w) { return tally_of(judge(w)); }, start_);
  }

  // Scores on sequences of the training set, with the part scores of training.
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
      kernelised_ ? kernelised_->scores(i, w, s) : model_->scores(i, w, s);
      structure.maximize(s, scratch, found);
      scores.add(gold_texts.write(model_->gold(i)), found_texts.write(found));
    }
    return scores;
  }

  void to_pivot_weights(std::span<double> w) const {
    if (set_.kernel == nullptr) return;
    set_.kernel->training.to_pivot_weights(w, chosen_.node_ids, set_.labels.size());
  }

  // A partially labelled sequence must allow at least one legal labelling.
  void check_truth() const {
    if (!set_.examples->partially_labelled()) return;
    Chain::Scratch scratch;
    std::vector<double> zeros;
    for (Index i = 0; i < set_.examples->num_examples(); ++i) {
      const Chain truth = model_->truth_structure(i);
      zeros.assign(truth.num_parts(), 0.0);
      if (std::isinf(truth.log_partition(zeros, scratch))) {
        throw InputError(
            set_.places[i].file, set_.places[i].line,
            "expected labels that allow a legal labelling of this sequence, found none");
      }
    }
  }

  TagData& data_;
  TrainingSet& set_;
  const TrainOptions& options_;
  ChosenChainFeatures chosen_;
  std::unique_ptr<ChainFeatures> chain_;
  std::vector<double> costs_;  // of missing each label
  std::optional<CostTable> cost_table_;
  std::unique_ptr<ChainModel> model_;
  std::optional<KernelChainModel<ChainModel>> kernelised_;  // with an implicit kernel
  std::unique_ptr<HeldOut> held_out_;
  std::vector<double> start_;
  std::unique_ptr<Trial> whole_;
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

// How the model was made; the same for two runs of the same call.
Value provenance(const TrainResult& result, const TrainOptions& options) {
  Value training;
  put_provenance(result.learned, options.training.seed, training);
  training["order"] = options.order;
  training["sequences"] = result.sequences;
  training["tokens"] = result.tokens;
  training["attributes"] = result.attributes;
  training["weights"] = result.weights;
  training["min_count"] = options.features.min_count;
  if (options.kernel) training["kernel"] = to_string(*options.kernel);
  if (options.implicit) training["implicit"] = true;
  if (result.dev) {
    training["dev_" + std::string(result.dev->figure_name())] = result.dev->figure();
  }
  return training;
}

void apply_kernel(const TrainOptions& options, const TrainEvents& events, TrainingSet& set) {
  if (!options.kernel) return;
  const Index dimensions = set.nodes.size();
  apply_kernel(*options.kernel, {options.kernel_rank, options.implicit, set.options.threads}, set);
  events.phase(fmt::format("kernel {} over {} attributes: {} pivots, residual {:.1e}",
                           to_string(*options.kernel), dimensions,
                           set.kernel->training.pivots().size(), set.kernel->training.residual()));
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
    // Predictions hardly change beyond this; a certificate requires more iterations.
    LearnerOptions settled;
    settled.delta = 2e-4;
    task.rows = {{{kDca}, TaskDefaults::Losses::kAny, dca},
                 {{kLbfgs}, TaskDefaults::Losses::kAny, lbfgs},
                 {{kLbfgs}, TaskDefaults::Losses::kAny, settled, false, true}};
    task.grid = {1, 10};
    task.besides = {{"l1", {0, 0.1}}};
    task.delta_to_compare = 1e-3;
    task.few_examples = 200;  // each sentence has many labels
    return task;
  }();
  return table;
}

Able able(bool implicit) {
  Able able = able_of<ChainModel>();
  able.implicit = implicit;
  return able;
}

LearnerChoice plan(const TrainOptions& options, const TrainingSetOptions& data) {
  if (options.order < 1 || options.order > ChainStates::kMaxOrder) {
    throw UsageError(
        fmt::format("--order must be 1 to {}, not {}", ChainStates::kMaxOrder, options.order));
  }
  if (data.hash_bits < 0 || data.hash_bits > AttributeIndex::kMaxHashBits) {
    throw UsageError(fmt::format("--hash-bits must be 1 to {} (0: no hashing), not {}",
                                 AttributeIndex::kMaxHashBits, data.hash_bits));
  }
  require_fit(options, data);
  return choose(options.training.learner, defaults(), able(options.implicit), data.partial,
                options.warm_start != nullptr);
}

TagData read_tag_data(std::vector<SequenceReader> files, std::optional<InputFile> dev,
                      FeatureTemplate features, TrainingSetOptions options,
                      const TagModel* warm_start) {
  std::vector<std::string> known_labels;
  if (warm_start != nullptr) {
    if (warm_start->voted()) {
      throw UsageError(
          "--warm-start requires a model with one weight vector: a voted model has many");
    }
    if (warm_start->hash_bits() != options.hash_bits) {
      throw UsageError("the model of --warm-start has another number of --hash-bits");
    }
    known_labels = warm_start->labels();
    options.model_scheme = warm_start->format().model_scheme;
  }
  TrainingSet set = read_training_set(std::move(files), features, options, known_labels);
  std::optional<HeldOutSentences> held_out;
  if (dev) held_out = read_held_out(*std::move(dev), features, set);
  return {std::move(features), std::move(set), std::move(held_out)};
}

TagData read_tag_data(std::vector<InputFile> files, std::optional<InputFile> dev,
                      FeatureTemplate features, TrainingSetOptions options,
                      const TagModel* warm_start) {
  std::vector<SequenceReader> readers = sequences_of(std::move(files), options);
  return read_tag_data(std::move(readers), std::move(dev), std::move(features), options,
                       warm_start);
}

std::vector<double> warm_weights(const TagModel& model, const TrainingSet& set,
                                 const ChainFeatures& chain, std::span<const AttributeId> node_ids,
                                 std::span<const AttributeId> edge_ids) {
  const ChainFeatures& old = model.chain();
  const double* w = model.weights().data();
  const std::vector<Index> old_label = old_labels(model, set.labels);
  const auto old_pair = [&](Index pair) {
    const Index to = old_label[pair % old_label.size()];
    if (to == ChainStates::kNone || pair < old_label.size()) return to;
    const Index from = old_label[pair / old_label.size() - 1];
    return from == ChainStates::kNone ? from : (1 + from) * model.labels().size() + to;
  };
  std::vector<double> weights(chain.dimension(), 0.0);
  copy_rows(
      set.nodes, node_ids, chain.node_rows(), model.nodes(), old.node_rows(), w,
      [&](Index label) { return old_label[label]; }, weights.data());
  copy_rows(set.edges, edge_ids, chain.edge_rows(), model.edges(), old.edge_rows(),
            w + old.edge_begin(), old_pair, weights.data() + chain.edge_begin());
  copy_grams(old, w + old.gram_begin(), chain, old_label, weights.data() + chain.gram_begin());
  chain.clear_padding(weights);
  return weights;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["sequences"] = sequences;
  record["tokens"] = tokens;
  record["labels"] = labels;
  record["attributes"] = attributes;
  record["weights"] = weights;
  if (lambda > 0) record["lambda"] = lambda;
  if (dev) record["dev"] = dev->record();
  return record;
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
  const Stopwatch watch;
  LearnerChoice choice = plan(options, data.set.options);
  choice.partial = data.set.examples->partially_labelled();
  TrainResult result;
  result.sequences = data.set.examples->num_examples();
  result.tokens = data.set.examples->num_positions();
  result.labels = data.set.labels.size();
  apply_kernel(options, events, data.set);
  const TagTrainable trainable(data, options);
  const ChainFeatures& chain = trainable.chain();
  result.attributes = chain.node_rows().num_attributes() + chain.edge_rows().num_attributes();
  result.weights = chain.num_features();
  result.unseen_dev_labels = trainable.unseen_dev_labels();
  events.phase(fmt::format("{} attributes, {} weights", result.attributes, result.weights));
  TaskDefaults silent = defaults();
  if (options.kernel) silent.besides.clear();  // the L1 norm is about single attributes
  result.learned = learn(trainable, choice, silent, options.training, trainable.identity(), events);
  result.lambda = result.learned.choice.lambda(result.sequences);
  Trained trained;
  if (result.learned.usable()) {
    const bool voted = !result.learned.fitted.voters.empty();
    if (trainable.has_dev() && !voted) result.dev = trainable.dev_scores(result.learned.w);
    TagModelParts parts = trainable.parts(result.learned);
    parts.format = format_of(data.set, options.word_column);
    parts.training = provenance(result, options);
    trained.model = TagModel::from_parts(parts);
  }
  result.seconds.total = watch.seconds();
  trained.result = std::move(result);
  return trained;
}

}  // namespace trellis::tag
