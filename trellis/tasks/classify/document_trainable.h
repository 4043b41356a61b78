// Documents as what learners learn from: the part model of one label each, in one of these spaces.
//
//   features      a row of weights for each feature
//   kernel        the features φ of a kernel (tasks/kernel_pivots.h), a row for each pivot
//   implicit      a coefficient of the kernel for each training document and label
//   gram          the same with all values of the kernel at hand, for SMO (gram_trainable.h)
//
// Whatever the learner moves, models have the weights of features or of pivots: model_weights().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/frame/training/judged_trial.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/kernel_pivots.h"

namespace trellis::classify {

struct DocumentTrainableOptions {
  std::optional<Kernel> kernel;
  Index kernel_rank = 0;      // pivots at most; 0: as many as it takes
  bool implicit = false;      // with a kernel
  bool gram = false;          // with a kernel, where fits_gram() and the learner is SMO
  std::vector<double> costs;  // of missing each label
  std::uint64_t seed = 1;     // of the folds
  int threads = 1;
};

class DocumentTrainable : public Trainable {
 public:
  // For each row of the model L weights: w itself, or what it says of the pivots.
  virtual std::vector<double> model_weights(std::span<const double> w) const = 0;
  // The pivots whose weights those are; null: there is no kernel.
  virtual const KernelPivots* kernel() const = 0;
  virtual double residual() const { return 0; }  // of the kernel's features
  // Held-out documents as the rows of the model see them.
  const Documents& dev() const { return *dev_; }

  Index num_examples() const override { return data_->documents.size(); }
  bool has_dev() const override { return dev_ != nullptr; }
  double figure(std::span<const double> tally) const override { return 100 * tally[0] / tally[1]; }
  std::string_view figure_name() const override { return "accuracy"; }

 protected:
  DocumentTrainable(const ClassifyData& data, const HeldOutSet* dev,
                    const DocumentTrainableOptions& options)
      : data_(&data), options_(options), dev_(dev == nullptr ? nullptr : &dev->documents) {}
  // Right ones, and all: of the dev set, of training documents by these scores, and of any.
  Judge dev_judge() const;
  using Scores = std::function<void(Index i, std::span<double> s)>;
  std::vector<double> tally_on(std::span<const Index> documents, const Scores& scores) const;
  std::vector<double> tally_on(std::span<const Index> documents, std::span<const Label> gold,
                               const Scores& scores) const;
  void expand_dev(const KernelPivots& kernel);

  const ClassifyData* data_;
  DocumentTrainableOptions options_;
  const Documents* dev_;  // null: none
  Documents expanded_;    // with a kernel
};

// The vectors that a kernel sees: without the bias, which is their first feature.
SparseRows without_bias(const Documents& documents, const ClassifyData& data);

// The best label of each document; `weights` has a row for each of its attributes.
std::vector<Label> best_labels(const Documents& documents, std::span<const double> weights,
                               Index num_labels, int threads);

// Both sets must outlive the object; `dev` may be null.
std::unique_ptr<DocumentTrainable> make_trainable(const ClassifyData& data, const HeldOutSet* dev,
                                                  const DocumentTrainableOptions& options);

}  // namespace trellis::classify
