#include "trellis/generative/alignment/fertility_maximisation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "alignment_enumeration.h"
#include "trellis/generative/alignment/cooccurrence.h"

namespace trellis {
namespace {

using namespace testing;

constexpr double kNull = 0.2;

std::vector<double> even_jumps(Index reach) {
  return std::vector<double>(2 * reach + 1, 1 / static_cast<double>(2 * reach + 1));
}

Index class_of(const std::vector<double>& jumps, Label distance) {
  const auto reach = static_cast<Label>(jumps.size() / 2);
  return static_cast<Index>(std::clamp(distance, -reach, reach) + reach);
}

std::vector<Index> fertilities_of(const Alignment& a, Index positions) {
  std::vector<Index> fertility(positions, 0);
  for (const Label i : a) {
    if (i != kNoLabel) ++fertility[static_cast<Index>(i)];
  }
  return fertility;
}

// p(a | e) of fertility_sampler.h, up to a constant.
Prior fertile_prior(const std::vector<double>& jumps, const FertilityTable& fertilities,
                    std::span<const WordId> words) {
  return [&jumps, &fertilities, words](Lengths lengths, const Alignment& a) {
    const auto jump = [&](Label distance) { return jumps[class_of(jumps, distance)]; };
    double product = 1;
    Label last = -1;
    for (const Label i : a) {
      product *= i == kNoLabel ? kNull : (1 - kNull) * jump(i - last);
      if (i != kNoLabel) last = i;
    }
    const std::vector<Index> fertility = fertilities_of(a, lengths.source);
    for (Index i = 0; i < lengths.source; ++i) {
      product *= static_cast<double>(fertilities.of(words[i])[fertility[i]]);
    }
    return product * jump(static_cast<Label>(lengths.source) - last);
  };
}

// Posteriors and expected counts of fertilities and of jumps of one direction, by enumeration.
struct Expected {
  std::vector<double> posteriors, fertilities, jumps;
};
Expected expected(Lengths lengths, std::span<const WordId> words, const Prior& prior,
                  const std::vector<double>& t, Index fertility_cells, Index most, Index classes) {
  Expected found{std::vector<double>(t.size(), 0.0), std::vector<double>(fertility_cells, 0.0),
                 std::vector<double>(classes, 0.0)};
  double total = 0;
  for (const Alignment& a : all_alignments(lengths)) {
    double p = prior(lengths, a);
    for (Index j = 0; j < lengths.target; ++j) {
      const Index i = a[j] == kNoLabel ? lengths.source : static_cast<Index>(a[j]);
      p *= t[j * (lengths.source + 1) + i];
    }
    total += p;
    for (Index j = 0; j < lengths.target; ++j) {
      const Index i = a[j] == kNoLabel ? lengths.source : static_cast<Index>(a[j]);
      found.posteriors[j * (lengths.source + 1) + i] += p;
    }
    const std::vector<Index> fertility = fertilities_of(a, lengths.source);
    for (Index i = 0; i < lengths.source; ++i) {
      found.fertilities[words[i] * (most + 1) + fertility[i]] += p;
    }
    Label last = -1;
    const auto jump_to = [&](Label to) {
      found.jumps[class_of(found.jumps, to - last)] += p;
      last = to;
    };
    for (const Label i : a) {
      if (i != kNoLabel) jump_to(i);
    }
    jump_to(static_cast<Label>(lengths.source));
  }
  for (double& p : found.posteriors) p /= total;
  for (double& p : found.fertilities) p /= total;
  for (double& p : found.jumps) p /= total;
  return found;
}

// c(d) = (N_d + η)/Σ
std::vector<double> jumps_of(std::vector<double> counts) {
  double total = 0;
  for (double& count : counts) total += count += FertilityTraining().jump_prior;
  for (double& count : counts) count /= total;
  return counts;
}

// The enumeration has jumps of its own, which follow from those that both begin with.
TEST(FertilityMaximisation, StepsComeNearEnumeration) {
  const Bitext bitext = random_bitext(6, 4, 5, 2);
  const Cooccurrence found = count_cooccurrences(bitext, {});
  for (const bool agree : {false, true}) {
    Lexicon lexicon(found.row_begin, found.targets, bitext.target_words(),
                    {Smoothing::kNone, 0, 1e-12, 1});
    FertilityTraining training;
    training.null = kNull;
    training.sampling = {20, 10, 400, 1};
    FertilityMaximisation em(bitext, lexicon, training);
    FertilityParameters forward(even_jumps(3), bitext.source_words());
    FertilityParameters reverse(even_jumps(3), bitext.target_words());
    const Index most = forward.fertilities.most;
    std::vector<double> forward_jumps = forward.jumps, reverse_jumps = reverse.jumps;
    for (std::uint64_t round = 0; round < 3; ++round) {
      std::map<std::pair<WordId, WordId>, double> links;
      std::map<WordId, double> totals;
      std::vector<double> fertilities(bitext.source_words() * (most + 1), 0.0);
      std::vector<double> forward_counts(7, 0.0), reverse_counts(7, 0.0);
      for (Index k = 0; k < bitext.size(); ++k) {
        const WordPair pair = bitext[k];
        const Index sources = pair.source.size(), targets = pair.target.size();
        std::vector<double> t(targets * (sources + 1)), u(sources * (targets + 1));
        lexicon.view().grids(pair, t, u);
        for (double& value : t) value = std::exp(value);
        for (double& value : u) value = std::exp(value);
        const Expected p = expected({sources, targets}, pair.source,
                                    fertile_prior(forward_jumps, forward.fertilities, pair.source),
                                    t, fertilities.size(), most, forward_counts.size());
        const Expected q =
            expected({targets, sources}, pair.target,
                     fertile_prior(reverse_jumps, reverse.fertilities, pair.target), u,
                     bitext.target_words() * (most + 1), most, reverse_counts.size());
        for (Index d = 0; d < forward_counts.size(); ++d) {
          forward_counts[d] += p.jumps[d];
          reverse_counts[d] += q.jumps[d];
        }
        for (Index x = 0; x < fertilities.size(); ++x) fertilities[x] += p.fertilities[x];
        for (Index i = 0; i < sources; ++i) {
          for (Index j = 0; j < targets; ++j) {
            const double link = p.posteriors[j * (sources + 1) + i] *
                                (agree ? q.posteriors[i * (targets + 1) + j] : 1);
            links[{pair.source[i], pair.target[j]}] += link;
            totals[pair.source[i]] += link;
          }
        }
      }
      em.iterate(forward, reverse, agree, round);
      const LexiconView after = lexicon.view();
      for (const auto& [words, count] : links) {
        const Index entry = after.find(words.first, words.second);
        ASSERT_NE(entry, LexiconView::kNone);
        EXPECT_NEAR(std::exp(after.forward[entry]), count / totals[words.first], 0.02)
            << agree << round;
      }
      const FertilityTable table =
          fertility_table(fertilities, most, FertilityTraining().fertility_prior);
      for (Index x = 0; x < table.rows.size(); ++x) {
        EXPECT_NEAR(forward.fertilities.rows[x], table.rows[x], 0.02) << agree << round;
      }
      forward_jumps = jumps_of(forward_counts);
      reverse_jumps = jumps_of(reverse_counts);
      for (Index d = 0; d < forward_jumps.size(); ++d) {
        EXPECT_NEAR(forward.jumps[d], forward_jumps[d], 0.01) << agree << round << " " << d;
        EXPECT_NEAR(reverse.jumps[d], reverse_jumps[d], 0.01) << agree << round << " " << d;
      }
    }
  }
}

TEST(FertilityMaximisation, SameBitsForAnyNumberOfThreads) {
  const Bitext bitext = random_bitext(300, 9, 40, 3);
  const Cooccurrence found = count_cooccurrences(bitext, {});
  const auto run = [&](int threads) {
    Lexicon lexicon(found.row_begin, found.targets, bitext.target_words(),
                    {Smoothing::kAdd, 1e-3, 1e-7, threads});
    FertilityTraining training;
    training.threads = threads;
    FertilityMaximisation em(bitext, lexicon, training);
    FertilityParameters forward(even_jumps(6), bitext.source_words());
    FertilityParameters reverse(even_jumps(6), bitext.target_words());
    std::vector<double> sums;
    for (std::uint64_t round = 0; round < 3; ++round) {
      const EmIteration done = em.iterate(forward, reverse, true, round);
      sums.insert(sums.end(), {done.forward, done.reverse});
    }
    const std::span<const float> logs = lexicon.view().forward;
    return std::tuple(sums, forward.jumps, reverse.fertilities.rows,
                      std::vector<float>(logs.begin(), logs.end()));
  };
  EXPECT_EQ(run(1), run(4));
}

// Rare words have what all words have, frequent ones their own.
TEST(FertilityTable, RareWordsAreLikeTheOthers) {
  const std::vector<double> counts = {0, 1000, 0, 0, 0, 1, 500, 500, 0};  // three words, 0 to 2
  const FertilityTable table = fertility_table(counts, 2, 4);
  EXPECT_NEAR(table.of(0)[1], 1, 0.01);
  EXPECT_NEAR(table.of(2)[0], 0.5, 0.01);
  EXPECT_GT(table.of(1)[1], table.of(1)[2]);
  EXPECT_EQ(table.words(), 3u);
  const std::span<const float> unknown = table.of(kUnknownWord);
  EXPECT_NEAR(unknown[1], 0.75, 0.01);
}

}  // namespace
}  // namespace trellis
