// The loss family of Martins et al. 2010 (Fig. 1 and Eq. 3):
//
//   L_{β,γ}(w; x, y) = (1/β) log Σ_{y'} exp β( w·f(x,y') − w·f(x,y) + γ·cost(y', y) )
//
//   β = 1, γ = 0   conditional random field          β = ∞, γ = 1   structured SVM
//   β = 1, γ = 1   softmax-margin                    β = ∞, γ = 0   perceptron
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace trellis {

struct Loss {
  double beta = 1;   // inverse temperature, in (0, ∞]
  double gamma = 0;  // scale of the cost, ≥ 0

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  bool hinge() const { return beta == kInfinity; }  // the max; else the smooth log-sum-exp

  // "crf", "softmax-margin", "svm" or "perceptron"; throws UsageError otherwise.
  static Loss named(std::string_view name);
  // Throws UsageError unless β > 0 and γ ≥ 0, γ finite.
  void validate() const;
  // The name if it has one, else "beta=… gamma=…".
  std::string description() const;
};

// Throws UsageError where the loss has no gradient (β = ∞) or is not valid at all.
void require_smooth(const Loss& loss);

}  // namespace trellis
