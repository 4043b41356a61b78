#include "trellis/frame/training/walk.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/fit/dials.h"

namespace trellis {
namespace {

constexpr Index kMostBeyondGrid = 4;  // at either end

}  // namespace

Walk::Walk(Path path, std::string dial, Index behind)
    : path_(std::move(path)), dial_(std::move(dial)), behind_(behind), planned_(path_.size()) {
  if (planned_ < 2) dial_.clear();
  if (!dial_.empty()) ratio_ = value(1) / value(0);
}

double Walk::value(Index k) const {
  return dial(dial_).number(path_[k].values);
}

std::optional<Index> Walk::next() {
  if (dial_.empty()) return tried_ < planned_ ? std::optional(tried_) : std::nullopt;
  if (weaker_) {
    const bool behind = tried_ > best_ + behind_;
    if (!behind && tried_ < planned_) return tried_;
    const bool goes_on = tried_ == best_ + 1 && tried_ < planned_ + kMostBeyondGrid;
    if (!behind && goes_on && extend(value(tried_ - 1) * ratio_)) return tried_;
    weaker_ = false;
    path_.resize(tried_);
    if (best_ != 0 || !extend(value(0) / ratio_)) return std::nullopt;
    first_stronger_ = tried_;
    return tried_;
  }
  const bool goes_on =
      best_ == tried_ - 1 && first_stronger_ != 0 && tried_ < first_stronger_ + kMostBeyondGrid;
  if (goes_on && extend(value(tried_ - 1) / ratio_)) return tried_;
  return std::nullopt;
}

void Walk::judge(double figure) {
  assert(tried_ < path_.size());
  if (tried_ == 0 || figure > best_figure_ || (std::isnan(best_figure_) && !std::isnan(figure))) {
    best_ = tried_;
    best_figure_ = figure;
  }
  ++tried_;
}

// Returns false if the hyperparameter refuses the value.
bool Walk::extend(double value) {
  LearnerChoice setting = path_.front();
  try {
    dial(dial_).set(setting.values, value);
  } catch (const UsageError&) {
    return false;
  }
  path_.push_back(std::move(setting));
  return true;
}

std::vector<double> Walk::values() const {
  std::vector<double> values;
  for (Index k = 0; k < tried_; ++k) values.push_back(value(k));
  std::sort(values.begin(), values.end());
  if (ratio_ < 1) std::reverse(values.begin(), values.end());
  return values;
}

}  // namespace trellis
