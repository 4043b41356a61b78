// How good a model's trees are, on sentences whose trees are known.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/formats/brackets/tree.h"
#include "trellis/scorers/evalb_parameters.h"
#include "trellis/tasks/grammar/metrics/treebank_scores.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/model/parser.h"

namespace trellis::grammar {

struct EvaluateOptions {
  ParserOptions parser;
  EvalbParameters parameters = EvalbParameters::collins();
  int threads = 0;
  // Told of every sentence in its order, where there is one: the true tree, the model's, and how
  // their brackets match.
  std::function<void(const ConstituencyTree& gold, const ParsedTree& found,
                     const BracketMatch& match)>
      on_sentence;
};

struct Evaluation {
  TreebankScores scores;
  Index partial = 0, flat = 0;             // sentences that the grammar has no tree for
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have, tags too

  void count(ParseStatus status);
  Value record() const;
  std::string to_text() const;
};

// "3 of 80 sentences have no tree in the grammar: …"; empty where all have.
std::string unparsed_text(Index partial, Index flat, Index sentences);

// Throws InputError for what is wrong with the file; that it has no tree is.
Evaluation evaluate(const GrammarModel& model, InputFile file, const EvaluateOptions& options = {});
Evaluation evaluate(const GrammarModel& model, std::span<const ConstituencyTree> trees,
                    const EvaluateOptions& options = {});

// The trees that any program found against true ones, sentence by sentence. Throws InputError where
// they are not of the same words. on_sentence is told of each, where there is one.
using OnTreePair = std::function<void(const ConstituencyTree& gold, const ConstituencyTree& found,
                                      const BracketMatch& match)>;
TreebankScores compare(InputFile gold, InputFile test, const EvalbParameters& parameters,
                       const OnTreePair& on_sentence = {});

}  // namespace trellis::grammar
