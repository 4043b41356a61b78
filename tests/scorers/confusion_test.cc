#include "trellis/scorers/confusion.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace trellis::tag {
namespace {

using Strings = std::vector<std::string>;
using Views = std::vector<std::string_view>;

TEST(Confusion, CountsPairsOfLabels) {
  Confusion confusion;
  confusion.add(Views{"NN", "DT", "NN", "JJ"}, Views{"NN", "DT", "JJ", "NN"});
  confusion.add(Views{"NN", "VB"}, Views{"JJ", "NN"});
  EXPECT_EQ(confusion.num_tokens(), 6u);
  EXPECT_EQ(confusion.num_correct_tokens(), 2u);
  EXPECT_EQ(confusion.labels(), (Strings{"DT", "JJ", "NN", "VB"}));
  EXPECT_EQ(confusion.matrix(), (std::vector<Index>{1, 0, 0, 0,  //
                                                    0, 0, 1, 0,  //
                                                    0, 2, 1, 0,  //
                                                    0, 0, 1, 0}));
  const std::vector<LabelCounts> labels = confusion.by_label();
  EXPECT_EQ(labels[2].label, "NN");
  EXPECT_EQ(labels[2].counts, (MatchCounts{3, 3, 1}));
}

TEST(Confusion, MistakesAreSortedByFrequency) {
  Confusion confusion;
  confusion.add(Views{"NN", "NN", "JJ", "VB", "A"}, Views{"JJ", "JJ", "NN", "NN", "A"});
  const std::vector<ConfusedPair> mistakes = confusion.most_confused(2);
  ASSERT_EQ(mistakes.size(), 2u);
  EXPECT_EQ(mistakes[0].gold + mistakes[0].predicted, "NNJJ");
  EXPECT_EQ(mistakes[0].count, 2u);
  EXPECT_EQ(mistakes[1].gold + mistakes[1].predicted, "JJNN");
}

TEST(Confusion, TableForReaders) {
  Confusion confusion;
  confusion.add(Views{"NN", "NN"}, Views{"NN", "JJ"});
  EXPECT_EQ(confusion.table(),
            "processed 2 tokens; correct: 1.\n"
            "accuracy:  50.00%\n"
            "               JJ: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n"
            "               NN: precision: 100.00%; recall:  50.00%; FB1:  66.67  1\n"
            "most frequent mistakes (gold, predicted, tokens):\n"
            "  NN  JJ  1\n");
}

}  // namespace
}  // namespace trellis::tag
