#include "trellis/topics/lda/cvb0.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/topics/lda/lda_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::topics {
namespace {

// γ by pair of a document and a word, and eq. 8 with every sum done anew.
class NaiveCvb0 {
 public:
  NaiveCvb0(const TinyCorpus& corpus, const Cvb0Options& options)
      : corpus_(corpus), options_(options), layout_(corpus.documents(), 1) {
    for (Index d = 0; d < layout_.num_documents(); ++d) {
      Random random(options.seed, d);
      for (Index i = layout_.begin(d); i < layout_.end(d); ++i) {
        const Index word = layout_.word(i, 0);
        if (i > layout_.begin(d) && pairs_.back().word == word) {
          pairs_.back().times += 1;
          continue;
        }
        Pair pair{d, word, 1, std::vector<double>(options.topics)};
        double total = 0;
        for (double& gamma : pair.gamma) total += gamma = 0.1 + random.uniform();
        for (double& gamma : pair.gamma) gamma /= total;
        pairs_.push_back(pair);
      }
    }
  }

  void sweep() {
    for (Pair& pair : pairs_) {
      std::vector<double> next(options_.topics);
      double total = 0;
      for (Index k = 0; k < options_.topics; ++k) {
        double word = -pair.gamma[k], document = -pair.gamma[k], all = -pair.gamma[k];
        for (const Pair& other : pairs_) {
          const double share = other.times * other.gamma[k];
          all += share;
          if (other.word == pair.word) word += share;
          if (other.document == pair.document) document += share;
        }
        const double words = static_cast<double>(corpus_.num_words);
        next[k] =
            (word + options_.beta) * (document + options_.alpha) / (all + words * options_.beta);
        total += next[k];
      }
      for (Index k = 0; k < options_.topics; ++k) pair.gamma[k] = next[k] / total;
    }
  }

  double document_count(Index d, Index k) const {
    double count = 0;
    for (const Pair& pair : pairs_) count += pair.document == d ? pair.times * pair.gamma[k] : 0;
    return count;
  }

 private:
  struct Pair {
    Index document, word;
    double times;
    std::vector<double> gamma;
  };
  TinyCorpus corpus_;
  Cvb0Options options_;
  LdaLayout layout_;
  std::vector<Pair> pairs_;
};

TinyCorpus cvb0_corpus(Index documents) {
  Random random(5);
  std::vector<std::vector<std::uint32_t>> texts(documents);
  for (Index d = 0; d < documents; ++d) {
    const Index length = random.below(15);
    for (Index i = 0; i < length; ++i) {
      texts[d].push_back(static_cast<std::uint32_t>(random.below(1 + random.below(12))));
    }
  }
  return tiny_corpus(texts, 12);
}

TEST(Cvb0, EqualsItsEquationDoneNaively) {
  const TinyCorpus corpus = cvb0_corpus(10);
  Cvb0Options options;
  options.topics = 4;
  options.blocks = 1;
  Cvb0 fast(corpus.documents(), options);
  NaiveCvb0 naive(corpus, options);
  for (Index sweep = 0; sweep < 5; ++sweep) {
    fast.sweep(1);
    naive.sweep();
    for (Index d = 0; d < corpus.documents().size(); ++d) {
      for (Index k = 0; k < 4; ++k) {
        ASSERT_NEAR(fast.document_counts(d)[k], naive.document_count(d, k), 1e-5)
            << "sweep " << sweep;
      }
    }
  }
}

TEST(Cvb0, SameBitsForAnyNumberOfThreadsAndComesToRest) {
  const TinyCorpus corpus = cvb0_corpus(60);
  Cvb0Options options;
  options.topics = 5;
  options.blocks = 4;
  Cvb0 one(corpus.documents(), options), three(corpus.documents(), options);
  double first = 0, last = 0;
  for (Index sweep = 0; sweep < 200; ++sweep) {
    last = one.sweep(1);
    if (sweep == 0) first = last;
    ASSERT_EQ(last, three.sweep(3));
  }
  EXPECT_LT(last, 0.01 * first);
  double tokens = 0;
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(one.totals()[k], three.totals()[k]);
    tokens += one.totals()[k];
  }
  EXPECT_NEAR(tokens, static_cast<double>(corpus.tokens.size()), 1e-3);
  const LdaModel model = one.model();
  EXPECT_EQ(model.num_words(), 12U);
  for (Index k = 0; k < 5; ++k) EXPECT_NEAR(model.totals()[k], one.totals()[k], 1e-3);
}

TEST(Cvb0, GoesOnFromItsStateToTheSameBits) {
  const TinyCorpus corpus = cvb0_corpus(3);
  Cvb0Options options;
  options.topics = 4;
  options.blocks = 2;
  Cvb0 whole(corpus.documents(), options);
  for (Index sweep = 0; sweep < 5; ++sweep) whole.sweep(1);
  Cvb0 resumed(corpus.documents(), options);
  resumed.restore(whole.state());
  for (Index sweep = 0; sweep < 5; ++sweep) EXPECT_EQ(whole.sweep(1), resumed.sweep(2));
  EXPECT_EQ(whole.state().gamma, resumed.state().gamma);
  EXPECT_EQ(whole.state().totals, resumed.state().totals);
  options.topics = 5;
  EXPECT_THROW(Cvb0(corpus.documents(), options).restore(whole.state()), UsageError);
}

TEST(Cvb0, RefusesWhatIsOutOfRange) {
  const TinyCorpus corpus = cvb0_corpus(2);
  Cvb0Options options;
  options.alpha = std::nan("");
  EXPECT_THROW(Cvb0(corpus.documents(), options).num_topics(), UsageError);
  options = {};
  options.topics = 0;
  EXPECT_THROW(Cvb0(corpus.documents(), options).num_topics(), UsageError);
}

}  // namespace
}  // namespace trellis::topics
