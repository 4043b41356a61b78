// The part model of parsing with a grammar (Taskar, Klein, Collins, Koller & Manning 2004): parts
// are the nodes and edges of a sentence's forest,
//
//   s(part) = Σ_f w_f [features of the part] + w₀ log p(edge) + w₁ log p(tag | words)
//
// with the logarithms of the generative grammar and, for the edges of words, of the tagger.
// A tree costs 1 for each of its brackets and tags that is not in the true tree, and 1 for each
// that it lacks: linear in the edges (bracket_costs.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/sparse_vector.h"
#include "trellis/structure/trees/parse_forest.h"
#include "trellis/tasks/grammar/model/span_example.h"
#include "trellis/tasks/grammar/model/span_examples.h"

namespace trellis::grammar {

// A forest that lives as long as someone looks at it.
class ExampleForest : public ParseForest {
 public:
  explicit ExampleForest(std::shared_ptr<const SpanExample> example)
      : ParseForest(example->chart.forest), example_(std::move(example)) {}

 private:
  std::shared_ptr<const SpanExample> example_;
};

class SpanModel {
 public:
  using Structure = ExampleForest;
  struct Workspace {
    std::vector<double> values;  // by local number
    std::vector<std::uint8_t> touched;
  };

  // The examples must outlive the model, and have true trees.
  SpanModel(Index dimension, const SpanExamples& examples)
      : dimension_(dimension), examples_(&examples) {}

  Index num_examples() const { return examples_->size(); }
  Index dimension() const { return dimension_; }
  double example_weight(Index) const { return 1; }
  ExampleForest structure(Index i) const { return ExampleForest(examples_->get(i)); }
  const ParseForest::Output& gold(Index i) const { return examples_->gold(i); }

  void scores(Index i, std::span<const double> w, std::span<double> s) const {
    scores(*examples_->get(i), w, s);
  }
  void add_costs(Index i, double scale, std::span<double> s) const;
  void add_features(Index i, std::span<const double> z, double scale,
                    std::span<double> gradient) const;
  void features(Index i, std::span<const double> z, double scale, Workspace& workspace,
                SparseVector& slope) const;

  static void scores(const SpanExample& example, std::span<const double> w, std::span<double> s);

 private:
  Index dimension_;
  const SpanExamples* examples_;
};

}  // namespace trellis::grammar
