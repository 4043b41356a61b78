#include "trellis/tasks/label/methods/thresholds.h"

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"

namespace trellis::label {
namespace {

void require_rows(std::span<const double> scores, Index rows, Index width) {
  if (scores.size() != rows * width) {
    throw UsageError("thresholds need a score for each instance and label");
  }
}

// The cut below the `above` highest of the scores, which descend in `order`.
double cut_below(std::span<const double> scores, std::span<const Index> order, Index above) {
  if (order.empty()) return 0;
  const double highest = scores[order.front()];
  const double lowest = scores[order.back()];
  const double width = highest > lowest ? highest - lowest : 1;
  if (above == 0) return highest + width;
  if (above == order.size()) return lowest - width;
  const double next = scores[order[above]];
  const double middle = next + (scores[order[above - 1]] - next) / 2;
  return middle < scores[order[above - 1]] ? middle : next;  // neighbours may be that close
}

std::vector<Index> descending(std::span<const double> scores) {
  std::vector<Index> order(scores.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  return order;
}

// A cut is possible where the score changes, and at both ends.
bool separates(std::span<const double> scores, std::span<const Index> order, Index above) {
  return above == 0 || above == order.size() || scores[order[above - 1]] > scores[order[above]];
}

// What a sweep from high scores to low ones knows of the instances: counts and measures.
class ExampleSweep {
 public:
  ExampleSweep(const LabelSets& truth, Index num_labels, const SetMeasure& measure)
      : truth_(truth), measure_(measure), num_labels_(num_labels), counts_(truth.size()) {
    for (Index i = 0; i < truth.size(); ++i) {
      counts_[i] = {0, 0, truth[i].size(), num_labels};
      sum_ += measure_.score(counts_[i]);
    }
  }

  double sum() const { return sum_; }

  // Label v of instance i is given from here on.
  void give(Index cell) {
    const Index i = cell / num_labels_;
    const auto labels = truth_[i];
    SetCounts& counts = counts_[i];
    sum_ -= measure_.score(counts);
    ++counts.predicted;
    if (std::binary_search(labels.begin(), labels.end(),
                           static_cast<std::uint32_t>(cell % num_labels_))) {
      ++counts.hits;
    }
    sum_ += measure_.score(counts);
  }

 private:
  const LabelSets& truth_;
  const SetMeasure& measure_;
  Index num_labels_;
  std::vector<SetCounts> counts_;
  double sum_ = 0;
};

}  // namespace

double best_threshold(std::span<const double> scores, std::span<const std::uint8_t> truth,
                      const SetMeasure& measure) {
  require_rows(scores, truth.size(), 1);
  const std::vector<Index> order = descending(scores);
  SetCounts counts;
  counts.items = truth.size();
  counts.truth = truth.size() - static_cast<Index>(std::count(truth.begin(), truth.end(), 0));
  double best = -1;
  Index best_above = 0;
  for (Index above = 0; above <= order.size(); ++above) {
    if (above > 0) {
      ++counts.predicted;
      if (truth[order[above - 1]] != 0) ++counts.hits;
    }
    if (!separates(scores, order, above)) continue;
    const double value = measure.score(counts);
    if (value > best) {
      best = value;
      best_above = above;
    }
  }
  return cut_below(scores, order, best_above);
}

double best_common_threshold(std::span<const double> scores, const LabelSets& truth,
                             Index num_labels, const SetMeasure& measure) {
  require_rows(scores, truth.size(), num_labels);
  const std::vector<Index> order = descending(scores);
  ExampleSweep sweep(truth, num_labels, measure);
  double best = sweep.sum();
  Index best_above = 0;
  for (Index above = 1; above <= order.size(); ++above) {
    sweep.give(order[above - 1]);
    if (!separates(scores, order, above)) continue;
    // The running sum drifts by rounding; a cut must be better by more than that.
    if (sweep.sum() > best + 1e-9) {
      best = sweep.sum();
      best_above = above;
    }
  }
  return cut_below(scores, order, best_above);
}

LabelSets above_thresholds(std::span<const double> scores, std::span<const double> thresholds) {
  const Index num_labels = thresholds.size();
  if (num_labels == 0 || scores.size() % num_labels != 0) {
    throw UsageError("thresholds need a score for each instance and label");
  }
  LabelSets sets;
  std::vector<std::uint32_t> given;
  for (Index i = 0; i < scores.size() / num_labels; ++i) {
    given.clear();
    for (Index v = 0; v < num_labels; ++v) {
      if (scores[i * num_labels + v] > thresholds[v])
        given.push_back(static_cast<std::uint32_t>(v));
    }
    sets.append(given);
  }
  return sets;
}

}  // namespace trellis::label
