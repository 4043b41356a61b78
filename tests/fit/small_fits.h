// The small problems of tests/learn/small_problems.h behind one face: fit() is compiled for each
// part model once, and the tests go through all of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/fit/choose.h"
#include "trellis/fit/run.h"

namespace trellis::testing {

class SmallFit {
 public:
  virtual ~SmallFit() = default;
  virtual std::string name() const = 0;  // of the structure
  virtual Able able() const = 0;
  virtual Index num_examples() const = 0;
  virtual Index dimension() const = 0;
  virtual Fitted fit(const FitCall& call) const = 0;
  // On a model that is made of these examples and of no other.
  virtual Fitted fit_alone(std::span<const Index> examples, const FitCall& call) const = 0;
};

using SmallFits = std::vector<std::unique_ptr<SmallFit>>;

// Multiclass, chain, tree, dependency tree, projective tree, packed forest, cut, matching,
// fertility, permutation, label set, pairwise, quadratic, relaxed quadratic.
SmallFits fits_of_all_structures();
// The chain with tied tables, whose parts are counts.
std::unique_ptr<SmallFit> fit_of_tied_chain();
// The same with unknown labels.
std::unique_ptr<SmallFit> fit_of_partial_chain();

}  // namespace trellis::testing
