// A treebank as learners see it.
#pragma once

#include <span>
#include <vector>

#include "trellis/tasks/parse/arc_trainable.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"
#include "trellis/tasks/parse/filter/arc_filter.h"
#include "trellis/tasks/parse/model/arc_example.h"
#include "trellis/tasks/parse/model/arc_model.h"
#include "trellis/tasks/parse/model/feature_numbers.h"
#include "trellis/tasks/parse/model/label_sets.h"
#include "trellis/tasks/parse/treebank_data.h"

namespace trellis::parse::testing {

// Everything between the treebank and its examples, all arcs being candidates.
struct Lesson {
  explicit Lesson(const Treebank& made_of, Index order = 1)
      : shape{{}, order},
        treebank(made_of),
        tags(coarse_tags(treebank.sentences)),
        labels(labels_of(treebank.sentences)),
        builder(tags.size(), labels.size()),
        filter({}, {false, {}}, {}) {
    SentenceAtoms atoms;
    for (const Sentence& sentence : treebank.sentences) {
      atoms.assign(sentence, tags);
      const TrueArcs truth = true_arcs(sentence, labels);
      for (Index m = 1; m <= sentence.size(); ++m) {
        const Index head = truth.heads[m - 1];
        builder.add(atoms.tag(head), atoms.tag(m), direction_of_arc(head, m), truth.labels[m - 1]);
      }
      see_true_arcs(atoms, truth.heads, truth.labels, shape, numbers);
    }
    builder.finish();
    numbers.finish(1);
    sets = builder.sets();
    examples =
        ExampleMaker{tags, labels, sets, filter, numbers, shape}.make(treebank.sentences, true, 1);
  }

  // Sentence i, with these arcs for candidates.
  ArcExample example(Index i, std::span<const DependencyArc> arcs) const {
    SentenceAtoms atoms;
    atoms.assign(treebank.sentences[i], tags);
    const TrueArcs truth = true_arcs(treebank.sentences[i], labels);
    return ExampleBuilder(sets, numbers, shape).make(atoms, arcs, truth.heads, truth.labels);
  }

  ArcWeights weights() const { return {numbers, labels.size()}; }

  ModelShape shape;
  Treebank treebank;
  TagNumbers tags;
  NameList labels;
  LabelSetBuilder builder;
  LabelSets sets;
  ArcFilter filter;
  FeatureNumbers numbers;
  std::vector<ArcExample> examples;
};

}  // namespace trellis::parse::testing
