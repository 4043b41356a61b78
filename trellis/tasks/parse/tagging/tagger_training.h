// Learning parts of speech along with trees, jack-knifed.
//
// A parser that is given words alone goes by the tags of its tagger, mistakes included, and has to
// learn from such tags. Those of the tagger on its own training sentences would be too good. So the
// sentences are dealt into K folds, and those of a fold tagged by a tagger that was trained on the
// others (as in Koo, Carreras & Collins 2008). The parser's own tagger is trained on all of them.
//
// Taggers are averaged perceptrons (Collins 2002) over the words' default template: no constant has
// to be chosen for K + 1 of them. Time: that of K + 1 taggers, spread over threads; results are the
// same for any number of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/parse/tagging/sentence_tagger.h"

namespace trellis::parse {

// A tagger takes the square of its tags in time. Where there are more, as with positional tags, the
// parser does without fine ones, which is told.
inline constexpr Index kMostFineTags = 100;

struct TaggerOptions {
  Index jackknife = 5;  // folds, K ≥ 2
  std::uint64_t seed = 1;
  int threads = 0;
};

struct LearnedTags {
  SentenceTagger tagger;
  // The sentences with their jack-knifed tags, and nothing else that a parser may not learn from.
  std::vector<Sentence> sentences;
  TaggingCounts jackknifed;
};

// Every word has a coarse tag. Nothing where it was interrupted. Throws UsageError for a number of
// folds that is not 2 to that of the sentences.
std::optional<LearnedTags> learn_tags(std::span<const Sentence> sentences,
                                      const TaggerOptions& options, const TrainEvents& events);

}  // namespace trellis::parse
