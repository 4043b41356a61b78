// Scores the candidate arcs of a sentence with the weights of a model. All predictions score arcs
// here; scores of larger parts are added to these.
//
// Memory access dominates the time: an arc has some seventy features, with a slot each. A sentence
// is therefore processed in three passes, each a loop over one array that prefetches: the first
// computes all fingerprints and drops unknown ones; the second looks up slots and rows of the
// others; the third sums them. No branch depends on whether a feature is known.
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
    std::vector<std::uint64_t> features;  // with spare room
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
    FeatureLists of_labels;                   // in the order of use
    std::vector<std::uint32_t> rows;          // for of_labels, or kNone
    std::vector<double> of_modifier, of_arc;  // by label
    std::vector<double> of_heads;             // by head, direction and label
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
