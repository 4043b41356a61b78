// The file of a corpus: what is read is what was written, and a stranger's is refused.
#include "trellis/topics/corpus/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"

namespace trellis::topics::corpus_test {
namespace {

NameColumn column(const std::vector<std::string>& names) {
  NameColumn made;
  for (const std::string& name : names) made.add(name);
  return made;
}

CorpusParts small_parts() {
  CorpusParts parts;
  parts.begin = {0, 2, 2, 5};
  parts.tokens = {1, 0, 2, 2, 1};
  parts.words = column({"sea", "wind", "été"});
  parts.ids = column({"one", "two", "three"});
  parts.label_names = column({"calm", "storm"});
  parts.labels = {1, kNoLabel, 0};
  parts.language_names = column({"en"});
  parts.languages = {0, 0, kNoLabel};
  parts.tally = {7, 9};
  parts.text.ngrams = 2;
  parts.text.stop_words.add("the");
  return parts;
}

void expect_small(const Corpus& corpus) {
  const Documents& documents = corpus.documents();
  ASSERT_EQ(documents.size(), 3u);
  EXPECT_EQ(documents.num_words, 3u);
  const CorpusParts parts = small_parts();
  EXPECT_TRUE(std::equal(documents.begin.begin(), documents.begin.end(), parts.begin.begin()));
  EXPECT_TRUE(std::equal(documents.tokens.begin(), documents.tokens.end(), parts.tokens.begin()));
  EXPECT_EQ(documents[2].size(), 3u);
  EXPECT_EQ(corpus.words()[2], "été");
  EXPECT_EQ(corpus.ids()[1], "two");
  EXPECT_EQ(corpus.labels()[1], kNoLabel);
  EXPECT_EQ(corpus.label_names()[1], "storm");
  EXPECT_EQ(corpus.languages()[2], kNoLabel);
  EXPECT_EQ(corpus.language_names()[0], "en");
  EXPECT_EQ(corpus.tally().left_out, 7u);
  EXPECT_EQ(corpus.tally().outside, 9u);
  EXPECT_EQ(corpus.num_empty(), 1u);
  EXPECT_EQ(corpus.text().ngrams, 2u);
  EXPECT_EQ(corpus.text().stop_words[0], "the");
}

std::span<const std::byte> as_bytes(const std::string& bytes) {
  return std::as_bytes(std::span(bytes));
}

TEST(Corpus, IsReadAsItWasWritten) {
  const testing::TemporaryDirectory folder;
  for (const char* name : {"small.corpus", "small.corpus.zst"}) {
    const std::string path = folder.file(name);
    {
      const Corpus corpus(small_parts());
      expect_small(corpus);
      corpus.write(path);
    }
    const Corpus opened = Corpus::open(path);
    expect_small(opened);
    EXPECT_EQ(opened.to_bytes(), Corpus(small_parts()).to_bytes());
  }
  EXPECT_TRUE(is_corpus_file(folder.file("small.corpus")));
  EXPECT_FALSE(is_corpus_file(folder.make("text", "TRELLIS and more")));
  EXPECT_FALSE(is_corpus_file(folder.path()));
  EXPECT_FALSE(is_corpus_file(folder.file("nothing")));
}

TEST(Corpus, OutlivesWhatItWasCopiedFrom) {
  const Corpus copy = [] {
    const Corpus corpus = Corpus::from_bytes(as_bytes(Corpus(small_parts()).to_bytes()), "small");
    return Corpus(corpus);
  }();
  expect_small(copy);
}

TEST(Corpus, MayHaveNothing) {
  const Corpus corpus = Corpus::from_bytes(as_bytes(Corpus(CorpusParts()).to_bytes()), "empty");
  EXPECT_EQ(corpus.documents().size(), 0u);
  EXPECT_FALSE(corpus.has_ids());
}

TEST(Corpus, IsRefusedWhereAnythingIsOther) {
  const std::string whole = Corpus(small_parts()).to_bytes();
  for (Index size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(Corpus::from_bytes(as_bytes(whole.substr(0, size)), "cut"), InputError) << size;
  }
  for (Index at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    EXPECT_THROW(Corpus::from_bytes(as_bytes(changed), "changed"), InputError) << at;
  }
}

// With checksums made right: refused, or a corpus in which nothing points outside.
TEST(Corpus, OfAStrangerIsCheckedOrRefused) {
  const std::string whole = Corpus(small_parts()).to_bytes();
  Index accepted = 0;
  for (Index at = 0; at < whole.size(); ++at) {
    for (const int bits : {1, 0x80}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ bits);
      testing::make_checksums_right(changed);
      try {
        const Corpus corpus = Corpus::from_bytes(as_bytes(changed), "stranger");
        for (Index d = 0; d < corpus.documents().size(); ++d) {
          for (const std::uint32_t word : corpus.documents()[d]) {
            ASSERT_LT(word, corpus.words().size());
          }
          if (corpus.has_labels() && corpus.labels()[d] != kNoLabel) {
            ASSERT_LT(static_cast<Index>(corpus.labels()[d]), corpus.label_names().size());
          }
        }
        ++accepted;
      } catch (const InputError&) {
      }
    }
  }
  EXPECT_GT(accepted, 0u);  // other letters in a word are no fault
}

TEST(Corpus, RefusesPartsThatDoNotGoTogether) {
  const std::vector<std::function<void(CorpusParts&)>> faults = {
      [](CorpusParts& parts) { parts.begin.back() = 4; },
      [](CorpusParts& parts) {
        parts.begin = {0, 4, 2, 5};
      },
      [](CorpusParts& parts) { parts.begin.clear(); },
      [](CorpusParts& parts) { parts.begin.front() = 1; },
      [](CorpusParts& parts) { parts.tokens[3] = 3; },
      [](CorpusParts& parts) { parts.ids.add("four"); },
      [](CorpusParts& parts) { parts.labels.pop_back(); },
      [](CorpusParts& parts) { parts.labels[0] = 2; },
      [](CorpusParts& parts) { parts.labels[0] = -2; },
      [](CorpusParts& parts) { parts.languages[0] = 1; },
      [](CorpusParts& parts) {
        parts.words = column({"sea", "wind", "sea"});
      },
      [](CorpusParts& parts) {
        parts.label_names = column({"calm", "calm"});
      },
      [](CorpusParts& parts) {
        parts.words = column({"a", "\xFF", "c"});
      },
  };
  for (Index f = 0; f < faults.size(); ++f) {
    CorpusParts parts = small_parts();
    faults[f](parts);
    EXPECT_THROW(Corpus{parts}, UsageError) << f;
  }
}

}  // namespace
}  // namespace trellis::topics::corpus_test
