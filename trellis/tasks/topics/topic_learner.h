// What training repeats, whatever the method: a sweep over the documents, which can be saved and
// gone on with to the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/tasks/topics/topic_model.h"
#include "trellis/topics/documents.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/lda/lda_schedule.h"

namespace trellis::topics {

enum class TopicMethod { kGibbs, kCvb0 };
constexpr auto names_of(TopicMethod) {
  return Names{"method", "gibbs", "cvb0"};
}

struct LearnerSettings {
  TopicMethod method = TopicMethod::kGibbs;
  LdaOptions lda;           // CVB0 has no use for its sampler
  LdaSchedule schedule;     // of kGibbs
  double tolerance = 1e-3;  // of kCvb0: less change a token in a sweep is none
  bool keep_chain = false;  // of kGibbs
  int threads = 0;
};

class TopicLearner {
 public:
  virtual ~TopicLearner() = default;
  // Where nothing is restored. A chain may take some time for it.
  virtual void start() = 0;
  virtual void sweep() = 0;
  virtual Index num_sweeps() const = 0;
  virtual bool converged() const { return false; }
  // What falls while it learns: −log p(w, z | α, β) a token, or the change of a sweep a token.
  virtual double loss() const = 0;
  virtual LdaModel model() const = 0;
  virtual std::optional<KeptChain> chain() const { return std::nullopt; }

  virtual void save(Checkpoint& state) const = 0;
  virtual void restore(
      const Checkpoint& state) = 0;  // throws InputError where it is of another run
};

// `digest` is that of the documents, which must outlive the learner; so must `start`, where there
// is one: a model with a chain to go on with.
std::unique_ptr<TopicLearner> make_learner(const Documents& documents, std::uint64_t digest,
                                           const LearnerSettings& settings,
                                           const TopicModel* start);

}  // namespace trellis::topics
