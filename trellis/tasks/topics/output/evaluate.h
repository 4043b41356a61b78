// Evaluates topics on held-out documents: the probability of the documents, the coherence of the
// top words of each topic in them, the classification error if the model has classes and, on
// request, the agreement of topics between translations.
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

// Estimators of log p(w_d | φ, α) in lda/held_out.h.
enum class Estimator { kParticleFilter, kLeftToRight };
constexpr auto names_of(Estimator) {
  return Names{"estimator", "particle-filter", "left-to-right"};
}

struct EvaluateOptions {
  Estimator estimator = Estimator::kParticleFilter;  // for LDA; DiscLDA uses its collapsed filter
  Index particles = 20;
  std::uint64_t seed = 1;
  Index coherent_words = 10;  // for each topic
  CoherenceConvention convention = CoherenceConvention::kDefinition;
  InferenceOptions inference;  // for classes, the classifier's input, and translations
  std::optional<AgreementOptions> agreement;  // not given: not measured
  std::string source = "the corpus";          // source of the documents, for messages
  int threads = 0;
};

// Evaluation of classes against the labels of documents.
struct ClassEvaluation {
  classify::ClassifyScores scores;  // on documents with a label
  Index unknown = 0;                // those with a label unknown to the model: errors
  double log_likelihood =
      std::numeric_limits<double>::quiet_NaN();  // mean of log p(y | w) over known labels, DiscLDA

  std::string to_text() const;
};

struct Evaluation {
  Index documents = 0, empty = 0, tokens = 0;
  std::uint64_t unseen = 0;   // tokens of words unknown to the model, which are left out
  double log_likelihood = 0;  // per word; 0 if there are no words
  double perplexity = 1;      // exp of minus that
  std::vector<double> topic_npmi, topic_umass;  // NaN: no words of the topic occur here
  double coherence_npmi = std::numeric_limits<double>::quiet_NaN();  // means of these
  double coherence_umass = std::numeric_limits<double>::quiet_NaN();
  std::optional<ClassEvaluation> classes;  // if the model has classes and documents have labels
  std::optional<LanguageAgreement> agreement;

  Value record() const;
  std::string to_text() const;
};

// The corpus must have the model's words. Throws UsageError if it has others, and InputError if
// agreement is requested and the corpus has no translations.
Evaluation evaluate(const TopicModel& model, const Corpus& corpus,
                    const EvaluateOptions& options = {});

}  // namespace trellis::topics
