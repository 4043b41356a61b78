// Tags of words from the words alone: a model of tasks/tag inside other tasks' models. It is stored
// in a section of their model files, as a whole model file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/model_schema.h"
#include "trellis/frame/training/training.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tagger.h"
#include "trellis/tasks/tagging/word_columns.h"

namespace trellis::tagging {

class WordTagger {
 public:
  // Reused for all sentences; one for each thread.
  struct Scratch {
    tag::Tagger::Scratch tagger;
    tag::TagSequence sequence;
    std::vector<std::string_view> words;  // filled by the caller
    std::vector<Label> labels;
    std::vector<double> probabilities;  // by word and tag
  };

  // Throws InputError if the model requires more than words.
  explicit WordTagger(tag::TagModel model);
  // A tagger that another model may have in a section.
  static void describe(ModelArchive& a, const std::string& section,
                       std::optional<WordTagger>& tagger);

  const tag::TagModel& model() const { return model_; }
  Index num_tags() const { return model_.labels().size(); }
  std::string_view name(Label tag) const { return model_.labels()[static_cast<Index>(tag)]; }

  // Puts the best tags of scratch.words into scratch.labels. O(words · tags²).
  void tag(Scratch& scratch) const;
  // Puts the probability of each tag into scratch.probabilities.
  void marginals(Scratch& scratch) const;

 private:
  void put_words(Scratch& scratch) const;

  tag::TagModel model_;
};

// Tags of a treebank's training sentences come from folds. Throws UsageError unless their number is
// from 2 to the number of sentences.
void require_folds(Index folds, Index sentences);

struct WordTaggerOptions {
  Loss loss;
  std::optional<LearnerKind> learner;  // not given: the default of tasks/tag for the loss
  Index epochs = 10;
  std::uint64_t seed = 1;
};

// Trains with the template of words, on one thread. Empty if interrupted.
std::optional<WordTagger> train_word_tagger(const TaggedText& text,
                                            const WordTaggerOptions& options,
                                            const std::stop_token& stop);

}  // namespace trellis::tagging
