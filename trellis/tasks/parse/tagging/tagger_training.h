// Trains taggers for a parser, by jack-knifing.
//
// For a sentence of plain words, a parser uses the tags of its tagger, including mistakes, and must
// learn from such tags. The tagger's tags for its own training sentences would be too good. The
// sentences are therefore split into K folds, and a tagger trained on the other folds tags each
// fold (as in Koo, Carreras & Collins 2008). The parser's own tagger is trained on all sentences.
//
// Taggers are averaged perceptrons (Collins 2002) with the default template of words: they have no
// hyperparameter to choose K + 1 times. Time: that of K + 1 taggers, spread over threads; results
// do not depend on the number of threads.
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

// A tagger's time is quadratic in the number of tags. With more fine tags than this, such as
// positional tags, the parser has no fine tags, and a message says so.
inline constexpr Index kMostFineTags = 100;

struct TaggerOptions {
  Index jackknife = 5;  // folds, K ≥ 2
  std::uint64_t seed = 1;
  int threads = 0;
};

struct LearnedTags {
  SentenceTagger tagger;
  // The sentences with their jack-knifed tags, without columns that the parser must not use.
  std::vector<Sentence> sentences;
  TaggingCounts jackknifed;
};

// Every word must have a coarse tag. Empty if interrupted. Throws UsageError unless the number of
// folds is from 2 to the number of sentences.
std::optional<LearnedTags> learn_tags(std::span<const Sentence> sentences,
                                      const TaggerOptions& options, const TrainEvents& events);

}  // namespace trellis::parse
