#include "trellis/solve/measures/pairwise_measure_argmax_search.h"

#include <algorithm>
#include <cmath>

namespace trellis {

void PairwiseSearch::begin(PairwiseCuts& cuts, std::span<const double> gain, Index stride,
                           double tolerance, const PairwiseSearchLimits& limits) {
  cuts_ = &cuts;
  gain_ = gain;
  stride_ = stride;
  tolerance_ = tolerance;
  limits_ = limits;
  if (limits.seconds > 0) start_ = std::chrono::steady_clock::now();
  num_cuts_ = 0;
  num_subproblems_ = 0;
  best_ = -kInfinity;
  set_.resize(num_labels());
  dispute_.resize(num_labels());
  Frame& root = frame_at(0);
  measure(root);
  root.bounds.assign((root.rectangle.free_hits + 1) * root.width(), kInfinity);
  root.points.clear();
  root.sets.clear();
}

PairwiseSearch::Frame& PairwiseSearch::frame_at(Index depth) {
  while (frames_.size() <= depth) frames_.push_back(std::make_unique<Frame>());
  return *frames_[depth];
}

void PairwiseSearch::measure(Frame& frame) const {
  frame.rectangle = {};
  for (Index v = 0; v < num_labels(); ++v) {
    CountRectangle& r = frame.rectangle;
    if (cuts_->is_free(v)) ++(cuts_->is_true(v) ? r.free_hits : r.free_others);
    if (cuts_->is_given(v)) ++(cuts_->is_true(v) ? r.first_hits : r.first_others);
  }
}

void PairwiseSearch::add_candidate(PairwiseCuts::ConstSet y, const CountedSet& set) {
  add_point(*frames_[0], y, set);
}

void PairwiseSearch::add_cut(double alpha, double mu, PairwiseCuts::ConstSet y,
                             const CountedSet& set) {
  add_point(*frames_[0], y, set);
  lower_bounds(*frames_[0], alpha, mu, set);
}

double PairwiseSearch::run() {
  add_corners(*frames_[0]);
  return std::max(best_, explore(0));
}

void PairwiseSearch::add_point(Frame& frame, PairwiseCuts::ConstSet y, const CountedSet& set) {
  frame.points.push_back(set);
  frame.sets.insert(frame.sets.end(), y.begin(), y.end());
  const double value = set.score + gain_[set.hits * stride_ + set.others];
  if (value > best_) {
    best_ = value;
    best_set_.assign(y.begin(), y.end());
  }
}

// A corner is the only set with its counts, so its score is the bound there.
void PairwiseSearch::add_corners(Frame& frame) {
  const CountRectangle r = frame.rectangle;
  for (const bool hits : {false, true}) {
    for (const bool others : {false, true}) {
      if ((hits && r.free_hits == 0) || (others && r.free_others == 0)) continue;
      for (Index v = 0; v < num_labels(); ++v) {
        const bool given =
            cuts_->is_free(v) ? (cuts_->is_true(v) ? hits : others) : cuts_->is_given(v);
        set_[v] = given ? 1 : 0;
      }
      const CountedSet set = cuts_->count(set_);
      add_point(frame, set_, set);
      frame.bounds[(set.hits - r.first_hits) * frame.width() + set.others - r.first_others] =
          set.score;
    }
  }
}

void PairwiseSearch::lower_bounds(Frame& frame, double alpha, double mu,
                                  const CountedSet& set) const {
  const CountRectangle& r = frame.rectangle;
  const Index width = frame.width();
  const double others = static_cast<double>(set.others) - static_cast<double>(r.first_others);
  for (Index i = 0; i <= r.free_hits; ++i) {
    const double hits = static_cast<double>(set.hits) - static_cast<double>(r.first_hits + i);
    const double at_row = set.score + alpha * hits;
    double* const bounds = frame.bounds.data() + i * width;
    for (Index j = 0; j < width; ++j) {
      const double bound = at_row + mu * (others - static_cast<double>(j));
      bounds[j] = bound < bounds[j] ? bound : bounds[j];
    }
  }
}

PairwiseSearch::Place PairwiseSearch::highest(const Frame& frame) const {
  const CountRectangle& r = frame.rectangle;
  Place place{0, 0, -kInfinity};
  for (Index i = 0; i <= r.free_hits; ++i) {
    const double* const gains = gain_.data() + (r.first_hits + i) * stride_ + r.first_others;
    const double* const bounds = frame.bounds.data() + i * frame.width();
    for (Index j = 0; j < frame.width(); ++j) {
      const double bound = bounds[j] + gains[j];
      if (bound > place.bound) place = {r.first_hits + i, r.first_others + j, bound};
    }
  }
  return place;
}

bool PairwiseSearch::exhausted() {
  if (num_cuts_ + num_subproblems_ >= limits_.work) return true;
  if (limits_.seconds <= 0) return false;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  return spent.count() > limits_.seconds;
}

// Returns an upper bound on all sets of the subproblem: at most best_ + tolerance_ if none of them
// is better.
double PairwiseSearch::explore(Index depth) {
  Frame& frame = *frames_[depth];
  Place place = highest(frame);
  std::optional<Index> label;
  const Index num_free = frame.rectangle.free_hits + frame.rectangle.free_others;
  while (place.bound > best_ + tolerance_) {
    if (exhausted()) return place.bound;
    if (num_free <= std::min(limits_.enumerated_labels, SetEnumeration::kMostLabels)) {
      return enumerate();
    }
    label = tighten(frame, place);
    place = highest(frame);
    if (label) break;
  }
  if (place.bound <= best_ + tolerance_) return place.bound;
  double bound = -kInfinity;
  const bool first = dispute_[*label] >= 0.5;
  for (const bool given : {first, !first}) {
    if (place.bound <= best_ + tolerance_) break;
    cuts_->push();
    cuts_->fix(*label, given);
    open_child(depth + 1, *label, given);
    bound = std::max(bound, explore(depth + 1));
    cuts_->pop();
  }
  return std::min(place.bound, std::max(bound, best_));
}

double PairwiseSearch::enumerate() {
  ++num_subproblems_;
  for (Index v = 0; v < num_labels(); ++v) set_[v] = cuts_->is_given(v) ? 1 : 0;
  const CountedSet fixed = cuts_->count(set_);
  const double best = enumeration_.maximize(*cuts_, fixed, gain_, stride_, set_);
  if (best > best_) {
    const CountedSet set = cuts_->count(set_);
    const double value = set.score + gain_[set.hits * stride_ + set.others];
    if (value > best_) {
      best_ = value;
      best_set_.assign(set_.begin(), set_.end());
    }
  }
  return best_;
}

// One more cut for the hull at a place. A label to split on if the hull is reached and is too high.
std::optional<Index> PairwiseSearch::tighten(Frame& frame, const Place& place) {
  const CountRectangle& r = frame.rectangle;
  const Index side = r.free_hits + r.free_others + 4;
  const double depth = 8 * (1 + cuts_->size()) * static_cast<double>(side);
  const HullFacet facet =
      upper_hull_at(frame.points, r, place.hits, place.others, depth, tolerance_ / 4);
  const double& bound =
      frame.bounds[(place.hits - r.first_hits) * frame.width() + place.others - r.first_others];
  const double gain = gain_[place.hits * stride_ + place.others];
  if (bound > facet.value + tolerance_ / 2) {
    const double alpha = -facet.slope_hits, mu = -facet.slope_others;
    const CountedSet set = cuts_->maximize(alpha, mu, set_);
    ++num_cuts_;
    lower_bounds(frame, alpha, mu, set);
    add_point(frame, set_, set);
  }
  if (bound > facet.value + tolerance_ / 2 || bound + gain <= best_ + tolerance_) {
    return std::nullopt;
  }
  return most_disputed(frame, facet);
}

// The label whose mean over the corners of the facet is nearest to one half.
Index PairwiseSearch::most_disputed(const Frame& frame, const HullFacet& facet) {
  std::fill(dispute_.begin(), dispute_.end(), 0.0);
  for (Index k = 0; k < 3; ++k) {
    if (facet.corner[k] == HullFacet::kNone || facet.share[k] <= 0) continue;
    const std::uint8_t* const set = frame.sets.data() + facet.corner[k] * num_labels();
    for (Index v = 0; v < num_labels(); ++v) dispute_[v] += facet.share[k] * set[v];
  }
  Index label = 0;
  double least = kInfinity;
  for (Index v = 0; v < num_labels(); ++v) {
    if (cuts_->is_free(v) && std::abs(dispute_[v] - 0.5) < least) {
      least = std::abs(dispute_[v] - 0.5);
      label = v;
    }
  }
  return label;
}

// What the parent knows holds for its child: bounds of the places that are left, and the sets that
// agree.
void PairwiseSearch::open_child(Index depth, Index label, bool given) {
  Frame& child = frame_at(depth);
  const Frame& parent = *frames_[depth - 1];
  ++num_subproblems_;
  measure(child);
  const Index hit = given && cuts_->is_true(label) ? 1 : 0;
  const Index other = given && !cuts_->is_true(label) ? 1 : 0;
  child.bounds.clear();
  for (Index i = 0; i <= child.rectangle.free_hits; ++i) {
    const auto row =
        parent.bounds.begin() + static_cast<std::ptrdiff_t>((i + hit) * parent.width() + other);
    child.bounds.insert(child.bounds.end(), row, row + static_cast<std::ptrdiff_t>(child.width()));
  }
  child.points.clear();
  child.sets.clear();
  for (Index j = 0; j < parent.points.size(); ++j) {
    const std::uint8_t* const set = parent.sets.data() + j * num_labels();
    if ((set[label] != 0) != given) continue;
    child.points.push_back(parent.points[j]);
    child.sets.insert(child.sets.end(), set, set + num_labels());
  }
  add_corners(child);
}

}  // namespace trellis
