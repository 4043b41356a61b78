// LDA with related words (Petterson 2011, ch. 6): a chain whose priors of words are re-estimated at
// intervals (smoothing_step.h), and fixed in the sweeps in between.
#pragma once

#include <span>
#include <utility>

#include "trellis/base/types.h"
#include "trellis/topics/lda/document_stages.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/lda/lda_schedule.h"
#include "trellis/topics/wordlda/smoothers.h"
#include "trellis/topics/wordlda/smoothing_step.h"

namespace trellis::topics {

struct SmoothingSchedule {
  Index first = 100;  // sweep after which smoothers are first estimated
  Index every = 100;  // interval after that, in sweeps; 0: never
};

// A chain, the relations of its words, and the stages of its documents. Without related words and
// stages each advance() is that of lda_schedule.h, to the bit.
class WordLda {
 public:
  // `chain`, without topics of tokens yet, and its `documents` must outlive it.
  WordLda(LdaChain& chain, const Documents& documents, RelatedWords words, DocumentStages stages)
      : chain_(chain),
        documents_(documents),
        words_(std::move(words)),
        stages_(std::move(stages)),
        smoothers_(chain.num_topics(), words_) {}

  void start(int threads);
  // A sweep, and the steps due after it: a function of the state and of the number of sweeps.
  void advance(const LdaSchedule& schedule, const SmoothingSchedule& smoothing,
               const SmoothingOptions& options, int threads);

  const RelatedWords& words() const { return words_; }
  const Smoothers& smoothers() const { return smoothers_; }
  double smoothing_seconds() const { return smoothing_seconds_; }  // since it was made
  // Call before the chain restores its assignments: leaves documents out as after `sweeps` sweeps.
  void restore(std::span<const double> common, std::span<const double> of_topics, Index sweeps);

 private:
  LdaChain& chain_;
  Documents documents_;
  RelatedWords words_;
  DocumentStages stages_;
  Smoothers smoothers_;
  double smoothing_seconds_ = 0;
};

}  // namespace trellis::topics
