// Explains why a bracket is in the best tree, or is not: compares the parts of the best tree with
// those of an alternative.
//
// For a bracket in the best tree, the alternative is the best tree without it; for another bracket,
// the best tree with it. A part is a symbol over its words (features of the span), or a rule at its
// position (features of rule and split, and the score of the generative grammar).
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
  double features = 0;                      // sum over weights of features
  double generative = 0;                    // score of the generative grammar, times its weight
  double tagger = 0;                        // likewise for the tagger
  std::vector<FeatureWeight> weights = {};  // the terms of `features`, largest first

  double sum() const { return features + generative + tagger; }
};

struct BracketExplanation {
  Bracket bracket;
  bool in_best = true;
  double probability = 0;
  double score = 0;  // of the best tree
  // The best tree of the alternative; empty if the chart has none.
  struct Other {
    ConstituencyTree tree;
    double score = 0;
    std::vector<PartContribution> best_parts;   // only in the best tree,
    std::vector<PartContribution> other_parts;  // and only in this one; largest first
  };
  std::optional<Other> other;
};

// Throws UsageError for words that are not a span of the sentence.
BracketExplanation explain(const Parser& parser, std::span<const std::string> words,
                           const Bracket& bracket, Parser::Scratch& scratch);

struct ExplainOptions {
  std::optional<SentenceFormat> format;
  ParserOptions parser;
  Index sentence = 1;  // number in the file, from 1
  std::string span;    // "2-5": words 2, 3, 4, counted from 0; empty: all brackets
  std::string label;   // of the bracket; empty: all labels of the best tree over the span
  Index top = 5;       // number of parts, and of features of each
  bool json = false;   // one object per bracket
};
// The same as text or JSON, for all brackets of the best tree or for the requested one. Throws
// UsageError for a bracket that is not one of the sentence.
std::string explain(const GrammarModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::grammar
