#include "trellis/topics/corpus/word_finder.h"

#include "trellis/base/text.h"

namespace trellis::topics {
namespace {

TextOptions without_ngrams(TextOptions text) {
  text.ngrams = 1;
  return text;
}

}  // namespace

WordFinder::WordFinder(const NameList& vocabulary, const TextOptions& text)
    : vocabulary_(vocabulary), text_(without_ngrams(text)), tokenizer_(text_) {}

FoundWord WordFinder::find(std::string_view text) {
  text = trim(text);
  if (text.empty()) return {TextKind::kNothing};
  const std::uint32_t as_it_is = vocabulary_.find(text);
  if (as_it_is != NameList::kNone) return {TextKind::kWord, as_it_is};

  Index count = 0;
  form_.clear();
  tokenizer_.tokenize(text, [&](std::string_view word) {
    if (count++ > 0) form_ += ' ';
    form_ += word;
  });
  if (count == 0) return {TextKind::kNothing};
  const std::uint32_t word = vocabulary_.find(form_);
  if (word != NameList::kNone) return {TextKind::kWord, word};
  return {count == 1 ? TextKind::kOutside : TextKind::kPhrase};
}

}  // namespace trellis::topics
