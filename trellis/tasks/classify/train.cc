#include "trellis/tasks/classify/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/dials.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/generative/naive_bayes.h"
#include "trellis/problem/labels/multiclass_model.h"
#include "trellis/tasks/classify/document_trainable.h"
#include "trellis/tasks/classify/gram_trainable.h"
#include "trellis/tasks/classify/kernel_variants.h"
#include "trellis/tasks/label_costs.h"

namespace trellis::classify {
namespace {

// Naive Bayes has no options of learners.
void require_naive_bayes(const TrainOptions& options) {
  const TrainingOptions& training = options.training;
  const LearnerOptions& said = training.learner;
  if (said.loss || said.beta || said.gamma) {
    throw UsageError(
        "naive Bayes minimises no loss: it cannot be combined with --loss, --beta or --gamma");
  }
  const auto refuse = [](std::string_view what) {
    throw UsageError(
        fmt::format("naive Bayes cannot be combined with {}: its only setting is --alpha", what));
  };
  for (const Dial& dial : dials()) {
    if (dial.said(said)) refuse(fmt::format("--{}", dial.name));
  }
  if (!training.candidates.empty()) refuse("--" + training.candidates.front().dial);
  if (training.folds > 0 || training.path) refuse("--cv or --path");
  if (!options.label_weights.empty()) refuse("label weights");
  if (options.kernel) refuse("kernel");
  if (training.resume) {
    throw UsageError("naive Bayes trains in one pass: --resume is not possible");
  }
  if (options.complement && options.bernoulli) {
    throw UsageError("--complement and --bernoulli cannot be combined");
  }
  const double alpha = options.alpha.value_or(1);
  if (!(alpha > 0) || std::isinf(alpha)) {
    throw UsageError(fmt::format("--alpha must be a positive number, not {}", alpha));
  }
}

// Vectors of 0 and 1 (Bernoulli). The weights of absent features are in the bias.
void require_bits(DataOptions& data) {
  if (data.weighting.value_or(Weighting::kBinary) != Weighting::kBinary ||
      data.normalize.value_or(false)) {
    throw UsageError(
        "--bernoulli uses binary features: it cannot be combined with --weighting or --normalize");
  }
  if (!data.bias)
    throw UsageError(
        "--bernoulli requires the constant feature: it cannot be combined with --no-bias");
  data.weighting = Weighting::kBinary;
  data.normalize = false;
}

// Chooses the learner, the loss and their options; refuses options that do not fit together.
LearnerChoice choose_learner(const TrainOptions& options) {
  if (options.naive_bayes) {
    require_naive_bayes(options);
    return {};
  }
  if (options.complement || options.bernoulli || options.alpha) {
    throw UsageError(
        fmt::format("--{} requires --learner naive-bayes", options.complement  ? "complement"
                                                           : options.bernoulli ? "bernoulli"
                                                                               : "alpha"));
  }
  require_kernel_fits(options.kernel, options.kernel_rank.has_value(), options.implicit,
                      options.training.learner.l1.value_or(0) > 0);
  LearnerChoice choice = choose(options.training.learner, defaults(), able(options.implicit));
  refuse_voters(choice, options.training, defaults(), "a classifier");
  return choice;
}

void tell_scale(const ClassifyData& data, const TrainEvents& events) {
  if (data.scale.empty()) return;
  const Index shifted = data.scale.num_shifted();
  const Index all = data.vocabulary.size() - (data.bias == kNoAttribute ? 0 : 1);
  const bool range = data.scaling == Scaling::kRange;
  std::string what;
  if (shifted > 0) {
    what = fmt::format("{} columns to {}", shifted,
                       range ? "-1 ... 1" : "mean 0 and standard deviation 1");
  }
  if (shifted < all) {
    what +=
        fmt::format("{}{} columns to a largest value of 1", shifted > 0 ? ", " : "", all - shifted);
  }
  events.phase(fmt::format("scaled {} (use --scale none to keep them unchanged)", what));
}

constexpr const char* kNoScaledCounts =
    "naive Bayes requires counts: it cannot be combined with --scale";
constexpr Index kManyWeights = 1'000'000;
constexpr Index kFewestForKernels = 50;

// Whether an option is given that the dual learner lacks or uses differently.
bool has_smooth_dial(const TrainingOptions& options) {
  const auto lacks = [](const Dial& dial) {
    return !dial.learners.has(defaults().hinge) || dial.name == "epsilon";
  };
  const auto all = dials();
  return std::any_of(all.begin(), all.end(),
                     [&](const Dial& dial) { return dial.said(options.learner) && lacks(dial); }) ||
         std::any_of(options.candidates.begin(), options.candidates.end(),
                     [&](const Candidates& one) { return lacks(dial(one.dial)); });
}

// One training; the methods stand in the order of its steps.
class ClassifyTraining {
 public:
  ClassifyTraining(const ClassifyData& data, const HeldOutSet* dev, const TrainOptions& options,
                   const TrainEvents& events)
      : data_(data), dev_(dev), options_(options), events_(events), kernel_(options.kernel) {
    result_.naive_bayes = options.naive_bayes;
    result_.documents = data.documents.size();
    result_.labels = data.labels.size();
    result_.features = data.vocabulary.size();
    result_.scaling = data.scaling;
    if (dev != nullptr) result_.unseen_dev_labels = dev->unseen_labels;
  }

  Trained run() {
    const Stopwatch watch;
    choose_learner(options_);  // for its UsageErrors
    options_.naive_bayes ? estimate(watch) : learn(choose_learner(fitting_options()));
    result_.weights = weights_.size();
    result_.seconds.total = watch.seconds();
    Trained trained;
    if (result_.learned.usable()) trained.model = model();
    trained.result = std::move(result_);
    return trained;
  }

 private:
  // L-BFGS needs memory for more than twenty weight vectors. With many weights, and if no learner
  // was given, dual ascent needs one, and a number for each document and label.
  TrainOptions fitting_options() const {
    TrainOptions options = options_;
    LearnerOptions& said = options.training.learner;
    const bool many = data_.vocabulary.size() * data_.labels.size() > kManyWeights;
    const bool smooth = !said.learner && choose_learner(options).learner == defaults().smooth;
    if (many && smooth && !kernel_ && !has_smooth_dial(options.training)) {
      said.learner = defaults().hinge;  // accepts every loss here
    }
    return options;
  }

  DocumentTrainableOptions trainable_options() const {
    DocumentTrainableOptions options;
    options.kernel = kernel_;
    options.kernel_rank = options_.kernel_rank.value_or(0);
    options.implicit = options_.implicit;
    options.gram = by_gram();
    options.costs = label_costs(data_.labels, options_.label_weights);
    options.seed = options_.training.seed;
    options.threads = options_.training.threads;
    return options;
  }

  // For few documents, SMO with all kernel values in memory is exact, and faster than with features
  // of pivots.
  bool by_gram() const {
    return kernel_ && learner_ == defaults().hinge && !options_.kernel_rank && !options_.implicit &&
           fits_gram(data_, dev_);
  }

  void tell_kernel() const {
    if (!kernel_ || by_gram()) return;
    events_.phase(fmt::format("kernel {}: {} pivots, residual {:.1e}", to_string(*kernel_),
                              trainable_->kernel()->size(), trainable_->residual()));
  }

  // Identifies the run; a checkpoint must have the same identity.
  std::string identity() const {
    std::uint64_t digest = data_.documents.digest();
    if (dev_ != nullptr) digest = combine(digest, dev_->documents.digest());
    const std::vector<double> costs = label_costs(data_.labels, options_.label_weights);
    digest = fingerprint({reinterpret_cast<const char*>(costs.data()), costs.size() * 8}, digest);
    return fmt::format("classify n={} digest={:016x}", result_.documents, digest);
  }

  // The given kernel or none; by default, the candidates that suit the data.
  std::vector<KernelVariant> kernels() const {
    const TrainingOptions& training = options_.training;
    const bool silent = training.choose && !training.path && training.candidates.empty() &&
                        !training.learner.learner && !training.learner.loss &&
                        !says_how_weights_are_held(training) && !kernel_ &&
                        data_.documents.size() >= kFewestForKernels && fits_gram(data_, dev_);
    if (silent) return kernel_variants(data_);
    return {{"", kernel_}};
  }

  const std::shared_ptr<DocumentTrainable>& trainable_with(const KernelVariant& variant) {
    if (variant.name == made_ && trainable_ != nullptr) return trainable_;
    made_ = variant.name;
    kernel_ = variant.kernel;
    trainable_.reset();
    trainable_ = make_trainable(data_, dev_, trainable_options());
    return trainable_;
  }

  void learn(const LearnerChoice& choice) {
    learner_ = choice.learner;
    const std::string identity = this->identity();
    const std::vector<KernelVariant> kernels = this->kernels();
    std::vector<Variant> variants;
    for (const KernelVariant& one : kernels) {
      variants.push_back({one.name, choice, [&] { return trainable_with(one); }, one.grid});
    }
    Learned& learned = result_.learned;
    learned = learn_best(variants, defaults(), options_.training, identity, events_);
    trainable_with(kernels[learned.variant]);
    tell_kernel();
    result_.lambda = learned.choice.lambda(result_.documents);
    if (!learned.usable()) return;
    weights_ = trainable_->model_weights(learned.w);
    learned.w = {};  // with its memory: weights may be many
    if (dev_ != nullptr) score_dev(trainable_->dev());
    keep_pivots();
    trainable_.reset();  // before the model is put together, which takes room, too
  }

  void score_dev(const Documents& dev) {
    const std::vector<Label> predicted =
        best_labels(dev, weights_, data_.labels.size(), options_.training.threads);
    result_.dev.emplace();
    for (Index i = 0; i < predicted.size(); ++i) {
      const Label gold = dev.labels[i];
      // Labels unknown to training always count as mistakes, so their text does not matter.
      result_.dev->add(gold == kNoLabel ? "(unseen)" : data_.labels[static_cast<Index>(gold)],
                       data_.labels[static_cast<Index>(predicted[i])]);
    }
  }

  // Naive Bayes. The bias is not a word of the vocabulary: its row contains the priors.
  void estimate(const Stopwatch& watch) {
    if (!data_.scale.empty()) throw UsageError(kNoScaledCounts);
    if (data_.below_zero) {
      throw InputError(
          data_.below_zero->file, data_.below_zero->line,
          "naive Bayes requires counts: expected values of at least 0, found a value below 0");
    }
    if (options_.bernoulli && (data_.features.weighting != Weighting::kBinary ||
                               data_.features.normalize || data_.bias == kNoAttribute)) {
      throw UsageError("Bernoulli naive Bayes requires a bias and vectors of 0 and 1");
    }
    const Index first = data_.bias == kNoAttribute ? 0 : 1;
    NaiveBayesCounts counts(data_.labels.size(), data_.vocabulary.size() - first);
    std::vector<AttributeId> ids;
    for (Index i = 0; i < data_.documents.size(); ++i) {
      ids.clear();
      for (const AttributeId a : data_.documents.attributes(i).subspan(first)) {
        ids.push_back(static_cast<AttributeId>(a - first));
      }
      counts.add(data_.documents.labels[i], ids, data_.documents.of(i).subspan(first));
    }
    const NaiveBayesEstimate estimate =
        naive_bayes(counts, {options_.alpha.value_or(0.1), naive_bayes_kind()});
    if (first == 1) weights_ = estimate.bias;
    weights_.insert(weights_.end(), estimate.weights.begin(), estimate.weights.end());
    if (dev_ != nullptr) score_dev(dev_->documents);
    tell_estimate(estimate.objective, watch.seconds());
  }

  NaiveBayesKind naive_bayes_kind() const {
    if (options_.complement) return NaiveBayesKind::kComplement;
    return options_.bernoulli ? NaiveBayesKind::kBernoulli : NaiveBayesKind::kMultinomial;
  }

  // A minimum in closed form: objective and bound are equal.
  void tell_estimate(double objective, double seconds) {
    EpochRecord record;
    record.epoch = 1;
    record.objective = record.bound = objective;
    record.passes = 1;
    record.seconds = seconds;
    if (result_.dev) {
      record.dev = result_.dev->accuracy();
      result_.learned.best_epoch = 1;
    }
    if (events_.on_epoch) events_.on_epoch(record);
    LearnSummary& summary = result_.learned.fitted.summary;
    summary.history = {record};
    summary.termination = Termination::kConverged;
    summary.objective = record.objective;
    summary.bound = record.bound;
    summary.epochs = 1;
    summary.seconds = record.seconds;
  }

  ClassifyModel model() const {
    ClassifyParts parts;
    parts.features = data_.features;
    if (data_.features.format == InputFormat::kText) parts.columns = data_.columns;
    parts.labels = data_.labels;
    const Vocabulary& vocabulary = data_.vocabulary;
    parts.keys = vocabulary.table().keys();
    parts.ids = vocabulary.table().ids();
    parts.names = NameView(vocabulary.name_ends(), vocabulary.names(), "the model");
    parts.idf = data_.idf;
    parts.factors = data_.scale.factors();
    parts.shifts = data_.scale.shifts();
    if (pivots_) {
      parts.kernel = pivots_->kernel();
      parts.pivot_ends = pivots_->rows().begin;
      parts.pivot_ids = pivots_->rows().ids;
      parts.pivot_values = pivots_->rows().values;
    }
    parts.weights = weights_;
    const Loss& loss = result_.learned.choice.loss;
    if (options_.naive_bayes && !options_.complement) parts.beta = 1;
    if (!options_.naive_bayes && !loss.hinge()) parts.beta = loss.beta;
    parts.training = std::make_shared<const Value>(provenance());
    return ClassifyModel::from_parts(std::move(parts));
  }

  // With a kernel: keeps the pivots with a weight; the others leave the table.
  void keep_pivots() {
    const KernelPivots* all = trainable_->kernel();
    if (all == nullptr) return;
    const Index num_labels = data_.labels.size();
    const Index first = weights_.size() / num_labels - all->size();
    SparseRows used;
    used.width = all->rows().width;
    for (Index p = 0; p < all->size(); ++p) {
      const auto row = weights_.begin() + static_cast<std::ptrdiff_t>((first + p) * num_labels);
      const auto end = row + static_cast<std::ptrdiff_t>(num_labels);
      if (std::all_of(row, end, [](double weight) { return weight == 0; })) continue;
      const Index place = (first + used.size()) * num_labels;
      std::copy(row, end, weights_.begin() + static_cast<std::ptrdiff_t>(place));
      used.add(all->rows().ids_of(p), all->rows().values_of(p));
    }
    weights_.resize((first + used.size()) * num_labels);
    result_.pivots = used.size();
    pivots_.emplace(all->kernel(), std::move(used));
  }

  // How the model was made; the same for two runs of the same call.
  Value provenance() const {
    Value training;
    if (options_.naive_bayes) {
      training["learner"] = kNaiveBayes;
      training["alpha"] = options_.alpha.value_or(0.1);
      training["complement"] = options_.complement;
      if (options_.bernoulli) training["bernoulli"] = true;
      put_provenance(result_.summary(), training);
    } else {
      put_provenance(result_.learned, options_.training.seed, training);
    }
    if (kernel_) training["kernel"] = to_string(*kernel_);
    if (options_.implicit) training["implicit"] = true;
    training["documents"] = result_.documents;
    training["features"] = result_.features;
    training["weights"] = result_.weights;
    training["min_count"] = data_.min_count;
    if (!data_.scale.empty()) training["scale"] = to_string(data_.scaling);
    if (result_.dev) {
      training["best_epoch"] = result_.learned.best_epoch;
      training["dev_accuracy"] = result_.dev->accuracy();
    }
    return training;
  }

  const ClassifyData& data_;
  const HeldOutSet* dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  std::optional<Kernel> kernel_;  // of the current training
  TrainResult result_;
  std::shared_ptr<DocumentTrainable> trainable_;
  LearnerKind learner_{};               // of this training
  std::string made_;                    // the variant of these
  std::vector<double> weights_;         // of the model
  std::optional<KernelPivots> pivots_;  // of the model, with a kernel
};

}  // namespace

const TaskDefaults& defaults() {
  static const TaskDefaults table = [] {
    using enum LearnerKind;
    using Losses = TaskDefaults::Losses;
    TaskDefaults made;
    made.loss = Loss::named("svm");
    made.smooth = kLbfgs;
    made.hinge = kSmo;
    const auto row = [&](const LearnerSet& learners, Losses losses) -> LearnerOptions& {
      made.rows.push_back({learners, losses, {}});
      return made.rows.back().values;
    };
    LearnerOptions& lbfgs = row({kLbfgs}, Losses::kAny);
    lbfgs.epsilon = 1e-4;
    lbfgs.delta = 1e-3;
    row({kSgd}, Losses::kAny).epochs = 20;
    row({kBmrm}, Losses::kAny).patience = 5;
    LearnerOptions& bcfw = row({kBcfw}, Losses::kAny);
    bcfw.epochs = 200;
    bcfw.average = true;
    bcfw.gap_every = 1;
    // Learners that reach the optimum of the hinge stop at a gap.
    row({kSmo, kBcfw, kBmrm, kExtragradient, kProjectedGradient, kStructuredSmo}, Losses::kHinge)
        .gap = 1e-3;
    row({kSmo}, Losses::kSmooth).gap = 1e-3;
    row({kDca}, Losses::kHinge).gap = 1e-3;
    made.rows.back().stored_dual = true;
    LearnerOptions& saddle_point = row({kExtragradient, kProjectedGradient}, Losses::kAny);
    saddle_point.epochs = 1000;
    saddle_point.gap_every = 10;
    // Below 0.1, text documents are far from their margins, and the metric has a spurious peak.
    made.grid = {0.1, 1, 10};
    made.few_examples = 5000;
    made.gap_to_compare = 1e-2;
    row(LearnerSet::all(), Losses::kHinge).c = 1;
    row(LearnerSet::all(), Losses::kSmooth).c = 10;
    return made;
  }();
  return table;
}

Able able(bool implicit) {
  Able able = able_of<MulticlassModel>();
  able.implicit = implicit;
  return able;
}

Trained train(const ClassifyData& data, const HeldOutSet* dev, const TrainOptions& options,
              const TrainEvents& events) {
  return ClassifyTraining(data, dev, options, events).run();
}

Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events) {
  const Stopwatch watch;
  choose_learner(options);
  DataOptions data_options = files.data;
  if (data_options.reader.columns && data_options.reader.format == InputFormat::kLibsvm) {
    throw UsageError("--columns requires text: LIBSVM files have no columns");
  }
  if (options.naive_bayes) {
    if (data_options.scaling == Scaling::kRange || data_options.scaling == Scaling::kDeviation) {
      throw UsageError(kNoScaledCounts);
    }
    data_options.scaling = Scaling::kNone;
  }
  if (options.bernoulli) require_bits(data_options);
  // Rennie et al. (2003) use weighted texts of length 1 for complement naive Bayes.
  data_options.counts = options.naive_bayes && !options.complement;
  const ClassifyData data = read_training_set({files.train.begin(), files.train.end()},
                                              data_options, options.training.threads);
  events.phase(fmt::format("read {} documents, {} labels, {} features", data.documents.size(),
                           data.labels.size(), data.vocabulary.size()));
  tell_scale(data, events);
  std::optional<HeldOutSet> dev;
  if (!files.dev.empty()) {
    dev = read_held_out(InputFile(files.dev), data);
    events.phase(fmt::format("evaluating each epoch on {} documents of {}", dev->documents.size(),
                             files.dev));
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(data, dev ? &*dev : nullptr, options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return trained;
}

}  // namespace trellis::classify
