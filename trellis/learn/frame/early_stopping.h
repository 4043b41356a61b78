// Early stopping on held-out data: observes a metric after each epoch, stores the weights with the
// highest value (the first of equal ones), and ends the run when it has not increased for
// `patience` epochs.
//
// A metric that counts mistakes varies from one iteration of a batch learner to the next, more so
// with less held-out data, and its single highest value is partly luck. With a `window` of k > 1
// epochs are compared by the mean of their own metric and the k − 1 before it (or as many as there
// are): a peak counts only if its neighbours share it.
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
  // Epochs without a new best before the run ends; 0: the run never ends for this reason.
  Index patience = 10;
  // Number of epochs whose metrics are averaged, ≥ 1; 1 compares single epochs.
  Index window = 1;
};

class EarlyStopping {
 public:
  // The metric of weights on held-out data; higher is better. NaN, or a mean with a NaN in its
  // window, is never best, unless there has been no number so far.
  using Metric = std::function<double(std::span<const double> w)>;

  EarlyStopping(const EarlyStoppingOptions& options, Metric metric);

  // Call after each epoch: fills record.dev; false if the patience is exhausted.
  bool observe(EpochRecord& record, std::span<const double> w);
  // observe() as an observer; this object must outlive it.
  Observer observer();

  // The epoch of the best weights; 0 before the first.
  Index best_epoch() const { return best_epoch_; }
  // The mean over the window that ends at the best epoch.
  double best_metric() const { return best_metric_; }
  std::span<const double> best_weights() const { return best_weights_; }
  // w ← the best weights, if any epoch was observed.
  void restore_best(std::span<double> w) const;

  // Together with the learner's own checkpoint, this continues an interrupted run.
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
