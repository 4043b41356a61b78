// Why a word hangs where it does: what each feature adds to the score of its arc, and to that of
// another one.
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
  double score = 0;                       // the sum of what follows
  double probability = 0;                 // of the arc with its label
  bool candidate = true;                  // false: the filter left it out
  std::vector<ArcContribution> features;  // strongest first
};

struct ArcExplanation {
  ExplainedArc chosen;                // in the best tree
  std::optional<ExplainedArc> other;  // none where there is no other arc
};

// Of word m ≥ 1. The other arc is the one from `other_head`, or else the sentence's own, if that is
// another one and the model has its label, or else the likeliest of the rest.
ArcExplanation explain(const Parser& parser, const Sentence& sentence, std::uint32_t m,
                       std::optional<std::uint32_t> other_head, Parser::Scratch& scratch);

struct ExplainOptions {
  std::optional<TreebankFormat> format;
  Index sentence = 1;         // of the file, from 1
  Index word = 0;             // of it, from 1; 0: all
  std::optional<Index> head;  // what it is compared with
  Index top = 10;             // features to show for each arc
  bool json = false;          // an object for each word
};
// The same as text or JSON. Throws UsageError for words that the sentence does not have.
std::string explain(const ParseModel& model, InputFile file, const ExplainOptions& options);

}  // namespace trellis::parse
