#include "trellis/tasks/parse/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/tasks/parse/arc_trainable.h"
#include "trellis/tasks/parse/output/evaluate.h"

namespace trellis::parse {
namespace {

// Without a dev set, one sentence in this many is held out from the filter's training, to measure
// the filter's loss.
constexpr Index kFilterHoldOut = 10;

bool has_crossing_arcs(const Sentence& sentence) {
  const auto n = static_cast<std::uint32_t>(sentence.size());
  for (std::uint32_t a = 1; a <= n; ++a) {
    const auto [low, high] = std::minmax(a, sentence.word(a).head);
    for (std::uint32_t b = low + 1; b < high; ++b) {
      const std::uint32_t head = sentence.word(b).head;
      if (head < low || head > high) return true;
    }
  }
  return false;
}

PairInference inference_of(const TrainOptions& options, const LearnerChoice& choice) {
  return options.inference.value_or(choice.loss.hinge() ? PairInference::kRelaxed
                                                        : PairInference::kReweighted);
}

// A tagger, and the treebanks with its tags, as a parser sees them.
struct TaggedTreebanks {
  SentenceTagger tagger;
  Treebank treebank;
  std::optional<Treebank> dev;
  TrainResult::Tagging tagging;
};

Treebank with_sentences(const Treebank& from, std::vector<Sentence> sentences) {
  return {from.file,  std::move(sentences), from.left_out,
          from.words, from.single_root,     combine(from.digest, fingerprint("tagged"))};
}

// Empty if interrupted.
std::optional<TaggedTreebanks> tag_treebanks(const Treebank& treebank, const Treebank* dev,
                                             const TrainOptions& options,
                                             const TrainEvents& events) {
  const TaggerOptions tagging{options.jackknife.value_or(TaggerOptions().jackknife),
                              options.training.seed, options.training.threads};
  events.phase(fmt::format("training the tagger, {} times", tagging.jackknife + 1));
  auto learned = learn_tags(treebank.sentences, tagging, events);
  if (!learned) return std::nullopt;
  TaggedTreebanks tagged{std::move(learned->tagger),
                         with_sentences(treebank, std::move(learned->sentences)),
                         {},
                         {tagging.jackknife, learned->jackknifed, {}}};
  if (dev != nullptr) {
    std::vector<Sentence> sentences = dev->sentences;
    SentenceTagger::Scratch scratch;
    TaggingCounts& counts = tagged.tagging.dev.emplace();
    for (Index i = 0; i < sentences.size(); ++i) {
      tagged.tagger.tag(Retag::kAll, sentences[i], scratch);
      counts.add(dev->sentences[i], sentences[i], tagged.tagger.has_fine());
      tagged.tagger.hide_unlearned(sentences[i]);
    }
    tagged.dev = with_sentences(*dev, std::move(sentences));
  }
  events.phase(tagged.tagging.to_text());
  return tagged;
}

class ParseTraining {
 public:
  // `tagged`: the source of the treebanks; null: they are unchanged.
  ParseTraining(const Treebank& treebank, const Treebank* dev, const TaggedTreebanks* tagged,
                const TrainOptions& options, const TrainEvents& events)
      : treebank_(treebank),
        dev_(dev),
        tagged_(tagged),
        options_(options),
        events_(events),
        choice_(plan(options)),
        filter_options_(options.filter_options()) {
    choose_roots();
    choose_sentences();
    tags_ = TagNumbers(coarse_tags(sentences_));
    labels_ = labels_of(sentences_);
    if (labels_.size() > kMostLabels) {
      throw InputError(
          treebank.file, 0,
          fmt::format("expected at most {} labels of arcs, found {}", kMostLabels, labels_.size()));
    }
    result_.labels = labels_.size();
    min_count_ =
        options.min_count.value_or(result_.words < TrainOptions::kManyWords ? Index{1} : Index{2});
    find_unseen_labels();
  }

  Trained run() {
    Trained trained;
    if (!make_filter()) {
      result_.learned.interrupted = true;
      trained.result = std::move(result_);
      return trained;
    }
    number_features();
    fit_weights();
    if (result_.learned.usable()) trained.model = make_model();
    trained.result = std::move(result_);
    return trained;
  }

 private:
  void choose_roots() {
    const RootRule rule =
        options_.roots.value_or(treebank_.single_root ? RootRule::kOne : RootRule::kAny);
    result_.one_root = rule == RootRule::kOne;
    shape_ = {{result_.one_root ? Roots::kOne : Roots::kAny, options_.projective}, options_.order};
    if (result_.one_root && !treebank_.single_root) {
      throw InputError(treebank_.file, 0,
                       "expected sentences with one root each, found one with several");
    }
  }

  // Leaves out trees that the structure cannot represent.
  void choose_sentences() {
    for (const Sentence& sentence : treebank_.sentences) {
      if (shape_.trees.projective && has_crossing_arcs(sentence)) {
        ++result_.crossing;
      } else {
        sentences_.push_back(sentence);
        result_.words += sentence.size();
      }
    }
    result_.sentences = sentences_.size();
    result_.too_long = treebank_.left_out;
    if (sentences_.empty()) {
      throw InputError(treebank_.file, 0, "expected sentences without crossing arcs, found none");
    }
    if (result_.crossing > 0) {
      events_.phase(fmt::format("skipped {} sentences with crossing arcs", result_.crossing));
    }
  }

  void find_unseen_labels() {
    if (dev_ == nullptr) return;
    std::set<std::string> unseen;
    for (const Sentence& sentence : dev_->sentences) {
      for (const Word& word : sentence.words) {
        if (labels_.find(word.label) == NameList::kNone) unseen.insert(word.label);
      }
    }
    result_.unseen_dev_labels = {unseen.begin(), unseen.end()};
  }

  bool make_filter() {
    if (!filter_options_.prune) {
      filter_ = ArcFilter({}, filter_options_, shape_.trees);
      return true;
    }
    events_.phase("training the filter of arcs");
    std::vector<Sentence> learned, held;
    if (dev_ == nullptr && sentences_.size() >= kFilterHoldOut) {
      for (Index i = 0; i < sentences_.size(); ++i) {
        ((i + 1) % kFilterHoldOut == 0 ? held : learned).push_back(sentences_[i]);
      }
    }
    const FilterTraining training{shape_.trees, shape_.order == 2, options_.training.seed,
                                  options_.training.threads, events_.stop};
    auto trained = train_filter(learned.empty() ? sentences_ : learned, tags_, training);
    if (!trained) return false;
    trained_filter_ = *std::move(trained);
    filter_ = ArcFilter(trained_filter_.weights(), filter_options_, shape_.trees);
    result_.recall_on_dev = dev_ != nullptr;
    if (dev_ != nullptr || !held.empty()) {
      result_.recall = filter_recall(filter_, dev_ != nullptr ? dev_->sentences : held, tags_);
      events_.phase(fmt::format(
          "{:.2f} candidate heads per word, including the gold head for {:.2f} % of the words",
          result_.recall->heads_per_word(), result_.recall->recall()));
      result_.recall_on_train =
          filter_recall(filter_, learned.empty() ? sentences_ : learned, tags_);
      events_.phase(fmt::format(
          "on the training sentences of the filter: {:.2f} candidate heads per word, including the "
          "gold head for {:.2f} %",
          result_.recall_on_train->heads_per_word(), result_.recall_on_train->recall()));
    }
    return true;
  }

  void number_features() {
    sets_.emplace(tags_.size(), labels_.size());
    SentenceAtoms atoms;
    for (const Sentence& sentence : sentences_) {
      atoms.assign(sentence, tags_);
      const TrueArcs truth = true_arcs(sentence, labels_);
      for (Index m = 1; m <= truth.heads.size(); ++m) {
        const Index head = truth.heads[m - 1];
        sets_->add(atoms.tag(head), atoms.tag(m), direction_of_arc(head, m), truth.labels[m - 1]);
      }
      see_true_arcs(atoms, truth.heads, truth.labels, shape_, numbers_);
    }
    sets_->finish();
    numbers_.finish(min_count_);
    result_.arc_features = numbers_.num_arc_weights();
    result_.weights = numbers_.dimension();
    if (result_.weights == 0) {
      throw InputError(treebank_.file, 0, "no feature occurs at least --min-count times");
    }
    events_.phase(
        fmt::format("{} arc features, {} weights", result_.arc_features, result_.weights));
  }

  void fit_weights() {
    const LabelSets sets = sets_->sets();
    const ExampleMaker maker{tags_, labels_, sets, filter_, numbers_, shape_};
    const int threads = options_.training.threads;
    std::vector<ArcExample> examples = maker.make(sentences_, true, threads);
    std::vector<ArcExample> dev;
    std::span<const Sentence> dev_sentences;
    if (dev_ != nullptr) {
      dev_sentences = dev_->sentences;
      dev = maker.make(dev_sentences, false, threads);
    }
    const ArcWeights weights(numbers_, labels_.size());
    const ArcLesson lesson{sentences_, examples, dev_sentences, dev, labels_, weights};
    const auto trainable = make_trainable(lesson, {shape_, inference(), options_.limits, decoding(),
                                                   options_.training.seed, threads});
    result_.learned =
        learn(*trainable, choice_, defaults(), options_.training, identity(), events_);
    result_.lambda = result_.learned.choice.lambda(sentences_.size());
    if (dev_ != nullptr && result_.learned.tally.size() == 2) {
      dev_las_ = trainable->figure(result_.learned.tally);
    }
  }

  PairInference inference() const { return inference_of(options_, choice_); }

  DecodeOptions decoding() const {
    DecodeOptions decoding;
    decoding.decoding = options_.decoding;
    if (shape_.order == 2 && inference() != PairInference::kRelaxed) {
      decoding.sums = inference();
      decoding.limits.damping = options_.limits.damping;
    }
    return decoding;
  }

  std::string identity() const {
    const std::uint64_t digest = combine(treebank_.digest, dev_ == nullptr ? 0 : dev_->digest);
    return fmt::format("parse n={} d={} digest={:016x}", result_.sentences, result_.weights,
                       digest);
  }

  ParseModel make_model() {
    ParseModelParts parts;
    parts.labels = &labels_;
    parts.tags = &tags_;
    parts.sets = &*sets_;
    parts.shape = shape_;
    parts.decoding = decoding();
    parts.filter = filter_options_;
    parts.filter_weights = trained_filter_.weights();
    parts.numbers = &numbers_;
    parts.weights = result_.learned.w;
    if (tagged_ != nullptr) parts.tagger = &tagged_->tagger;
    parts.training = provenance();
    ParseModel model = ParseModel::from_parts(parts);
    if (dev_ != nullptr) {
      result_.dev = evaluate(model, dev_->sentences, options_.training.threads);
    }
    return model;
  }

  // How the model was made; the same for two runs of the same call.
  Value provenance() const {
    Value training;
    put_provenance(result_.learned, options_.training.seed, training);
    if (shape_.order == 2) {
      training["inference"] = std::string(to_string(inference())) + options_.limits.to_text();
    }
    training["sentences"] = result_.sentences;
    training["words"] = result_.words;
    training["weights"] = result_.weights;
    training["min_count"] = min_count_;
    if (dev_las_) training["dev_las"] = *dev_las_;
    if (tagged_ != nullptr) training["tagger"] = tagged_->tagging.to_text();
    if (result_.recall) {
      training["filter_recall"] = result_.recall->recall();
      training["heads_per_word"] = result_.recall->heads_per_word();
    }
    return training;
  }

  const Treebank& treebank_;
  const Treebank* dev_;
  const TaggedTreebanks* tagged_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  LearnerChoice choice_;
  FilterOptions filter_options_;
  ModelShape shape_;
  std::vector<Sentence> sentences_;
  TagNumbers tags_;
  NameList labels_;
  TrainedFilter trained_filter_;
  ArcFilter filter_;
  std::optional<LabelSetBuilder> sets_;
  FeatureNumbers numbers_;
  Index min_count_ = 1;
  std::optional<double> dev_las_;  // without punctuation
  TrainResult result_;
};

Able able_of_pairs(const std::optional<PairInference>& inference) {
  constexpr Able kHinge = able_of<ArcModel<RelaxedHigherOrderTree>>();
  constexpr Able kBounds = able_of<ArcModel<ReweightedTree>>();
  if (!inference) return kHinge | kBounds;
  switch (*inference) {
    case PairInference::kRelaxed:
      return kHinge;
    case PairInference::kReweighted:
      return kBounds;
    case PairInference::kBeliefs:
      return able_of<ArcModel<BeliefTree>>();
  }
  return {};
}

Able able_of_options(const TrainOptions& options) {
  if (options.order == 2) return able_of_pairs(options.inference);
  return options.projective ? able_of<ArcModel<ProjectiveTree>>()
                            : able_of<ArcModel<DependencyTree>>();
}

// If another inference works, the error message names it.
LearnerChoice choose_learner(const TrainOptions& options) {
  const LearnerOptions& said = options.training.learner;
  try {
    return choose(said, defaults(), able_of_options(options));
  } catch (const UsageError& error) {
    if (!options.inference) throw;
    choose(said, defaults(), able_of_pairs({}));
    throw UsageError(fmt::format(
        "with --inference {} {}; use --inference {}", to_string(*options.inference), error.what(),
        *options.inference == PairInference::kRelaxed ? "reweighted or beliefs" : "relaxed"));
  }
}

}  // namespace

const TaskDefaults& defaults() {
  using enum LearnerKind;
  static const TaskDefaults table = [] {
    TaskDefaults task{Loss::named("svm"), kDca, kDca};
    LearnerOptions dca;
    dca.loss = Loss::named("svm");
    dca.c = 1;
    dca.epochs = 8;
    task.rows = {{{kDca}, TaskDefaults::Losses::kAny, dca}};
    task.grid = {0.1, 1};
    return task;
  }();
  return table;
}

Able able() {
  return able_of<ArcModel<DependencyTree>>() | able_of<ArcModel<ProjectiveTree>>() |
         able_of_pairs({});
}

LearnerChoice plan(const TrainOptions& options) {
  if (options.jackknife && !options.tagger) {
    throw UsageError("--jackknife requires --tagger");
  }
  if (options.order != 1 && options.order != 2) {
    throw UsageError(fmt::format("--order must be 1 or 2, not {}", options.order));
  }
  if (options.inference && options.order == 1) {
    throw UsageError("--inference requires --order 2; a first-order parser is exact");
  }
  ArcFilter({}, options.filter_options(), {});  // checks its options
  if (options.order == 1 && options.limits.any()) {
    throw UsageError(
        "--inference-iterations, --inference-tolerance and --damping require --order 2; a "
        "first-order parser is exact");
  }
  LearnerChoice choice = choose_learner(options);
  if (options.inference && choice.loss.hinge() != (*options.inference == PairInference::kRelaxed)) {
    throw UsageError(choice.loss.hinge()
                         ? "the hinge requires --inference relaxed"
                         : "a smooth loss requires --inference reweighted or beliefs");
  }
  options.limits.check(inference_of(options, choice));
  refuse_voters(choice, options.training, defaults(), "a parser");
  return choice;
}

Value TrainResult::Tagging::record() const {
  Value record = Value::record({{"folds", folds}, {"jackknifed", jackknifed.record()}});
  if (dev) record["dev"] = dev->record();
  return record;
}

std::string TrainResult::Tagging::to_text() const {
  std::string text = fmt::format("correct tags in {} folds: {}", folds, jackknifed.to_text());
  if (dev) text += fmt::format("; on the dev set: {}", dev->to_text());
  return text;
}

FilterOptions TrainOptions::filter_options() const {
  FilterOptions options = filter;
  if (prune_below) {
    options.limits.prune_below = *prune_below;
  } else if (order == 2) {
    options.limits.prune_below = kPruneBelowForPairs;
  }
  return options;
}

Value TrainResult::record() const {
  Value record;
  put_learned(learned, seconds, record);
  record["sentences"] = sentences;
  record["words"] = words;
  record["labels"] = labels;
  record["too_long"] = too_long;
  record["crossing"] = crossing;
  record["one_root"] = one_root;
  record["arc_features"] = arc_features;
  record["weights"] = weights;
  if (lambda > 0) record["lambda"] = lambda;
  if (recall) {
    record["filter"] = Value::record({{"recall", recall->recall()},
                                      {"heads_per_word", recall->heads_per_word()},
                                      {"on", recall_on_dev ? "dev" : "held out"},
                                      {"train_recall", recall_on_train->recall()},
                                      {"train_heads_per_word", recall_on_train->heads_per_word()}});
  }
  if (tagging) record["tagger"] = tagging->record();
  if (dev) record["dev"] = dev->record();
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (learned.fitted.eta > 0) notes.push_back(fmt::format("learning rate {}", learned.fitted.eta));
  if (dev) {
    const AttachmentCounts& counts = dev->counts(Punctuation::kLeftOut);
    notes.push_back(fmt::format("best on {}: UAS {:.2f}, LAS {:.2f} without punctuation (epoch {})",
                                dev_name, counts.uas(), counts.las(), learned.best_epoch));
  }
  return notes;
}

Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events) {
  const Stopwatch watch;
  Trained trained;
  if (!options.tagger) {
    trained = ParseTraining(treebank, dev, nullptr, options, events).run();
  } else if (const auto tagged = tag_treebanks(treebank, dev, options, events)) {
    trained = ParseTraining(tagged->treebank, tagged->dev ? &*tagged->dev : nullptr, &*tagged,
                            options, events)
                  .run();
    trained.result.tagging = tagged->tagging;
  } else {
    trained.result.learned.interrupted = true;
  }
  trained.result.seconds.total = watch.seconds();
  return trained;
}

}  // namespace trellis::parse
