// `trellis segment inspect`
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/segment/commands.h"

namespace trellis::cli {
namespace {

struct SegmentInspectCall {
  CommonOptions common;
  std::string model;
  Index top = 20;
};

// The strongest weights of the nodes, and all weights of the edges.
std::vector<Index> node_weights(const segment::SegmentModel& model, Index top) {
  std::vector<Index> order(model.features().num_node_weights());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(model.weights()[a]) > std::abs(model.weights()[b]);
  });
  order.resize(std::min(order.size(), top));
  return order;
}

std::vector<Index> edge_weights(const segment::SegmentModel& model) {
  std::vector<Index> order(model.features().num_edge_weights());
  std::iota(order.begin(), order.end(), model.features().num_node_weights());
  return order;
}

nlohmann::json weights_json(const segment::SegmentModel& model, const std::vector<Index>& which) {
  nlohmann::json list = nlohmann::json::array();
  for (const Index k : which) {
    list.push_back({{"feature", model.features().weight_name(k)}, {"weight", model.weights()[k]}});
  }
  return list;
}

nlohmann::json to_json(const segment::SegmentModel& model, Index top) {
  nlohmann::json json;
  json["input"] = model.features().pictures() ? "pictures" : "graphs";
  json["unary"] = model.features().unary();
  json["weights"] = model.features().dimension();
  json["training"] = model.training();
  json["node_features"] = weights_json(model, node_weights(model, top));
  json["edge_features"] = weights_json(model, edge_weights(model));
  return json;
}

std::string to_text(const segment::SegmentModel& model, const std::string& name, Index top) {
  const segment::SegmentFeatures& features = model.features();
  std::string text = fmt::format("{}: {}, {} weights of nodes, {} of edges\n", name,
                                 features.pictures() ? "pictures" : "graphs",
                                 features.num_node_weights(), features.num_edge_weights());
  for (const auto& [key, value] : model.training().items()) {
    text +=
        fmt::format("  {} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  const auto add = [&](const char* heading, const std::vector<Index>& which) {
    if (!which.empty()) text += fmt::format("\n{}\n", heading);
    for (const Index k : which) {
      text += fmt::format("  {:+9.4f}  {}\n", model.weights()[k], features.weight_name(k));
    }
  };
  add("for figure (+) or ground (-)", node_weights(model, top));
  add("what a boundary costs", edge_weights(model));
  return text;
}

int run(const SegmentInspectCall& call) {
  const auto model = segment::SegmentModel::load(call.model);
  print(call.common.json ? to_json(model, call.top).dump() + "\n"
                         : to_text(model, call.model, call.top));
  return 0;
}

}  // namespace

void add_segment_inspect(CLI::App& segment, int& status) {
  auto call = std::make_shared<SegmentInspectCall>();
  CLI::App* app = segment.add_subcommand(
      "inspect", "What a model has learned: what speaks for figure, what a boundary costs.");
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--top", call->top, "Weights of nodes to print")->capture_default_str();
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
