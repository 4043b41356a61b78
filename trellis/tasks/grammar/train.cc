#include "trellis/tasks/grammar/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/fit/dials.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/choosing.h"
#include "trellis/tasks/grammar/model/span_model.h"
#include "trellis/tasks/grammar/span_trainable.h"
#include "trellis/tasks/grammar/tagging/grammar_tagger.h"

namespace trellis::grammar {
namespace {

// Without a dev set, one tree in this many is held out from a grammar to measure the filters.
constexpr Index kHoldOut = 10;
constexpr std::string_view kGenerativeLearner = "generative";

struct AddedTrees {
  TreebankGrammar treebank;
  std::vector<Derivation> derivations;

  AddedTrees(std::span<const ConstituencyTree> trees, const MarkovOrders& orders)
      : treebank(orders) {
    for (const ConstituencyTree& tree : trees) derivations.push_back(treebank.add(tree));
  }
};

// A generative grammar has no options of learners.
void require_generative(const TrainingOptions& training) {
  const LearnerOptions& said = training.learner;
  const auto refuse = [](std::string_view what) {
    throw UsageError(
        fmt::format("--generative minimises no loss: it cannot be combined with {}", what));
  };
  if (said.loss || said.beta || said.gamma) refuse("--loss");
  if (said.learner) refuse("--learner");
  for (const Dial& dial : dials()) {
    if (dial.said(said)) refuse(fmt::format("--{}", dial.name));
  }
  if (!training.candidates.empty()) refuse("--" + training.candidates.front().dial);
  if (training.folds > 0) refuse("--cv");
  if (training.path) refuse("--path");
}

class GrammarTraining {
 public:
  GrammarTraining(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
                  const TrainEvents& events)
      : treebank_(treebank),
        dev_(dev),
        options_(options),
        events_(events),
        choice_(plan(options)),
        added_(treebank.trees, options.orders) {
    require_size();
    const TreebankGrammar& made = added_.treebank;
    result_.generative = options.generative;
    result_.sentences = treebank.trees.size();
    result_.words = treebank.words;
    result_.too_long = treebank.left_out;
    result_.labels = made.labels().size();
    result_.tags = made.tags().size();
    result_.symbols = made.num_symbols();
    result_.binary_rules = made.binary().size();
    result_.chains = made.unary().size();
    folds_ = options.jackknife.value_or(std::min(TrainOptions::kFolds, treebank.trees.size()));
    min_count_ =
        options.min_count.value_or(result_.words < TrainOptions::kManyWords ? Index{1} : Index{2});
    grammar_.emplace(
        ParsingGrammar::from_trees(std::move(added_.treebank), treebank.trees, added_.derivations));
    events.phase(fmt::format("{} symbols, {} binary rules, {} chains", result_.symbols,
                             result_.binary_rules, result_.chains));
  }

  Trained run() {
    Trained trained;
    learn_tags();
    if (!stopped()) number_features();
    if (!stopped()) judge_filter();
    if (!options_.generative && !stopped()) learn_weights();
    if (stopped() && !result_.learned.interrupted && result_.learned.w.empty()) {
      result_.learned.interrupted = true;
    }
    if (result_.learned.usable()) trained.model = make_model();
    trained.result = std::move(result_);
    return trained;
  }

 private:
  bool stopped() const { return events_.stop.stop_requested(); }

  void require_size() const {
    const Index coarse = added_.treebank.coarse_names().size();
    if (coarse <= kMostCoarseSymbols) return;
    throw InputError(
        treebank_.file, 0,
        fmt::format("expected at most {} coarse symbols from labels and tags, found {}",
                    kMostCoarseSymbols, coarse));
  }

  SpanExamples::Options keeping(Index megabytes) const {
    return {megabytes << 20, options_.training.threads, events_.stop};
  }

  void learn_tags() {
    if (options_.generative || !options_.tagger) return;
    if (treebank_.trees.size() < 2 && !options_.jackknife) {
      events_.phase(
          "one tree is not enough to train a tagger: words get their tags from the grammar");
      return;
    }
    const int threads = options_.training.threads;
    const double least = options_.filter.least_tag();
    events_.phase(fmt::format("training the tagger, {} times", folds_ + 1));
    tagger_ = learn_tagger(treebank_.trees, grammar_->treebank().tags(),
                           {folds_, least, options_.training.seed, threads}, events_);
    if (!tagger_) return;
    result_.tag_accuracy = tagger_->accuracy();
    events_.phase(
        fmt::format("{:.2f} % of the jack-knifed tags are correct", *result_.tag_accuracy));
    if (dev_ == nullptr) return;
    std::vector<GrammarTagger::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
    dev_tags_.resize(dev_->trees.size());
    parallel_for(dev_tags_.size(), threads, [&](Index i, int worker) {
      tagger_->tagger.choose(dev_->trees[i].words(), least, scratch[static_cast<Index>(worker)],
                             dev_tags_[i]);
    });
  }
  std::span<const TagChoices> tags() const {
    return tagger_ ? std::span<const TagChoices>(tagger_->jackknifed)
                   : std::span<const TagChoices>();
  }

  // Numbers features in the order of occurrence.
  void number_features() {
    if (options_.generative) return;
    const ChartMaker maker(*grammar_, options_.filter);
    const Index n = treebank_.trees.size();
    std::vector<std::vector<std::uint32_t>> best(n);
    std::vector<ChartMaker::Scratch> scratch(
        static_cast<Index>(resolve_threads(options_.training.threads)));
    parallel_for(n, options_.training.threads, [&](Index i, int worker) {
      best[i] = maker.tags(treebank_.trees[i].words(), tagger_ ? &tags()[i] : nullptr,
                           scratch[static_cast<Index>(worker)]);
    });
    for (Index i = 0; i < n; ++i) {
      see_true_tree(grammar_->keys(), treebank_.trees[i].words(), best[i], added_.derivations[i],
                    numbers_);
    }
    numbers_.finish(min_count_);
    result_.weights = numbers_.dimension();
  }

  // Makes charts as a parser does, and counts how much of the true trees they contain.
  static bool judge_charts(SpanExamples& examples, FilterRecall& recall) {
    const ParsingGrammar& grammar = examples.maker().grammar();
    return examples.make_all([&](Index i, const SpanExample& example) {
      recall.add(grammar, grammar.treebank().derive(examples.trees().trees[i]), example);
    });
  }

  // Measures how much of unseen trees the filters keep; training evaluates on the charts of the dev
  // set, too.
  void judge_filter() {
    if (options_.generative && !options_.filter.prune) return;
    if (dev_ != nullptr) {
      maker_.emplace(*grammar_, options_.filter);
      dev_examples_.emplace(*maker_, options_.generative ? nullptr : &numbers_,
                            ChartedTrees{dev_->trees, dev_tags_, {}},
                            keeping(options_.generative ? 0 : options_.chart_megabytes / 4));
      result_.recall_on_dev = true;
      if (!judge_charts(*dev_examples_, result_.recall.emplace())) return;
    } else if (options_.filter.prune && treebank_.trees.size() >= kHoldOut) {
      judge_held_out();
    }
    if (!options_.filter.prune) {
      result_.recall.reset();
    } else if (result_.recall) {
      const FilterRecall& recall = *result_.recall;
      events_.phase(
          fmt::format("charts contain {:.2f} % of the brackets of {} trees, and {} of the {} trees "
                      "that the grammar has rules for",
                      recall.recall(), recall.trees, recall.whole, recall.derivable));
    }
  }

  void judge_held_out() {
    std::vector<ConstituencyTree> learned, held;
    std::vector<TagChoices> held_tags;
    for (Index i = 0; i < treebank_.trees.size(); ++i) {
      const bool hold = (i + 1) % kHoldOut == 0;
      (hold ? held : learned).push_back(treebank_.trees[i]);
      if (hold && tagger_) held_tags.push_back(tags()[i]);
    }
    AddedTrees added(learned, options_.orders);
    const ParsingGrammar grammar =
        ParsingGrammar::from_trees(std::move(added.treebank), learned, added.derivations);
    for (TagChoices& choices : held_tags) {
      choices.renumber(grammar_->treebank().tags(), grammar.treebank().tags());
    }
    const ChartMaker maker(grammar, options_.filter);
    SpanExamples examples(maker, nullptr, {held, held_tags, {}}, keeping(0));
    judge_charts(examples, result_.recall.emplace());
  }

  void learn_weights() {
    events_.phase("computing charts");
    if (!maker_) maker_.emplace(*grammar_, options_.filter);
    SpanExamples examples(*maker_, &numbers_, {treebank_.trees, tags(), added_.derivations},
                          keeping(options_.chart_megabytes));
    Index edges = 0;
    if (!examples.make_all(
            [&](Index, const SpanExample& example) { edges += example.chart.edges.size(); })) {
      return;
    }
    result_.edges_per_sentence =
        static_cast<double>(edges) / static_cast<double>(std::max<Index>(examples.size(), 1));
    result_.charts_kept = examples.num_kept();
    events_.phase(fmt::format("{} weights, {:.0f} edges per sentence", result_.weights,
                              result_.edges_per_sentence));
    if (result_.charts_kept < examples.size()) {
      events_.phase(fmt::format(
          "{} of {} charts do not fit into {} MB and are computed again each time (see "
          "--chart-memory)",
          examples.size() - result_.charts_kept, examples.size(), options_.chart_megabytes));
    }
    const SpanLesson lesson{&examples, dev_examples_ ? &*dev_examples_ : nullptr,
                            numbers_.dimension()};
    const auto trainable =
        make_trainable(lesson, {options_.training.seed, options_.training.threads});
    result_.learned =
        learn(*trainable, choice_, defaults(), options_.training, identity(), events_);
    result_.lambda = result_.learned.choice.lambda(treebank_.trees.size());
    dev_examples_.reset();
  }

  std::string identity() const {
    const std::uint64_t digest = combine(treebank_.digest, dev_ == nullptr ? 0 : dev_->digest);
    return fmt::format("grammar n={} d={} digest={:016x}", result_.sentences, result_.weights,
                       digest);
  }

  GrammarModel make_model() {
    GrammarModelParts parts;
    parts.grammar = &*grammar_;
    parts.filter = options_.filter;
    if (!options_.generative) {
      if (tagger_) parts.tagger = &tagger_->tagger;
      parts.numbers = &numbers_;
      parts.weights = result_.learned.w;
    }
    parts.training = provenance();
    GrammarModel model = GrammarModel::from_parts(parts);
    if (dev_ != nullptr) {
      EvaluateOptions evaluating;
      evaluating.threads = options_.training.threads;
      result_.dev = evaluate(model, dev_->trees, evaluating);
      result_.unseen_dev_labels = result_.dev->unseen_labels;
    }
    return model;
  }

  // How the model was made; the same for two runs of the same call.
  Value provenance() const {
    Value training;
    if (options_.generative) {
      training["learner"] = kGenerativeLearner;
    } else {
      put_provenance(result_.learned, options_.training.seed, training);
      if (tagger_) {
        training["jackknife"] = folds_;
        training["tag_accuracy"] = tagger_->accuracy();
      }
      training["min_count"] = min_count_;
      training["weights"] = result_.weights;
      if (dev_ != nullptr && result_.learned.tally.size() == 2 && result_.learned.tally[1] > 0) {
        training["dev_f1"] = 200 * result_.learned.tally[0] / result_.learned.tally[1];
      }
    }
    training["sentences"] = result_.sentences;
    training["words"] = result_.words;
    if (result_.recall) training["filter_recall"] = result_.recall->recall();
    return training;
  }

  const Treebank& treebank_;
  const Treebank* dev_;
  const TrainOptions& options_;
  const TrainEvents& events_;
  LearnerChoice choice_;
  AddedTrees added_;  // its grammar is moved to grammar_
  std::optional<ParsingGrammar> grammar_;
  std::optional<LearnedTagger> tagger_;
  std::vector<TagChoices> dev_tags_;
  SpanNumbers numbers_;
  std::optional<ChartMaker> maker_;
  std::optional<SpanExamples> dev_examples_;
  Index min_count_ = 1, folds_ = 0;
  TrainResult result_;
};

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
  return able_of<SpanModel>();
}

LearnerChoice plan(const TrainOptions& options) {
  if (options.orders.vertical < 1) {
    throw UsageError("--vertical must be at least 1 (the label of the bracket itself)");
  }
  if (options.jackknife && (options.generative || !options.tagger)) {
    throw UsageError(
        "--jackknife requires a tagger: it cannot be combined with --no-tagger or --generative");
  }
  const FilterOptions& filter = options.filter;
  for (const double share :
       {filter.prune_below, filter.prune_rules_below, filter.prune_tags_below}) {
    if (!(share >= 0 && share < 1)) {
      throw UsageError(fmt::format("a pruning threshold must be from 0 to 1, not {:g}", share));
    }
  }
  if (options.generative) {
    require_generative(options.training);
    return {};
  }
  LearnerChoice choice = choose(options.training.learner, defaults(), able());
  refuse_voters(choice, options.training, defaults(), "a grammar");
  return choice;
}

Value TrainResult::record() const {
  Value record;
  if (generative) {
    put_summary(learned.fitted.summary, seconds, record);
    record["learner"] = kGenerativeLearner;
  } else {
    put_learned(learned, seconds, record);
    record["weights"] = weights;
    record["edges_per_sentence"] = edges_per_sentence;
    record["charts_kept"] = charts_kept;
    if (tag_accuracy) record["tag_accuracy"] = *tag_accuracy;
  }
  record["sentences"] = sentences;
  record["words"] = words;
  record["too_long"] = too_long;
  record["labels"] = labels;
  record["tags"] = tags;
  record["symbols"] = symbols;
  record["binary_rules"] = binary_rules;
  record["chains"] = chains;
  if (lambda > 0) record["lambda"] = lambda;
  if (recall) {
    record["filter"] = Value::record({{"recall", recall->recall()},
                                      {"trees", recall->trees},
                                      {"derivable", recall->derivable},
                                      {"whole", recall->whole},
                                      {"on", recall_on_dev ? "dev" : "held out"}});
  }
  if (dev) record["dev"] = dev->record();
  return record;
}

std::vector<std::string> TrainResult::notes(const std::string& dev_name) const {
  std::vector<std::string> notes;
  if (learned.fitted.eta > 0) notes.push_back(fmt::format("learning rate {}", learned.fitted.eta));
  if (dev) {
    const EvalbSums& sums = dev->scores.all();
    notes.push_back(fmt::format("{} {}: F1 {:.2f}, recall {:.2f}, precision {:.2f}{}",
                                generative ? "on" : "best on", dev_name, sums.f1(), sums.recall(),
                                sums.precision(),
                                generative ? "" : fmt::format(" (epoch {})", learned.best_epoch)));
    const std::string unparsed = unparsed_text(dev->partial, dev->flat, sums.sentences);
    if (!unparsed.empty()) notes.push_back(unparsed);
  }
  return notes;
}

Trained train(const Treebank& treebank, const Treebank* dev, const TrainOptions& options,
              const TrainEvents& events) {
  const Stopwatch watch;
  Trained trained = GrammarTraining(treebank, dev, options, events).run();
  trained.result.seconds.total = watch.seconds();
  return trained;
}

}  // namespace trellis::grammar
