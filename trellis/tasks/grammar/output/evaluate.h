// Scores of a model's trees, on sentences with gold trees.
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
  // If set, receives every sentence in order: the gold tree, the model's tree, and the match of
  // their brackets.
  std::function<void(const ConstituencyTree& gold, const ParsedTree& found,
                     const BracketMatch& match)>
      on_sentence;
};

struct Evaluation {
  TreebankScores scores;
  Index partial = 0, flat = 0;             // sentences without a tree in the grammar
  std::vector<std::string> unseen_labels;  // in the file, unknown to the model; includes tags

  void count(ParseStatus status);
  Value record() const;
  std::string to_text() const;
};

// "3 of 80 sentences have no tree in the grammar: …"; empty if all have one.
std::string unparsed_text(Index partial, Index flat, Index sentences);

// Throws InputError for an invalid file, also for one without trees.
Evaluation evaluate(const GrammarModel& model, InputFile file, const EvaluateOptions& options = {});
Evaluation evaluate(const GrammarModel& model, std::span<const ConstituencyTree> trees,
                    const EvaluateOptions& options = {});

// Evaluates the trees of any program against gold trees, sentence by sentence. Throws InputError if
// the words differ. on_sentence, if set, receives each sentence.
using OnTreePair = std::function<void(const ConstituencyTree& gold, const ConstituencyTree& found,
                                      const BracketMatch& match)>;
TreebankScores compare(InputFile gold, InputFile test, const EvalbParameters& parameters,
                       const OnTreePair& on_sentence = {});

}  // namespace trellis::grammar
