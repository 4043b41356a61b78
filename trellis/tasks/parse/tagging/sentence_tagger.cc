#include "trellis/tasks/parse/tagging/sentence_tagger.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

namespace trellis::parse {
namespace {

bool lacks(const Sentence& sentence, std::string Word::*column) {
  for (const Word& word : sentence.words) {
    if ((word.*column).empty()) return true;
  }
  return false;
}

}  // namespace

void SentenceTagger::tag(Retag which, Sentence& sentence, Scratch& scratch) const {
  const auto wanted = [&](std::string Word::*column) {
    return which == Retag::kAll || lacks(sentence, column);
  };
  const bool coarse = wanted(&Word::coarse), fine = fine_ && wanted(&Word::fine);
  if (sentence.words.empty() || (!coarse && !fine)) return;
  put_words(sentence, scratch);
  const auto write = [&](const tagging::WordTagger& tagger, std::string Word::*column) {
    tagger.tag(scratch);
    for (Index i = 0; i < sentence.size(); ++i) {
      std::string& text = sentence.words[i].*column;
      if (which == Retag::kAll || text.empty()) text = tagger.name(scratch.labels[i]);
    }
  };
  if (coarse) write(coarse_, &Word::coarse);
  if (fine) write(*fine_, &Word::fine);
}

void SentenceTagger::hide_unlearned(Sentence& sentence) const {
  for (Word& word : sentence.words) {
    word.lemma.clear();
    word.features.clear();
    if (!fine_) word.fine.clear();
  }
}

void TaggingCounts::Column::add(const std::string& gold, const std::string& system) {
  if (gold.empty()) return;
  ++words;
  right += gold == system ? 1 : 0;
}

double TaggingCounts::Column::accuracy() const {
  return percent(right, words);
}

void TaggingCounts::add(const Sentence& gold, const Sentence& system, bool with_fine) {
  assert(gold.size() == system.size());
  for (Index i = 0; i < gold.size(); ++i) {
    coarse.add(gold.words[i].coarse, system.words[i].coarse);
    if (with_fine) fine.add(gold.words[i].fine, system.words[i].fine);
  }
}

Value TaggingCounts::record() const {
  Value record = Value::record();
  if (coarse.words > 0) record["coarse"] = coarse.accuracy();
  if (fine.words > 0) record["fine"] = fine.accuracy();
  return record;
}

std::string TaggingCounts::to_text() const {
  std::string text;
  if (coarse.words > 0) text = fmt::format("{:.2f} % of coarse tags (UPOS)", coarse.accuracy());
  if (fine.words > 0) {
    text +=
        fmt::format("{}{:.2f} % of fine tags (XPOS)", text.empty() ? "" : ", ", fine.accuracy());
  }
  return text;
}

}  // namespace trellis::parse
