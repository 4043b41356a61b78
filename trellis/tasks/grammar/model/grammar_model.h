// A trained grammar as it lies in a model file.
//
// Everything is checked when it is loaded: a model from a stranger can at worst be refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/name_list.h"
#include "trellis/data/value.h"
#include "trellis/data/weight_table.h"
#include "trellis/frame/model_schema.h"
#include "trellis/tasks/grammar/filter/span_filter.h"
#include "trellis/tasks/grammar/model/parsing_grammar.h"
#include "trellis/tasks/grammar/model/span_example.h"
#include "trellis/tasks/grammar/tagging/grammar_tagger.h"

namespace trellis::grammar {

// Tables of charts have a row of these for each span.
inline constexpr Index kMostCoarseSymbols = 2000;

// What training hands over to be written; views, which must live until it is.
struct GrammarModelParts {
  const ParsingGrammar* grammar = nullptr;
  FilterOptions filter;
  const GrammarTagger* tagger = nullptr;  // null: none
  // With their numbers; without, the model is the generative grammar alone.
  const SpanNumbers* numbers = nullptr;
  std::span<const double> weights;
  Value training;  // how it was made
};

class GrammarModel {
 public:
  static constexpr ModelKind kKind{"grammar"};
  static ModelSchema schema();

  static GrammarModel read(const std::string& path);  // throws InputError
  static GrammarModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  // Weights become floats; those that are 0 are left out.
  static GrammarModel from_parts(const GrammarModelParts& parts);
  void write(const std::string& path) const { reader_.write(path); }

  const std::string& name() const { return reader_.name(); }
  const ParsingGrammar& grammar() const { return *grammar_; }
  const FilterOptions& filter() const { return filter_; }
  // Of an edge's score in the generative grammar, as SpanExample has it.
  double generative_weight() const { return generative_weight_; }
  // Of what the tagger says of a word's edge.
  double tagger_weight() const { return tagger_weight_; }
  // Null where there is none.
  const GrammarTagger* tagger() const { return tagger_ ? &*tagger_ : nullptr; }
  const WeightView& weights() const { return weights_; }
  Index num_weights() const { return num_weights_; }  // of features
  // No weights were learned: scores are logarithms of the generative grammar's probabilities, up to
  // what all trees of a sentence have in common.
  bool is_generative() const { return num_weights_ == 0; }
  const Value& training() const { return training_; }

 private:
  explicit GrammarModel(ModelReader reader);
  void read_weights(std::span<const WeightSlot> slots);

  ModelReader reader_;
  std::optional<ParsingGrammar> grammar_;
  FilterOptions filter_;
  std::optional<GrammarTagger> tagger_;
  double generative_weight_ = 0, tagger_weight_ = 0;
  WeightView weights_;
  Index num_weights_ = 0;
  Value training_;
};

}  // namespace trellis::grammar
