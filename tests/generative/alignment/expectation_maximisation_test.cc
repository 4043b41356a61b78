#include "trellis/generative/alignment/expectation_maximisation.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "alignment_enumeration.h"
#include "trellis/base/random.h"
#include "trellis/generative/alignment/cooccurrence.h"

namespace trellis {
namespace {

using namespace testing;

std::vector<Lengths> lengths_of(const Bitext& bitext, bool swapped) {
  std::vector<Lengths> lengths;
  for (Index k = 0; k < bitext.size(); ++k) {
    const WordPair pair = swapped ? bitext[k].swapped() : bitext[k];
    lengths.push_back({pair.source.size(), pair.target.size()});
  }
  return lengths;
}

std::unique_ptr<PositionModel> make(Positions kind, const Bitext& bitext, bool swapped) {
  switch (kind) {
    case Positions::kUniform:
      return std::make_unique<UniformPositions>(0.2);
    case Positions::kTable:
      return std::make_unique<TablePositions>(0.2, lengths_of(bitext, swapped), 0.0);
    case Positions::kDiagonal:
      return std::make_unique<DiagonalPositions>(0.2, 4.0, lengths_of(bitext, swapped));
    case Positions::kJumps:
      break;
  }
  JumpPositions::Options options;
  options.reach = 4;
  options.smoothing = 0;
  return std::make_unique<JumpPositions>(options);
}

struct Pass {
  Pass(const Bitext& text, Positions kind, Lexicon::Options options, int threads = 1)
      : bitext(text),
        found(count_cooccurrences(text, threads)),
        lexicon(found.row_begin, found.targets, text.target_words(), options),
        forward(make(kind, text, false)),
        reverse(make(kind, text, true)),
        em(text, lexicon, threads) {}

  EmIteration iterate(bool agree = false) { return em.iterate(*forward, *reverse, agree); }

  const Bitext& bitext;
  Cooccurrence found;
  Lexicon lexicon;
  std::unique_ptr<PositionModel> forward, reverse;
  ExpectationMaximisation em;
};

Lexicon::Options likelihood() {
  return {Smoothing::kNone, 0, 1e-12, 1};
}

TEST(ExpectationMaximisation, LikelihoodNeverFalls) {
  const Bitext bitext = random_bitext(60, 7, 12, 1);
  for (const Positions kind :
       {Positions::kUniform, Positions::kTable, Positions::kDiagonal, Positions::kJumps}) {
    Pass run(bitext, kind, likelihood());
    EmIteration before = run.iterate();
    for (int round = 0; round < 30; ++round) {
      const EmIteration now = run.iterate();
      // Parameters are kept as floats.
      EXPECT_GE(now.forward, before.forward - 1e-3) << to_string(kind) << " " << round;
      EXPECT_GE(now.reverse, before.reverse - 1e-3) << to_string(kind) << " " << round;
      before = now;
    }
  }
}

// Expected counts by enumeration of all alignments of all pairs, of the parameters before.
struct Brute {
  std::map<std::pair<WordId, WordId>, double> forward, reverse;
  std::map<WordId, double> null_forward;
  double likelihood = 0;
};
Brute brute_counts(const Bitext& bitext, const LexiconView& lexicon, const Prior& forward_prior,
                   const Prior& reverse_prior, bool agree) {
  Brute brute;
  for (Index k = 0; k < bitext.size(); ++k) {
    const WordPair pair = bitext[k];
    const Index sources = pair.source.size(), targets = pair.target.size();
    std::vector<double> t(targets * (sources + 1)), u(sources * (targets + 1));
    lexicon.grids(pair, t, u);
    for (double& value : t) value = std::exp(value);
    for (double& value : u) value = std::exp(value);
    const Enumerated p = enumerate({sources, targets}, forward_prior, t);
    const Enumerated q = enumerate({targets, sources}, reverse_prior, u);
    brute.likelihood += std::log(p.likelihood);
    for (Index j = 0; j < targets; ++j) {
      for (Index i = 0; i < sources; ++i) {
        const double forward = p.posteriors[j * (sources + 1) + i];
        const double reverse = q.posteriors[i * (targets + 1) + j];
        const auto words = std::make_pair(pair.source[i], pair.target[j]);
        brute.forward[words] += agree ? forward * reverse : forward;
        brute.reverse[words] += agree ? forward * reverse : reverse;
      }
      brute.null_forward[pair.target[j]] += p.posteriors[j * (sources + 1) + sources];
    }
  }
  return brute;
}

void expect_steps_equal_enumeration(Positions kind, bool agree) {
  const Bitext bitext = random_bitext(20, 4, 6, 2);
  Pass run(bitext, kind, likelihood());
  for (int round = 0; round < 4; ++round) {
    const auto prior_of = [&](const PositionModel& model) {
      if (kind == Positions::kUniform) return uniform_prior(0.2);
      if (kind == Positions::kDiagonal) {
        return diagonal_prior(0.2, dynamic_cast<const DiagonalPositions&>(model).tension());
      }
      return jump_prior(dynamic_cast<const JumpPositions&>(model));
    };
    const Brute brute = brute_counts(bitext, run.lexicon.view(), prior_of(*run.forward),
                                     prior_of(*run.reverse), agree);
    const EmIteration step = run.iterate(agree);
    EXPECT_NEAR(step.forward, brute.likelihood, 1e-4);
    std::map<WordId, double> totals, reverse_totals;
    for (const auto& [words, count] : brute.forward) totals[words.first] += count;
    for (const auto& [words, count] : brute.reverse) reverse_totals[words.second] += count;
    const LexiconView after = run.lexicon.view();
    for (const auto& [words, count] : brute.forward) {
      const Index entry = after.find(words.first, words.second);
      ASSERT_NE(entry, LexiconView::kNone);
      EXPECT_NEAR(std::exp(after.forward[entry]), count / totals[words.first], 1e-5);
      EXPECT_NEAR(std::exp(after.reverse[entry]),
                  brute.reverse.at(words) / reverse_totals[words.second], 1e-5);
    }
  }
}

TEST(ExpectationMaximisation, StepsEqualEnumeration) {
  expect_steps_equal_enumeration(Positions::kUniform, false);
  expect_steps_equal_enumeration(Positions::kDiagonal, false);
  expect_steps_equal_enumeration(Positions::kJumps, false);
}

TEST(ExpectationMaximisation, AgreementEqualsEnumeration) {
  expect_steps_equal_enumeration(Positions::kUniform, true);
  expect_steps_equal_enumeration(Positions::kJumps, true);
}

TEST(ExpectationMaximisation, SameBitsForAnyNumberOfThreads) {
  const Bitext bitext = random_bitext(300, 9, 40, 3);
  for (const Positions kind : {Positions::kTable, Positions::kDiagonal, Positions::kJumps}) {
    Pass one(bitext, kind, {Smoothing::kBayes, 1e-3, 1e-7, 1}, 1);
    Pass four(bitext, kind, {Smoothing::kBayes, 1e-3, 1e-7, 4}, 4);
    for (int round = 0; round < 3; ++round) {
      const EmIteration a = one.iterate(round == 2), b = four.iterate(round == 2);
      EXPECT_EQ(a.forward, b.forward);
      EXPECT_EQ(a.reverse, b.reverse);
    }
    const LexiconView a = one.lexicon.view(), b = four.lexicon.view();
    EXPECT_TRUE(std::equal(a.forward.begin(), a.forward.end(), b.forward.begin()));
    EXPECT_TRUE(std::equal(a.reverse.begin(), a.reverse.end(), b.reverse.begin()));
  }
}

TEST(ExpectationMaximisation, EmptySentencesCountForNothing) {
  Bitext bitext = random_bitext(10, 4, 6, 4), with_gaps;
  const std::vector<WordId> none, some = {1, 2};
  for (Index k = 0; k < bitext.size(); ++k) {
    with_gaps.add(bitext[k].source, bitext[k].target);
    with_gaps.add(none, k % 2 == 0 ? none : some);
  }
  Pass plain(bitext, Positions::kJumps, likelihood()),
      gaps(with_gaps, Positions::kJumps, likelihood());
  for (int round = 0; round < 3; ++round) {
    EXPECT_NEAR(plain.iterate().forward, gaps.iterate().forward, 1e-9);
  }
}

}  // namespace
}  // namespace trellis
