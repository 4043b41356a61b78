// What makes a second and further link of a word dearer (thesis section 3.4.1.2): features of a
// word, all ≥ 0, of which penalties are made. The two sides have the same names.
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
    std::vector<double> expected;   // links of each word, by the direction that may give several
    std::vector<double> products;   // the sum of the products of its candidates
    std::vector<BestTwo> strength;  // the two largest posteriors of its candidates
  };

  explicit WordFeatures(bool fertilities);  // whether the model has them

  const std::vector<std::string>& names() const { return names_; }
  // Rows of names().size() values for each word.
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
