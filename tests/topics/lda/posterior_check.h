// Whether the states of a chain are as frequent as they should be.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/topics/lda/lda_chain.h"

namespace trellis::topics {

// p by state, as posterior() has it; the chain has not started.
inline void expect_draws_from(const std::vector<double>& p, const TinyCorpus& corpus,
                              LdaChain& chain) {
  chain.start(1);
  std::vector<Index> seen(p.size(), 0);
  for (Index sample = 0; sample < 20000; ++sample) {
    for (Index sweep = 0; sweep < 5; ++sweep) chain.sweep(1);
    ++seen[state_of(chain.assignments(corpus.documents()), chain.num_topics())];
  }
  const auto [value, freedom] = chi_square(p, seen);
  EXPECT_LT(value, freedom + 5 * std::sqrt(2 * freedom))
      << "sampler " << static_cast<int>(chain.options().sampler);
}

}  // namespace trellis::topics
