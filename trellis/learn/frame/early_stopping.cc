#include "trellis/learn/frame/early_stopping.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {

EarlyStopping::EarlyStopping(const EarlyStoppingOptions& options, Metric metric)
    : options_(options), metric_(std::move(metric)) {
  if (options.window == 0) throw UsageError("early stopping compares windows of at least 1 epoch");
}

bool EarlyStopping::observe(EpochRecord& record, std::span<const double> w) {
  record.dev = metric_(w);
  if (recent_.size() == options_.window) recent_.erase(recent_.begin());
  recent_.push_back(record.dev);
  // Summed from the beginning each time: equal windows have equal means, to the bit.
  const double mean =
      std::accumulate(recent_.begin(), recent_.end(), 0.0) / static_cast<double>(recent_.size());
  const bool first = best_epoch_ == 0;
  const bool better = first || std::isnan(best_metric_) ? !std::isnan(mean) : mean > best_metric_;
  if (first || better) {
    best_epoch_ = record.epoch;
    best_metric_ = mean;
    best_weights_.assign(w.begin(), w.end());
  }
  return options_.patience == 0 || record.epoch < best_epoch_ + options_.patience;
}

Observer EarlyStopping::observer() {
  return [this](EpochRecord& record, std::span<const double> w) { return observe(record, w); };
}

void EarlyStopping::restore_best(std::span<double> w) const {
  if (best_epoch_ == 0) return;
  assert(w.size() == best_weights_.size());
  std::copy(best_weights_.begin(), best_weights_.end(), w.begin());
}

void EarlyStopping::save(Checkpoint& checkpoint) const {
  const std::uint64_t epoch = best_epoch_;
  checkpoint.put_integers("early_stopping/best_epoch", std::span<const std::uint64_t>(&epoch, 1));
  checkpoint.put("early_stopping/best_metric", std::span<const double>(&best_metric_, 1));
  checkpoint.put("early_stopping/best_weights", best_weights_);
  checkpoint.put("early_stopping/recent", recent_);
}

void EarlyStopping::load(const Checkpoint& checkpoint) {
  std::uint64_t epoch = 0;
  checkpoint.get_integers("early_stopping/best_epoch", std::span<std::uint64_t>(&epoch, 1));
  checkpoint.get("early_stopping/best_metric", std::span<double>(&best_metric_, 1));
  best_weights_ = checkpoint.doubles("early_stopping/best_weights");
  recent_ = checkpoint.doubles("early_stopping/recent");
  if (recent_.size() > options_.window) {
    throw InputError("checkpoint", 0, "entry 'early_stopping/recent' is longer than its window");
  }
  best_epoch_ = epoch;
}

}  // namespace trellis
