#include "trellis/topics/corpus/document_stream.h"

#include <utility>

namespace trellis::topics {

DocumentStream::DocumentStream(const NameList& vocabulary, std::vector<std::string> paths,
                               ReaderOptions reader, const TextOptions& text)
    : find_{&vocabulary},
      reader_(std::move(paths), std::move(reader)),
      tokenizer_(text),
      count_number_(reader_, find_) {}

std::optional<NewDocument> DocumentStream::read() {
  if (!reader_.read(source_)) return std::nullopt;
  NewDocument document{
      std::string(source_.id), std::string(source_.label), std::string(source_.language), {}};
  const auto add = [&](std::uint32_t word, std::uint32_t count) {
    if (word == NameList::kNone) {
      document.outside += count;
    } else {
      document.words.insert(document.words.end(), count, word);
    }
  };
  tokenizer_.tokenize(source_.text, source_.language,
                      [&](std::string_view word) { add(find_(word), 1); });
  for (const WordCount& entry : source_.counts) add(count_number_(entry.word), entry.count);
  return document;
}

}  // namespace trellis::topics
