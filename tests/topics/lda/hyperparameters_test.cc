#include "trellis/topics/lda/hyperparameters.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

TinyCorpus lopsided_corpus() {
  Random random(11);
  std::vector<std::vector<std::uint32_t>> texts(80);
  for (auto& text : texts) {
    const Index first = random.below(5) == 0 ? 10 : 0;
    for (Index i = 0; i < 25; ++i) {
      text.push_back(static_cast<std::uint32_t>(first + random.below(1 + random.below(10))));
    }
  }
  return tiny_corpus(texts, 20);
}

LdaChain chain_of(const TinyCorpus& corpus) {
  LdaOptions options;
  options.topics = 3;
  LdaChain chain(corpus.documents(), options);
  chain.start(1);
  for (Index sweep = 0; sweep < 30; ++sweep) chain.sweep(1);
  return chain;
}

// Each step raises log p(w, z | α, β), and at the end no single parameter can.
template <class Optimise, class Nudge>
void expect_maximum(const Optimise& optimise, const Nudge& nudge, Index parameters) {
  const TinyCorpus corpus = lopsided_corpus();
  LdaChain chain = chain_of(corpus);
  FixedPointOptions options;
  options.max_steps = 1;
  double before = chain.log_joint(1);
  for (Index step = 0; step < 20; ++step) {
    optimise(chain, options);
    const double after = chain.log_joint(1);
    EXPECT_GE(after, before - 1e-9);
    before = after;
  }
  options.max_steps = 100000;
  options.tolerance = 1e-10;
  optimise(chain, options);
  const double best = chain.log_joint(1);
  for (Index k = 0; k < parameters; ++k) {
    for (const double factor : {0.99, 1.01}) {
      nudge(chain, k, factor);
      EXPECT_LE(chain.log_joint(1), best + 1e-7) << k;
      nudge(chain, k, 1 / factor);
    }
  }
}

TEST(Hyperparameters, AlphaIsAMaximum) {
  expect_maximum([](LdaChain& chain, const auto& options) { optimise_alpha(chain, options); },
                 [](LdaChain& chain, Index k, double factor) {
                   std::vector<double> alpha(chain.alpha().begin(), chain.alpha().end());
                   alpha[k] *= factor;
                   chain.set_alpha(alpha);
                 },
                 3);
}

TEST(Hyperparameters, SymmetricBetaIsAMaximum) {
  expect_maximum(
      [](LdaChain& chain, const auto& options) { optimise_symmetric_beta(chain, options); },
      [](LdaChain& chain, Index, double factor) {
        chain.set_beta(std::vector<double>(chain.num_words(), chain.beta()[0] * factor));
      },
      1);
}

TEST(Hyperparameters, BetaOfEachWordIsAMaximum) {
  expect_maximum([](LdaChain& chain, const auto& options) { optimise_beta(chain, options); },
                 [](LdaChain& chain, Index w, double factor) {
                   std::vector<double> beta(chain.beta().begin(), chain.beta().end());
                   beta[w] *= factor;
                   chain.set_beta(beta);
                 },
                 20);
}

TEST(Hyperparameters, NoTokenChangesNothing) {
  const TinyCorpus corpus = tiny_corpus({{}, {}}, 2);
  LdaChain chain(corpus.documents(), LdaOptions());
  chain.start(1);
  EXPECT_EQ(optimise_alpha(chain), 0U);
  EXPECT_EQ(optimise_symmetric_beta(chain), 0U);
  EXPECT_EQ(chain.alpha()[0], LdaOptions().alpha);
}

}  // namespace
}  // namespace trellis::topics
