#include "trellis/topics/corpus/corpus_builder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::topics {
namespace {

constexpr std::uint32_t kDropped = ~std::uint32_t{0};

NameColumn column_of(const NameView& names) {
  NameColumn column;
  column.offsets.assign(names.offsets().begin(), names.offsets().end());
  column.bytes.assign(names.bytes().begin(), names.bytes().end());
  return column;
}

}  // namespace

void VocabularyOptions::check() const {
  if (min_documents < 1) throw UsageError("a word must occur in at least one document");
  if (!(max_share > 0 && max_share <= 1)) {
    throw UsageError("the share of documents that a word may occur in is above 0 and at most 1");
  }
}

// If some documents have a name, the others have kNoLabel; if none has, there is no column.
void CorpusBuilder::NamedColumn::add(std::string_view name, Index document) {
  if (name.empty()) {
    if (!labels.empty()) labels.push_back(kNoLabel);
    return;
  }
  labels.resize(document, kNoLabel);
  const std::uint32_t label = names.add(name);
  if (label > static_cast<std::uint32_t>(std::numeric_limits<Label>::max())) {
    throw UsageError("a corpus has at most 2^31 - 1 labels");
  }
  labels.push_back(static_cast<Label>(label));
}

CorpusBuilder::CorpusBuilder(const VocabularyOptions& options) : options_(options) {
  options.check();
}

CorpusBuilder::CorpusBuilder(const NameList& vocabulary) : known_(&vocabulary) {}

std::uint32_t CorpusBuilder::learn(std::string_view word, std::uint64_t print) {
  const std::uint32_t number = words_.add(word, print);
  if (number == counts_.size()) counts_.emplace_back();
  return number;
}

void CorpusBuilder::add(std::uint32_t number, std::uint32_t count) {
  if (number == kUnseen) {
    tally_.outside += count;
    return;
  }
  if (known_ == nullptr) {
    WordCounts& counts = counts_[number];
    const auto document = static_cast<std::uint32_t>(num_documents());
    counts.tokens += count;
    if (counts.last_document != document) ++counts.documents;
    counts.last_document = document;
  }
  for (std::uint32_t k = 0; k < count; ++k) buffer_.push(number);
}

void CorpusBuilder::end_document(const DocumentNames& names) {
  const Index document = num_documents();
  if (document + 1 == ~std::uint32_t{0})
    throw UsageError("a corpus has at most 2^32 - 2 documents");
  begin_.push_back(buffer_.size());
  ids_.add(names.id);
  has_ids_ = has_ids_ || !names.id.empty();
  labels_.add(names.label, document);
  languages_.add(names.language, document);
}

// The numbers of the words to keep, the most frequent first.
std::vector<std::uint32_t> CorpusBuilder::choose_words(bool by_language) const {
  const auto all = static_cast<double>(num_documents());
  // A word of a language occurs only in documents of that language.
  std::vector<double> of_language(languages_.names.size(), 0);
  for (const Label language : languages_.labels) {
    if (language != kNoLabel) of_language[static_cast<Index>(language)] += 1;
  }
  const auto most = [&](const WordCounts& counts) {
    if (!by_language || languages_.labels.empty()) return all;
    const Label language = languages_.labels[counts.last_document];
    return language == kNoLabel ? all : of_language[static_cast<Index>(language)];
  };
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t word = 0; word < counts_.size(); ++word) {
    const std::uint32_t documents = counts_[word].documents;
    if (documents < options_.min_documents ||
        documents / most(counts_[word]) > options_.max_share) {
      continue;
    }
    chosen.push_back(word);
  }
  std::sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (counts_[a].tokens != counts_[b].tokens) return counts_[a].tokens > counts_[b].tokens;
    return words_[a] < words_[b];
  });
  if (options_.max_words > 0 && chosen.size() > options_.max_words) {
    chosen.resize(options_.max_words);
  }
  return chosen;
}

// Maps the provisional numbers to those of the corpus, or kDropped. Frees the memory of the learnt
// words.
std::vector<std::uint32_t> CorpusBuilder::renumber(std::vector<std::uint32_t> chosen,
                                                   NameColumn& words) {
  std::vector<std::uint32_t> numbers(counts_.size(), kDropped);
  std::uint64_t tokens = 0;
  for (std::uint32_t k = 0; k < chosen.size(); ++k) {
    numbers[chosen[k]] = k;
    words.add(words_[chosen[k]]);
    tokens += counts_[chosen[k]].tokens;
  }
  tally_.outside = buffer_.size() - tokens;
  words_ = {};
  std::vector<WordCounts>().swap(counts_);
  return numbers;
}

void CorpusBuilder::write_tokens(const std::vector<std::uint32_t>& renumbered, CorpusParts& parts) {
  const bool all = known_ != nullptr;
  parts.tokens.reserve(buffer_.size() - (all ? 0 : tally_.outside));
  Index document = 0;
  std::uint64_t read = 0;
  const auto end_documents = [&] {  // that end before token `read`, empty ones included
    for (; document + 1 < begin_.size() && begin_[document + 1] == read; ++document) {
      parts.begin.push_back(parts.tokens.size());
    }
  };
  parts.begin.reserve(begin_.size());
  end_documents();
  buffer_.drain([&](std::uint32_t number) {
    const std::uint32_t word = all ? number : renumbered[number];
    if (word != kDropped) parts.tokens.push_back(word);
    if (++read == begin_[document + 1]) end_documents();
  });
}

void CorpusBuilder::fill_columns(CorpusParts& parts) {
  if (has_ids_) parts.ids = std::move(ids_);
  const auto fill = [&](NamedColumn& from, NameColumn& names, std::vector<Label>& labels) {
    names = column_of(from.names.view());
    labels = std::move(from.labels);
  };
  fill(labels_, parts.label_names, parts.labels);
  fill(languages_, parts.language_names, parts.languages);
}

Corpus CorpusBuilder::finish(const TextOptions& text) {
  CorpusParts parts;
  std::vector<std::uint32_t> renumbered;
  if (known_ != nullptr) {
    parts.words = column_of(known_->view());
  } else {
    renumbered = renumber(choose_words(text.by_language), parts.words);
  }
  write_tokens(renumbered, parts);
  fill_columns(parts);
  parts.tally = tally_;
  parts.text = text;
  return Corpus(std::move(parts));
}

}  // namespace trellis::topics
