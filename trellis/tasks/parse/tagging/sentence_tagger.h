// Parts of speech for a parser, from words alone: a tagger of coarse tags and, if the treebank has
// them, one of fine tags. Each is a model of tasks/tag.
//
// A parser trained with a tagger uses only words and these tags, because a sentence of plain words
// has nothing else: lemmas, morphological features and other kinds of tags are hidden from it
// (hide_unlearned).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/tasks/tagging/word_tagger.h"

namespace trellis::parse {

// The words to tag.
enum class Retag {
  kMissing,  // those without a tag; tags of the file are kept
  kAll,
};

class SentenceTagger {
 public:
  using Scratch = tagging::WordTagger::Scratch;  // one for each thread

  explicit SentenceTagger(tagging::WordTagger coarse, std::optional<tagging::WordTagger> fine = {})
      : coarse_(std::move(coarse)), fine_(std::move(fine)) {}

  const tagging::WordTagger& coarse() const { return coarse_; }
  const std::optional<tagging::WordTagger>& fine() const { return fine_; }
  bool has_fine() const { return fine_.has_value(); }

  // Writes the columns of coarse and fine tags. O(words · tags²).
  void tag(Retag which, Sentence& sentence, Scratch& scratch) const;
  // Empties the columns that a parser with this tagger has not learned from.
  void hide_unlearned(Sentence& sentence) const;

 private:
  tagging::WordTagger coarse_;
  std::optional<tagging::WordTagger> fine_;
};

// Puts the words of a sentence into a tagger's scratch.
inline void put_words(const Sentence& sentence, tagging::WordTagger::Scratch& scratch) {
  scratch.words.clear();
  for (const Word& word : sentence.words) scratch.words.push_back(word.form);
}

// How many of a tagger's tags equal gold's. Words without a gold tag do not count.
struct TaggingCounts {
  struct Column {
    Index words = 0;
    Index right = 0;

    void add(const std::string& gold, const std::string& system);
    double accuracy() const;  // in percent; requires at least one word
    bool operator==(const Column&) const = default;
  };
  Column coarse, fine;

  // Both have the same words. `with_fine`: the tagger gives fine tags; otherwise those of `system`
  // come from the file.
  void add(const Sentence& gold, const Sentence& system, bool with_fine);
  bool operator==(const TaggingCounts&) const = default;

  // Accuracies in percent of the columns with counted words: {"coarse": 95.1, "fine": 93.2} and
  // "95.10 % of coarse tags (UPOS), 93.20 % of fine tags (XPOS)".
  Value record() const;
  std::string to_text() const;
};

}  // namespace trellis::parse
