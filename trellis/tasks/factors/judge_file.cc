#include "trellis/tasks/factors/judge_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/factors/factor_features.h"
#include "trellis/tasks/factors/graph_file.h"

namespace trellis::factors {

void ValueReader::read(const GraphRecord& graph, const Domains& domains,
                       std::vector<std::uint32_t>& values) {
  values.clear();
  for (const GraphVariable& variable : graph.variables) {
    const std::string what = fmt::format("a line with the variable '{}', as in {}:{}",
                                         variable.name, graph.file, variable.line);
    std::string_view line;
    do {  // each graph ends with an empty line
      line = lines_.need(what);
    } while (line.starts_with('#') || (values.empty() && trim(line).empty()));
    split_columns(line, fields_);
    if (fields_.size() < 2 || fields_[0] != variable.name) {
      lines_.refuse(fmt::format("expected {}, found", what), line);
    }
    values.push_back(value(domains[variable.domain]));
  }
}

std::uint32_t ValueReader::value(const Domain& domain) {
  const std::uint32_t found = domain.find(fields_[1]);
  return found == kNoValue ? largest_share(domain) : found;
}

std::uint32_t ValueReader::largest_share(const Domain& domain) {
  constexpr double kNone = -1;
  std::uint32_t best = kNoValue;
  double most = 0;
  // Marginals may follow; there are at most as many shares as values.
  for (Index k = 1; k < std::min(fields_.size(), domain.values.size() + 1); ++k) {
    const Index colon = fields_[k].rfind(':');
    const std::uint32_t found = domain.find(fields_[k].substr(0, colon));
    const double share = colon == std::string_view::npos
                             ? kNone
                             : parse_double(fields_[k].substr(colon + 1)).value_or(kNone);
    if (found == kNoValue || share < 0) {
      lines_.refuse(fmt::format("expected {}, found", domain.words()), fields_[k]);
    }
    if (best != kNoValue && share <= most) continue;
    best = found;
    most = share;
  }
  return best;
}

FactorsScores judge_file(InputFile file, InputFile predictions) {
  const std::string name = file.name();
  FactorFeatures features;
  const std::vector<GraphRecord> graphs = read_graphs(std::move(file), features, false);
  ValueReader reader(std::move(predictions));
  FactorsScores scores(features.domains());
  std::vector<std::uint32_t> values;
  for (const GraphRecord& graph : graphs) {
    reader.read(graph, features.domains(), values);
    scores.add(graph, values);
  }
  reader.require_end();
  if (scores.variables().total == 0) {
    throw InputError(name, 0,
                     "there is nothing to compare with: expected true values (=VALUE), found none");
  }
  return scores;
}

}  // namespace trellis::factors
