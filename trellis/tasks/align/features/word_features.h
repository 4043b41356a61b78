// Features that make second and further links of a word more expensive (thesis section 3.4.1.2):
// all are ≥ 0, and penalties are sums over these features. Both sides have the same names.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/tasks/align/features/candidates.h"
#include "trellis/tasks/align/features/pair_evidence.h"
#include "trellis/tasks/align/features/word_knowledge.h"

namespace trellis::align {

class WordFeatures {
 public:
  struct Scratch {
    std::vector<double> expected;   // expected links of each word, where several are allowed
    std::vector<double> products;   // sum of the products of the word's candidates
    std::vector<BestTwo> strength;  // the two largest posteriors of the word's candidates
  };

  explicit WordFeatures(bool fertilities);  // whether the model has them

  const std::vector<std::string>& names() const { return names_; }
  // Fills rows of names().size() values for each word.
  void fill(const PairEvidence& evidence, const Candidates& candidates, Scratch& scratch,
            std::span<float> source_rows, std::span<float> target_rows) const;

 private:
  struct Cell;
  template <class Sink>
  void tell(const Cell& cell, Sink& sink) const;
  void fill_side(std::span<const WordFacts> words, std::span<const WordForm> forms,
                 const Scratch& scratch, std::span<float> rows) const;

  bool fertilities_;
  std::vector<std::string> names_;
};

}  // namespace trellis::align
