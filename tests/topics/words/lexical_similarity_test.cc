#include "trellis/topics/words/lexical_similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "tests/topics/words/strongest.h"
#include "tests/topics/words/word_list.h"
#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::topics::lexical_similarity_test {
namespace {

using testing::random_words;
using testing::strongest_by_sorting;
using testing::word_list;
using Profile = std::map<std::u32string, double>;

Profile profile_of(std::string_view word) {
  using Options = LexicalSimilarityOptions;
  std::u32string codes;
  decode_utf8(word, codes);
  codes = U'^' + codes + U'$';
  Profile profile;
  for (Index at = 0; at < codes.size(); ++at) {
    for (Index n = Options::kShortest; n <= Options::kLongest && at + n <= codes.size(); ++n) {
      profile[codes.substr(at, n)] += 1;
    }
  }
  return profile;
}

double product(const Profile& a, const Profile& b) {
  double sum = 0;
  for (const auto& [gram, count] : a) {
    const auto other = b.find(gram);
    if (other != b.end()) sum += count * other->second;
  }
  return sum;
}

WordGraph brute_force(const NameList& words, const LexicalSimilarityOptions& options) {
  std::vector<Profile> profiles;
  for (Index v = 0; v < words.size(); ++v) profiles.push_back(profile_of(words[v]));
  return strongest_by_sorting(words.size(), options.neighbours, [&](Index u, Index v) {
    const double squares = product(profiles[u], profiles[u]) * product(profiles[v], profiles[v]);
    const double cosine = product(profiles[u], profiles[v]) / std::sqrt(squares);
    return cosine < options.min_cosine ? 0 : options.weight * static_cast<float>(cosine);
  });
}

WordGraph found(const NameList& words, const LexicalSimilarityOptions& options, int threads = 1) {
  WordGraphBuilder graph(words.size());
  add_lexical_links(words.view(), options, threads, graph);
  return graph.build();
}

TEST(LexicalSimilarity, IsTheCosineOfProfiles) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const NameList words = random_words(80, 4 + 3 * seed, U"abé北", seed);
    for (const auto& options :
         {LexicalSimilarityOptions{}, LexicalSimilarityOptions{3, 0.1, 2},
          LexicalSimilarityOptions{5, 0.9, 1}, LexicalSimilarityOptions{1, 1e-9, 1}}) {
      EXPECT_EQ(found(words, options), brute_force(words, options));
    }
  }
}

TEST(LexicalSimilarity, LinksWhatLooksAlike) {
  const NameList words = word_list({"politics", "politician", "political", "banana", "bananas"});
  const WordGraph graph = found(words, {.neighbours = 2, .min_cosine = 0.4});
  EXPECT_EQ(graph.links(3).size(), 1u);
  EXPECT_EQ(graph.links(3)[0].word, 4u);
  EXPECT_EQ(graph.links(0).size(), 2u);
  EXPECT_FALSE(graph.links(2).empty());
}

TEST(LexicalSimilarity, SameResultForAnyNumberOfThreads) {
  const NameList words = random_words(400, 8, U"abcd", 2);
  EXPECT_EQ(found(words, {}, 1), found(words, {}, 3));
}

TEST(LexicalSimilarity, RefusesOptionsThatMakeNoSense) {
  const NameList words = word_list({"one", "two"});
  for (const auto& options :
       {LexicalSimilarityOptions{0, 0.5, 1}, LexicalSimilarityOptions{10, 0, 1},
        LexicalSimilarityOptions{10, 1.5, 1}, LexicalSimilarityOptions{10, std::nan(""), 1},
        LexicalSimilarityOptions{10, 0.5, -1}}) {
    EXPECT_THROW(found(words, options), UsageError);
  }
  WordGraphBuilder other(3);
  EXPECT_THROW(add_lexical_links(words.view(), {}, 1, other), UsageError);
}

}  // namespace
}  // namespace trellis::topics::lexical_similarity_test
