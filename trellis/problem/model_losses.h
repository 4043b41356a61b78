// What the losses of all problems over a part model share: each L_i is known at w by its value and
// by a vector r of parts, which is a difference of outputs or of marginals. The piece is
//
//   slope = scale · F_i r,     offset = L_i(w) − ⟨w, slope⟩ .
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "trellis/oracle/oracle.h"
#include "trellis/problem/chosen_examples.h"
#include "trellis/problem/part_model.h"
#include "trellis/problem/problem_scratch.h"

namespace trellis {

// Implements OracleType (HingeOracle, SmoothConvexOracle and the like) by piece().
template <PartScorer M, class OracleType>
class ModelLosses : public OracleType {
 public:
  Index num_examples() const final { return chosen_.count(model_->num_examples()); }
  Index dimension() const final { return model_->dimension(); }
  std::span<const WeightRange> nonnegative() const final { return nonnegative_weights(*model_); }
  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<ProblemScratch<M>>();
  }

  double evaluate(Index i, std::span<const double> w, Scratch& scratch, Cut& cut) const final {
    auto& memory = static_cast<ProblemScratch<M>&>(scratch);
    const Piece found = piece(i, w, memory);
    model_->features(chosen_[i], found.parts, found.scale, memory.features, cut.slope);
    cut.offset = found.offset ? *found.offset : found.value - cut.slope.dot(w);
    return found.value;
  }
  double accumulate(Index i, std::span<const double> w, Scratch& scratch,
                    std::span<double> gradient) const final {
    const Piece found = piece(i, w, static_cast<ProblemScratch<M>&>(scratch));
    model_->add_features(chosen_[i], found.parts, found.scale, gradient);
    return found.value;
  }

 protected:
  struct Piece {
    double value;                   // with the weight of the example, as `scale`
    std::span<const double> parts;  // r, in the scratch memory
    double scale;
    std::optional<double> offset = {};  // if it is known without a product of vectors
  };

  // The model and the list must outlive the problem.
  explicit ModelLosses(const M& model, ChosenExamples chosen = {})
      : model_(&model), chosen_(chosen) {}

  virtual Piece piece(Index i, std::span<const double> w, ProblemScratch<M>& memory) const = 0;

  const M* model_;
  ChosenExamples chosen_;
};

}  // namespace trellis
