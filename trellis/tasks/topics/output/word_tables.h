// Further tables of a topic model's words: those of each language side by side, and the effect of
// the graph of related words (Petterson 2011, table 6.2 and fig. 6.6).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/topics/topic_model.h"

namespace trellis::topics {

struct LanguageWord {
  std::uint32_t word;
  double probability;  // φ_wk
};
// For one topic: rows by language with their top words, by φ_wk times the share of the language in
// the word, (n_wl / N_l) / Σ_l' n_wl' / N_l'.
using LanguageTable = std::vector<std::vector<LanguageWord>>;

// The word without its language prefix (TextOptions::by_language), for tables that print the
// language.
std::string_view spelling_of(const TopicModel& model, std::uint32_t word);

// By topic; empty if the model has no languages.
std::vector<LanguageTable> language_tables(const TopicModel& model, Index words);

// A word whose prior in a topic is raised by its links.
struct RaisedWord {
  struct Kin {
    std::uint32_t word;
    double count;  // n_wk of a linked word
  };

  std::uint32_t word;
  double count;          // its own n_wk
  double prior, usual;   // β_kw, and its mean over topics
  std::vector<Kin> kin;  // those with the most tokens in the topic, up to `kKin`
  static constexpr Index kKin = 3;
};

// By topic: the words with the largest positive β_kw − mean β_·w, largest first. Empty if no word
// has a prior of its own.
std::vector<std::vector<RaisedWord>> raised_words(const TopicModel& model, Index words);

}  // namespace trellis::topics
