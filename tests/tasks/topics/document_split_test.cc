#include "trellis/tasks/topics/document_split.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tasks/topics/small_topics.h"
#include "trellis/base/error.h"

namespace trellis::topics::document_split_test {
namespace {

TEST(DocumentSplit, HasEveryDocumentOnceInItsOrder) {
  const Corpus corpus = testing::two_subjects(40);
  const Documents& all = corpus.documents();
  const DocumentSplit split(all, 0.25, 3);
  EXPECT_EQ(split.held_out().size(), 10U);
  EXPECT_EQ(split.kept().size(), 30U);
  EXPECT_EQ(split.kept().num_words, all.num_words);
  Index kept = 0, held_out = 0;
  for (Index d = 0; d < all.size(); ++d) {
    const auto is = [&](const Documents& part, Index next) {
      return next < part.size() && std::ranges::equal(part[next], all[d]);
    };
    if (is(split.kept(), kept)) {
      ++kept;
    } else {
      ASSERT_TRUE(is(split.held_out(), held_out));
      ++held_out;
    }
  }
  EXPECT_EQ(kept, 30U);
}

TEST(DocumentSplit, IsAFunctionOfTheSeed) {
  const Corpus corpus = testing::two_subjects(40);
  const auto tokens = [&](std::uint64_t seed) {
    const DocumentSplit split(corpus.documents(), 0.5, seed);
    return std::vector(split.kept().tokens.begin(), split.kept().tokens.end());
  };
  EXPECT_EQ(tokens(1), tokens(1));
  EXPECT_NE(tokens(1), tokens(2));
}

TEST(DocumentSplit, LeavesNoPartEmpty) {
  const Corpus corpus = testing::two_subjects(4);
  EXPECT_EQ(DocumentSplit(corpus.documents(), 0, 1).held_out().size(), 0U);
  EXPECT_EQ(DocumentSplit(corpus.documents(), 0, 1).kept().size(), 4U);
  EXPECT_THROW(DocumentSplit(corpus.documents(), 0.01, 1), UsageError);
  EXPECT_THROW(DocumentSplit(corpus.documents(), 0.99, 1), UsageError);
}

}  // namespace
}  // namespace trellis::topics::document_split_test
