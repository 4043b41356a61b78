// The iteration of training for any method: a sweep over the documents. Its state can be saved and
// resumed to the same bits.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/lda/lda_schedule.h"
#include "trellis/topics/wordlda/word_lda.h"

namespace trellis::topics {

enum class TopicMethod { kGibbs, kCvb0 };
constexpr auto names_of(TopicMethod) {
  return Names{"method", "gibbs", "cvb0"};
}

struct LearnerSettings {
  TopicMethod method = TopicMethod::kGibbs;
  LdaOptions lda;                        // CVB0 does not use its sampler
  LdaSchedule schedule;                  // for kGibbs
  double tolerance = 1e-3;               // for kCvb0: least change per token and sweep
  bool keep_chain = false;               // for kGibbs
  SmoothingSchedule smoothing_schedule;  // for related words
  SmoothingOptions smoothing;
  int threads = 0;
};

// Documents for evaluation; labels[d] is kNoLabel if the document's label was not learned. May be
// empty.
struct JudgedDocuments {
  Documents documents;
  std::span<const Label> labels;
};
struct Judgement {
  double perplexity = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  // share of labelled documents; DiscLDA
};

class TopicLearner {
 public:
  virtual ~TopicLearner() = default;
  // Call it if nothing is restored. A chain may take some time.
  virtual void start() = 0;
  virtual void sweep() = 0;
  virtual Index num_sweeps() const = 0;
  virtual bool converged() const { return false; }
  virtual bool slow() const { return false; }  // every sweep is worth an evaluation
  // Decreases during training: −log p(w, z | α, β) per token, or the change per token in a sweep;
  // if T is learned, −log p(y | w) per document.
  virtual double loss() const = 0;
  virtual LdaModel model() const = 0;
  virtual bool expects() const { return false; }  // counts are expectations, not integers
  // `particles` for estimators that have them.
  virtual Judgement judge(const JudgedDocuments& held_out, Index particles) const = 0;
  // Time for the priors of related words, over the sweeps of this object.
  virtual double smoothing_seconds() const { return 0; }
  virtual std::optional<KeptChain> chain() const { return std::nullopt; }

  virtual void save(Checkpoint& state) const = 0;
  // Throws InputError for a state of another run.
  virtual void restore(const Checkpoint& state) = 0;
};

// What a chain knows about its documents and words; empty: LDA.
struct ChainKnowledge {
  RelatedWords words;
  DocumentStages stages;
  WordParts parts;  // of the vocabulary
};

// A learner of LDA, with or without related words. `digest` is that of the documents, which must
// outlive the learner. So must `start`, if given: a model with a chain to continue.
std::unique_ptr<TopicLearner> make_learner(const Documents& documents, std::uint64_t digest,
                                           const LearnerSettings& settings, const TopicModel* start,
                                           ChainKnowledge knowledge);

}  // namespace trellis::topics
