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
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/tasks/parse/sentence.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tagger.h"

namespace trellis::parse {

// Which words are given tags.
enum class Retag {
  kMissing,  // those that have none: what the file says counts
  kAll,
};

class SentenceTagger {
 public:
  // Reused from sentence to sentence; one for each thread.
  struct Scratch {
    tag::Tagger::Scratch tagger;
    tag::TagSequence sequence;
    std::vector<Label> labels;
  };

  // Throws InputError unless the models are of the form that train_tagger() makes.
  explicit SentenceTagger(tag::TagModel coarse, std::optional<tag::TagModel> fine = {});

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
  tag::TagModel coarse_;
  std::optional<tag::TagModel> fine_;
};

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
