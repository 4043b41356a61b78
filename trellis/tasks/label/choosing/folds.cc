#include "trellis/tasks/label/choosing/folds.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::label {
namespace {

constexpr Index kNone = std::numeric_limits<Index>::max();

class Stratification {
 public:
  Stratification(const LabelSets& labels, Index num_labels, Index num_folds, std::uint64_t seed)
      : labels_(labels),
        instances_(reversed(labels, num_labels)),
        num_folds_(num_folds),
        seed_(seed),
        folds_(labels.size(), kNone),
        left_(num_labels),
        wanted_(num_folds, share(labels.size())),
        wanted_of_(num_folds * num_labels) {
    for (Index v = 0; v < num_labels; ++v) {
      left_[v] = instances_[v].size();
      for (Index f = 0; f < num_folds; ++f) wanted_of_[f * num_labels + v] = share(left_[v]);
    }
  }

  std::vector<Index> run() {
    for (Index v = rarest(); v != kNone; v = rarest()) {
      for (const Index i : shuffled(v)) {
        if (folds_[i] == kNone) assign(i, v);
      }
    }
    for (const Index i : random_permutation(folds_.size(), Random(seed_, kNone, 1))) {
      if (folds_[i] == kNone) assign(i, kNone);
    }
    return std::move(folds_);
  }

 private:
  double share(Index count) const {
    return static_cast<double>(count) / static_cast<double>(num_folds_);
  }

  Index rarest() const {
    Index best = kNone;
    for (Index v = 0; v < left_.size(); ++v) {
      if (left_[v] > 0 && (best == kNone || left_[v] < left_[best])) best = v;
    }
    return best;
  }

  std::vector<Index> shuffled(Index v) const {
    const auto instances = instances_[v];
    std::vector<Index> order = random_permutation(instances.size(), Random(seed_, v, 0));
    for (Index& i : order) i = instances[i];
    return order;
  }

  // `v` none: by size alone.
  void assign(Index i, Index v) {
    Random random(seed_, i, 2);
    Index best = 0;
    Index ties = 1;
    for (Index f = 1; f < num_folds_; ++f) {
      const double more = wants(f, v) - wants(best, v);
      const double larger = more != 0 ? more : wanted_[f] - wanted_[best];
      if (larger > 0) {
        best = f;
        ties = 1;
      } else if (larger == 0 && random.below(++ties) == 0) {
        best = f;
      }
    }
    folds_[i] = best;
    wanted_[best] -= 1;
    for (const std::uint32_t u : labels_[i]) {
      wanted_of_[best * left_.size() + u] -= 1;
      --left_[u];
    }
  }

  double wants(Index f, Index v) const {
    return v == kNone ? wanted_[f] : wanted_of_[f * left_.size() + v];
  }

  const LabelSets& labels_;
  LabelSets instances_;
  Index num_folds_;
  std::uint64_t seed_;
  std::vector<Index> folds_;
  std::vector<Index> left_;        // instances of each label without a fold
  std::vector<double> wanted_;     // instances that each fold still wants
  std::vector<double> wanted_of_;  // [fold · V + label]
};

}  // namespace

std::vector<std::vector<Index>> stratified_folds(const LabelSets& labels, Index num_labels,
                                                 Index num_folds, std::uint64_t seed) {
  if (num_folds < 2 || num_folds > labels.size()) {
    throw UsageError(
        fmt::format("{} folds of {} instances: expected at least 2, and no more folds "
                    "than instances",
                    num_folds, labels.size()));
  }
  const std::vector<Index> fold_of = Stratification(labels, num_labels, num_folds, seed).run();
  std::vector<std::vector<Index>> folds(num_folds);
  for (Index i = 0; i < fold_of.size(); ++i) folds[fold_of[i]].push_back(i);
  return folds;
}

}  // namespace trellis::label
