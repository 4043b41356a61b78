// A small corpus of two subjects, and models of it.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/random.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/topics/train.h"
#include "trellis/topics/corpus/corpus.h"
#include "trellis/topics/corpus/corpus_builder.h"

namespace trellis::topics::testing {

// Documents of eight words each, of the sea and of the kitchen in turn; the labels say which. The
// words are numbered in the order that they have here.
inline Corpus two_subjects(Index documents = 40, std::uint64_t seed = 1) {
  constexpr std::string_view kWords[2][5] = {{"boat", "tide", "sail", "anchor", "harbour"},
                                             {"dough", "oven", "flour", "yeast", "crust"}};
  NameList vocabulary;
  for (const auto& subject : kWords) {
    for (const std::string_view word : subject) vocabulary.add(word);
  }
  CorpusBuilder builder(vocabulary);
  for (Index d = 0; d < documents; ++d) {
    Random random(seed, d);
    for (Index i = 0; i < 8; ++i) builder.add(kWords[d % 2][random.below(5)]);
    const std::string id = "d" + std::to_string(d);
    builder.end_document({id, d % 2 == 0 ? "sea" : "kitchen", ""});
  }
  return builder.finish(TextOptions());
}

inline TrainOptions few_sweeps() {
  TrainOptions options;
  options.learner.lda.topics = 2;
  options.learner.schedule.first = 10;
  options.sweeps = 40;
  options.watch_every = 10;
  options.coherent_words = 5;
  options.learner.threads = 1;
  return options;
}

}  // namespace trellis::topics::testing
