// AER and its kin: by hand, additive, and the official script's figures where both are defined.
#include "trellis/tasks/align/metrics/alignment_scores.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trellis/base/random.h"
#include "trellis/scorers/naacl_score.h"

namespace trellis::align::alignment_scores_test {
namespace {

// Two of three sure links are found, one possible and one wrong.
const GoldLinks kGold = {{{0, 0}, {1, 1}, {2, 2}}, {{0, 0}, {1, 1}, {1, 2}, {2, 2}}, {}};
const Links kFound = {{0, 0}, {0, 1}, {1, 1}, {1, 2}};

TEST(AlignmentScores, ByHand) {
  const AlignmentCounts counts = count_links(kFound, kGold);
  EXPECT_EQ(counts, (AlignmentCounts{4, 3, 4, 2, 3}));
  EXPECT_DOUBLE_EQ(counts.precision(), 3.0 / 4);
  EXPECT_DOUBLE_EQ(counts.recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(counts.aer(), 1 - 5.0 / 7);
  EXPECT_DOUBLE_EQ(counts.f(), 2 * 0.75 * (2.0 / 3) / (0.75 + 2.0 / 3));
  EXPECT_DOUBLE_EQ(counts.f(2), 5 * 0.75 * (2.0 / 3) / (4 * 0.75 + 2.0 / 3));
}

TEST(AlignmentScores, HaveValuesWhereNothingWasFoundOrSure) {
  const AlignmentCounts nothing_found = count_links({}, kGold);
  EXPECT_EQ(nothing_found.aer(), 1);  // the script says 0
  EXPECT_EQ(nothing_found.precision(), 0);
  EXPECT_EQ(nothing_found.f(), 0);
  const AlignmentCounts nothing_sure = count_links(kFound, {{}, {{0, 0}}, {}});
  EXPECT_EQ(nothing_sure.aer(), 0.75);
  EXPECT_EQ(nothing_sure.recall(), 0);
  EXPECT_EQ(count_links({}, {}).aer(), 0);
}

TEST(AlignmentScores, AddUp) {
  AlignmentScores first;
  first.add(kFound, kGold);
  AlignmentScores all = first;
  AlignmentScores rest;
  for (int i = 0; i < 2; ++i) {
    rest.add(kGold.sure, kGold);
    all.add(kGold.sure, kGold);
  }
  first.append(rest);
  EXPECT_EQ(first.total(), all.total());
  EXPECT_EQ(first.pairs(), all.pairs());
  EXPECT_EQ(all.num_correct(), 2u);
  EXPECT_DOUBLE_EQ(all.total().aer(), 1 - (2 + 3 + 2 * 6) / (3 + 4 + 2 * 6.0));
}

TEST(AlignmentScores, AreToldAsTextAndJson) {
  AlignmentScores scores;
  scores.add(kFound, kGold);
  const Value record = scores.record(true);
  EXPECT_DOUBLE_EQ(record.at("aer").get<double>(), 1 - 5.0 / 7);
  EXPECT_EQ(record.at("found"), 4);
  EXPECT_EQ(record.at("sure"), 3);
  EXPECT_EQ(record.at("possible"), 4);
  EXPECT_EQ(record.at("sentences"), 1);
  EXPECT_EQ(record.at("correct_sentences"), 0);
  EXPECT_EQ(record.at("per_sentence").items()[0].at("found_possible"), 3);
  EXPECT_FALSE(scores.record().contains("per_sentence"));
  EXPECT_EQ(scores.to_text(),
            "1 sentence pairs, 4 links found, 3 sure, 4 possible\n"
            "AER 28.57 %  precision 75.00 %  recall 66.67 %  F1 70.59 %\n");
  EXPECT_EQ(scores.to_text(true).substr(0, scores.to_text(true).find("\n\n")),
            "sentence  found   sure  possible  found sure  found possible     AER\n"
            "       1      4      3         4           2               3   28.57");
}

TEST(AlignmentScores, AreTheOfficialFigures) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    Random random(3, trial);
    AlignmentScores scores;
    std::string gold_text;
    std::string found_text;
    for (Index sentence = 1; sentence <= 5; ++sentence) {
      GoldLinks gold;
      Links found;
      for (std::uint32_t s = 0; s < 4; ++s) {
        for (std::uint32_t t = 0; t < 4; ++t) {
          const std::uint64_t kind = random.below(6);
          if (kind < 2) {
            gold.possible.push_back({s, t});
            if (kind == 0) gold.sure.push_back({s, t});
            gold_text +=
                fmt::format("{} {} {} {}\n", sentence, s + 1, t + 1, kind == 0 ? "S" : "P");
          }
          if (random.below(3) > 0) continue;
          found.push_back({s, t});
          found_text += fmt::format("{} {} {}\n", sentence, s + 1, t + 1);
        }
      }
      scores.add(found, gold);
    }
    if (found_text.empty()) continue;
    const NaaclScore official = naacl_score(InputFile::from_bytes(gold_text, "gold"),
                                            InputFile::from_bytes(found_text, "submission"));
    EXPECT_EQ(scores.total().aer(), official.aer);
    EXPECT_EQ(scores.total().precision(), official.probable.precision);
    EXPECT_EQ(scores.total().recall(), official.sure.recall);
  }
}

}  // namespace
}  // namespace trellis::align::alignment_scores_test
