// Groups of documents that enter a chain one after another (Petterson 2011, sec. 6.4.4): the first
// group, for example the language with the most documents, forms the topics before the next group
// must fit them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/topics/lda/lda_chain.h"
#include "trellis/topics/lda/newcomers.h"

namespace trellis::topics {

class DocumentStages {
 public:
  // All at once.
  DocumentStages() = default;
  // stage[d] is the group of document d; group s enters after begins[s] sweeps, begins[0] = 0,
  // ascending.
  DocumentStages(std::vector<std::uint8_t> stage, std::vector<Index> begins)
      : stage_(std::move(stage)), begins_(std::move(begins)) {}

  Index size() const { return begins_.size(); }
  bool staged() const { return begins_.size() > 1; }
  // Whether a group enters after this many sweeps.
  bool begins_at(Index sweeps) const {
    return std::find(begins_.begin(), begins_.end(), sweeps) != begins_.end();
  }
  // By document: whether it takes part in the sweep after these.
  std::vector<std::uint8_t> present_after(Index sweeps) const {
    std::vector<std::uint8_t> present(stage_.size());
    for (Index d = 0; d < present.size(); ++d) {
      present[d] = begins_[stage_[d]] <= sweeps ? 1 : 0;
    }
    return present;
  }
  // Call before a chain starts, or continues after `sweeps` sweeps. Does nothing without stages.
  void leave_out(LdaChain& chain, Index sweeps) const {
    // Documents that enter after these sweeps take part from the next one on.
    if (staged()) chain.leave_out(present_after(sweeps > 0 ? sweeps - 1 : 0));
  }
  // Call between sweeps: adds the documents due now (newcomers.h). `documents` are the chain's.
  void let_in(LdaChain& chain, const Documents& documents, int threads) const {
    const Index sweeps = chain.num_sweeps();
    if (sweeps == 0 || !staged() || !begins_at(sweeps)) return;
    std::vector<std::uint8_t> entering = present_after(sweeps);
    for (Index d = 0; d < entering.size(); ++d) {
      if (chain.present(d)) entering[d] = 0;
    }
    chain.let_in(documents, topics_of_newcomers(chain, documents, entering, threads));
  }

 private:
  std::vector<std::uint8_t> stage_;
  std::vector<Index> begins_;
};

}  // namespace trellis::topics
