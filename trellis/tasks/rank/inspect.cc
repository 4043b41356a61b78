#include "trellis/tasks/rank/inspect.h"

#include <fmt/format.h>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::rank {

std::vector<SplitShare> split_shares(const RankFeatures& features, Index top) {
  const std::vector<double> gains = features.trees.gains_by_column(features.num_columns());
  double sum = 0;
  for (const double gain : gains) sum += gain;
  std::vector<SplitShare> shares;
  for (const Index c : strongest_positive(gains, top)) {
    shares.push_back({features.indices[c], gains[c] / sum});
  }
  return shares;
}

Value inspect_record(const RankModel& model, Index top) {
  const RankFeatures& features = model.features();
  Value record = model.meta();
  record["features"] = features.num_columns();
  record["weights"] = model.weights().size();
  record["strongest"] = Value::list();
  for (const Index w : strongest_weights(model.weights(), top)) {
    record["strongest"].push_back(
        Value::record({{"feature", features.weight_name(w)}, {"weight", model.weights()[w]}}));
  }
  if (features.expansion.kind == Expansion::Kind::kTrees) {
    record["trees"] = features.trees.size();
    record["splits"] = Value::list();
    for (const SplitShare& split : split_shares(features, top)) {
      record["splits"].push_back(
          Value::record({{"feature", split.feature}, {"gain", split.share}}));
    }
  }
  return record;
}

std::string inspect_text(const RankModel& model, const std::string& name, Index top) {
  const RankFeatures& features = model.features();
  std::string text = fmt::format("{}: {} features, normalized by {}, expansion {}, {} weights\n",
                                 name, features.num_columns(), to_string(features.normalization),
                                 features.expansion.to_string(), model.weights().size());
  text += provenance_text(model.training());
  text += "\nraises (+) or lowers (-) a document\n";
  for (const Index w : strongest_weights(model.weights(), top)) {
    text += fmt::format("  {:+9.4f}  {}\n", model.weights()[w], features.weight_name(w));
  }
  if (features.trees.size() > 0) {
    text += fmt::format("\n{} trees split by (share of the gain)\n", features.trees.size());
    for (const SplitShare& split : split_shares(features, top)) {
      text += fmt::format("  {:8.1f}%  {}\n", 100 * split.share, split.feature);
    }
  }
  return text;
}

}  // namespace trellis::rank
