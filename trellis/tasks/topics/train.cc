#include "trellis/tasks/topics/train.h"
#include "trellis/frame/training/run_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/data/json.h"
#include "trellis/tasks/linear_model.h"
#include "trellis/tasks/topics/class_labels.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/document_split.h"
#include "trellis/topics/coherence.h"

namespace trellis::topics {
namespace {

// The share of labelled documents for which class_of(number of the document) is wrong.
template <class ClassOf>
double share_wrong(std::span<const Label> labels, const ClassOf& class_of) {
  Index judged = 0, wrong = 0;
  for (Index d = 0; d < labels.size(); ++d) {
    if (labels[d] == kNoLabel) continue;
    ++judged;
    wrong += class_of(d) == labels[d] ? 0 : 1;
  }
  return judged == 0 ? std::numeric_limits<double>::quiet_NaN()
                     : static_cast<double>(wrong) / static_cast<double>(judged);
}

// Documents of one part, with their labels.
struct Part {
  Documents documents;
  std::vector<Label> labels;
  std::vector<Label> languages;  // empty if the corpus has none

  // Requires that every document has a class.
  std::vector<std::uint32_t> classes() const { return {labels.begin(), labels.end()}; }
};

// One run over given documents.
class TopicsTraining {
 public:
  TopicsTraining(const Corpus& corpus, NameList names, const Part& training, const Part& held_out,
                 const TrainOptions& options, const TopicModel* start, const TrainEvents& events,
                 const WordRelations* relations)
      : corpus_(corpus),
        names_(std::move(names)),
        training_(training),
        documents_(training.documents),
        held_out_(held_out),
        options_(options),
        start_(start),
        events_(events),
        relations_(relations),
        digest_(digest_of(documents_, corpus.words())),
        sweeps_({{held_out.documents, held_out.labels},
                 training.documents,
                 options.watch_every,
                 options.particles,
                 options.coherent_words},
                events) {}

  Trained train() {
    check_start();
    Trained trained;
    describe(trained.result);
    trained.stages = make_stages(options_, identity(), events_);
    Stages& stages = *trained.stages;
    const bool ended = options_.kind == TopicKind::kDiscLda ? learn_classes(stages, trained.result)
                                                            : learn_topics(stages, trained.result);
    if (!ended) return trained;
    parts_->training = share(provenance(trained.result));
    TopicModel model(*parts_);
    if (options_.classifier != ClassifierKind::kNone) {
      if (!learn_classifier(model)) {
        stages.keep();
        return trained;
      }
      model = TopicModel(*parts_);
    }
    judge_topics(model, trained.result);
    judge_classes(model, trained.result);
    trained.model.emplace(std::move(model));
    return trained;
  }

 private:
  bool learn_topics(Stages& stages, TrainResult& result) {
    LearnerSettings settings = options_.learner;
    if (relations_ != nullptr) {
      const std::optional<SmoothingOptions> chosen = choose_smoothing(stages, result);
      if (!chosen) return false;
      settings.smoothing = *chosen;
      settings.smoothing_schedule = options_.word_lda.schedule;
    }
    ChainKnowledge known = knowledge(training_);
    if (relations_ != nullptr) result.links = relations_->graph.num_edges();
    result.related_words = known.words.num_rows();
    result.word_features = known.words.num_features();
    result.stages = known.stages.size();
    const auto learner = make_learner(documents_, digest_, settings, start_, std::move(known));
    if (!sweeps_.run(stages, "sweeps", *learner, options_.sweeps, result.looks)) return false;
    result.sweeps = learner->num_sweeps();
    result.converged = learner->converged();
    result.smoothing_seconds = learner->smoothing_seconds();
    keep_parts(*learner);
    parts_->chain = learner->chain();
    if (relations_ != nullptr) parts_->graph = relations_->graph;
    return true;
  }

  ChainKnowledge knowledge(const Part& part) const {
    ChainKnowledge known;
    if (relations_ != nullptr) known.words = RelatedWords(relations_->graph, relations_->features);
    known.stages =
        make_stages(options_.stages, part.languages, corpus_.language_names(), options_.sweeps);
    if (corpus_.text().by_language) known.parts = parts_by_language(count_word_languages(corpus_));
    return known;
  }

  // The only λ and σ, or those that make held-out documents most probable; empty if interrupted.
  std::optional<SmoothingOptions> choose_smoothing(Stages& stages, TrainResult& result) {
    const std::vector<SmoothingOptions> candidates = options_.word_lda.candidates();
    Index best = 0;
    if (candidates.size() > 1) {
      const DocumentSplit split(documents_, options_.word_lda.validation,
                                options_.learner.lda.seed + 1);
      const Part kept = {split.kept(), {}, split.kept_of<Label>(training_.languages)};
      LearnerSettings settings = options_.learner;
      settings.smoothing_schedule = options_.word_lda.schedule;
      for (const SmoothingOptions& candidate : candidates) {
        settings.smoothing = candidate;
        events_.phase(
            fmt::format("evaluating lambda {} and sigma {}", candidate.lambda, candidate.sigma));
        const auto learner = make_learner(kept.documents, 0, settings, nullptr, knowledge(kept));
        WatchedSweeps sweeps({{split.held_out(), {}},
                              kept.documents,
                              0,
                              options_.particles,
                              options_.coherent_words},
                             events_);
        std::vector<Look> looks;
        const std::string stage = fmt::format("trial {}", result.trials.size());
        if (!sweeps.run(stages, stage, *learner, options_.sweeps, looks)) return std::nullopt;
        result.trials.push_back(
            {candidate.lambda, candidate.sigma, looks.back().held_out.perplexity});
        const Index last = result.trials.size() - 1;
        if (result.trials[last].perplexity < result.trials[best].perplexity) best = last;
      }
    }
    result.lambda = candidates[best].lambda;
    result.sigma = candidates[best].sigma;
    return candidates[best];
  }

  // Held-out documents choose the round of learning and calibrate probabilities. Blocks are learned
  // from all documents, after a calibration with blocks learned from the rest.
  bool learn_classes(Stages& stages, TrainResult& result) {
    const DiscLdaSettings& disclda = options_.disclda;
    const DocumentSplit split(documents_, disclda.validation, options_.learner.lda.seed + 1);
    const Part kept = {split.kept(), split.kept_of<Label>(training_.labels), {}};
    const Part validation = {split.held_out(), split.held_out_of<Label>(training_.labels), {}};
    const std::vector<std::uint32_t> labels = kept.classes(), others = validation.classes();
    if (disclda.learned) {
      if (!learn_blocks(stages, "sweeps", kept, sweeps_, result.looks)) return false;
      const ClassSetup setup = class_setup(labels);
      const auto rounds = make_round_learner(
          {kept.documents, labels}, {validation.documents, others}, setup, *parts_->classes);
      if (!sweeps_.run(stages, "rounds", *rounds, disclda.rounds, result.rounds)) return false;
      keep_classes(*rounds);
    } else if (disclda.validation > 0) {
      events_.phase("calibrating class probabilities");
      TrainEvents without_epochs = events_;
      without_epochs.on_epoch = nullptr;
      WatchedSweeps sweeps({{}, kept.documents, 0, options_.particles, options_.coherent_words},
                           without_epochs);
      std::vector<Look> looks;
      if (!learn_blocks(stages, "calibration", kept, sweeps, looks)) return false;
    }
    if (disclda.validation > 0) {
      result.correlation = fit_correlation(*parts_->classes, labels, validation.documents, others,
                                           disclda.inference, options_.learner.threads);
    }
    if (!disclda.learned && !learn_blocks(stages, "sweeps", training_, sweeps_, result.looks)) {
      return false;
    }
    result.sweeps = options_.sweeps;
    note_unseen_classes(disclda.learned ? labels : training_.classes(), result);
    parts_->classes = parts_->classes->with_correlation(result.correlation);
    return true;
  }

  ClassSetup class_setup(std::span<const std::uint32_t> labels) const {
    return {names_, log_prior_of(labels, names_.size()), options_.learner.lda, options_.disclda,
            options_.learner.threads};
  }

  // The chain of one part. Returns false if interrupted.
  bool learn_blocks(Stages& stages, const std::string& stage, const Part& part,
                    WatchedSweeps& sweeps, std::vector<Look>& looks) {
    const std::vector<std::uint32_t> labels = part.classes();
    const ClassSetup setup = class_setup(labels);
    const auto chain = make_chain_learner({part.documents, labels}, setup, options_.sweeps);
    if (!sweeps.run(stages, stage, *chain, options_.sweeps, looks)) return false;
    keep_classes(*chain);
    return true;
  }

  void keep_classes(const DiscLdaTopicLearner& learner) {
    keep_parts(learner);
    parts_->classes = learner.classes();
  }

  void note_unseen_classes(std::span<const std::uint32_t> labels, TrainResult& result) const {
    std::vector<bool> seen(names_.size(), false);
    for (const std::uint32_t label : labels) seen[label] = true;
    for (Index y = 0; y < seen.size(); ++y) {
      if (!seen[y]) result.unseen_classes.emplace_back(names_[y]);
    }
  }

  void keep_parts(const TopicLearner& learner) {
    parts_.emplace(TopicModelParts{NameList(corpus_.words(), "the corpus"), corpus_.text(),
                                   learner.model(), learner.expects(), nullptr, std::nullopt,
                                   std::nullopt, std::nullopt, std::nullopt, std::nullopt});
    if (corpus_.has_languages()) {
      parts_->languages = ModelLanguages{NameList(corpus_.language_names(), "the corpus"),
                                         count_word_languages(corpus_)};
    }
  }

  // Returns false if interrupted.
  bool learn_classifier(const TopicModel& model) {
    events_.phase("training the classifier");
    const int threads = options_.learner.threads;
    const std::vector<double> mixtures =
        infer_mixtures(model, documents_, options_.disclda.inference, threads);
    parts_->classifier =
        TopicClassifier::train_svm(mixtures, model.num_topics(), training_.labels, names_,
                                   options_.learner.lda.seed, threads, events_);
    return parts_->classifier.has_value();
  }

  void check_start() const {
    if (start_ == nullptr) return;
    const KeptChain* chain = start_->chain();
    if (chain == nullptr) {
      throw UsageError(fmt::format(
          "{} has no chain to continue: it was trained without --keep-chain", start_->name()));
    }
    if (start_->num_topics() != options_.learner.lda.topics) {
      throw UsageError(fmt::format("the chain of {} has {} topics, not {}", start_->name(),
                                   start_->num_topics(), options_.learner.lda.topics));
    }
    if (chain->documents != digest_ || chain->topics.size() != documents_.num_tokens()) {
      throw UsageError(fmt::format(
          "the chain of {} belongs to other documents, other words or another --held-out",
          start_->name()));
    }
    if (chain->sweeps >= options_.sweeps) {
      throw UsageError(fmt::format(
          "the chain of {} already has {} sweeps: --sweeps, the total number, must be larger",
          start_->name(), chain->sweeps));
    }
  }

  void describe(TrainResult& result) const {
    result.kind = options_.kind;
    result.method = options_.learner.method;
    const bool disclda = options_.kind == TopicKind::kDiscLda;
    result.topics =
        disclda ? options_.disclda.blocks.num_topics(names_.size()) : options_.learner.lda.topics;
    result.classes = names_.size();
    result.documents = documents_.size();
    result.tokens = documents_.num_tokens();
    result.words = documents_.num_words;
    for (Index d = 0; d < documents_.size(); ++d) result.empty += documents_[d].empty() ? 1 : 0;
    result.held_out_documents = held_out_.documents.size();
    result.held_out_tokens = held_out_.documents.num_tokens();
    if (!names_.empty()) {
      result.unlabelled = static_cast<Index>(
          std::count(held_out_.labels.begin(), held_out_.labels.end(), kNoLabel));
    }
    result.tally = corpus_.tally();
  }

  std::string identity() const {
    std::uint64_t digest = digest_;
    if (held_out_.documents.size() > 0) {
      digest = combine(digest, digest_of(held_out_.documents, corpus_.words()));
    }
    if (!names_.empty()) {
      digest = combine(digest, fingerprint({names_.bytes().data(), names_.bytes().size()}));
      for (const Part* part : {&training_, &held_out_}) {
        for (const Label label : part->labels) {
          digest = combine(digest, static_cast<std::uint64_t>(label));
        }
      }
    }
    if (start_ != nullptr) digest = combine(digest, fingerprint(start_->to_bytes()));
    if (relations_ != nullptr) digest = combine(digest, relations_->digest());
    for (const Label language : training_.languages) {
      digest = combine(digest, static_cast<std::uint64_t>(language));
    }
    return fmt::format("topics digest={:016x}", digest);
  }

  // The same for an uninterrupted run and a resumed one.
  Value provenance(const TrainResult& result) const {
    Value record = options_.record();
    record["sweeps"] = result.sweeps;
    record["documents"] = result.documents;
    record["tokens"] = result.tokens;
    if (result.method == TopicMethod::kGibbs) record["log_likelihood"] = -result.looks.back().loss;
    const Judgement& judged =
        (result.rounds.empty() ? result.looks : result.rounds).back().held_out;
    if (std::isfinite(judged.perplexity)) record["perplexity"] = judged.perplexity;
    return record;
  }

  void judge_topics(const TopicModel& model, TrainResult& result) const {
    const auto tops = model.top_words(options_.coherent_words);
    CoherenceOptions options;
    result.topic_npmi = coherence(documents_, tops, options);
    result.coherence_npmi = mean_coherence(result.topic_npmi);
    options.measure = CoherenceMeasure::kUMass;
    result.coherence_umass = mean_coherence(coherence(documents_, tops, options));
  }

  // Evaluates the finished model on the classes of held-out documents: with its classifier, if it
  // has one, and DiscLDA without the classifier.
  void judge_classes(const TopicModel& model, TrainResult& result) const {
    if (names_.empty() || held_out_.documents.size() == 0) return;
    const auto found = infer_documents(model, held_out_.documents, options_.disclda.inference,
                                       options_.learner.threads);
    if (model.classifier() != nullptr) {
      result.classifier_error =
          share_wrong(held_out_.labels, [&](Index d) { return *found[d].predicted; });
    }
    if (model.classes() != nullptr) {
      result.error =
          share_wrong(held_out_.labels, [&](Index d) { return found[d].most_probable(); });
    }
  }

  const Corpus& corpus_;
  NameList names_;  // of classes; empty if labels are not used
  const Part& training_;
  const Documents& documents_;  // those of training_
  const Part& held_out_;
  const TrainOptions& options_;
  const TopicModel* start_;
  const TrainEvents& events_;
  const WordRelations* relations_;  // null: none
  std::uint64_t digest_;
  std::optional<TopicModelParts> parts_;  // the parts of the model so far
  WatchedSweeps sweeps_;
};

// The classes of a run; empty if it does not use labels.
NameList classes_of(const Corpus& corpus, const TrainOptions& options) {
  const bool disclda = options.kind == TopicKind::kDiscLda;
  if (!disclda && options.classifier == ClassifierKind::kNone) return {};
  const char* who = disclda ? "disclda" : "a classifier";
  if (!corpus.has_labels() || corpus.label_names().size() < 2) {
    throw UsageError(
        fmt::format("{} requires documents with at least two different labels, found {}", who,
                    corpus.has_labels() ? "only one" : "none"));
  }
  NameList names(corpus.label_names(), "the corpus");
  if (!disclda) return names;
  const auto missing = std::find(corpus.labels().begin(), corpus.labels().end(), kNoLabel);
  if (missing != corpus.labels().end()) {
    throw UsageError(
        fmt::format("disclda requires a label for every document, but document {} has none",
                    missing - corpus.labels().begin() + 1));
  }
  options.disclda.blocks.check(names.size());
  return names;
}

}  // namespace

Trained train(const Corpus& corpus, const Corpus* held_out, const TrainOptions& options,
              const TopicModel* start, const TrainEvents& events, const WordRelations* relations) {
  options.check();
  if ((relations != nullptr) != (options.kind == TopicKind::kWordLda)) {
    throw UsageError("relations between words require --kind wordlda, and wordlda requires them");
  }
  if (corpus.text().by_language) options.check_apart();
  if (relations != nullptr && (relations->graph.num_words() != corpus.words().size() ||
                               relations->features.num_words() != corpus.words().size())) {
    throw UsageError("the relations between words do not fit the words of the corpus");
  }
  if (held_out != nullptr && options.held_out > 0) {
    throw UsageError("held-out documents must be a fraction or other documents, not both");
  }
  if (start != nullptr && options.learner.method != TopicMethod::kGibbs) {
    throw UsageError("only --method gibbs can continue a chain (--start)");
  }
  const bool disclda = options.kind == TopicKind::kDiscLda;
  if (start != nullptr && options.kind != TopicKind::kLda) {
    throw UsageError(fmt::format("a chain of {} cannot be continued: --start requires --kind lda",
                                 to_string(options.kind)));
  }
  NameList names = classes_of(corpus, options);
  const Index topics =
      disclda ? options.disclda.blocks.num_topics(names.size()) : options.learner.lda.topics;
  if (topics > corpus.words().size()) {
    throw UsageError(fmt::format("{} topics are more than the {} words of the vocabulary", topics,
                                 corpus.words().size()));
  }
  const DocumentSplit split(corpus.documents(), options.held_out, options.learner.lda.seed);
  const std::vector<Label> labels = labels_of(corpus, names);
  const Part training = {split.kept(), split.kept_of<Label>(labels),
                         split.kept_of<Label>(corpus.languages())};
  const Part watched = held_out != nullptr
                           ? Part{held_out->documents(), labels_of(*held_out, names), {}}
                           : Part{split.held_out(), split.held_out_of<Label>(labels), {}};
  if (training.documents.num_tokens() == 0)
    throw UsageError("expected words to train on, found none");
  return TopicsTraining(corpus, std::move(names), training, watched, options, start, events,
                        relations)
      .train();
}

}  // namespace trellis::topics
