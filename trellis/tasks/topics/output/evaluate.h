// How good topics are, on documents that they were not made from: how probable these are, how well
// the foremost words of each topic go together in them, where the model knows classes, how often it
// finds the right one, and, if asked, how far translations agree in topics.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/tasks/classify/classify_scores.h"
#include "trellis/tasks/topics/document_inference.h"
#include "trellis/tasks/topics/output/language_agreement.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/coherence.h"
#include "trellis/topics/corpus/corpus.h"

namespace trellis::topics {

// Of log p(w_d | φ, α), as lda/held_out.h has them.
enum class Estimator { kParticleFilter, kLeftToRight };
constexpr auto names_of(Estimator) {
  return Names{"estimator", "particle-filter", "left-to-right"};
}

struct EvaluateOptions {
  Estimator estimator = Estimator::kParticleFilter;  // of LDA; DiscLDA's is its collapsed filter
  Index particles = 20;
  std::uint64_t seed = 1;
  Index coherent_words = 10;  // of each topic
  CoherenceConvention convention = CoherenceConvention::kDefinition;
  InferenceOptions inference;  // of classes, of what a classifier sees, and of translations
  std::optional<AgreementOptions> agreement;  // not given: is not measured
  std::string source = "the corpus";          // where documents are from, for messages
  int threads = 0;
};

// What a model says of classes, beside the labels that documents have.
struct ClassEvaluation {
  classify::ClassifyScores scores;  // of the documents with a label
  Index unknown = 0;                // of them with one that the model does not know: all errors
  double log_likelihood =
      std::numeric_limits<double>::quiet_NaN();  // mean of log p(y | w) of known labels, DiscLDA

  std::string to_text() const;
};

struct Evaluation {
  Index documents = 0, empty = 0, tokens = 0;
  std::uint64_t unseen = 0;   // words that the model does not know, and that are left out
  double log_likelihood = 0;  // a word; 0 where there is none
  double perplexity = 1;      // exp of its negative
  std::vector<double> topic_npmi, topic_umass;  // NaN: words of the topic do not occur here
  double coherence_npmi = std::numeric_limits<double>::quiet_NaN();  // the means of those
  double coherence_umass = std::numeric_limits<double>::quiet_NaN();
  std::optional<ClassEvaluation> classes;  // where the model knows some, and documents have labels
  std::optional<LanguageAgreement> agreement;

  Value record() const;
  std::string to_text() const;
};

// The corpus is in the model's words. Throws UsageError where it has others, and InputError where
// agreement is asked for and it has no translations.
Evaluation evaluate(const TopicModel& model, const Corpus& corpus,
                    const EvaluateOptions& options = {});

}  // namespace trellis::topics
