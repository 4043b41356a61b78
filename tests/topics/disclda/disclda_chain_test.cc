#include "trellis/topics/disclda/disclda_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "tests/topics/disclda/disclda_enumeration.h"
#include "trellis/base/error.h"
#include "trellis/topics/disclda/discriminative_step.h"

namespace trellis::topics {
namespace {

using Assignment = DiscLdaChain::Assignment;

// Γ(a + n) / Γ(a)
double rising(double a, Index n) {
  double product = 1;
  for (Index i = 0; i < n; ++i) product *= a + static_cast<double>(i);
  return product;
}

// Words and labels of two short documents over three words.
LabelledCorpus two_documents() {
  LabelledCorpus corpus;
  corpus.num_words = 3;
  corpus.add({0, 1, 0}, 0);
  corpus.add({1, 2}, 1);
  return corpus;
}

// All assignments of pairs to tokens, and p(w, u, z | y, T) of each up to a constant: written from
// (4.18), (4.19) and p(u | z, y) = T.
struct JointTable {
  std::vector<std::vector<Assignment>> states;
  std::vector<double> weights;
};
JointTable enumerate_joint(const LabelledCorpus& corpus, const Transformation& transformation,
                           double alpha, double beta) {
  const Index topics = transformation.num_topics(), components = transformation.num_components();
  const std::vector<double> shares = transformation.shares();
  const Index pairs = topics * components, tokens = corpus.tokens.size();
  JointTable table;
  std::vector<Index> state(tokens, 0);
  for (;;) {
    double p = 1;
    std::vector<Index> word_topic(corpus.num_words * topics, 0), topic(topics, 0);
    std::vector<Assignment> assignments;
    for (Index d = 0; d < corpus.labels.size(); ++d) {
      std::vector<Index> counts(components, 0);
      for (Index i = corpus.begin[d]; i < corpus.begin[d + 1]; ++i) {
        const Index k = state[i] % topics, l = state[i] / topics;
        p *= shares[(corpus.labels[d] * components + l) * topics + k];
        ++counts[l];
        ++word_topic[corpus.tokens[i] * topics + k];
        ++topic[k];
        assignments.push_back({static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(l)});
      }
      for (const Index n : counts) p *= rising(alpha, n);
      p /= rising(alpha * static_cast<double>(components), corpus.begin[d + 1] - corpus.begin[d]);
    }
    for (const Index n : word_topic) p *= rising(beta, n);
    for (const Index n : topic) p /= rising(beta * static_cast<double>(corpus.num_words), n);
    if (p > 0) {
      table.states.push_back(assignments);
      table.weights.push_back(p);
    }
    Index i = 0;
    while (i < tokens && ++state[i] == pairs) state[i++] = 0;
    if (i == tokens) break;
  }
  return table;
}

// How often each of a few statistics holds, against the table: z-scores with an allowance for the
// draws' dependence.
void expect_same_distribution(DiscLdaChain& chain, const LabelledCorpus& corpus,
                              const JointTable& table, Index sweeps) {
  // For each token, each pair; and for each two tokens, whether their topics agree.
  const auto statistics = [&](const std::vector<Assignment>& state) {
    std::vector<std::uint32_t> facts;
    for (std::uint32_t i = 0; i < state.size(); ++i) {
      facts.push_back(i * 1000 + state[i].topic * 10U + state[i].component);
      for (std::uint32_t j = 0; j < i; ++j) {
        if (state[i].topic == state[j].topic) facts.push_back(100000 + i * 100 + j);
      }
    }
    return facts;
  };
  std::map<std::uint32_t, double> expected, seen;
  const double total = std::accumulate(table.weights.begin(), table.weights.end(), 0.0);
  for (Index s = 0; s < table.states.size(); ++s) {
    for (const auto fact : statistics(table.states[s])) expected[fact] += table.weights[s] / total;
  }
  chain.start(1);
  for (Index sweep = 0; sweep < sweeps; ++sweep) {
    chain.sweep(1);
    for (const auto fact : statistics(chain.assignments(corpus.documents()))) {
      seen[fact] += 1 / static_cast<double>(sweeps);
    }
  }
  const double draws = static_cast<double>(sweeps) / 8;  // that are as good as independent
  for (const auto& [fact, p] : expected) {
    EXPECT_NEAR(seen[fact], p, 4.5 * std::sqrt(p * (1 - p) / draws) + 1e-9) << fact;
  }
  for (const auto& [fact, p] : seen) EXPECT_TRUE(expected.contains(fact)) << fact;
}

// A chain over two documents, and the probabilities of all its states.
struct EnumeratedChain {
  LabelledCorpus corpus = two_documents();
  Transformation transformation = drawn_transformation();
  JointTable table = enumerate_joint(corpus, transformation, 0.5, 0.3);
  DiscLdaChain chain{corpus.documents(),
                     corpus.labels,
                     transformation,
                     {.alpha = 0.5, .beta = 0.3, .seed = 2, .blocks = 0}};

  static Transformation drawn_transformation() {
    Random random(8);
    return {2, 3, 2, random_shares(4, 3, random)};
  }
};

TEST(DiscLdaChain, DrawsFromTheExactPosterior) {
  EnumeratedChain two;
  expect_same_distribution(two.chain, two.corpus, two.table, 40000);
}

TEST(DiscLdaChain, JointProbabilityEqualsTheTable) {
  EnumeratedChain two;
  EXPECT_EQ(two.chain.log_joint(), -kInfinity);
  for (Index s = 0; s < two.table.states.size(); s += 101) {
    two.chain.restore(two.corpus.documents(), two.table.states[s], 0);
    EXPECT_NEAR(two.chain.log_joint(), std::log(two.table.weights[s]), 1e-10);
  }
}

// With blocks, u is LDA's topic, restricted to the class's own and the shared: a table of its own,
// from LDA's joint probability alone.
TEST(DiscLdaChain, BlocksAreLdaWithRestrictedTopics) {
  const LabelledCorpus corpus = two_documents();
  const double alpha = 0.4, beta = 0.2;
  const std::vector<std::vector<std::uint16_t>> allowed = {{0, 2, 3},
                                                           {1, 2, 3}};  // B_c = 1, B_s = 2
  JointTable table;
  std::vector<Index> state(5, 0);
  for (;;) {
    double p = 1;
    std::vector<Index> word_topic(3 * 4, 0), topic(4, 0);
    std::vector<Assignment> assignments;
    for (Index d = 0; d < 2; ++d) {
      std::vector<Index> counts(4, 0);
      for (Index i = corpus.begin[d]; i < corpus.begin[d + 1]; ++i) {
        const std::uint16_t k = allowed[d][state[i]];
        ++counts[k];
        ++word_topic[corpus.tokens[i] * 4 + k];
        ++topic[k];
        assignments.push_back({k, static_cast<std::uint16_t>(state[i])});
      }
      for (const Index n : counts) p *= rising(alpha, n);
    }
    for (const Index n : word_topic) p *= rising(beta, n);
    for (const Index n : topic) p /= rising(3 * beta, n);
    table.states.push_back(assignments);
    table.weights.push_back(p);
    Index i = 0;
    while (i < 5 && ++state[i] == 3) state[i++] = 0;
    if (i == 5) break;
  }
  DiscLdaChain chain(corpus.documents(), corpus.labels, Transformation::blocks(2, 1, 2),
                     {.alpha = alpha, .beta = beta, .seed = 3, .blocks = 0});
  expect_same_distribution(chain, corpus, table, 40000);
}

// Documents of three classes, each with words of its own and words that all share, in shares that
// are uniform over documents.
LabelledCorpus planted_corpus(Index documents, Index length, std::uint64_t seed) {
  LabelledCorpus corpus;
  corpus.num_words = 40;
  Random random(seed);
  for (Index d = 0; d < documents; ++d) {
    const auto label = static_cast<std::uint32_t>(random.below(3));
    const double own = random.uniform();
    std::vector<std::uint32_t> words(length);
    for (auto& word : words) {
      word = static_cast<std::uint32_t>(random.uniform() < own ? 10 * label + random.below(10)
                                                               : 30 + random.below(10));
    }
    corpus.add(words, label);
  }
  return corpus;
}

TEST(DiscLdaChain, RecoversWhatWasPlanted) {
  const LabelledCorpus corpus = planted_corpus(120, 40, 1);
  DiscLdaChain chain(corpus.documents(), corpus.labels, Transformation::blocks(3, 1, 1),
                     {.alpha = 1, .beta = 0.01, .seed = 1, .blocks = 0});
  chain.start(1);
  for (int sweep = 0; sweep < 600; ++sweep) chain.sweep(1);
  const KnownTopics topics = chain.topics();
  std::vector<double> phi(4), mass(16, 0.0);  // of topic k on the words of class c, or the shared
  for (Index v = 0; v < 40; ++v) {
    topics.probabilities(v, phi);
    for (Index k = 0; k < 4; ++k) mass[k * 4 + v / 10] += phi[k];
  }
  for (Index k = 0; k < 4; ++k) EXPECT_GT(mass[k * 4 + k], 0.98) << k;
  // And tells the classes of other documents, where they have a word of their own.
  const LabelledCorpus others = planted_corpus(100, 40, 7);
  const DiscLdaModel model{chain.transformation(), topics, 1, log_prior_of(corpus.labels, 3)};
  EXPECT_LT(conditional_fit(model, others.documents(), others.labels, {}, 0, 1).error, 0.05);
}

TEST(DiscLdaChain, SameBitsForAnyNumberOfThreadsAndAfterResuming) {
  const LabelledCorpus corpus = planted_corpus(60, 30, 2);
  const DiscLdaChainOptions options{.alpha = 0.2, .beta = 0.01, .seed = 5, .blocks = 4};
  for (const bool dense : {false, true}) {
    const Transformation transformation =
        dense ? SoftmaxTransformation::smoothed_blocks(3, 2, 2).transformation()
              : Transformation::blocks(3, 2, 2);
    DiscLdaChain chain(corpus.documents(), corpus.labels, transformation, options);
    chain.start(1);
    for (int sweep = 0; sweep < 5; ++sweep) chain.sweep(1);
    const auto at_five = chain.assignments(corpus.documents());
    for (int sweep = 0; sweep < 3; ++sweep) chain.sweep(1);
    const auto expected = chain.assignments(corpus.documents());
    for (const int threads : {2, 3}) {
      DiscLdaChain other(corpus.documents(), corpus.labels, transformation, options);
      other.start(threads);
      for (int sweep = 0; sweep < 8; ++sweep) other.sweep(threads);
      EXPECT_EQ(other.assignments(corpus.documents()), expected);
      EXPECT_EQ(other.log_joint(), chain.log_joint());
    }
    DiscLdaChain resumed(corpus.documents(), corpus.labels, transformation, options);
    resumed.restore(corpus.documents(), at_five, 5);
    for (int sweep = 0; sweep < 3; ++sweep) resumed.sweep(2);
    EXPECT_EQ(resumed.assignments(corpus.documents()), expected);
    EXPECT_EQ(resumed.num_sweeps(), 8U);
  }
}

TEST(DiscLdaChain, RefusesWhatDoesNotFit) {
  const LabelledCorpus corpus = two_documents();
  const Transformation blocks = Transformation::blocks(2, 1, 1);
  const auto make = [&](std::vector<std::uint32_t> labels, double alpha, double beta) {
    DiscLdaChain(corpus.documents(), labels, blocks, {alpha, beta, 1, 0});
  };
  EXPECT_NO_THROW(make({0, 1}, 0.1, 0.1));
  EXPECT_NO_THROW(make({0, 0}, 0.1, 0.1));  // a class with no document
  EXPECT_THROW(make({0}, 0.1, 0.1), UsageError);
  EXPECT_THROW(make({0, 2}, 0.1, 0.1), UsageError);
  EXPECT_THROW(make({0, 1}, 0, 0.1), UsageError);
  EXPECT_THROW(make({0, 1}, 0.1, std::nan("")), UsageError);
  DiscLdaChain chain(corpus.documents(), corpus.labels, blocks, {0.1, 0.1, 1, 0});
  std::vector<Assignment> state(5, {2, 1});
  EXPECT_NO_THROW(chain.restore(corpus.documents(), state, 3));
  state[0] = {1, 0};  // the other class's own
  EXPECT_THROW(chain.restore(corpus.documents(), state, 3), UsageError);
  state.pop_back();
  EXPECT_THROW(chain.restore(corpus.documents(), state, 3), UsageError);
}

TEST(DiscLdaChain, EmptyDocumentsAndMoreTopicsThanWords) {
  LabelledCorpus corpus;
  corpus.num_words = 2;
  corpus.add({}, 0);
  corpus.add({1, 0, 1}, 1);
  corpus.add({}, 1);
  DiscLdaChain chain(corpus.documents(), corpus.labels, Transformation::blocks(2, 5, 3), {});
  chain.start(2);
  chain.sweep(2);
  EXPECT_EQ(chain.assignments(corpus.documents()).size(), 3U);
  EXPECT_TRUE(std::isfinite(chain.log_joint()));
}

}  // namespace
}  // namespace trellis::topics
