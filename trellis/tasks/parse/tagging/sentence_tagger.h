// Parts of speech for a parser, from words alone: a tagger of coarse tags and, where the treebank
// has them, one of fine tags, each a model of tasks/tag.
//
// They lie in the parser's model file, in sections of their own:
//
//   tagger.coarse, tagger.fine    whole model files; the second may be missing
//
// A parser that was trained with a tagger goes by words and by these tags, since nothing else is
// there when it is given words alone: lemmas, morphological features and tags of a kind that was
// not learned are hidden from it (hide_unlearned).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/parse/sentence.h"
#include "trellis/tasks/tagging/word_tagger.h"

namespace trellis::parse {

// Which words are given tags.
enum class Retag {
  kMissing,  // those that have none: what the file says counts
  kAll,
};

class SentenceTagger {
 public:
  using Scratch = tagging::WordTagger::Scratch;  // one for each thread

  explicit SentenceTagger(tagging::WordTagger coarse, std::optional<tagging::WordTagger> fine = {})
      : coarse_(std::move(coarse)), fine_(std::move(fine)) {}

  // Nothing where the parser's model has no tagger. Throws InputError for one that is broken.
  static std::optional<SentenceTagger> read(const ModelReader& model);
  // The tagger must live until the model is written.
  void add_to(ModelWriter& model) const;

  bool has_fine() const { return fine_.has_value(); }

  // Writes the columns of coarse and fine tags. O(words · tags²).
  void tag(Retag which, Sentence& sentence, Scratch& scratch) const;
  // Empties the columns that a parser with this tagger has not learned from.
  void hide_unlearned(Sentence& sentence) const;

 private:
  tagging::WordTagger coarse_;
  std::optional<tagging::WordTagger> fine_;
};

// A sentence's words, for a tagger.
inline void put_words(const Sentence& sentence, tagging::WordTagger::Scratch& scratch) {
  scratch.words.clear();
  for (const Word& word : sentence.words) scratch.words.push_back(word.form);
}

// Words, and those whose tags are gold's.
struct TaggingCounts {
  Index words = 0;
  Index coarse = 0;
  Index fine = 0;

  // In percent; 0 where there is no word.
  double coarse_accuracy() const { return percent(coarse); }
  double fine_accuracy() const { return percent(fine); }

  // Both have the same words.
  void add(const Sentence& gold, const Sentence& system);
  TaggingCounts& operator+=(const TaggingCounts& other);
  bool operator==(const TaggingCounts&) const = default;

 private:
  double percent(Index right) const {
    return words == 0 ? 0 : 100 * static_cast<double>(right) / static_cast<double>(words);
  }
};

}  // namespace trellis::parse
