#include "trellis/tasks/segment/inspect.h"

#include <fmt/format.h>

#include <numeric>

#include "trellis/frame/training/result.h"
#include "trellis/tasks/strongest_weights.h"

namespace trellis::segment {
namespace {

Value list_of(const SegmentModel& model, const std::vector<Index>& which) {
  Value list = Value::list();
  for (const Index k : which) {
    list.push_back(Value::record(
        {{"feature", model.features().weight_name(k)}, {"weight", model.weights()[k]}}));
  }
  return list;
}

}  // namespace

std::vector<Index> strongest_node_weights(const SegmentModel& model, Index top) {
  return strongest_weights(model.weights().first(model.features().num_node_weights()), top);
}

std::vector<Index> edge_weights(const SegmentModel& model) {
  std::vector<Index> order(model.features().num_edge_weights());
  std::iota(order.begin(), order.end(), model.features().num_node_weights());
  return order;
}

Value inspect_record(const SegmentModel& model, Index top) {
  Value record;
  record["input"] = model.features().pictures() ? "pictures" : "graphs";
  record["unary"] = model.features().unary();
  record["weights"] = model.features().dimension();
  record["training"] = model.training();
  record["node_features"] = list_of(model, strongest_node_weights(model, top));
  record["edge_features"] = list_of(model, edge_weights(model));
  return record;
}

std::string inspect_text(const SegmentModel& model, const std::string& name, Index top) {
  const SegmentFeatures& features = model.features();
  std::string text = fmt::format("{}: {}, {} weights of nodes, {} of edges\n", name,
                                 features.pictures() ? "pictures" : "graphs",
                                 features.num_node_weights(), features.num_edge_weights());
  text += provenance_text(model.training());
  const auto add = [&](const char* heading, const std::vector<Index>& which) {
    if (!which.empty()) text += fmt::format("\n{}\n", heading);
    for (const Index k : which) {
      text += fmt::format("  {:+9.4f}  {}\n", model.weights()[k], features.weight_name(k));
    }
  };
  add("for figure (+) or ground (-)", strongest_node_weights(model, top));
  add("cost of a boundary", edge_weights(model));
  return text;
}

}  // namespace trellis::segment
