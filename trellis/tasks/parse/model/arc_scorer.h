// From a sentence and the weights of a model to the scores of its candidate arcs: the one place
// where prediction scores arcs. What scores more than arcs adds to what comes out of it.
//
// Time is that of memory: some seventy features of an arc, a slot each. So a sentence is passed
// over three times, each pass a loop over one array that runs ahead of what it reads: all
// fingerprints are computed, and those that are not known are dropped; slots and rows of the others
// are looked up, fetched well before; then they are summed. No branch depends on what is known.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/weight_table.h"
#include "trellis/tasks/parse/features/arc_sums.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/label_rows.h"
#include "trellis/tasks/parse/model/labelled_arcs.h"

namespace trellis::parse {

class ArcScorer {
 public:
  // Fingerprints in lists, one list after the other.
  struct FeatureLists {
    std::vector<std::uint64_t> features;  // and room for more
    Index size = 0;
    std::vector<Index> ends;  // of each list
  };
  // One for each thread.
  struct Scratch {
    ArcSums<TemplateTable::kArc> arc_sums;
    ArcSums<TemplateTable::kMid> mid_sums;
    ArcSums<TemplateTable::kPair> pair_sums;
    ArcSums<TemplateTable::kModifier> modifier_sums;
    ArcSums<TemplateTable::kHead> head_sums;
    FeatureLists of_arcs;                     // a list for each arc
    FeatureLists of_labels;                   // in the order in which they are needed
    std::vector<std::uint32_t> rows;          // of of_labels, or kNone
    std::vector<double> of_modifier, of_arc;  // by label
    std::vector<double> of_heads;             // by head and direction, and by label
    std::vector<std::uint8_t> known_heads;
  };

  // The tables must outlive the scorer.
  ArcScorer(const WeightView& arcs, const LabelRows& labels, Index num_labels)
      : arcs_(&arcs), labels_(&labels), num_labels_(num_labels) {}

  // s ← the score of each part.
  void score(const SentenceAtoms& atoms, const LabelledArcs& arcs, Scratch& scratch,
             std::vector<double>& s) const;

 private:
  void find_features(const SentenceAtoms& atoms, const DependencyArcs& parts,
                     Scratch& scratch) const;
  void find_rows(Scratch& scratch) const;
  void sum(const LabelledArcs& arcs, Scratch& scratch, std::vector<double>& s) const;

  const WeightView* arcs_;
  const LabelRows* labels_;
  Index num_labels_;
};

}  // namespace trellis::parse
