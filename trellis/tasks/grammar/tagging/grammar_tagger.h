// The auxiliary tagger of a grammar: a conditional random field over words (Lafferty, McCallum &
// Pereira 2001), which uses the neighbours of a word. It chooses the possible tags of words, and
// their probabilities are features of parsing.
//
// Weights must learn from the tagger's output on sentences outside its training set. The treebank
// is therefore split into K folds, and a tagger trained on the other folds tags each fold
// (jack-knifing).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/share.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/grammar/tagging/tag_choices.h"
#include "trellis/tasks/tagging/word_tagger.h"

namespace trellis::grammar {

class GrammarTagger {
 public:
  using Scratch = tagging::WordTagger::Scratch;  // one for each thread

  // Choices have the tag numbers of `tags`. Throws InputError if the tagger has tags that `tags`
  // lacks.
  GrammarTagger(tagging::WordTagger tagger, const NameList& tags);
  const tagging::WordTagger& word_tagger() const { return tagger_; }

  // Chooses tags with at least the probability `least`, and always the most probable one.
  void choose(std::span<const std::string> words, double least, Scratch& scratch,
              TagChoices& choices) const;

 private:
  tagging::WordTagger tagger_;
  std::vector<std::uint32_t> tags_;  // by the tagger's label
};

struct TaggerOptions {
  Index jackknife = 5;  // folds
  double least = 0;     // least probability of a choice
  std::uint64_t seed = 1;
  int threads = 0;
};

struct LearnedTagger {
  GrammarTagger tagger;
  std::vector<TagChoices> jackknifed;  // for the words of the trees
  Index words = 0, right = 0;          // their number, and how many best tags are those of the tree

  double accuracy() const { return percent(right, words); }
};

// Empty if interrupted. Throws UsageError unless the number of folds is from 2 to the number of
// trees.
std::optional<LearnedTagger> learn_tagger(std::span<const ConstituencyTree> trees,
                                          const NameList& tags, const TaggerOptions& options,
                                          const TrainEvents& events);

}  // namespace trellis::grammar
