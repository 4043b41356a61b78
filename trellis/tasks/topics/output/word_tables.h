// What a topic model tells of its words beside the foremost of each topic: those of each language
// side by side, and what the graph of related words does (Petterson 2011, table 6.2 and fig. 6.6).
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
// Of one topic: rows by language, the foremost words of each, by φ_wk times how much the word is of
// the language, (n_wl / N_l) / Σ_l' n_wl' / N_l'.
using LanguageTable = std::vector<std::vector<LanguageWord>>;

// The word without the language before it (TextOptions::by_language), for where that is told
// beside.
std::string_view spelling_of(const TopicModel& model, std::uint32_t word);

// By topic; empty where the model knows no languages.
std::vector<LanguageTable> language_tables(const TopicModel& model, Index words);

// A word whose prior in a topic its links have raised.
struct RaisedWord {
  struct Kin {
    std::uint32_t word;
    double count;  // n_wk of a word that it is linked with
  };

  std::uint32_t word;
  double count;          // its own n_wk
  double prior, usual;   // β_kw, and its mean over topics
  std::vector<Kin> kin;  // those with the most tokens in the topic, at most `kKin`
  static constexpr Index kKin = 3;
};

// By topic: the words with the largest β_kw − mean β_·w, the largest first, if it is above 0. Empty
// where no word has a prior of its own.
std::vector<std::vector<RaisedWord>> raised_words(const TopicModel& model, Index words);

}  // namespace trellis::topics
