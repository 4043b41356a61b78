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
constexpr double kRiseOfWork = 3;     // of a setting, by that of the one before it

}  // namespace

Walk::Walk(Path path, std::string dial, Index behind, WalkLimits limits)
    : path_(std::move(path)),
      dial_(std::move(dial)),
      behind_(behind),
      limits_(limits),
      next_work_(limits.first_work),
      planned_(path_.size()) {
  if (planned_ < 2) dial_.clear();
  if (!dial_.empty()) ratio_ = value(1) / value(0);
}

double Walk::value(Index k) const {
  return dial(dial_).number(path_[k].values);
}

std::optional<Index> Walk::next() {
  if (hopeless_) return std::nullopt;
  const std::optional<Index> k = next_on_path();
  out_of_work_ = k && work_ + next_work_ > limits_.work;
  return out_of_work_ ? std::nullopt : k;
}

std::optional<Index> Walk::next_on_path() {
  const Index judged = figures_.size();
  if (dial_.empty()) return judged < planned_ ? std::optional(judged) : std::nullopt;
  if (weaker_) {
    const bool behind = judged > best_ + behind_;
    if (!behind && judged < planned_) return judged;
    const bool goes_on = judged == best_ + 1 && judged < planned_ + kMostBeyondGrid;
    if (!behind && goes_on && extend(value(judged - 1) * ratio_)) return judged;
    weaker_ = false;
    path_.resize(judged);
    if (best_ != 0 || !extend(value(0) / ratio_)) return std::nullopt;
    first_stronger_ = judged;
    return judged;
  }
  const bool goes_on =
      best_ == judged - 1 && first_stronger_ != 0 && judged < first_stronger_ + kMostBeyondGrid;
  if (goes_on && extend(value(judged - 1) / ratio_)) return judged;
  return std::nullopt;
}

void Walk::judge(double figure, double work) {
  assert(figures_.size() < path_.size());
  figures_.push_back(figure);
  const double best = figures_[best_];
  if (figure > best || (std::isnan(best) && !std::isnan(figure))) best_ = figures_.size() - 1;
  hopeless_ = figure < std::max(figures_[best_], limits_.best_before) - limits_.hopeless;
  work_ += work;
  next_work_ = kRiseOfWork * work;
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

std::vector<Index> Walk::order() const {
  std::vector<Index> order;
  const Index stronger = first_stronger_ == 0 ? figures_.size() : first_stronger_;
  for (Index k = figures_.size(); k > stronger; --k) order.push_back(k - 1);
  for (Index k = 0; k < stronger; ++k) order.push_back(k);
  return order;
}

std::vector<double> Walk::values() const {
  std::vector<double> values;
  for (const Index k : order()) values.push_back(value(k));
  return values;
}

double Walk::smoothed(Index place) const {
  const std::vector<Index> in_order = order();
  const auto figure = [&](Index p) { return figures_[in_order[p]]; };
  double neighbour = -kInfinity;
  if (place > 0) neighbour = figure(place - 1);
  if (place + 1 < in_order.size()) neighbour = std::max(neighbour, figure(place + 1));
  return in_order.size() == 1 ? figure(place) : (figure(place) + neighbour / 2) / 1.5;
}

Index Walk::best() const {
  Index best = 0;
  for (Index place = 1; place < figures_.size(); ++place) {
    if (smoothed(place) > smoothed(best)) best = place;
  }
  return best;
}

Path beginning_at(double value, const Path& grid, std::string_view name) {
  const Dial& walked = dial(name);
  const double ratio = walked.number(grid[1].values) / walked.number(grid[0].values);
  Path path = {grid[0], grid[0]};
  walked.set(path[0].values, value);
  walked.set(path[1].values, walked.number(path[0].values) * ratio);
  return path;
}

}  // namespace trellis
