// Why a bracket is in the best tree, or is not: what the model says for and against it, by the
// parts in which the best tree and the best one of the other kind differ.
//
// Of a bracket in the best tree the other is the best tree without it; of one that is not, the best
// tree with it. A part is a symbol over its words (features of the span), or a rule at its place
// (features of rule and split, and what the generative grammar adds).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/brackets/sentence_reader.h"
#include "trellis/tasks/grammar/model/parser.h"

namespace trellis::grammar {

struct Bracket {
  std::string label;
  std::uint32_t begin = 0, end = 0;  // words

  bool operator==(const Bracket&) const = default;
};

struct FeatureWeight {
  std::string feature;  // "NP: word behind with"
  double weight = 0;
};

struct PartContribution {
  std::string part;                         // "NP^S over 0-2", "NP^S → DT NN at 0-1-2"
  double features = 0;                      // what weights of features add
  double generative = 0;                    // what the generative grammar adds, with its weight
  double tagger = 0;                        // and the tagger
  std::vector<FeatureWeight> weights = {};  // those that `features` is the sum of, strongest first

  double sum() const { return features + generative + tagger; }
};

struct BracketExplanation {
  Bracket bracket;
  bool in_best = true;
  double probability = 0;
  double score = 0;  // of the best tree
  // The best tree of the other kind; none where the chart has none.
  struct Other {
    ConstituencyTree tree;
    double score = 0;
    std::vector<PartContribution> best_parts;   // that the best tree has and this has not,
    std::vector<PartContribution> other_parts;  // and the other way round; strongest first
  };
  std::optional<Other> other;
};

// Throws UsageError for words that are no span of the sentence.
BracketExplanation explain(const Parser& parser, std::span<const std::string> words,
                           const Bracket& bracket, Parser::Scratch& scratch);

struct ExplainOptions {
  std::optional<SentenceFormat> format;
  ParserOptions parser;
  Index sentence = 1;  // of the file, from 1
  std::string span;    // "2-5": words 2, 3, 4, counted from 0; empty: all brackets
  std::string label;   // of the bracket; empty: all of the best tree over the span
  Index top = 5;       // parts to show, and features of each
  bool json = false;   // an object for each bracket
};
// The same as text or JSON, of the best tree's brackets or the one that is asked for. Throws
// UsageError for what is no bracket of the sentence.
std::string explain(const GrammarModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::grammar
