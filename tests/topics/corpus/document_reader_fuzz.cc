// Any bytes are documents, or an InputError, in each format that a line or a file tells; the first
// byte chooses. What is read can be tokenised, and counts are within their limits.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "tests/data/model_fuzz.h"
#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/topics/corpus/corpus_builder.h"
#include "trellis/topics/corpus/count_readers.h"
#include "trellis/topics/corpus/text_readers.h"

namespace {

using namespace trellis;
using namespace trellis::topics;
using testing::require;

constexpr Index kNumWords = 7;

// Bit 5: translations; otherwise bits 0 and 1: the format; 2: columns, or a vocabulary.
std::unique_ptr<DocumentReader> reader_of(std::uint8_t choice, std::string_view bytes) {
  SourceLines lines{InputFile::from_bytes(bytes, "fuzz")};
  if ((choice & 32) != 0) return std::make_unique<TranslationsReader>(std::move(lines));
  const bool more = (choice & 4) != 0;
  const Index vocabulary = more ? kNumWords : 0;
  switch (choice & 3) {
    case 0:
      return std::make_unique<LineReader>(std::move(lines));
    case 1: {
      std::optional<TextColumns> columns;
      if (more) columns = TextColumns::parse("id,language,text,label,text");
      return std::make_unique<TsvReader>(std::move(lines), columns);
    }
    case 2:
      return std::make_unique<UciReader>(std::move(lines), vocabulary);
    default:
      return std::make_unique<SvmlightReader>(std::move(lines), vocabulary);
  }
}

void read_all(std::uint8_t choice, std::string_view bytes) {
  const std::unique_ptr<DocumentReader> reader = reader_of(choice, bytes);
  const TextOptions text{.ngrams = (choice & 16) != 0 ? Index{3} : Index{1}, .stop_words = {}};
  Tokenizer tokenizer(text);
  CorpusBuilder builder(VocabularyOptions{});
  for (SourceDocument document; reader->read(document);) {
    tokenizer.tokenize(document.text, [&](std::string_view word) {
      require(!word.empty() && find_invalid_utf8(word) == std::string_view::npos);
      builder.add(word);
    });
    for (const WordCount& entry : document.counts) {
      require(entry.count >= 1 && entry.count <= kMostOccurrences);
      require((choice & 4) == 0 || entry.word < kNumWords);
    }
    require((choice & 32) == 0 || (!document.id.empty() && !document.language.empty()));
    builder.end_document({document.id, document.label, document.language});
    if (builder.num_documents() > 1000) return;  // a header can ask for a million empty ones
  }
  require(builder.finish(text).documents().size() <= 1000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_all(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const InputError&) {
  }
  return 0;
}
