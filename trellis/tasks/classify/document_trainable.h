// Documents as training data: a part model of one label per document, in one of these spaces.
//
//   features      a row of weights for each feature
//   kernel        the features φ of a kernel (tasks/kernel_pivots.h), a row for each pivot
//   implicit      a coefficient of the kernel for each training document and label
//   gram          the same with all kernel values in memory, for SMO (gram_trials.h)
//
// The model always has weights of features or of pivots: model_weights() computes them.
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
  Index kernel_rank = 0;      // maximum number of pivots; 0: as many as needed
  bool implicit = false;      // with a kernel
  bool gram = false;          // with a kernel, if fits_gram() and the learner is SMO
  std::vector<double> costs;  // of missing each label
  std::uint64_t seed = 1;     // for the folds
  int threads = 1;
};

class DocumentTrainable : public Trainable {
 public:
  // L weights for each row of the model: w itself, or the weights of the pivots that follow from w.
  virtual std::vector<double> model_weights(std::span<const double> w) const = 0;
  // The pivots of these weights; null: there is no kernel.
  virtual const KernelPivots* kernel() const = 0;
  virtual double residual() const { return 0; }  // of the kernel's features
  // The held-out documents as vectors of the model's rows.
  const Documents& dev() const { return *dev_; }

  Index num_examples() const override { return data_->documents.size(); }
  bool has_dev() const override { return dev_ != nullptr; }
  double figure(std::span<const double> tally) const override { return 100 * tally[0] / tally[1]; }
  std::string_view figure_name() const override { return "accuracy"; }

 protected:
  DocumentTrainable(const ClassifyData& data, const HeldOutSet* dev,
                    const DocumentTrainableOptions& options)
      : data_(&data), options_(options), dev_(dev == nullptr ? nullptr : &dev->documents) {}
  // Tallies (correct, all): on the dev set, on training documents, on any documents.
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

// The vectors for a kernel: without the bias, which is the first feature of documents.
SparseRows without_bias(const Documents& documents, const ClassifyData& data);

// The best label of each document; `weights` has a row for each attribute.
std::vector<Label> best_labels(const Documents& documents, std::span<const double> weights,
                               Index num_labels, int threads);

// Both sets must outlive the object; `dev` may be null.
std::unique_ptr<DocumentTrainable> make_trainable(const ClassifyData& data, const HeldOutSet* dev,
                                                  const DocumentTrainableOptions& options);

}  // namespace trellis::classify
