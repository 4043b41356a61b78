// Naive Bayes: the multinomial model of counts and the Bernoulli model of what is there and what is
// not (McCallum & Nigam 1998; Klein & Taskar 2005, "Naive Bayes"), and the multinomial's complement
// (Rennie, Shih, Teevan & Karger 2003). All are linear in x, so what is learned is a weight for
// each attribute and label:
//
//   score_y(x) = b_y + Σ_a x_a w_ya
//
// Multinomial. With N_ya the count of attribute a in all examples of label y, N_y = Σ_a N_ya, V the
// number of attributes and n_y that of examples,
//
//   b_y = log n_y/n,     w_ya = log (N_ya + α)/(N_y + αV),
//
// so that score_y = log p(x, y) up to a constant of x, and a softmax of the scores is p(y | x). The
// estimates minimise, in closed form,
//
//   Q = (1/n) [ −Σ_i log p(x_i, y_i) − α Σ_ya log p(a | y) ]     (a Dirichlet prior, α + 1).
//
// Complement. What speaks against a label is estimated from all the others, which have more data
// and are more alike in size; no priors, and no probabilities:
//
//   w_ya = −log (Ñ_ya + α)/(Ñ_y + αV),   Ñ_ya = Σ_{y'≠y} N_y'a,   divided by Σ_a |w_ya|.
//
// Bernoulli. x_a is 0 or 1, n_ya of the n_y examples of label y have attribute a, and one that has
// it not speaks as well:
//
//   p_ya = (n_ya + α)/(n_y + 2α),
//   b_y = log n_y/n + Σ_a log(1 − p_ya),     w_ya = log p_ya − log(1 − p_ya),
//
// so that score_y = log p(x, y). The estimates minimise
//
//   Q = (1/n) [ −Σ_i log p(x_i, y_i) − α Σ_ya (log p_ya + log(1 − p_ya)) ].
//
// Time and memory: O(entries of the data + V · labels).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"

namespace trellis {

// The sufficient statistics, filled example by example.
class NaiveBayesCounts {
 public:
  NaiveBayesCounts(Index num_labels, Index num_attributes);

  // Counts must not be negative; `counts` is empty where all are 1.
  void add(Label y, std::span<const std::uint32_t> attributes, std::span<const float> counts);

  Index num_labels() const { return examples_.size(); }
  Index num_attributes() const { return num_attributes_; }
  double examples(Label y) const { return examples_[static_cast<Index>(y)]; }  // n_y
  // N_ya for all labels y of attribute a.
  std::span<const double> row(Index a) const {
    return std::span(counts_).subspan(a * num_labels(), num_labels());
  }

 private:
  Index num_attributes_;
  std::vector<double> examples_;
  std::vector<double> counts_;  // N_ya at a · L + y
};

enum class NaiveBayesKind { kMultinomial, kComplement, kBernoulli };

struct NaiveBayesOptions {
  double alpha = 1;  // α > 0
  NaiveBayesKind kind = NaiveBayesKind::kMultinomial;
};

struct NaiveBayesEstimate {
  std::vector<double> weights;  // w_ya at a · L + y
  std::vector<double> bias;     // b_y; 0 for the complement
  double objective = 0;         // Q; NaN for the complement
};

// Throws UsageError unless α is positive and finite, every label has an example, and for Bernoulli
// no count is above that of the examples.
NaiveBayesEstimate naive_bayes(const NaiveBayesCounts& counts, const NaiveBayesOptions& options);

}  // namespace trellis
