#include "trellis/tasks/align/count_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stop_token>
#include <utility>

#include "trellis/base/random.h"
#include "trellis/generative/alignment/cooccurrence.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align::count_statistics_test {
namespace {

// Words of a small language beside those of another, of which most pairs have changed places.
Bitext make_bitext(Index pairs, Index words, std::uint64_t seed) {
  Random random(seed);
  Bitext bitext;
  for (Index k = 0; k < pairs; ++k) {
    std::vector<WordId> source, target;
    for (Index n = random.below(8); n > 0; --n) {
      source.push_back(static_cast<WordId>(random.below(words)));
    }
    for (const WordId e : source) {
      if (random.below(6) > 0) target.push_back(e);
      if (random.below(6) == 0) target.push_back(static_cast<WordId>(words));
    }
    for (Index j = 1; j < target.size(); j += 2) std::swap(target[j - 1], target[j]);
    bitext.add(source, target);
  }
  bitext.cover(words + 1, words + 3);  // some that no sentence has
  return bitext;
}

Vocabularies make_words(Index source, Index target) {
  Vocabularies words;
  for (Index side = 0; side < 2; ++side) {
    for (Index w = 0; w < (side == 0 ? source : target); ++w) {
      const std::string name = "w" + std::to_string(w);
      const std::vector<std::string_view> one = {name};
      std::vector<WordId> ids, others;
      if (side == 0) words.add(one, {}, ids, others);
      if (side == 1) words.add({}, one, others, ids);
    }
  }
  return words;
}

AlignModel train_on(const Bitext& bitext, AlignerKind aligner) {
  TrainOptions options;
  options.aligner = aligner;
  options.threads = 1;
  const Vocabularies words = make_words(bitext.source_words(), bitext.target_words());
  return *train(bitext, words, nullptr, options).model;
}

// The three sets of links of a pair, in the order of BigramPatterns::Set.
std::vector<Links> link_sets(const WordAligner& aligner, WordPair pair) {
  std::vector<Links> sets(3);
  if (pair.cells() == 0) return sets;
  WordAligner::Scratch scratch;
  std::vector<Label> a, b;
  aligner.maximize(pair, scratch, a, b);
  for (std::uint32_t j = 0; j < a.size(); ++j) {
    if (a[j] != kNoLabel) sets[0].push_back({static_cast<std::uint32_t>(a[j]), j});
  }
  for (std::uint32_t i = 0; i < b.size(); ++i) {
    if (b[i] != kNoLabel) sets[1].push_back({i, static_cast<std::uint32_t>(b[i])});
  }
  for (Links& links : sets) sort_links(links);
  std::set_intersection(sets[0].begin(), sets[0].end(), sets[1].begin(), sets[1].end(),
                        std::back_inserter(sets[2]));
  return sets;
}

// All that is known of one side, by the definitions: of the target's with sides turned.
struct Expected {
  std::map<std::pair<WordId, WordId>, std::vector<double>> patterns;  // and how often they follow
  std::map<WordId, double> several, tokens;
};
Expected expect_side(const Bitext& bitext, const WordAligner& aligner, bool source) {
  Expected expected;
  for (Index k = 0; k < bitext.size(); ++k) {
    std::vector<Links> sets = link_sets(aligner, bitext[k]);
    if (!source) {
      for (Links& links : sets) links = swapped(links);
    }
    const WordPair pair = source ? bitext[k] : bitext[k].swapped();
    const auto others = static_cast<std::uint32_t>(pair.target.size());
    for (std::uint32_t i = 0; i < pair.source.size(); ++i) {
      expected.tokens[pair.source[i]] += 1;
      const Links& generated = sets[source ? 0 : 1];
      const auto links = std::count_if(generated.begin(), generated.end(),
                                       [&](Link link) { return link.source == i; });
      if (links >= 2) expected.several[pair.source[i]] += 1;
      if (i + 1 == pair.source.size()) continue;
      std::vector<double>& counts = expected.patterns[{pair.source[i], pair.source[i + 1]}];
      counts.resize(BigramPatterns::kShares + 1, 0);
      counts.back() += 1;
      for (Index set = 0; set < 3; ++set) {
        bool monotone = false, inverted = false, shared = false;
        const auto has = [&](std::uint32_t w, std::uint32_t j) {
          return contains(sets[set], {w, j});
        };
        for (std::uint32_t j = 0; j < others; ++j) {
          monotone |= has(i, j) && has(i + 1, j + 1);
          inverted |= has(i, j + 1) && has(i + 1, j);
          shared |= has(i, j) && has(i + 1, j);
        }
        counts[3 * set] += monotone ? 1 : 0;
        counts[3 * set + 1] += inverted ? 1 : 0;
        counts[3 * set + 2] += shared ? 1 : 0;
      }
    }
  }
  return expected;
}

void expect_equal(const Expected& expected, std::uint32_t frequent, const BigramPatterns& patterns,
                  std::span<const float> several, std::span<const std::uint32_t> counts) {
  Index known = 0;
  for (const auto& [words, shares] : expected.patterns) {
    const std::span<const float> found = patterns.find(words.first, words.second);
    if (shares.back() < frequent) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    ++known;
    ASSERT_EQ(found.size(), BigramPatterns::kShares);
    for (Index x = 0; x < found.size(); ++x) {
      EXPECT_EQ(found[x], static_cast<float>(shares[x] / shares.back()));
    }
  }
  EXPECT_EQ(patterns.size(), known);
  ASSERT_EQ(several.size(), counts.size());
  for (WordId w = 0; w < several.size(); ++w) {
    const auto tokens = expected.tokens.find(w);
    const auto times = expected.several.find(w);
    EXPECT_EQ(counts[w], tokens == expected.tokens.end() ? 0 : tokens->second);
    EXPECT_EQ(several[w], times == expected.several.end()
                              ? 0
                              : static_cast<float>(times->second / tokens->second));
  }
}

TEST(CountStatistics, IsWhatTheDefinitionsSay) {
  for (const AlignerKind kind : {AlignerKind::kHmm, AlignerKind::kFertility, AlignerKind::kDice}) {
    const Bitext bitext = make_bitext(150, 7, 3);
    const AlignModel model = train_on(bitext, kind);
    for (const std::uint32_t frequent : {1U, 4U}) {
      const auto found = count_statistics(bitext, model.aligner(), {frequent, 2, {}, {}});
      ASSERT_TRUE(found);
      EXPECT_NO_THROW(check(*found, model.words().source().size(), model.words().target().size(),
                            model.aligner().lexicon().targets.size()));
      expect_equal(expect_side(bitext, model.aligner(), true), frequent, found->source,
                   found->source_several, found->source_counts);
      expect_equal(expect_side(bitext, model.aligner(), false), frequent, found->target,
                   found->target_several, found->target_counts);
    }
  }
}

TEST(CountStatistics, DiceIsThatOfAllPairsOfWords) {
  const Bitext bitext = make_bitext(100, 9, 4);
  const AlignModel model = train_on(bitext, AlignerKind::kModel1);
  const LexiconView& lexicon = model.aligner().lexicon();
  const auto found = count_statistics(bitext, model.aligner(), {5, 1, {}, {}});
  const Cooccurrence all = count_cooccurrences(bitext, 1);
  Index entries = 0;
  for (Index e = 0; e + 1 < all.row_begin.size(); ++e) {
    for (Index x = all.row_begin[e]; x < all.row_begin[e + 1]; ++x) {
      const Index entry = lexicon.find(static_cast<WordId>(e), all.targets[x]);
      if (entry == LexiconView::kNone) continue;
      ++entries;
      EXPECT_EQ(found->dice[entry],
                static_cast<float>(2.0 * all.counts[x] /
                                   (all.source_counts[e] + all.target_counts[all.targets[x]])));
    }
  }
  EXPECT_EQ(entries, found->dice.size());
}

TEST(CountStatistics, IsTheSameWhateverTheThreads) {
  const Bitext bitext = make_bitext(3000, 300, 5);
  const AlignModel model = train_on(bitext, AlignerKind::kFertility);
  const auto one = count_statistics(bitext, model.aligner(), {2, 1, {}, {}});
  const auto four = count_statistics(bitext, model.aligner(), {2, 4, {}, {}});
  const auto same = [](auto a, auto b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  EXPECT_GT(one->source.size(), 100U);
  EXPECT_TRUE(same(one->source.keys(), four->source.keys()));
  EXPECT_TRUE(same(one->source.shares(), four->source.shares()));
  EXPECT_TRUE(same(one->target.keys(), four->target.keys()));
  EXPECT_TRUE(same(one->target.shares(), four->target.shares()));
  EXPECT_EQ(one->source_several, four->source_several);
  EXPECT_EQ(one->target_several, four->target_several);
  EXPECT_EQ(one->dice, four->dice);
}

TEST(CountStatistics, StopsBetweenPairs) {
  const Bitext bitext = make_bitext(50, 5, 6);
  const AlignModel model = train_on(bitext, AlignerKind::kModel1);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(count_statistics(bitext, model.aligner(), {5, 2, stop.get_token(), {}}));
}

}  // namespace
}  // namespace trellis::align::count_statistics_test
