// Corpora from files in all formats, what is said of bad ones, and new text in known words.
#include "trellis/topics/corpus/read_corpus.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/base/compressed.h"
#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/topics/corpus/stop_words.h"

namespace trellis::topics::read_corpus_test {
namespace {

using Strings = std::vector<std::string>;

// Each document's words with a blank between them.
Strings texts(const Corpus& corpus) {
  Strings documents;
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    std::string text;
    for (const std::uint32_t word : corpus.documents()[d]) {
      text += (text.empty() ? "" : " ") + std::string(corpus.words()[word]);
    }
    documents.push_back(text);
  }
  return documents;
}

Strings labels(const Corpus& corpus) {
  Strings names;
  for (const Label label : corpus.labels()) {
    names.emplace_back(label == kNoLabel ? std::string_view("-")
                                         : corpus.label_names()[static_cast<Index>(label)]);
  }
  return names;
}

Strings languages(const Corpus& corpus) {
  Strings names;
  for (const Label language : corpus.languages()) {
    names.emplace_back(language == kNoLabel
                           ? std::string_view("-")
                           : corpus.language_names()[static_cast<Index>(language)]);
  }
  return names;
}

Strings ids(const Corpus& corpus) {
  Strings names;
  for (Index d = 0; d < corpus.ids().size(); ++d) names.emplace_back(corpus.ids()[d]);
  return names;
}

ReaderOptions in(CorpusFormat format) {
  ReaderOptions options;
  options.format = format;
  return options;
}

class ReadCorpus : public ::testing::Test {
 protected:
  std::string make(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    return folder_.make(name, content);
  }
  Corpus read(const std::string& name, const std::string& content,
              const ReaderOptions& options = {}) const {
    return read_corpus({make(name, content)}, options);
  }
  // The message without the folder.
  std::string refusal(const std::string& name, const std::string& content,
                      const ReaderOptions& options = {}) const {
    try {
      read(name, content, options);
    } catch (const InputError& error) {
      std::string message = error.what();
      const Index at = message.find(folder_.path() + "/");
      return at == std::string::npos ? message : message.erase(at, folder_.path().size() + 1);
    }
    return "accepted";
  }

  testing::TemporaryDirectory folder_;
};

TEST_F(ReadCorpus, OfLines) {
  const Corpus corpus = read("lines.txt", "The sea, the wind\n\nWind 7\n");
  EXPECT_EQ(texts(corpus), (Strings{"the sea the wind", "", "wind"}));
  EXPECT_EQ(corpus.num_empty(), 1u);
  EXPECT_EQ(corpus.tally().left_out, 1u);
  EXPECT_FALSE(corpus.has_labels());
}

TEST_F(ReadCorpus, OfSeveralFilesCompressedOrNot) {
  const std::string plain = make("a.txt", "one two\n");
  const std::string gzip = make("b.txt.gz", testing::gzip("two three\nfour\n"));
  EXPECT_EQ(texts(read_corpus({plain, gzip})), (Strings{"one two", "two three", "four"}));
}

TEST_F(ReadCorpus, OfColumns) {
  const Corpus corpus = read("c.tsv", "d1\tsea\tthe wind\nd2\t \twaves\nd3\tland\t\n\n");
  EXPECT_EQ(texts(corpus), (Strings{"the wind", "waves", ""}));
  EXPECT_EQ(labels(corpus), (Strings{"sea", "-", "land"}));
  EXPECT_EQ(ids(corpus), (Strings{"d1", "d2", "d3"}));
  EXPECT_EQ(texts(read("two.tsv", "sea\tthe wind\n")), Strings{"the wind"});
}

TEST_F(ReadCorpus, OfColumnsWithOtherRoles) {
  ReaderOptions options;
  options.columns = TextColumns::parse("text,language,skip,text");
  TextOptions text;
  text.ngrams = 2;
  const std::string path = make("c.tsv", "le vent\tfr\tx\tla mer\nwind\t\ty\tsea\n");
  const Corpus corpus = read_corpus({path}, options, text);
  EXPECT_EQ(texts(corpus), (Strings{"le le vent vent la la mer mer", "wind sea"}));
  EXPECT_EQ(corpus.language_names()[0], "fr");
  EXPECT_EQ(corpus.languages()[1], kNoLabel);
}

TEST_F(ReadCorpus, OfTranslations) {
  const std::string table =
      "id\ten\tfr\tpt\na1\tthe wind\tle vent\to vento\nb\tsea\t \tmar\nc\t\t\t\nd\t\tla mer\t\n\n";
  const Corpus corpus = read("t.tsv", table);
  EXPECT_EQ(texts(corpus), (Strings{"the wind", "le vent", "vento", "sea", "mar", "la mer"}));
  EXPECT_EQ(ids(corpus), (Strings{"a1", "a1", "a1", "b", "b", "d"}));
  EXPECT_EQ(languages(corpus), (Strings{"en", "fr", "pt", "en", "pt", "fr"}));
  EXPECT_FALSE(corpus.has_labels());
  EXPECT_EQ(read("t", table, in(CorpusFormat::kTranslations)).to_bytes(), corpus.to_bytes());

  // Each file names its columns; together they are one corpus.
  const std::string other = make("u.tsv.gz", testing::gzip("id\tfr\nb\tmer\n"));
  const Corpus both = read_corpus({folder_.file("t.tsv"), other});
  EXPECT_EQ(ids(both).back(), "b");
  EXPECT_EQ(languages(both).back(), "fr");
  // Any names of languages, if the format is said.
  EXPECT_EQ(
      languages(read("v", "id\tEnglish \t日本語\nx\tsea\t海\n", in(CorpusFormat::kTranslations))),
      (Strings{"English", "日本語"}));
}

TEST_F(ReadCorpus, GuessesTranslationsByCodesOfLanguagesOnly) {
  for (const std::string header : {"id\ten\tfr", "id\tpt-BR\tzh_Hant", "id\teng\tfra\tpor"}) {
    EXPECT_TRUE(read("t", header + "\n" + header + "\n").has_languages()) << header;
  }
  // These are documents of a tsv, as they were before there were translations.
  for (const std::string header : {"id\tlabel\ttext", "id\ten", "id\ten\ten", "no\ten\tfr",
                                   "id\ten\tthe wind", "id\tEN\tFR", "id\ten\tpt-Brazil"}) {
    const Corpus corpus = read("t", header + "\nx\ty" + (header == "id\ten" ? "" : "\tzz") + "\n");
    EXPECT_FALSE(corpus.has_languages()) << header;
    EXPECT_EQ(corpus.documents().size(), 2u) << header;
  }
  ReaderOptions options;
  options.columns = TextColumns::parse("id,label,text");
  EXPECT_EQ(labels(read("t", "id\ten\tfr\n", options)), Strings{"en"});
  EXPECT_EQ(labels(read("t", "id\ten\tfr\n", in(CorpusFormat::kTsv))), Strings{"en"});
}

TEST_F(ReadCorpus, TellsWhatIsWrongWithTranslations) {
  const auto of = [&](const std::string& content) {
    return refusal("t", content, in(CorpusFormat::kTranslations));
  };
  const std::string names = "t:1: expected the names of the columns, id and then languages, found ";
  EXPECT_EQ(of("d1\tthe wind\n"), names + "\"d1\\x09the wind\"");
  EXPECT_EQ(of("id\n"), names + "\"id\"");
  EXPECT_EQ(of("id\ten\t\n"), "t:1: expected a language for column 3, found a blank");
  EXPECT_EQ(of("id\ten\tfr\ten\n"), "t:1: expected each column once, found again \"en\"");
  EXPECT_EQ(of("id\ten\tid\n"), "t:1: expected each column once, found again \"id\"");
  EXPECT_EQ(of("id\ten\tfr\na\tsea\tmer\nb\tsea\n"),
            "t:3: expected 3 columns (id, en, fr), found 2");
  EXPECT_EQ(of("id\ten\na\tsea\tmer\n"), "t:2: expected 2 columns (id, en), found 3");
  EXPECT_EQ(of("id\ten\n \tsea\n"), "t:2: expected an id in the first column, found a blank");
  EXPECT_EQ(of("id\ten\n\na\tsea\n"), "t:2: expected a document, found an empty line");
  EXPECT_EQ(of("id\ten\na\t\xFF\n"), "t:2: expected UTF-8, found an invalid byte in column 3");
  EXPECT_EQ(of(""), "t: expected documents, found none");
  EXPECT_EQ(of("id\ten\tfr\na\t\t\n"), "t: expected documents, found none");
  ReaderOptions options = in(CorpusFormat::kTranslations);
  options.labelled = true;
  EXPECT_EQ(refusal("t", "id\ten\na\tsea\n", options), "t:2: expected a label, found none");
}

TEST_F(ReadCorpus, OfFolders) {
  make("corpus/sea/b.txt", "waves\nand wind");
  make("corpus/sea/a.txt", "salt");
  make("corpus/land/deep/c.txt", "hills");
  make("corpus/.hidden/x.txt", "secret");
  make("corpus/.y.txt", "secret");
  make("corpus/top.txt", "both");
  const Corpus corpus = read_corpus({folder_.file("corpus")});
  EXPECT_EQ(ids(corpus), (Strings{"land/deep/c.txt", "sea/a.txt", "sea/b.txt", "top.txt"}));
  EXPECT_EQ(labels(corpus), (Strings{"land", "sea", "sea", "-"}));
  EXPECT_EQ(texts(corpus), (Strings{"hills", "salt", "waves and wind", "both"}));
}

TEST_F(ReadCorpus, OfFilesThatAreNamed) {
  ReaderOptions options;
  options.format = CorpusFormat::kFiles;
  const std::string path = make("letter.txt", "Dear\tDora\nyours");
  const Corpus corpus = read_corpus({path, path}, options);
  EXPECT_EQ(texts(corpus), (Strings{"dear dora yours", "dear dora yours"}));
  EXPECT_EQ(ids(corpus), (Strings{path, path}));
}

TEST_F(ReadCorpus, OfBagsOfWords) {
  ReaderOptions options;
  options.vocabulary = make("vocab.txt", "Sea\nwind\nnever\n");
  const Corpus corpus = read("docword.txt", "4\n3\n3\n2 2 1\n2 1 2\n3 2 1\n\n", options);
  EXPECT_EQ(texts(corpus), (Strings{"", "wind Sea Sea", "wind", ""}));
  EXPECT_EQ(corpus.words().size(), 2u);  // what never occurs is no word
  EXPECT_EQ(texts(read("docword2.txt", "1 \n 9\n1\n1 7 2\n")), Strings{"7 7"});
}

TEST_F(ReadCorpus, OfSvmlightCounts) {
  const Corpus corpus = read("c.svm", "# counts\n+1 3:2 1:1\n-1\n2:1 # no label\n1.0 9:0\n",
                             in(CorpusFormat::kSvmlight));
  EXPECT_EQ(texts(corpus), (Strings{"1 3 3", "", "2", ""}));
  EXPECT_EQ(labels(corpus), (Strings{"1", "-1", "-", "1"}));
  ReaderOptions options;
  options.vocabulary = make("words", "sea\nwind\n");
  EXPECT_EQ(texts(read("d.svm", "a 1:1 2:1\n", options)), Strings{"sea wind"});
}

TEST_F(ReadCorpus, TellsTheFormatByTheFirstLine) {
  EXPECT_EQ(texts(read("a", "1 2:1\n")), Strings{"2"});
  EXPECT_EQ(texts(read("b", "a\tone two\n")), Strings{"one two"});
  EXPECT_EQ(texts(read("c", "ratio 3:1 is it\n")), Strings{"ratio is it"});
}

TEST_F(ReadCorpus, TellsWhatIsWrongWithText) {
  EXPECT_EQ(refusal("e", ""), "e: expected documents, found none");
  EXPECT_EQ(refusal("e", "1 2 3\n"),
            "e: expected words, found only stop words, numbers and short words");
  EXPECT_EQ(refusal("u", "fine\nca\xE9\n"),
            "u:2: expected UTF-8, found an invalid byte in column 3");
  EXPECT_EQ(refusal("f/u.txt", "one\ntwo \xFF\n", in(CorpusFormat::kFiles)),
            "f/u.txt:2: expected UTF-8, found an invalid byte in column 5");
  EXPECT_EQ(refusal("t", "a\tb\nc\n"), "t:2: expected 2 columns (label,text), found 1");
  EXPECT_EQ(refusal("t", "a\tb\tc\td\n"),
            "t:1: expected text, label TAB text or id TAB label TAB text, found 4 columns (name "
            "them with --columns)");
  EXPECT_EQ(refusal("t", "a\tbb\n\nc\tdd\n"), "t:2: expected a document, found an empty line");
}

TEST_F(ReadCorpus, AsksForLabels) {
  ReaderOptions options;
  options.labelled = true;
  EXPECT_EQ(refusal("t", "a\tbb\n \tcc\n", options), "t:2: expected a label, found none");
  EXPECT_EQ(refusal("l", "only text\n", options), "l:1: expected a label, found none");
  EXPECT_EQ(refusal("s", "1 1:1\n2:1\n", options), "s:2: expected a label, found none");
  EXPECT_EQ(refusal("t", "a\tbb\n", options), "accepted");
  options.columns = TextColumns::parse("text");
  EXPECT_THROW(read("t", "bb\n", options), UsageError);
}

TEST_F(ReadCorpus, TellsWhatIsWrongWithBagsOfWords) {
  const auto of = [&](const std::string& content) { return refusal("docword", content); };
  EXPECT_EQ(of(""), "docword: expected the number of documents, found the end of the file");
  EXPECT_EQ(of("2\nx\n"), "docword:2: expected the number of words, found \"x\"");
  EXPECT_EQ(of("-1\n"), "docword:1: expected the number of documents, found \"-1\"");
  EXPECT_EQ(of("9999999999\n"),
            "docword:1: expected at most 4294967294 documents, found \"9999999999\"");
  EXPECT_EQ(of("3000000\n1\n1\n1 1 1\n"),
            "docword:1: expected at most 1048576 more documents than entries (1), found 3000000");
  const std::string sizes = "2\n3\n2\n";
  EXPECT_EQ(of(sizes + "1 1\n"), "docword:4: expected document, word and count, found 2 fields");
  EXPECT_EQ(of(sizes + "3 1 1\n"), "docword:4: expected a document from 1 to 2, found \"3\"");
  EXPECT_EQ(of(sizes + "1 0 1\n"), "docword:4: expected a word from 1 to 3, found \"0\"");
  EXPECT_EQ(of(sizes + "1 4 1\n"), "docword:4: expected a word from 1 to 3, found \"4\"");
  for (const std::string count : {"0", "-1", "1.5", "nan", "16777216", "x"}) {
    EXPECT_EQ(of(sizes + "1 1 " + count + "\n"),
              "docword:4: expected a count from 1 to 16777215, found \"" + count + "\"");
  }
  EXPECT_EQ(of(sizes + "2 1 1\n1 1 1\n"),
            "docword:5: expected documents in ascending order, found 1 after 2");
  EXPECT_EQ(of(sizes + "1 2 1\n1 2 1\n"),
            "docword: expected each word of a document once, found 2 twice in document 1");
  EXPECT_EQ(of(sizes + "1 1 1\n"),
            "docword:4: expected 2 entries, found the end of the file after 1");
  EXPECT_EQ(of(sizes + "1 1 1\n1 2 1\n1 3 1\n"), "docword:6: expected 2 entries, found more");
  ReaderOptions options;
  options.vocabulary = make("vocab", "a\nb\n");
  EXPECT_EQ(refusal("docword", sizes, options),
            "docword:2: expected the number of words of the vocabulary, 2, found 3");
}

TEST_F(ReadCorpus, TellsWhatIsWrongWithSvmlightCounts) {
  const auto of = [&](const std::string& content, const ReaderOptions& options = {}) {
    return refusal("c", "1 1:1\n" + content, options);
  };
  EXPECT_EQ(of("1 2:x\n"),
            "c:2: column 3: expected a finite number after the colon, found \"2:x\"");
  EXPECT_EQ(of("1 2:nan\n"),
            "c:2: column 3: expected a finite number after the colon, found \"2:nan\"");
  EXPECT_EQ(of("1 2:1 2:1\n"), "c:2: expected each index once, found 2 twice");
  for (const std::string entry : {"2:1.5", "2:-1", "2:16777216"}) {
    EXPECT_TRUE(
        of("1 " + entry + "\n")
            .starts_with("c:2: expected a count from 0 to 16777215, a whole number, found "))
        << of("1 " + entry + "\n");
  }
  EXPECT_EQ(of("1 0:1\n"), "c:2: expected word numbers of at least 1, found 0");
  ReaderOptions options;
  options.vocabulary = make("vocab", "a\nb\n");
  EXPECT_EQ(of("1 3:1\n", options),
            "c:2: expected words up to 2, the size of the vocabulary, found 3");
}

TEST_F(ReadCorpus, TellsWhatIsWrongWithVocabularies) {
  ReaderOptions options;
  const auto with = [&](const std::string& content) {
    options.vocabulary = make("vocab", content);
    return refusal("c", "1 1:1\n", options);
  };
  EXPECT_EQ(with(""), "vocab: expected one word per line, found an empty file");
  EXPECT_EQ(with("a\n\nb\n"), "vocab:2: expected a word, found an empty line");
  EXPECT_EQ(with("a\nb\na\n"), "vocab:3: expected each word once, found again \"a\"");
  EXPECT_EQ(with("\xFF\n"), "vocab:1: expected UTF-8, found an invalid byte in column 1");
  EXPECT_EQ(with("a\n"), "accepted");
}

TEST_F(ReadCorpus, RefusesOptionsThatDoNotGoTogether) {
  const std::string path = make("t", "text\n");
  const auto refuses = [&](const std::function<void(ReaderOptions&)>& change) {
    ReaderOptions options;
    change(options);
    EXPECT_THROW(read_corpus({path}, options), UsageError);
  };
  refuses([&](ReaderOptions& options) { options.vocabulary = path; });  // text has its own words
  refuses([](ReaderOptions& options) {
    options.format = CorpusFormat::kUci;
    options.columns = TextColumns::parse("text");
  });
  refuses([](ReaderOptions& options) {
    options.format = CorpusFormat::kTranslations;
    options.columns = TextColumns::parse("id,text");
  });
  EXPECT_THROW(read_corpus({}), UsageError);
  EXPECT_THROW(read_corpus({folder_.file("nothing")}), InputError);
  std::filesystem::create_directory(folder_.file("empty"));
  EXPECT_THROW(read_corpus({folder_.file("empty")}), InputError);
}

TEST_F(ReadCorpus, SaysWhereNoWordRemains) {
  const std::string path = make("t", "one\ntwo\n");
  VocabularyOptions often;
  often.min_documents = 2;
  EXPECT_THROW(read_corpus({path}, {}, {}, often), InputError);
}

TEST_F(ReadCorpus, OfNewTextInKnownWords) {
  TextOptions text;
  text.ngrams = 2;
  text.stop_words.add("the");
  const Corpus trained = read_corpus({make("train", "the north wind\nthe sea\n")}, {}, text);
  const NameList vocabulary(trained.words(), "train");
  const std::string path = make("new", "new\tNorth wind and sea\nsea\tmountains\n");
  const Corpus corpus = read_corpus_with(vocabulary, {path}, {}, trained.text());
  EXPECT_EQ(texts(corpus), (Strings{"north north wind wind sea", ""}));
  EXPECT_EQ(labels(corpus), (Strings{"new", "sea"}));
  EXPECT_EQ(corpus.documents().num_words, trained.words().size());
  EXPECT_EQ(corpus.tally().outside, 4u);  // and, wind and, and sea, mountains
  EXPECT_EQ(corpus.num_empty(), 1u);

  // Told from the text or from a corpus of its own, it is the same.
  const Corpus own = read_corpus({path}, {}, trained.text());
  const Corpus again = in_words_of(vocabulary, own);
  EXPECT_EQ(texts(again), texts(corpus));
  EXPECT_EQ(labels(again), labels(corpus));
  EXPECT_EQ(again.tally().outside, corpus.tally().outside);
  EXPECT_TRUE(std::equal(again.documents().tokens.begin(), again.documents().tokens.end(),
                         corpus.documents().tokens.begin(), corpus.documents().tokens.end()));
}

TEST_F(ReadCorpus, IsTheSameForAnyNumberOfThreads) {
  const std::string path = std::string(TRELLIS_SOURCE_DIR) + "/data/pastimes/train.tsv";
  TextOptions text;
  text.ngrams = 2;
  const std::string alone = read_corpus({path}, {}, text, {}, 1).to_bytes();
  EXPECT_EQ(read_corpus({path}, {}, text, {}, 2).to_bytes(), alone);
  EXPECT_EQ(read_corpus({path}, {}, text, {}, 5).to_bytes(), alone);
}

TEST_F(ReadCorpus, OfTheSampleData) {
  const std::string sample = std::string(TRELLIS_SOURCE_DIR) + "/data/pastimes/";
  TextOptions text;
  text.stop_words = read_stop_words("english");
  VocabularyOptions twice;
  twice.min_documents = 2;
  const Corpus train = read_corpus({sample + "train.tsv"}, {}, text, twice);
  EXPECT_EQ(train.documents().size(), 240u);
  EXPECT_EQ(train.label_names().size(), 4u);
  EXPECT_EQ(train.num_empty(), 0u);
  EXPECT_EQ(train.words()[0], "boat");
  const NameList vocabulary(train.words(), "train");
  const Corpus test = read_corpus_with(vocabulary, {sample + "test.tsv"}, {}, train.text());
  EXPECT_EQ(test.documents().size(), 60u);
  EXPECT_EQ(test.num_empty(), 0u);
}

TEST_F(ReadCorpus, DoesNotDependOnTheOrderOfDocumentsForItsWords) {
  const Corpus one = read("one", "wind sea sea\nsalt\nwind\n");
  const Corpus two = read("two", "salt\nwind\nsea wind sea\n");
  ASSERT_EQ(one.words().size(), 3u);
  for (Index w = 0; w < 3; ++w) EXPECT_EQ(one.words()[w], two.words()[w]);
  EXPECT_EQ(one.words()[0], "sea");  // as frequent as wind, and before it
}

}  // namespace
}  // namespace trellis::topics::read_corpus_test
