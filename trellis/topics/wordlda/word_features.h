// Features of words, x_v of log β_kv = … + ⟨x_v, u_k⟩: a part of speech, a suffix, a class of a
// thesaurus, by any name and of any value.
//
// As text, a line for each word: the word, a tab, and its features with blanks between them,
//
//   walking <TAB> verb suffix=ing length:7
//
// each a name, or a name, a colon and a finite number; without a number the value is 1. The last
// colon of a feature is the one before its value, so a name with a colon needs a value. Lines that
// are blank, and lines that begin with '#' and have no tab, are skipped. word_finder.h describes
// how words are found; words that are not in the vocabulary are counted, and their features
// ignored. Plain, gzip or zstd.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/word_finder.h"

namespace trellis::topics {

// Sparse rows, one for each word of the vocabulary. Immutable.
class WordFeatures {
 public:
  struct Value {
    std::uint32_t feature;  // a number of names()
    float value;

    friend bool operator==(const Value&, const Value&) = default;
  };

  explicit WordFeatures(Index num_words = 0);  // none has a feature
  // Rows by word, each by rising feature, every feature below names.size(); the begins of rows
  // start at 0, never fall and end at values.size(). Throws UsageError otherwise, or where a value
  // is not finite.
  WordFeatures(std::vector<std::uint64_t> begin, std::vector<Value> values, NameList names);

  Index num_words() const { return begin_.size() - 1; }
  Index num_features() const { return names_.size(); }
  Index num_values() const { return values_.size(); }
  // By rising feature.
  std::span<const Value> operator[](Index word) const {
    return std::span(values_).subspan(begin_[word], begin_[word + 1] - begin_[word]);
  }
  const NameList& names() const { return names_; }  // of features, as they were met first

 private:
  std::vector<std::uint64_t> begin_;
  std::vector<Value> values_;
  NameList names_;
};

struct WordFeatureTally {
  Index lines = 0;    // but for comments and blank ones
  Index outside = 0;  // of these, lines of no word of the vocabulary
};

struct ReadWordFeatures {
  WordFeatures features;  // those that words of the vocabulary have
  WordFeatureTally tally;
};

// Throws InputError where a line has another shape, a value is not a finite number, or a word of
// the vocabulary, or a feature of its line, comes twice.
ReadWordFeatures read_word_features(InputFile file, WordFinder& words);

}  // namespace trellis::topics
