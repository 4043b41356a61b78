// Trains a topic model: on documents without labels (LDA), optionally with information about words
// (word-feature LDA), or on documents with classes (DiscLDA).
//
//   files → corpus (→ related words) → sweeps of a chain, or of its deterministic counterpart (→
//   rounds that learn T) (→ the calibration of class probabilities) → model
//                                                    (→ a classifier of mixtures, inside the model)
//
// The model has the counts of the last sweep (CVB0: the expected counts). The likelihood, also of
// held-out documents if there are some, is evaluated at intervals of sweeps, and the coherence of
// top words at the end.
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

struct TrainOptions : CheckpointOptions {
  TopicKind kind = TopicKind::kLda;
  LearnerSettings learner;  // DiscLDA: priors and seed of `lda`, threads; one chain, by kGibbs
  DiscLdaSettings disclda;
  WordLdaSettings word_lda;  // its smoothing replaces that of `learner`
  StageSettings stages;      // for kGibbs without DiscLDA
  ClassifierKind classifier = ClassifierKind::kNone;
  Index sweeps = 1000;        // total, including those of a continued chain
  double held_out = 0;        // share of documents, in [0, 1)
  Index watch_every = 50;     // sweeps between two evaluations; 0: only at the end
  Index particles = 20;       // for the held-out likelihood (lda/held_out.h)
  Index coherent_words = 10;  // of each topic, for the coherence

  // Throws UsageError. Call it before any file is read.
  void check() const;
  // The same for documents whose words belong to languages (TextOptions::by_language): a topic has
  // a distribution over the words of each language.
  void check_apart() const;
  // Everything that determines the bits of the model, except the documents.
  Value record() const;
};

// Candidate values of word-feature LDA's priors, with the held-out perplexity.
struct SmoothingTrial {
  double lambda = 0, sigma = 0;
  double perplexity = 0;
};

struct TrainResult {
  TopicKind kind = TopicKind::kLda;
  TopicMethod method = TopicMethod::kGibbs;
  Index topics = 0, documents = 0, empty = 0, tokens = 0, words = 0;
  Index held_out_documents = 0, held_out_tokens = 0;
  CorpusTally tally;  // of everything read
  Index sweeps = 0;
  bool converged = false;                                 // kCvb0
  std::vector<Look> looks;                                // during sweeps
  std::vector<Look> rounds;                               // for each round of learning T
  std::vector<double> topic_npmi;                         // NaN: fewer than two of its words occur
  Index links = 0, related_words = 0, word_features = 0;  // word-feature LDA
  std::vector<SmoothingTrial> trials;                     // empty if there was nothing to choose
  double lambda = std::numeric_limits<double>::quiet_NaN(), sigma = lambda;
  double smoothing_seconds = 0;
  Index stages = 0;  // 0: all documents from the beginning
  Index classes = 0;
  double correlation = 0;                   // between a document's words; DiscLDA
  std::vector<std::string> unseen_classes;  // without a training document
  Index unlabelled = 0;                     // held-out documents without a learned label
  // Classification error on held-out documents with labels, as a share: by the finished model, and
  // by its classifier.
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
  std::optional<TopicModel> model;  // empty if interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // discard after writing the model
};

// `held_out` must have the corpus's words (null: options.held_out may take a share of the corpus);
// `start` is a model whose chain is of the training documents. Throws UsageError if these do not
// fit together. `relations` (may be null) are those of the corpus's words, for word-feature LDA.
Trained train(const Corpus& corpus, const Corpus* held_out, const TrainOptions& options,
              const TopicModel* start = nullptr, const TrainEvents& events = {},
              const WordRelations* relations = nullptr);

}  // namespace trellis::topics
