// Explains the head of a word: the contribution of each feature to the score of its arc, and to
// that of an alternative arc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/treebank/treebank_format.h"
#include "trellis/tasks/parse/model/parse_model.h"
#include "trellis/tasks/parse/model/parser.h"

namespace trellis::parse {

struct ArcContribution {
  std::string feature;  // "lemma(h) lemma(m)", or with the label, "obj: fine(h) fine(m)"
  std::string values;   // "chase cat"
  double weight = 0;
};

struct ExplainedArc {
  ParsedArc arc;
  double score = 0;                       // the sum of the contributions
  double probability = 0;                 // of the arc with its label
  bool candidate = true;                  // false: the filter pruned it
  std::vector<ArcContribution> features;  // strongest first
};

struct ArcExplanation {
  ExplainedArc chosen;                // in the best tree
  std::optional<ExplainedArc> other;  // empty if there is no other arc
};

// For word m ≥ 1. The other arc is the one from `other_head`; by default the sentence's own, if it
// differs and the model has its label; otherwise the most probable of the rest.
ArcExplanation explain(const Parser& parser, const Sentence& sentence, std::uint32_t m,
                       std::optional<std::uint32_t> other_head, Parser::Scratch& scratch);

struct ExplainOptions {
  std::optional<TreebankFormat> format;
  Index sentence = 1;         // number in the file, from 1
  Index word = 0;             // number in the sentence, from 1; 0: all
  std::optional<Index> head;  // head of the alternative arc
  Index top = 10;             // number of features for each arc
  bool json = false;          // one object per word
};
// The same as text or JSON. Throws UsageError for words that the sentence does not have.
std::string explain(const ParseModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::parse
