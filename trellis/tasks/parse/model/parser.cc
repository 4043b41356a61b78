#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {

// use(structure, its scratch)
template <class Use>
auto Parser::with_structure(Scratch& scratch, const Use& use) const {
  const TreeShape& shape = model_->shape();
  if (shape.projective) {
    return use(ProjectiveTree(scratch.arcs.parts, shape.roots), scratch.projective);
  }
  return use(DependencyTree(scratch.arcs.parts, shape.roots), scratch.tree);
}

void Parser::score(const Sentence& sentence, Scratch& scratch) const {
  scratch.atoms.assign(sentence, model_->tags());
  model_->filter().keep(scratch.atoms, {}, scratch.filter, scratch.candidates);
  scratch.arcs = label_arcs(scratch.candidates, scratch.atoms, model_->label_sets());
  scorer_.score(scratch.atoms, scratch.arcs, scratch.scorer, scratch.scores);
}

void Parser::tree_of(const DependencyTree::Output& output, double score, const Scratch& scratch,
                     ParsedTree& tree) const {
  tree.score = score;
  tree.arcs.resize(output.size());
  for (Index m = 0; m < output.size(); ++m) {
    tree.arcs[m] = {scratch.arcs.parts.head(output[m]), scratch.arcs.labels[output[m]]};
  }
}

void Parser::parse(const Sentence& sentence, Scratch& scratch, ParsedTree& tree) const {
  score(sentence, scratch);
  const double best = with_structure(scratch, [&](const auto& structure, auto& memory) {
    return structure.maximize(scratch.scores, memory, scratch.output);
  });
  tree_of(scratch.output, best, scratch, tree);
}

double Parser::n_best(const Sentence& sentence, Index k, Scratch& scratch,
                      std::vector<ParsedTree>& trees) const {
  score(sentence, scratch);
  const double log_sum = with_structure(scratch, [&](const auto& structure, auto& memory) {
    structure.k_best(scratch.scores, k, memory, scratch.best);
    return structure.log_partition(scratch.scores, memory);
  });
  trees.resize(scratch.best.size());
  for (Index i = 0; i < trees.size(); ++i) {
    tree_of(scratch.best[i].output, scratch.best[i].score, scratch, trees[i]);
  }
  return log_sum;
}

void Parser::marginals(const ParsedTree& tree, Scratch& scratch,
                       std::vector<double>& of_words) const {
  scratch.marginals.resize(scratch.scores.size());
  with_structure(scratch, [&](const auto& structure, auto& memory) {
    return structure.log_partition(scratch.scores, memory, scratch.marginals);
  });
  const DependencyArcs& parts = scratch.arcs.parts;
  of_words.assign(tree.arcs.size(), 0.0);
  for (Index m = 1; m <= tree.arcs.size(); ++m) {
    for (Index p = parts.begin(m); p < parts.begin(m + 1); ++p) {
      const ParsedArc& arc = tree.arcs[m - 1];
      if (parts.head(p) == arc.head && scratch.arcs.labels[p] == arc.label) {
        of_words[m - 1] = scratch.marginals[p];
      }
    }
  }
}

void Parser::write(const ParsedTree& tree, Sentence& sentence) const {
  for (Index m = 0; m < tree.arcs.size(); ++m) {
    sentence.words[m].head = tree.arcs[m].head;
    sentence.words[m].label = model_->labels()[tree.arcs[m].label];
  }
}

}  // namespace trellis::parse
