#include "trellis/topics/lda/lda_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

TinyCorpus scheduled_corpus() {
  Random random(21);
  std::vector<std::vector<std::uint32_t>> texts(60);
  for (auto& text : texts) {
    for (Index i = 0; i < 20; ++i) {
      text.push_back(static_cast<std::uint32_t>(random.below(1 + random.below(30))));
    }
  }
  return tiny_corpus(texts, 30);
}

TEST(LdaSchedule, GoesOnAsIfUninterrupted) {
  const TinyCorpus corpus = scheduled_corpus();
  for (const BetaPrior beta : {BetaPrior::kFixed, BetaPrior::kSymmetric, BetaPrior::kPerWord}) {
    LdaSchedule schedule;
    schedule.first = 3;
    schedule.every = 4;
    schedule.last = 12;
    schedule.beta = beta;
    LdaOptions options;
    options.topics = 40;
    options.blocks = 3;
    LdaChain whole(corpus.documents(), options);
    whole.start(1);
    for (Index sweep = 0; sweep < 8; ++sweep) advance(whole, schedule, 2);
    LdaChain resumed(corpus.documents(), options);
    resumed.restore(corpus.documents(), whole.assignments(corpus.documents()), 8);
    resumed.set_alpha(whole.alpha());
    resumed.set_beta(whole.beta());
    for (Index sweep = 0; sweep < 8; ++sweep) {
      advance(whole, schedule, 1);
      advance(resumed, schedule, 3);
    }
    EXPECT_EQ(whole.assignments(corpus.documents()), resumed.assignments(corpus.documents()));
    EXPECT_TRUE(std::equal(whole.alpha().begin(), whole.alpha().end(), resumed.alpha().begin()));
    EXPECT_TRUE(std::equal(whole.beta().begin(), whole.beta().end(), resumed.beta().begin()));
    EXPECT_NE(whole.alpha()[0], options.alpha);
    EXPECT_EQ(whole.beta()[0] == options.beta, beta == BetaPrior::kFixed);
  }
}

}  // namespace
}  // namespace trellis::topics
