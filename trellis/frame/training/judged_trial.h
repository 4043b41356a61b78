// A Trial made of two functions: one fits, one evaluates on held-out data.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/fit.h"
#include "trellis/frame/training/training.h"

namespace trellis {

using Judge = std::function<std::vector<double>(std::span<const double> w)>;  // returns the tally

class JudgedTrial final : public Trial {
 public:
  JudgedTrial(Index dimension, FitFunction fit, Judge judge, std::vector<double> start = {})
      : dimension_(dimension),
        fit_(std::move(fit)),
        judge_(std::move(judge)),
        start_(std::move(start)) {}

  Index dimension() const override { return dimension_; }
  Fitted fit(const FitCall& call) const override { return fit_(call); }
  std::vector<double> tally(std::span<const double> w) const override { return judge_(w); }
  std::span<const double> start() const override { return start_; }

 private:
  Index dimension_;
  FitFunction fit_;
  Judge judge_;
  std::vector<double> start_;
};

// Fits a part model to some of its examples (none given: to all). The model must outlive the trial.
template <class Model>
std::unique_ptr<Trial> trial_of(const Model& model, std::vector<Index> examples, Judge judge) {
  auto fit = [&model, examples = std::move(examples)](const FitCall& call) {
    FitCall chosen = call;
    chosen.examples = examples;
    return trellis::fit(model, chosen);
  };
  return std::make_unique<JudgedTrial>(model.dimension(), std::move(fit), std::move(judge));
}

}  // namespace trellis
