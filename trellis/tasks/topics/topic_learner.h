// What training repeats, whatever the method: a sweep over the documents, which can be saved and
// gone on with to the same bits.
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
  LdaOptions lda;                        // CVB0 has no use for its sampler
  LdaSchedule schedule;                  // of kGibbs
  double tolerance = 1e-3;               // of kCvb0: less change a token in a sweep is none
  bool keep_chain = false;               // of kGibbs
  SmoothingSchedule smoothing_schedule;  // where words are related
  SmoothingOptions smoothing;
  int threads = 0;
};

// Documents to judge by; labels[d] is kNoLabel where a document's is none that is learned, and
// there may be none at all.
struct JudgedDocuments {
  Documents documents;
  std::span<const Label> labels;
};
struct Judgement {
  double perplexity = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  // share of those with a label, DiscLDA
};

class TopicLearner {
 public:
  virtual ~TopicLearner() = default;
  // Where nothing is restored. A chain may take some time for it.
  virtual void start() = 0;
  virtual void sweep() = 0;
  virtual Index num_sweeps() const = 0;
  virtual bool converged() const { return false; }
  virtual bool slow() const { return false; }  // so that each sweep is worth a look
  // What falls while it learns: −log p(w, z | α, β) a token, or the change of a sweep a token; of
  // learning T, −log p(y | w) a document.
  virtual double loss() const = 0;
  virtual LdaModel model() const = 0;
  virtual bool expects() const { return false; }  // counts that need not be whole
  // `particles` of the estimate, where it has some.
  virtual Judgement judge(const JudgedDocuments& held_out, Index particles) const = 0;
  // Of the sweeps since it was made, what priors of related words took.
  virtual double smoothing_seconds() const { return 0; }
  virtual std::optional<KeptChain> chain() const { return std::nullopt; }

  virtual void save(Checkpoint& state) const = 0;
  // Throws InputError where the state is of another run.
  virtual void restore(const Checkpoint& state) = 0;
};

// What a chain is told of its documents and words beside what they are; nothing: LDA.
struct ChainKnowledge {
  RelatedWords words;
  DocumentStages stages;
  WordParts parts;  // of the vocabulary
};

// Of LDA, with related words or without. `digest` is that of the documents, which must outlive the
// learner; so must `start`, where there is one: a model with a chain to go on with.
std::unique_ptr<TopicLearner> make_learner(const Documents& documents, std::uint64_t digest,
                                           const LearnerSettings& settings, const TopicModel* start,
                                           ChainKnowledge knowledge);

}  // namespace trellis::topics
