#include "trellis/tasks/parse/tagging/sentence_tagger.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/tagging/tagger_columns.h"

namespace trellis::parse {
namespace {

constexpr std::string_view kCoarseSection = "tagger.coarse";
constexpr std::string_view kFineSection = "tagger.fine";

// A tagger that asks for what a sentence's words do not say would read beyond them.
void require_words_alone(const tag::TagModel& model) {
  if (model.format().format != tag::InputFormat::kColumns ||
      model.features().min_columns() > kTaggerColumns - 1) {
    throw InputError(model.name(), 0, "the parser's tagger asks for more than words");
  }
}

tag::TagModel read_section(const ModelReader& model, std::string_view section) {
  return tag::TagModel::from_bytes(model.section(section),
                                   fmt::format("{}, {}", model.name(), section));
}

// The tags of all words, by the labels of `model`.
void find_tags(const tag::TagModel& model, SentenceTagger::Scratch& scratch) {
  const double score = tag::Tagger(model).tag(scratch.sequence, {}, scratch.tagger, scratch.labels);
  if (scratch.labels.size() != scratch.sequence.num_tokens()) {
    throw InputError(model.name(), 0,
                     fmt::format("the parser's tagger allows no tags of {} words (score {})",
                                 scratch.sequence.num_tokens(), score));
  }
}

bool lacks(const Sentence& sentence, std::string Word::*column) {
  for (const Word& word : sentence.words) {
    if ((word.*column).empty()) return true;
  }
  return false;
}

}  // namespace

SentenceTagger::SentenceTagger(tag::TagModel coarse, std::optional<tag::TagModel> fine)
    : coarse_(std::move(coarse)), fine_(std::move(fine)) {
  require_words_alone(coarse_);
  if (fine_) require_words_alone(*fine_);
}

std::optional<SentenceTagger> SentenceTagger::read(const ModelReader& model) {
  if (!model.has(kCoarseSection)) return std::nullopt;
  tag::TagModel coarse = read_section(model, kCoarseSection);
  if (!model.has(kFineSection)) return SentenceTagger(std::move(coarse));
  return SentenceTagger(std::move(coarse), read_section(model, kFineSection));
}

void SentenceTagger::add_to(ModelWriter& model) const {
  model.add(kCoarseSection, coarse_.bytes());
  if (fine_) model.add(kFineSection, fine_->bytes());
}

void SentenceTagger::tag(Retag which, Sentence& sentence, Scratch& scratch) const {
  const auto wanted = [&](std::string Word::*column) {
    return which == Retag::kAll || lacks(sentence, column);
  };
  const bool coarse = wanted(&Word::coarse), fine = fine_ && wanted(&Word::fine);
  if (sentence.words.empty() || (!coarse && !fine)) return;
  put_words(sentence, scratch.sequence);
  const auto write = [&](const tag::TagModel& model, std::string Word::*column) {
    find_tags(model, scratch);
    for (Index i = 0; i < sentence.size(); ++i) {
      std::string& text = sentence.words[i].*column;
      if (which == Retag::kAll || text.empty())
        text = model.labels()[static_cast<Index>(scratch.labels[i])];
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

void TaggingCounts::add(const Sentence& gold, const Sentence& system) {
  assert(gold.size() == system.size());
  for (Index i = 0; i < gold.size(); ++i) {
    ++words;
    coarse += gold.words[i].coarse == system.words[i].coarse ? 1 : 0;
    fine += gold.words[i].fine == system.words[i].fine ? 1 : 0;
  }
}

TaggingCounts& TaggingCounts::operator+=(const TaggingCounts& other) {
  words += other.words;
  coarse += other.coarse;
  fine += other.fine;
  return *this;
}

}  // namespace trellis::parse
