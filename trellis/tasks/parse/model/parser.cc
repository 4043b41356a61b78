#include "trellis/tasks/parse/model/parser.h"

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/tasks/parse/model/arc_pair_scorer.h"

namespace trellis::parse {
namespace {

const ArcPairGraph* pairs_of(const Parser::Scratch& scratch) {
  return scratch.pairs ? &*scratch.pairs : nullptr;
}

}  // namespace

Parser::Parser(const ParseModel& model, const DecodeOptions& decoding)
    : model_(&model),
      scorer_(model.arc_weights(), model.label_rows(), model.labels().size()),
      decoder_(model.shape().trees, decoding.over(model.decoding())) {
  decoder_.options().check(model.shape().order);
}

void Parser::tag(Retag which, const std::string& file, Sentence& sentence, Scratch& scratch) const {
  if (const SentenceTagger* tagger = model_->tagger()) {
    tagger->tag(which, sentence, scratch.tagger);
    return;
  }
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    if (!sentence.word(m).coarse.empty()) continue;
    throw InputError(file, sentence.line_of(m),
                     "expected a coarse part of speech in column 4 (the model was trained without "
                     "--tagger), found none for",
                     fmt::format("{} {}", m, sentence.word(m).form));
  }
}

void Parser::score(const Sentence& sentence, Scratch& scratch) const {
  const Sentence* seen = &sentence;
  if (const SentenceTagger* tagger = model_->tagger()) {
    scratch.seen = sentence;
    tagger->hide_unlearned(scratch.seen);
    seen = &scratch.seen;
  }
  scratch.atoms.assign(*seen, model_->tags());
  model_->filter().keep(scratch.atoms, {}, scratch.filter, scratch.candidates);
  scratch.arcs = label_arcs(scratch.candidates, scratch.atoms, model_->label_sets());
  scorer_.score(scratch.atoms, scratch.arcs, scratch.scorer, scratch.scores);
  if (model_->shape().order == 2) {
    scratch.pairs.emplace(model_->shape().pairs_of(scratch.arcs.parts));
    score_pairs(scratch.atoms, *scratch.pairs, model_->arc_weights(), scratch.pair_sums,
                scratch.scores);
  }
}

void Parser::tree_of(const DependencyTree::Output& output, double score, const Scratch& scratch,
                     ParsedTree& tree) const {
  tree.score = score;
  tree.proven = tree.converged = true;
  tree.arcs.resize(output.size());
  for (Index m = 0; m < output.size(); ++m) {
    tree.arcs[m] = {scratch.arcs.parts.head(output[m]), scratch.arcs.labels[output[m]]};
  }
}

void Parser::parse(const Sentence& sentence, Scratch& scratch, ParsedTree& tree) const {
  score(sentence, scratch);
  const DecodedTree found = decoder_.decode(scratch.arcs.parts, pairs_of(scratch), scratch.scores,
                                            scratch.decoder, scratch.output);
  tree_of(scratch.output, found.score, scratch, tree);
  tree.proven = found.proven;
  tree.converged = found.converged;
}

double Parser::n_best(const Sentence& sentence, Index k, Scratch& scratch,
                      std::vector<ParsedTree>& trees) const {
  score(sentence, scratch);
  return scratch.pairs ? n_best_of_pairs(k, scratch, trees) : n_best_of_arcs(k, scratch, trees);
}

double Parser::n_best_of_arcs(Index k, Scratch& scratch, std::vector<ParsedTree>& trees) const {
  const auto rank = [&](const auto& structure, auto& memory) {
    structure.k_best(scratch.scores, k, memory, scratch.best);
    return structure.log_partition(scratch.scores, memory);
  };
  const double log_sum = decoder_.with_arcs(scratch.arcs.parts, scratch.decoder, rank);
  trees.resize(scratch.best.size());
  for (Index i = 0; i < trees.size(); ++i) {
    tree_of(scratch.best[i].output, scratch.best[i].score, scratch, trees[i]);
  }
  return log_sum;
}

double Parser::n_best_of_pairs(Index k, Scratch& scratch, std::vector<ParsedTree>& trees) const {
  scratch.k_best.solve(scratch.arcs.parts, *scratch.pairs, scratch.scores, k, kMostSearchRuns,
                       scratch.best_of_pairs);
  trees.resize(scratch.best_of_pairs.size());
  for (Index i = 0; i < trees.size(); ++i) {
    const HigherOrderKBest::Result& result = scratch.best_of_pairs[i];
    tree_of(result.tree, result.score, scratch, trees[i]);
    trees[i].proven = result.proven;
  }
  scratch.marginals.resize(scratch.scores.size());
  return decoder_.log_partition(scratch.arcs.parts, &*scratch.pairs, scratch.scores,
                                scratch.decoder, scratch.marginals);
}

void Parser::marginals(const ParsedTree& tree, Scratch& scratch,
                       std::vector<double>& of_words) const {
  scratch.marginals.resize(scratch.scores.size());
  decoder_.log_partition(scratch.arcs.parts, pairs_of(scratch), scratch.scores, scratch.decoder,
                         scratch.marginals);
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

void require_tagger(const ParseModel& model, Retag which) {
  if (which == Retag::kAll && model.tagger() == nullptr) {
    throw UsageError("the model has no tagger: it was trained without --tagger");
  }
}

}  // namespace trellis::parse
