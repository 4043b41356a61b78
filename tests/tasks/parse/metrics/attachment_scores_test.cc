#include "trellis/tasks/parse/metrics/attachment_scores.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace trellis::parse {
namespace {

struct Arc {
  std::uint32_t head;
  std::string label;
};

Sentence sentence(const std::vector<std::string>& forms, const std::vector<Arc>& arcs) {
  Sentence out;
  for (Index i = 0; i < forms.size(); ++i) {
    Word& word = out.words.emplace_back();
    word.form = forms[i];
    word.head = arcs[i].head;
    word.label = arcs[i].label;
  }
  return out;
}

struct Pair {
  Sentence gold;
  Sentence system;
};

rc::Gen<Pair> any_pair() {
  return rc::gen::exec([] {
    const auto n = *rc::gen::inRange<std::uint32_t>(1, 12);
    Pair pair;
    for (std::uint32_t m = 1; m <= n; ++m) {
      Word word;
      word.form = *rc::gen::element<std::string>("pear", ",", "…", "$", "l'");
      word.coarse = *rc::gen::element<std::string>("", "NOUN", "PUNCT");
      for (Sentence* side : {&pair.gold, &pair.system}) {
        word.head = *rc::gen::inRange<std::uint32_t>(0, n + 1);
        word.label = *rc::gen::element<std::string>("", "nsubj", "obj", "punct");
        side->words.push_back(word);
      }
    }
    return pair;
  });
}

TEST(AttachmentScores, HeadsAndLabelsAreCountedByWord) {
  const std::vector<std::string> forms = {"She", "digs", ",", "sows", "."};
  AttachmentScores scores;
  scores.add(sentence(forms, {{2, "nsubj"}, {0, "root"}, {4, "punct"}, {2, "conj"}, {2, "punct"}}),
             sentence(forms, {{2, "obj"}, {0, "root"}, {2, "punct"}, {2, "conj"}, {4, "dep"}}));
  EXPECT_EQ(scores.counts(Punctuation::kScored), (AttachmentCounts{5, 3, 3, 2}));
  EXPECT_EQ(scores.counts(Punctuation::kLeftOut), (AttachmentCounts{3, 3, 2, 2}));
  EXPECT_DOUBLE_EQ(scores.counts(Punctuation::kLeftOut).uas(), 100);
  EXPECT_DOUBLE_EQ(scores.counts(Punctuation::kScored).las(), 40);
  EXPECT_EQ(scores.tally(Punctuation::kLeftOut).left_out, 2U);
  EXPECT_EQ(scores.num_right_trees(), 0U);
  const auto& by_label = scores.tally(Punctuation::kScored).by_label;
  EXPECT_EQ(by_label.at("punct"), (ClassCounts{2, 1, 1, 0, 0}));
  EXPECT_EQ(by_label.at("dep"), (ClassCounts{0, 1, 0, 0, 0}));
  const auto& by_distance = scores.tally(Punctuation::kScored).by_distance;
  EXPECT_EQ(by_distance[static_cast<Index>(HeadDistance::kThreeToSix)],
            (ClassCounts{1, 0, 0, 0, 0}));
}

RC_GTEST_PROP(AttachmentScores, PartsAddUpToTheWhole, ()) {
  const auto pairs = *rc::gen::container<std::vector<Pair>>(any_pair());
  AttachmentScores whole;
  AttachmentScores parts[2];
  for (const Pair& pair : pairs) {
    whole.add(pair.gold, pair.system);
    parts[*rc::gen::inRange(0, 2)].add(pair.gold, pair.system);
  }
  parts[0] += parts[1];
  RC_ASSERT(parts[0] == whole);
}

RC_GTEST_PROP(AttachmentScores, EveryTableSumsToTheTotal, ()) {
  const Pair pair = *any_pair();
  AttachmentScores scores;
  scores.add(pair.gold, pair.system);
  for (const Punctuation punctuation : {Punctuation::kScored, Punctuation::kLeftOut}) {
    const AttachmentTally& tally = scores.tally(punctuation);
    RC_ASSERT(tally.total == attachment_counts(pair.gold, pair.system, punctuation));
    RC_ASSERT(tally.total.words + tally.left_out == pair.gold.size());
    AttachmentCounts tags;
    for (const auto& [tag, counts] : tally.by_tag) tags += counts;
    RC_ASSERT(tags == tally.total);
    const auto check = [&](const auto& classes, bool labels) {
      ClassCounts sum;
      for (const ClassCounts& counts : classes) sum += counts;
      RC_ASSERT(sum.gold == tally.total.words && sum.system == tally.total.words);
      RC_ASSERT(sum.heads == tally.total.heads && sum.both == tally.total.both);
      RC_ASSERT((labels ? sum.agreed == tally.total.labels : sum.agreed >= tally.total.heads));
    };
    std::vector<ClassCounts> labels;
    for (const auto& [label, counts] : tally.by_label) labels.push_back(counts);
    check(labels, true);
    check(tally.by_direction, false);
    check(tally.by_distance, false);
  }
}

TEST(AttachmentScores, TextAndJsonSayTheSame) {
  const std::vector<std::string> forms = {"Frost", "came", "."};
  AttachmentScores scores;
  scores.add(sentence(forms, {{2, "nsubj"}, {0, "root"}, {2, "punct"}}),
             sentence(forms, {{2, "nsubj"}, {0, "root"}, {1, "punct"}}));
  const Value record = scores.record();
  EXPECT_NEAR(record.at("uas").get<double>(), 66.67, 0.01);
  EXPECT_EQ(record.at("without_punctuation").at("las"), 100);
  EXPECT_EQ(record.at("by_label").size(), 3U);
  EXPECT_EQ(record.at("by_distance").size(), 5U);
  const std::string text = scores.to_text();
  EXPECT_NE(text.find("all words                  3   66.67   66.67  100.00\n"), std::string::npos);
  EXPECT_NE(text.find("without punctuation        2  100.00  100.00  100.00\n"), std::string::npos);
  EXPECT_NE(text.find("0 of 1 sentences have the right tree"), std::string::npos);
}

}  // namespace
}  // namespace trellis::parse
