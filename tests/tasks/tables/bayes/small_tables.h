// A small network about weather, and tables drawn from it.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/random.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace trellis::bayes::testing {

// season → rain → mood ← guests, rain → umbrella
inline std::shared_ptr<const NetworkGraph> weather_graph() {
  return std::make_shared<const NetworkGraph>(
      std::vector<NetworkVariable>{{"season", {"dry", "wet"}},
                                   {"guests", {"few", "many"}},
                                   {"rain", {"no", "some", "much"}},
                                   {"mood", {"bad", "good"}},
                                   {"umbrella", {"no", "yes"}}},
      NetworkParents{{}, {}, {0}, {2, 1}, {2}});
}

inline BayesNetwork weather_network() {
  std::vector<double> p = {0.4, 0.6, 0.5, 0.5, 0.7, 0.2, 0.1, 0.2, 0.3,  0.5,  0.2, 0.8, 0.05, 0.95,
                           0.5, 0.5, 0.4, 0.6, 0.9, 0.1, 0.7, 0.3, 0.95, 0.05, 0.4, 0.6, 0.1,  0.9};
  for (double& one : p) one = std::log(one);
  return {weather_graph(), p};
}

inline std::string table_of(const NetworkGraph& graph, std::span<const Label> row) {
  std::string line;
  for (Index v = 0; v < row.size(); ++v) {
    line += row[v] == kNoLabel ? "?" : graph.variable(v).values[static_cast<Index>(row[v])];
    line += v + 1 < row.size() ? "," : "\n";
  }
  return line;
}

inline std::string header_of(const NetworkGraph& graph) {
  std::string line;
  for (const NetworkVariable& variable : graph.variables()) line += variable.name + ",";
  line.back() = '\n';
  return line;
}

// Cells are missing with the chance that is given.
inline std::string weather_table(Index count, std::uint64_t seed, double missing = 0) {
  const BayesNetwork network = weather_network();
  std::string text = header_of(network.graph());
  std::vector<Label> row(network.graph().num_variables());
  for (Index n = 0; n < count; ++n) {
    Random random(seed, n);
    network.sample(random, row);
    for (Label& value : row) {
      if (random.uniform() < missing) value = kNoLabel;
    }
    text += table_of(network.graph(), row);
  }
  return text;
}

inline RowData rows_of(std::string_view text, const DataOptions& options = {},
                       const NetworkGraph* network = nullptr,
                       const std::string& name = "train.csv") {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, name));
  return read_training_rows(std::move(files), options, network);
}

inline BayesModel model_from(const std::string& bytes) {
  return BayesModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
}

// All assignments of the variables that are kNoLabel in `row`.
template <class Visit>
void for_completions(const NetworkGraph& graph, std::vector<Label> row, const Visit& visit,
                     Index v = 0) {
  if (v == row.size()) {
    visit(row);
  } else if (row[v] != kNoLabel) {
    for_completions(graph, row, visit, v + 1);
  } else {
    for (Index k = 0; k < graph.num_values(v); ++k) {
      row[v] = static_cast<Label>(k);
      for_completions(graph, row, visit, v + 1);
    }
  }
}

}  // namespace trellis::bayes::testing
