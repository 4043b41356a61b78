#include "trellis/tasks/match/match_scores.h"
#include "trellis/base/share.h"

#include <fmt/format.h>

#include <algorithm>

namespace trellis::match {
double MatchScores::Graph::error() const {
  return percent(wrong, nodes);
}

void MatchScores::add(const MatchExample& example, const Matching::Output& found) {
  std::vector<Label> truth;
  for_each_mate(example, example.gold, [&](Index, Label mate) { truth.push_back(mate); });
  Graph graph{example.name, truth.size(), 0};
  for_each_mate(example, found, [&](Index u, Label mate) {
    if (mate != truth[u]) ++graph.wrong;
  });
  nodes_ += graph.nodes;
  wrong_ += graph.wrong;
  graphs_.push_back(std::move(graph));
}

double MatchScores::hamming() const {
  return percent(wrong_, nodes_);
}

double MatchScores::mean_error() const {
  double sum = 0;
  for (const Graph& graph : graphs_) sum += graph.error();
  return graphs_.empty() ? 0 : sum / static_cast<double>(graphs_.size());
}

double MatchScores::exact() const {
  const auto faultless = std::count_if(graphs_.begin(), graphs_.end(),
                                       [](const Graph& graph) { return graph.wrong == 0; });
  return percent(static_cast<Index>(faultless), graphs_.size());
}

Value MatchScores::record() const {
  Value record;
  record["hamming"] = hamming();
  record["mean_error"] = mean_error();
  record["exact"] = exact();
  record["graphs"] = graphs_.size();
  record["nodes"] = nodes_;
  record["wrong"] = wrong_;
  Value list = Value::list();
  for (const Graph& graph : graphs_) {
    list.push_back(Value::record({{"name", graph.name},
                                  {"nodes", graph.nodes},
                                  {"wrong", graph.wrong},
                                  {"hamming", graph.error()}}));
  }
  record["per_graph"] = std::move(list);
  return record;
}

std::string MatchScores::to_text(bool per_graph) const {
  std::string text;
  if (per_graph) {
    Index width = 5;
    for (const Graph& graph : graphs_) width = std::max(width, graph.name.size());
    text += fmt::format("{:<{}}  nodes  wrong   error\n", "graph", width);
    for (const Graph& graph : graphs_) {
      text += fmt::format("{:<{}}  {:5}  {:5}  {:6.2f}\n", graph.name, width, graph.nodes,
                          graph.wrong, graph.error());
    }
    text += "\n";
  }
  text += fmt::format(
      "{} graphs, {} nodes, {} wrong\nHamming error {:.2f} %  mean over graphs {:.2f} %  graphs "
      "without a mistake {:.2f} %\n",
      graphs_.size(), nodes_, wrong_, hamming(), mean_error(), exact());
  return text;
}

}  // namespace trellis::match
