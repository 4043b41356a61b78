// Early stopping on held-out data: watches a metric after each epoch, remembers the weights where
// it was highest (the first of them, among equals), and ends the run when it has not risen for
// `patience` epochs.
//
// A metric that counts mistakes is uneven from one iteration of a batch learner to the next, the
// more so the smaller the held-out data, and its single highest value is a lucky one. With a
// `window` of k > 1 epochs are compared by the mean of their own metric and of the k − 1 before it
// (as many as there are, at first): a peak counts only as far as its neighbours share it.
//
//   EarlyStopping early({.patience = 5}, [&](std::span<const double> w) { return f1(dev, w); });
//   control.observer = early.observer();
//   dca(oracle, options, w, control);
//   early.restore_best(w);
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/checkpoint.h"
#include "trellis/learn/frame/learner.h"

namespace trellis {

struct EarlyStoppingOptions {
  // Epochs without a new best before the run ends; 0: watch, but never end it.
  Index patience = 10;
  // Epochs whose metrics are averaged; at least 1, which compares single epochs.
  Index window = 1;
};

class EarlyStopping {
 public:
  // The metric of weights on held-out data; higher is better. NaN is no best, nor is a mean that
  // has one in its window: it stands only as long as there is no number at all.
  using Metric = std::function<double(std::span<const double> w)>;

  EarlyStopping(const EarlyStoppingOptions& options, Metric metric);

  // To be called after each epoch: fills record.dev; false if the patience is over.
  bool observe(EpochRecord& record, std::span<const double> w);
  // observe() as an observer; this object must outlive it.
  Observer observer();

  // The epoch of the best weights; 0 before the first.
  Index best_epoch() const { return best_epoch_; }
  // The mean over the window that ends there.
  double best_metric() const { return best_metric_; }
  std::span<const double> best_weights() const { return best_weights_; }
  // w ← the best weights, if any epoch was observed.
  void restore_best(std::span<double> w) const;

  // With the learner's own checkpoint this continues an interrupted run.
  void save(Checkpoint& checkpoint) const;
  void load(const Checkpoint& checkpoint);

 private:
  EarlyStoppingOptions options_;
  Metric metric_;
  std::vector<double> recent_;  // the metrics of the window, oldest first
  Index best_epoch_ = 0;
  double best_metric_ = kUnknown;
  std::vector<double> best_weights_;
};

}  // namespace trellis
