// Training a topic model: of documents that nobody has sorted (LDA), where need be by what is known
// of their words (word-feature LDA), or of documents with classes (DiscLDA).
//
//   files → corpus (→ which words are related) → sweeps of a chain, or of its deterministic twin (→
//   rounds that learn T) (→ the calibration of class probabilities) → model
//                                                    (→ a classifier of mixtures, inside the model)
//
// The model has the counts of the last sweep (CVB0: the expected ones). The likelihood is looked at
// every so many sweeps, and so is that of documents that are held out, where there are some; how
// well the foremost words of topics go together is told at the end.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/topics/disclda_training.h"
#include "trellis/tasks/topics/topic_classifier.h"
#include "trellis/tasks/topics/topic_learner.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/tasks/topics/watched_sweeps.h"
#include "trellis/tasks/topics/word_lda_training.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

struct TrainOptions {
  TopicKind kind = TopicKind::kLda;
  LearnerSettings learner;  // DiscLDA: priors and seed of `lda`, threads; one chain, by kGibbs
  DiscLdaSettings disclda;
  WordLdaSettings word_lda;  // its smoothing goes for that of `learner`
  StageSettings stages;      // of kGibbs, but for DiscLDA
  ClassifierKind classifier = ClassifierKind::kNone;
  Index sweeps = 1000;        // in all, those of a chain that is gone on with included
  double held_out = 0;        // share of the documents, in [0, 1)
  Index watch_every = 50;     // sweeps between two looks at the likelihoods; 0: at the end alone
  Index particles = 20;       // of the held-out likelihood (lda/held_out.h)
  Index coherent_words = 10;  // of each topic, whose coherence is told
  std::string checkpoint;     // as in TrainingOptions
  double save_every = 300;
  bool resume = false;

  // Throws UsageError; before any file is read.
  void check() const;
  // The same for documents whose words are of their languages (TextOptions::by_language): a topic
  // has a distribution over the words of each.
  void check_apart() const;
  // All that the bits of the model depend on, beside the documents.
  Value record() const;
};

// What was tried of word-feature LDA's priors, and how likely it made what was not learned from.
struct SmoothingTrial {
  double lambda = 0, sigma = 0;
  double perplexity = 0;
};

struct TrainResult {
  TopicKind kind = TopicKind::kLda;
  TopicMethod method = TopicMethod::kGibbs;
  Index topics = 0, documents = 0, empty = 0, tokens = 0, words = 0;
  Index held_out_documents = 0, held_out_tokens = 0;
  CorpusTally tally;  // of all that was read
  Index sweeps = 0;
  bool converged = false;                                 // kCvb0
  std::vector<Look> looks;                                // at sweeps
  std::vector<Look> rounds;                               // of learning T, each
  std::vector<double> topic_npmi;                         // NaN: fewer than two of its words occur
  Index links = 0, related_words = 0, word_features = 0;  // word-feature LDA
  std::vector<SmoothingTrial> trials;                     // where there was a choice
  double lambda = std::numeric_limits<double>::quiet_NaN(), sigma = lambda;
  double smoothing_seconds = 0;
  Index stages = 0;  // 0: all documents were there from the beginning
  Index classes = 0;
  double correlation = 0;                   // of a document's words, DiscLDA
  std::vector<std::string> unseen_classes;  // without a document to learn from
  Index unlabelled = 0;  // held-out documents whose label is none, or none that was learned
  // Share of held-out documents with labels whose class is another: by the finished model, and by
  // its classifier.
  double error = std::numeric_limits<double>::quiet_NaN();
  double classifier_error = std::numeric_limits<double>::quiet_NaN();
  double coherence_npmi = std::numeric_limits<double>::quiet_NaN();
  double coherence_umass = std::numeric_limits<double>::quiet_NaN();
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes() const;
  std::vector<std::string> warnings() const;
};

struct Trained {
  std::optional<TopicModel> model;  // none where it was interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // to be discarded when the model is written
};

// `held_out` (null: none; then options.held_out may take some of the corpus) must be in the
// corpus's words; `start` is a model whose chain is of the documents that are trained on. Throws
// UsageError where these do not go together. `relations` (null: none) are those of the corpus's
// words, for word-feature LDA.
Trained train(const Corpus& corpus, const Corpus* held_out, const TrainOptions& options,
              const TopicModel* start = nullptr, const TrainEvents& events = {},
              const WordRelations* relations = nullptr);

}  // namespace trellis::topics
