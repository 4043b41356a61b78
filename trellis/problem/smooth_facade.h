// What the smooth problems share: an oracle from a loss that knows its value and its residual, that
// is the vector of parts r with ∇L_i(w) = weight_i · F_i r.
#pragma once

#include <memory>
#include <span>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

// Implements OracleType (SmoothOracle, SmoothConvexOracle and their like) by
// Derived::evaluate_parts(i, w, memory, residual), which returns L_i(w), the example's weight
// included.
template <class Derived, PartModel M, class OracleType>
class SmoothFacade : public OracleType {
 public:
  Index num_examples() const override { return model_->num_examples(); }
  Index dimension() const override { return model_->dimension(); }
  std::span<const WeightRange> nonnegative() const override { return nonnegative_weights(*model_); }
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<ProblemScratch<M>>();
  }

  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const override {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    std::span<const double> residual;
    const double value = derived().evaluate_parts(i, w, memory, residual);
    model_->features(i, residual, model_->example_weight(i), memory.features, cut.slope);
    cut.offset = value - cut.slope.dot(w);
    return value;
  }

  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const override {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    std::span<const double> residual;
    const double value = derived().evaluate_parts(i, w, memory, residual);
    model_->add_features(i, residual, model_->example_weight(i), gradient);
    return value;
  }

 protected:
  explicit SmoothFacade(const M& model) : model_(&model) {}

  const M* model_;

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
};

}  // namespace trellis
