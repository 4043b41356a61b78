// Parsing with a trained model. Const and thread-safe: each thread has its own scratch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/structure/trees/dependency_tree.h"
#include "trellis/structure/trees/higher_order_kbest.h"
#include "trellis/tasks/parse/features/arc_pair_sums.h"
#include "trellis/tasks/parse/model/arc_scorer.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/tree_decoder.h"

namespace trellis::parse {

struct ParsedArc {
  std::uint32_t head = 0;
  std::uint32_t label = 0;  // by number
};
struct ParsedTree {
  std::vector<ParsedArc> arcs;  // of word m at [m − 1]
  double score = 0;
  // No tree scores higher, except those before it in the k best. False if a second-order search
  // reached its limit. Decoding by risk makes no statement about scores.
  bool proven = true;
  bool converged = true;  // the sums for decoding by risk
};

class Parser {
 public:
  // Reused for all sentences; one for each thread.
  struct Scratch {
    SentenceTagger::Scratch tagger;
    Sentence seen;
    SentenceAtoms atoms;
    ArcFilter::Scratch filter;
    ArcScorer::Scratch scorer;
    std::vector<DependencyArc> candidates;
    LabelledArcs arcs{DependencyArcs(0, {}), {}};
    std::vector<double> scores, marginals;
    std::optional<ArcPairGraph> pairs;  // for a second-order model
    ArcPairSums pair_sums;
    TreeDecoder::Scratch decoder;
    HigherOrderKBest k_best;
    DependencyTree::Output output;
    std::vector<ScoredOutput<DependencyTree::Output>> best;
    std::vector<HigherOrderKBest::Result> best_of_pairs;
  };

  // The model must outlive the parser, and has the defaults of `decoding`. Throws UsageError for
  // options that do not fit the model.
  explicit Parser(const ParseModel& model, const DecodeOptions& decoding = {});

  const ParseModel& model() const { return *model_; }
  const DecodeOptions& decoding() const { return decoder_.options(); }

  // Tags the words if the model has a tagger. Otherwise throws InputError (naming `file`) for a
  // word without a coarse tag.
  void tag(Retag which, const std::string& file, Sentence& sentence, Scratch& scratch) const;

  // Stores the sentence's candidate arcs and their scores in scratch.arcs and scratch.scores.
  // Ignores heads and labels of the sentence, and columns that a model with a tagger has not
  // learned from. This and its callers throw UsageError if the sentence is too long for the model.
  void score(const Sentence& sentence, Scratch& scratch) const;

  // Finds the best tree, or the tree of least risk.
  void parse(const Sentence& sentence, Scratch& scratch, ParsedTree& tree) const;
  // Finds the k best trees and returns log Σ exp of the scores of all trees: for a second-order
  // model an estimate or a bound, see TreeDecoder.
  double n_best(const Sentence& sentence, Index k, Scratch& scratch,
                std::vector<ParsedTree>& trees) const;
  // Call after one of these: the probability of each arc of a tree, including its label.
  void marginals(const ParsedTree& tree, Scratch& scratch, std::vector<double>& of_words) const;

  // Writes heads and labels into a sentence's columns.
  void write(const ParsedTree& tree, Sentence& sentence) const;

 private:
  double n_best_of_arcs(Index k, Scratch& scratch, std::vector<ParsedTree>& trees) const;
  double n_best_of_pairs(Index k, Scratch& scratch, std::vector<ParsedTree>& trees) const;
  void tree_of(const DependencyTree::Output& output, double score, const Scratch& scratch,
               ParsedTree& tree) const;

  const ParseModel* model_;
  ArcScorer scorer_;
  TreeDecoder decoder_;
};

// Throws UsageError if all words are to be tagged and the model has no tagger.
void require_tagger(const ParseModel& model, Retag which);

}  // namespace trellis::parse
