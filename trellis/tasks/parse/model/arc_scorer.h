// From a sentence and the weights of a model to the scores of its candidate arcs: the one place
// where prediction scores arcs. What scores more than arcs adds to what comes out of it.
//
// Time is that of memory: some eighty features of an arc, a slot each. So features are computed two
// arcs ahead; one arc ahead those that are not known are dropped and the slots of the others are
// fetched. No branch depends on what is known before that.
#pragma once

#include <cstdint>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/parse/features/arc_templates.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/model/labelled_arcs.h"
#include "trellis/tasks/parse/model/weight_table.h"

namespace trellis::parse {

class ArcScorer {
 public:
  // One for each thread.
  struct Scratch {
    // Fingerprints of an arc's features, the first `size` of each.
    struct Features {
      std::vector<std::uint64_t> arc, pair;
      Index arc_size = 0, pair_size = 0;
    };
    Features computed, fetched, here;
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
  static void compute(ArcFeatures& features, Index head, Index modifier, Scratch::Features& made);
  void fetch(Scratch::Features& features) const;
  template <TemplateTable kTable>
  void add_rows(const ArcFeatures& features, double* sums) const;
  const double* of_head(ArcFeatures& features, Index head, ArcDirection direction,
                        Scratch& scratch) const;

  const WeightView* arcs_;
  const LabelRows* labels_;
  Index num_labels_;
};

}  // namespace trellis::parse
