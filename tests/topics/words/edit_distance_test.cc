#include "trellis/topics/words/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics::edit_distance_test {
namespace {

using testing::Edges;
using testing::edges_of;
using testing::random_words;
using testing::word_list;

// By the table of all pairs of beginnings (Wagner & Fischer 1974).
Index levenshtein(std::u32string_view a, std::u32string_view b) {
  std::vector<std::vector<Index>> table(a.size() + 1, std::vector<Index>(b.size() + 1));
  for (Index i = 0; i <= a.size(); ++i) {
    for (Index j = 0; j <= b.size(); ++j) {
      table[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                              table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
  }
  return table.back().back();
}

std::u32string codes_of(std::string_view word) {
  std::u32string codes;
  decode_utf8(word, codes);
  return codes;
}

Edges brute_force(const NameList& words, const EditDistanceOptions& options) {
  Edges edges;
  for (Index u = 0; u < words.size(); ++u) {
    for (Index v = u + 1; v < words.size(); ++v) {
      const std::u32string a = codes_of(words[u]), b = codes_of(words[v]);
      if (std::min(a.size(), b.size()) < options.min_length) continue;
      if (levenshtein(a, b) <= options.distance) edges.emplace_back(u, v, options.weight);
    }
  }
  return edges;
}

Edges found(const NameList& words, const EditDistanceOptions& options, int threads = 1) {
  WordGraphBuilder graph(words.size());
  const LinkTally tally = add_edit_distance_links(words.view(), options, threads, graph);
  Edges edges = edges_of(graph.build());
  EXPECT_EQ(tally.links, edges.size());
  return edges;
}

TEST(EditDistance, LinksThePairsThatAreFoundByLookingAtAll) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    // Short words, and words around and beyond the length of the prefix.
    for (const Index longest : {6, 15, 20}) {
      const NameList words = random_words(150, longest, U"aéb", seed);
      for (const Index distance : {1, 2}) {
        const EditDistanceOptions options{distance, distance + 1 + seed % 4, 0.5F};
        EXPECT_EQ(found(words, options), brute_force(words, options));
      }
    }
  }
}

// Random long words are far from one another: here they are made by edits, at the beginning, around
// the end of the prefix, and behind it.
TEST(EditDistance, LinksLongWordsThatWereEdited) {
  Random random(7);
  const std::u32string stem = U"abcdefghijklmnopqrst";
  NameList words;
  std::string name;
  while (words.size() < 200) {
    std::u32string word = stem.substr(0, 10 + random.below(11));
    for (Index edits = random.below(4); edits > 0; --edits) {
      const Index at = random.below(word.size());
      const Index kind = random.below(3);
      if (kind != 0) word.erase(at, 1);
      if (kind != 1) word.insert(at, 1, U"xyz"[random.below(3)]);
    }
    name.clear();
    for (const char32_t code : word) append_utf8(code, name);
    words.add(name);
  }
  for (const Index distance : {1, 2}) {
    const EditDistanceOptions options{distance, 3, 1};
    const Edges expected = brute_force(words, options);
    EXPECT_GT(expected.size(), 50u);
    EXPECT_EQ(found(words, options), expected);
  }
}

TEST(EditDistance, CountsCharactersAndNotBytes) {
  const NameList words = word_list({"élève", "eleve", "élèves", "été"});
  EXPECT_EQ(found(words, {.distance = 2, .min_length = 5}), (Edges{{0, 1, 1}, {0, 2, 1}}));
  EXPECT_EQ(found(words, {.distance = 1, .min_length = 3}), (Edges{{0, 2, 1}}));
  EXPECT_TRUE(found(words, {.distance = 1, .min_length = 6}).empty());
}

TEST(EditDistance, WithinEditsIsTheTable) {
  const NameList words = random_words(60, 7, U"abc", 1);
  for (Index u = 0; u < words.size(); ++u) {
    for (Index v = 0; v < words.size(); ++v) {
      const std::u32string a = codes_of(words[u]), b = codes_of(words[v]);
      for (const Index most : {0, 1, 2, 3}) {
        EXPECT_EQ(within_edits(a, b, most), levenshtein(a, b) <= most);
      }
    }
  }
}

TEST(EditDistance, SameResultForAnyNumberOfThreads) {
  const NameList words = random_words(500, 8, U"abcd", 2);
  const EditDistanceOptions options{2, 4, 1};
  EXPECT_EQ(found(words, options, 1), found(words, options, 3));
}

TEST(EditDistance, RefusesOptionsThatMakeNoSense) {
  const NameList words = word_list({"one", "two"});
  WordGraphBuilder graph(2);
  for (const EditDistanceOptions& options :
       {EditDistanceOptions{0, 5, 1}, EditDistanceOptions{3, 5, 1}, EditDistanceOptions{2, 2, 1},
        EditDistanceOptions{1, 5, 0}}) {
    EXPECT_THROW(add_edit_distance_links(words.view(), options, 1, graph), UsageError);
  }
  WordGraphBuilder other(3);
  EXPECT_THROW(add_edit_distance_links(words.view(), {}, 1, other), UsageError);
  WordGraphBuilder none(0);
  EXPECT_EQ(add_edit_distance_links(NameView(), {}, 1, none).links, 0u);
}

}  // namespace
}  // namespace trellis::topics::edit_distance_test
