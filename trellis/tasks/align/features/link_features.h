// Features of a single link: association, views of the generative model, position, spelling,
// frequency, association of the neighbouring words, and other aligners (Taskar, Lacoste-Julien &
// Klein 2005, section 3; thesis section 3.4.1.1). All are from −1 to 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/structure/matchings/matching.h"
#include "trellis/tasks/align/features/orthography.h"
#include "trellis/tasks/align/features/pair_evidence.h"
#include "trellis/tasks/align/features/word_knowledge.h"

namespace trellis::align {

class LinkFeatures {
 public:
  // The evidence for one link.
  struct View {
    double forward = 0, reverse = 0;
    bool best_of_source = false, best_of_target = false;  // has a word's largest product
    std::uint8_t best = 0;                                // bits of ViewEvidence
  };
  struct External {
    bool linked = false, neighbour = false;
    bool agrees = false;  // with both best alignments of the aligner
    bool source_alone = false, target_alone = false;
  };
  struct Cell {
    float dice = 0, other_source_dice = 0, other_target_dice = 0;
    bool in_lexicon = false;
    double forward_t = 0, reverse_t = 0;  // log, scaled: 0 (never) … 1 (always)
    double source_alone = 0, target_alone = 0;
    double distance = 0;  // |i/I − j/J|
    bool both_first = false, both_last = false;
    double before = 0, after = 0, inverted = 0;  // Dice of neighbouring words
    const WordForm* source = nullptr;
    const WordForm* target = nullptr;
    WordFacts source_facts, target_facts;
    std::vector<View> views;
    std::vector<External> externals;
    double votes = 0;  // share of aligners that have the link
  };
  using Scratch = Cell;

  // Takes the names of the views and of other aligners, and the least log t of the lexicon.
  LinkFeatures(const std::vector<std::string>& views, const std::vector<std::string>& externals,
               float floor);

  const std::vector<std::string>& names() const { return names_; }
  // Fills rows of names().size() values for each edge.
  void fill(const PairEvidence& evidence, std::span<const MatchingEdges::Edge> edges,
            Scratch& scratch, std::span<float> rows) const;

 private:
  void look(const PairEvidence& evidence, Index i, Index j, Cell& cell) const;
  template <class Sink>
  void tell(const Cell& cell, Sink& sink) const;
  template <class Sink>
  void tell_views(const Cell& cell, Sink& sink) const;
  template <class Sink>
  void tell_externals(const Cell& cell, Sink& sink) const;

  std::vector<std::string> views_, externals_;  // names of groups
  float floor_;
  std::vector<std::string> names_;
};

}  // namespace trellis::align
