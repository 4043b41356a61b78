// A stream has the documents that the corpus of the same files has.
#include "trellis/topics/corpus/document_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/topics/corpus/read_corpus.h"

namespace trellis::topics::document_stream_test {
namespace {

NameList vocabulary() {
  NameList words;
  for (const char* word : {"boat", "tide", "3", "new york"}) words.add(word);
  return words;
}

class DocumentStreams : public ::testing::Test {
 protected:
  void expect_as_the_corpus_has_them(const std::string& path, const ReaderOptions& options,
                                     const TextOptions& text) {
    const NameList words = vocabulary();
    const Corpus corpus = read_corpus_with(words, {path}, options, text);
    DocumentStream stream(words, {path}, options, text);
    Index d = 0, outside = 0;
    while (const auto document = stream.read()) {
      ASSERT_LT(d, corpus.documents().size());
      const auto expected = corpus.documents()[d];
      EXPECT_EQ(document->words, std::vector(expected.begin(), expected.end()));
      EXPECT_EQ(document->id, corpus.has_ids() ? corpus.ids()[d] : "");
      const Label label = corpus.has_labels() ? corpus.labels()[d] : kNoLabel;
      EXPECT_EQ(document->label,
                label == kNoLabel ? "" : corpus.label_names()[static_cast<Index>(label)]);
      const Label language = corpus.has_languages() ? corpus.languages()[d] : kNoLabel;
      EXPECT_EQ(document->language,
                language == kNoLabel ? "" : corpus.language_names()[static_cast<Index>(language)]);
      EXPECT_EQ(stream.has_languages(), corpus.has_languages());
      outside += document->outside;
      ++d;
    }
    EXPECT_EQ(d, corpus.documents().size());
    EXPECT_EQ(outside, corpus.tally().outside);
  }

  const trellis::testing::TemporaryDirectory folder_;
};

TEST_F(DocumentStreams, OfText) {
  TextOptions text;
  expect_as_the_corpus_has_them(folder_.make("lines", "A boat, a tide, a zebra.\n\nTide\n"), {},
                                text);
  text.ngrams = 2;
  expect_as_the_corpus_has_them(folder_.make("table", "a\tsea\tboat in New York\nb\t\tnew boat\n"),
                                {}, text);
}

TEST_F(DocumentStreams, OfSeveralLanguages) {
  expect_as_the_corpus_has_them(folder_.make("t", "id\ten\tfr\na\ta boat\t\nb\ttide\tboat\n"), {},
                                {});
  ReaderOptions options;
  options.columns = TextColumns::parse("language,text");
  expect_as_the_corpus_has_them(folder_.make("u", "\tboat\nfr\ttide\n"), options, {});
}

TEST_F(DocumentStreams, OfCounts) {
  ReaderOptions options;
  const std::string counts = folder_.make("docword.txt", "3\n3\n4\n1 1 2\n1 3 1\n3 2 4\n3 3 2\n");
  expect_as_the_corpus_has_them(counts, options, {});  // the third word is called 3
  options.vocabulary = folder_.make("words", "zebra\ntide\nboat\n");
  expect_as_the_corpus_has_them(counts, options, {});
}

TEST_F(DocumentStreams, HandsOutWhatStandsBeforeABadLine) {
  const NameList words = vocabulary();
  const TextOptions text;
  DocumentStream stream(words, {folder_.make("bad", "boat\n\xff\n")}, {}, text);
  EXPECT_TRUE(stream.read());
  EXPECT_THROW(stream.read(), InputError);
}

}  // namespace
}  // namespace trellis::topics::document_stream_test
