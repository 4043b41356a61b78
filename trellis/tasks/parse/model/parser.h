// Parsing with a trained model. Const and thread-safe: each thread brings its own scratch.
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
  // No tree, but those before it among the k best, scores more; a second-order search may have been
  // given up before it knew. Decoding by risk promises nothing of scores.
  bool proven = true;
  bool converged = true;  // the sums that decoding by risk relies on
};

class Parser {
 public:
  // Reused from sentence to sentence; one for each thread.
  struct Scratch {
    SentenceTagger::Scratch tagger;
    Sentence seen;
    SentenceAtoms atoms;
    ArcFilter::Scratch filter;
    ArcScorer::Scratch scorer;
    std::vector<DependencyArc> candidates;
    LabelledArcs arcs{DependencyArcs(0, {}), {}};
    std::vector<double> scores, marginals;
    std::optional<ArcPairGraph> pairs;  // of a second-order model
    ArcPairSums pair_sums;
    TreeDecoder::Scratch decoder;
    HigherOrderKBest k_best;
    DependencyTree::Output output;
    std::vector<ScoredOutput<DependencyTree::Output>> best;
    std::vector<HigherOrderKBest::Result> best_of_pairs;
  };

  // The model must outlive the parser. What is not given of decoding is the model's. Throws
  // UsageError for options that do not fit it.
  explicit Parser(const ParseModel& model, const DecodeOptions& decoding = {});

  const ParseModel& model() const { return *model_; }
  const DecodeOptions& decoding() const { return decoder_.options(); }

  // Gives words their tags, where the model has a tagger. Where it has none, throws InputError (of
  // `file`) for a word without a coarse tag.
  void tag(Retag which, const std::string& file, Sentence& sentence, Scratch& scratch) const;

  // The sentence's candidate arcs and their scores, in scratch.arcs and scratch.scores. Heads and
  // labels of the sentence are not looked at, nor what a model with a tagger has not learned from.
  // This and what asks for it throws UsageError where a sentence is too long for the model.
  void score(const Sentence& sentence, Scratch& scratch) const;

  // The best tree, or that of the least risk.
  void parse(const Sentence& sentence, Scratch& scratch, ParsedTree& tree) const;
  // The k best, and log Σ exp of the scores of all trees: of a second-order model an estimate or a
  // bound, see TreeDecoder.
  double n_best(const Sentence& sentence, Index k, Scratch& scratch,
                std::vector<ParsedTree>& trees) const;
  // After one of these: how likely each of a tree's arcs is, label included.
  void marginals(const ParsedTree& tree, Scratch& scratch, std::vector<double>& of_words) const;

  // Heads and labels into a sentence's columns.
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

// Throws UsageError where all words are to be tagged by a model that has no tagger.
void require_tagger(const ParseModel& model, Retag which);

}  // namespace trellis::parse
