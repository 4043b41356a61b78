#include "trellis/topics/corpus/read_corpus.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/pipeline.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/topics/corpus/count_numbering.h"

namespace trellis::topics {
namespace {

// A document that owns its text.
struct HeldDocument {
  std::string id;
  std::string label;
  std::string language;
  std::string text;
  std::vector<WordCount> counts;
};

// Successive documents, enough to occupy a thread for some time. False at the end, if there is no
// document.
using DocumentBlock = std::vector<HeldDocument>;
bool read_block(CorpusReader& reader, DocumentBlock& block) {
  constexpr Index kEnough = Index{1} << 15;  // bytes of text, or counts
  block.clear();
  SourceDocument source;
  for (Index size = 0; size < kEnough && reader.read(source);) {
    size += 64 + source.text.size() + source.counts.size();
    block.push_back({std::string(source.id), std::string(source.label),
                     std::string(source.language), std::string(source.text), source.counts});
  }
  return !block.empty();
}

// The words of a block of documents, one after another.
class FoundWords {
 public:
  void find(const DocumentBlock& block, Tokenizer& tokenizer) {
    bytes_.clear();
    words_.clear();
    documents_.clear();
    for (const HeldDocument& document : block) {
      const Index left_out =
          tokenizer.tokenize(document.text, document.language, [&](std::string_view word) {
            bytes_ += word;
            words_.push_back({fingerprint(word), bytes_.size()});
          });
      documents_.push_back({words_.size(), left_out});
    }
  }

  // Adds the words of a document of the block; documents must be added in order.
  void add_to(CorpusBuilder& builder, Index document) const {
    constexpr Index kAhead = 8;  // lookups, which hide the memory behind them
    for (Index i = document == 0 ? 0 : documents_[document - 1].end; i < documents_[document].end;
         ++i) {
      if (i + kAhead < words_.size()) builder.prefetch(words_[i + kAhead].print);
      const Index begin = i == 0 ? 0 : words_[i - 1].end;
      const std::string_view word(bytes_.data() + begin, words_[i].end - begin);
      builder.add(builder.number(word, words_[i].print));
    }
    builder.leave_out(documents_[document].left_out);
  }

 private:
  struct Word {
    std::uint64_t print;
    Index end;  // in the bytes
  };
  struct Document {
    Index end;  // in the words
    Index left_out;
  };
  std::string bytes_;
  std::vector<Word> words_;
  std::vector<Document> documents_;
};

// All threads find words; the order of the documents determines the numbers.
void add_documents(CorpusReader& reader, const TextOptions& text, int threads,
                   CorpusBuilder& builder) {
  constexpr Index kBatch = 16;
  Pipeline<DocumentBlock> pipeline(kBatch, threads);
  std::vector<Tokenizer> tokenizers(static_cast<Index>(pipeline.num_workers()), Tokenizer(text));
  std::vector<FoundWords> found(kBatch);
  CountNumbering count_number(reader, [&](std::string_view word) { return builder.number(word); });
  const auto read = [&](DocumentBlock& block) { return read_block(reader, block); };
  const auto find_words = [&](const DocumentBlock& block, Index slot, int worker) {
    found[slot].find(block, tokenizers[static_cast<Index>(worker)]);
  };
  const auto add_words = [&](const DocumentBlock& block, Index slot) {
    for (Index d = 0; d < block.size(); ++d) {
      found[slot].add_to(builder, d);
      for (const WordCount& entry : block[d].counts) {
        builder.add(count_number(entry.word), entry.count);
      }
      builder.end_document({block[d].id, block[d].label, block[d].language});
    }
  };
  pipeline.run(read, find_words, add_words);
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
                   none
                       ? "expected words, found only stop words, numbers and short words"
                       : "expected words within the document limits of the vocabulary, found none");
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
