// The auxiliary tagger of a grammar: a conditional random field over words (Lafferty, McCallum &
// Pereira 2001). A grammar's own words know nothing of their neighbours; it does. Words have the
// tags that it thinks possible, and how likely these are is a feature of parsing.
//
// To learn how far it can be trusted, weights have to see it as it is on sentences that it was not
// trained on: those of a treebank are dealt into K folds, and those of a fold tagged by a tagger
// that was trained on the others (jack-knifing).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

  // Choices have the numbers that `tags` gives its tags. Throws InputError for a tagger of tags
  // that are not there.
  GrammarTagger(tagging::WordTagger tagger, const NameList& tags);
  const tagging::WordTagger& word_tagger() const { return tagger_; }

  // Tags of at least a probability, and in any case the likeliest.
  void choose(std::span<const std::string> words, double least, Scratch& scratch,
              TagChoices& choices) const;

 private:
  tagging::WordTagger tagger_;
  std::vector<std::uint32_t> tags_;  // by the tagger's label
};

struct TaggerOptions {
  Index jackknife = 5;  // folds
  double least = 0;     // probability of a choice
  std::uint64_t seed = 1;
  int threads = 0;
};

struct LearnedTagger {
  GrammarTagger tagger;
  std::vector<TagChoices> jackknifed;  // of the trees' words
  Index words = 0, right = 0;          // of these: whose likeliest tag is the tree's

  double accuracy() const {
    return words == 0 ? 0 : 100 * static_cast<double>(right) / static_cast<double>(words);
  }
};

// Nothing where it was interrupted. Throws UsageError for a number of folds that is not 2 to that
// of the trees.
std::optional<LearnedTagger> learn_tagger(std::span<const ConstituencyTree> trees,
                                          const NameList& tags, const TaggerOptions& options,
                                          const TrainEvents& events);

}  // namespace trellis::grammar
