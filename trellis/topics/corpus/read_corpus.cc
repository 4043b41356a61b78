#include "trellis/topics/corpus/read_corpus.h"

#include <charconv>
#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::topics {
namespace {

// The numbers that the builder has for the words of counts.
class CountNumbering {
 public:
  CountNumbering(const CorpusReader& reader, CorpusBuilder& builder)
      : reader_(reader), builder_(builder), numbers_(reader.vocabulary().size(), kUnasked) {}

  std::uint32_t operator()(std::uint32_t word) {
    if (!reader_.has_vocabulary()) return number_of_digits(word);
    std::uint64_t& number = numbers_[word];
    if (number == kUnasked) number = builder_.number(reader_.vocabulary()[word]);
    return static_cast<std::uint32_t>(number);
  }

 private:
  static constexpr std::uint64_t kUnasked = ~std::uint64_t{0};

  std::uint32_t number_of_digits(std::uint32_t word) {
    char digits[10];
    const std::to_chars_result result = std::to_chars(digits, digits + sizeof digits, word);
    return builder_.number({digits, static_cast<Index>(result.ptr - digits)});
  }

  const CorpusReader& reader_;
  CorpusBuilder& builder_;
  std::vector<std::uint64_t> numbers_;
};

// A document that may outlive what it was read from.
struct HeldDocument {
  std::string id;
  std::string label;
  std::string language;
  std::string text;
  std::vector<WordCount> counts;

  void assign(const SourceDocument& document) {
    id = document.id;
    label = document.label;
    language = document.language;
    text = document.text;
    counts = document.counts;
  }
};

// The words of a text, one after another.
struct FoundWords {
  std::string bytes;
  std::vector<Index> ends;
  std::vector<std::uint64_t> prints;
  Index left_out = 0;

  void find(std::string_view text, Tokenizer& tokenizer) {
    bytes.clear();
    ends.clear();
    prints.clear();
    left_out = tokenizer.tokenize(text, [&](std::string_view word) {
      bytes += word;
      ends.push_back(bytes.size());
      prints.push_back(fingerprint(word));
    });
  }

  void add_to(CorpusBuilder& builder) const {
    constexpr Index kAhead = 8;  // lookups, which hide the memory behind them
    for (Index i = 0; i < ends.size(); ++i) {
      if (i + kAhead < ends.size()) builder.prefetch(prints[i + kAhead]);
      const Index begin = i == 0 ? 0 : ends[i - 1];
      const std::string_view word(bytes.data() + begin, ends[i] - begin);
      builder.add(builder.number(word, prints[i]));
    }
    builder.leave_out(left_out);
  }
};

// Words are found by all threads, and numbered in the order of the documents.
void add_documents(CorpusReader& reader, const TextOptions& text, int threads,
                   CorpusBuilder& builder) {
  constexpr Index kBatch = 16;  // few: a document may be long
  Pipeline<HeldDocument> pipeline(kBatch, threads);
  std::vector<Tokenizer> tokenizers(static_cast<Index>(pipeline.num_workers()), Tokenizer(text));
  std::vector<FoundWords> found(kBatch);
  CountNumbering count_number(reader, builder);
  SourceDocument source;
  pipeline.run(
      [&](HeldDocument& document) {
        if (!reader.read(source)) return false;
        document.assign(source);
        return true;
      },
      [&](const HeldDocument& document, Index slot, int worker) {
        found[slot].find(document.text, tokenizers[static_cast<Index>(worker)]);
      },
      [&](const HeldDocument& document, Index slot) {
        found[slot].add_to(builder);
        for (const WordCount& entry : document.counts) {
          builder.add(count_number(entry.word), entry.count);
        }
        builder.end_document({document.id, document.label, document.language});
      });
}

Corpus build(const std::vector<std::string>& paths, const ReaderOptions& options,
             const TextOptions& text, int threads, CorpusBuilder& builder) {
  text.check();
  CorpusReader reader(paths, options);
  add_documents(reader, text, threads, builder);
  if (builder.num_documents() == 0) {
    throw InputError(paths.back(), 0, "expected documents, found none");
  }
  return builder.finish(text);
}

}  // namespace

Corpus read_corpus(const std::vector<std::string>& paths, const ReaderOptions& reader,
                   const TextOptions& text, const VocabularyOptions& vocabulary, int threads) {
  CorpusBuilder builder(vocabulary);
  Corpus corpus = build(paths, reader, text, threads, builder);
  if (!corpus.words().empty()) return corpus;
  const bool none = corpus.tally().outside == 0;
  throw InputError(paths.front(), 0,
                   none ? "expected words, found none that is not a stop word, a number or short"
                        : "expected words in so many documents as were asked for, found none");
}

Corpus read_corpus_with(const NameList& vocabulary, const std::vector<std::string>& paths,
                        const ReaderOptions& reader, const TextOptions& text, int threads) {
  CorpusBuilder builder(vocabulary);
  return build(paths, reader, text, threads, builder);
}

Corpus in_words_of(const NameList& vocabulary, const Corpus& corpus) {
  CorpusBuilder builder(vocabulary);
  std::vector<std::uint32_t> numbers;
  for (Index w = 0; w < corpus.words().size(); ++w)
    numbers.push_back(builder.number(corpus.words()[w]));
  const auto name = [](const NameView& names, std::span<const Label> labels, Index d) {
    const Label label = labels.empty() ? kNoLabel : labels[d];
    return label == kNoLabel ? std::string_view() : names[static_cast<Index>(label)];
  };
  const Documents& documents = corpus.documents();
  for (Index d = 0; d < documents.size(); ++d) {
    for (const std::uint32_t word : documents[d]) builder.add(numbers[word]);
    builder.end_document({corpus.has_ids() ? corpus.ids()[d] : std::string_view(),
                          name(corpus.label_names(), corpus.labels(), d),
                          name(corpus.language_names(), corpus.languages(), d)});
  }
  return builder.finish(corpus.text());
}

}  // namespace trellis::topics
