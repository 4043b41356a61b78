#include "trellis/tasks/tag/warm_start.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace trellis::tag {
namespace {

class Translation {
 public:
  Translation(const TagModel& model, const TrainingSet& set, const ChainFeatures& chain)
      : model_(model),
        chain_(chain),
        num_labels_(set.labels.size()),
        weights_(chain.dimension(), 0.0) {
    for (const std::string& label : set.labels) old_label_.push_back(model.find_label(label));
  }

  // Copies the rows of one kind. `old_target` maps a target to the old model's, or
  // ChainStates::kNone.
  void copy_rows(const AttributeIndex& index, std::span<const AttributeId> row_of,
                 const AttributeRows& rows, Index rows_begin, const TagModel::Attributes& old_ids,
                 const AttributeRows& old_rows, Index old_begin,
                 const std::function<Index(Index)>& old_target) {
    const std::vector<std::uint64_t> fingerprints = index.fingerprints();
    const double* old_weights = model_.weights().data() + old_begin;
    for (Index id = 0; id < row_of.size(); ++id) {
      if (row_of[id] == kNoAttribute) continue;
      // A bucket stands for all fingerprints that end in its number.
      const AttributeId old = old_ids.find(index.hash_bits() > 0 ? id : fingerprints[id]);
      if (old == kNoAttribute) continue;
      const std::span<const std::uint32_t> targets = rows.targets(row_of[id]);
      const std::span<const std::uint32_t> old_targets = old_rows.targets(old);
      for (Index j = 0; j < targets.size(); ++j) {
        const Index target = old_target(targets[j]);
        const auto found = std::lower_bound(old_targets.begin(), old_targets.end(), target);
        if (found == old_targets.end() || *found != target) continue;
        const Index k = old_rows.begin(old) + static_cast<Index>(found - old_targets.begin());
        weights_[rows_begin + rows.begin(row_of[id]) + j] = old_weights[k];
      }
    }
  }

  Index old_label(Index label) const {
    return old_label_[label] == kNoLabel ? ChainStates::kNone
                                         : static_cast<Index>(old_label_[label]);
  }

  Index old_pair(Index pair) const {
    const Index to = old_label(pair % num_labels_);
    if (to == ChainStates::kNone) return to;
    if (pair < num_labels_) return to;
    const Index from = old_label(pair / num_labels_ - 1);
    if (from == ChainStates::kNone) return from;
    return (1 + from) * model_.labels().size() + to;
  }

  void copy_grams() {
    const GramWeights& grams = chain_.grams();
    const GramWeights& old_grams = model_.chain().grams();
    const double* old_weights = model_.weights().data() + model_.chain().gram_begin();
    double* weights = weights_.data() + chain_.gram_begin();
    const int levels = std::min(chain_.states().order(), model_.states().order());
    for (int n = 1; n <= levels; ++n) {
      const ChainStates level(chain_.states().rules(), n);
      const ChainStates old_level(model_.states().rules(), n);
      const auto copy = [&](std::span<const Label> history, Label label, Index gram) {
        const std::uint32_t rank = grams.levels[static_cast<Index>(n) - 1][gram];
        if (rank == GramWeights::kNone) return;
        std::vector<Label> old_history;
        for (const Label y : history) old_history.push_back(old_label_[static_cast<Index>(y)]);
        const Label to = old_label_[static_cast<Index>(label)];
        if (to == kNoLabel || std::count(old_history.begin(), old_history.end(), kNoLabel) > 0)
          return;
        const Index old_gram = find_gram(old_level, old_history, to);
        if (old_gram == ChainStates::kNone) return;
        const std::uint32_t old_rank = old_grams.levels[static_cast<Index>(n) - 1][old_gram];
        if (old_rank != GramWeights::kNone) weights[rank] = old_weights[old_rank];
      };
      for (Index j = 0; j < num_labels_; ++j) copy({}, static_cast<Label>(j), j);
      for (ChainStates::State u = 0; u < level.num_states(); ++u) {
        for (Index j = 0; j < level.num_successors(u); ++j) {
          const auto v = static_cast<ChainStates::State>(level.first_successor(u) + j);
          copy(level.tuple(u), level.label(v), level.transition_begin(u) + j);
        }
      }
    }
    for (Index j = 0; j < num_labels_; ++j) {
      if (grams.stop[j] == GramWeights::kNone || old_label_[j] == kNoLabel) continue;
      const std::uint32_t old_rank = old_grams.stop[static_cast<Index>(old_label_[j])];
      if (old_rank != GramWeights::kNone) weights[grams.stop[j]] = old_weights[old_rank];
    }
  }

  std::vector<double> take() { return std::move(weights_); }

 private:
  const TagModel& model_;
  const ChainFeatures& chain_;
  Index num_labels_;
  std::vector<double> weights_;
  std::vector<Label> old_label_;
};

}  // namespace

std::vector<double> warm_weights(const TagModel& model, const TrainingSet& set,
                                 const ChainFeatures& chain, std::span<const AttributeId> node_ids,
                                 std::span<const AttributeId> edge_ids) {
  Translation translation(model, set, chain);
  translation.copy_rows(set.nodes, node_ids, chain.node_rows(), 0, model.nodes(),
                        model.chain().node_rows(), 0,
                        [&](Index label) { return translation.old_label(label); });
  translation.copy_rows(set.edges, edge_ids, chain.edge_rows(), chain.edge_begin(), model.edges(),
                        model.chain().edge_rows(), model.chain().edge_begin(),
                        [&](Index pair) { return translation.old_pair(pair); });
  translation.copy_grams();
  std::vector<double> weights = translation.take();
  chain.clear_padding(weights);
  return weights;
}

}  // namespace trellis::tag
