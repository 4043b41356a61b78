#include "trellis/tasks/bayes/bayes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/name_list.h"
#include "trellis/tasks/bayes/row_data.h"
#include "trellis/tasks/generative/name_sections.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::bayes {
namespace {

void check_variables(std::span<const Index> list, Index num_variables, std::string_view what) {
  for (Index k = 0; k < list.size(); ++k) {
    if (list[k] < num_variables && (k == 0 || list[k - 1] < list[k])) continue;
    throw UsageError(fmt::format("its {} are not distinct variables of the network", what));
  }
}

NetworkParents read_parents(const ModelReader& reader, Index num_variables) {
  const auto ends = reader.array<std::uint64_t>("parents/ends", num_variables);
  const auto numbers = reader.array<std::uint32_t>("parents/numbers");
  NetworkParents parents;
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end < begin || end > numbers.size()) {
      throw UsageError("its lists of parents are not contiguous");
    }
    parents.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                         numbers.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  if (begin != numbers.size()) throw UsageError("its lists of parents are longer than declared");
  return parents;
}

// θ has a value for each cell of the tables: looked at before anything is made of that size.
void check_dimension(const std::vector<NetworkVariable>& variables, const NetworkParents& parents,
                     Index found) {
  Index total = 0;
  for (Index v = 0; v < variables.size(); ++v) {
    Index cells = std::max<Index>(variables[v].values.size(), 1);
    for (const Index parent : parents[v]) {
      if (parent >= variables.size()) throw UsageError("a parent is not a variable of the network");
      cells *= std::max<Index>(variables[parent].values.size(), 1);
      if (cells > found) break;
    }
    total += cells;
    if (total > found) break;
  }
  if (total != found) {
    throw UsageError(fmt::format("{} parameters do not fit its variables and parents", found));
  }
}

std::vector<CostTable> read_costs(const ModelReader& reader, std::span<const Index> targets,
                                  const NetworkGraph& graph) {
  const std::span<const double> all = reader.array<double>("costs");
  std::vector<CostTable> costs;
  Index begin = 0;
  for (const Index v : targets) {
    const Index n = graph.num_values(v);
    if (n > all.size() || n * n > all.size() - begin) throw UsageError("it has too few costs");
    const auto table = all.subspan(begin, n * n);
    costs.emplace_back(n, std::vector<double>(table.begin(), table.end()));
    begin += n * n;
  }
  if (begin != all.size()) throw UsageError("it has too many costs");
  return costs;
}

}  // namespace

BayesModel::BayesModel(BayesNetwork network, Roles roles, std::string loss,
                       std::vector<CostTable> costs, const Value& training)
    : network_(std::move(network)),
      roles_(std::move(roles)),
      loss_(std::move(loss)),
      costs_(std::move(costs)),
      training_(share(training)) {
  check_variables(roles_.targets, graph().num_variables(), "targets");
  check_variables(roles_.latent, graph().num_variables(), "latent variables");
  if (costs_.size() != roles_.targets.size()) {
    throw UsageError("a network requires a table of costs for each target");
  }
  for (Index k = 0; k < costs_.size(); ++k) {
    if (costs_[k].num_labels() != graph().num_values(roles_.targets[k])) {
      throw UsageError("a network requires costs for each value of a target");
    }
  }
}

CostTable BayesModel::costs(Index variable) const {
  const auto found = std::find(roles_.targets.begin(), roles_.targets.end(), variable);
  if (found == roles_.targets.end()) return CostTable::hamming(graph().num_values(variable));
  return costs_[static_cast<Index>(found - roles_.targets.begin())];
}

std::vector<Index> BayesModel::variables(const std::vector<std::string>& names,
                                         std::string_view option) const {
  return find_variables(graph().variables(), names, option);
}

BayesModel BayesModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

BayesModel BayesModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

BayesModel BayesModel::load(const ModelReader& reader) {
  std::optional<BayesModel> model;
  read_meta(reader, kKind, kVersion, [&](const Value& meta) {
    Roles roles;
    roles.targets = meta.at("targets").get<std::vector<Index>>();
    roles.latent = meta.at("latent").get<std::vector<Index>>();
    roles.ignored = meta.at("ignored").get<std::vector<std::string>>();
    std::vector<NetworkVariable> variables;
    for (std::string& name : generative::read_names(reader, "variables")) {
      variables.push_back(
          {std::move(name),
           generative::read_names(reader, fmt::format("values/{}", variables.size()))});
    }
    NetworkParents parents = read_parents(reader, variables.size());
    const std::span<const double> theta = reader.array<double>("theta");
    check_dimension(variables, parents, theta.size());
    auto graph = std::make_shared<const NetworkGraph>(std::move(variables), std::move(parents));
    check_variables(roles.targets, graph->num_variables(), "targets");
    std::vector<CostTable> costs = read_costs(reader, roles.targets, *graph);
    model.emplace(BayesNetwork(std::move(graph), {theta.begin(), theta.end()}), std::move(roles),
                  meta.at("loss").get<std::string>(), std::move(costs), meta.at("training"));
  });
  return *std::move(model);
}

template <class Put>
auto BayesModel::with_writer(const Put& put) const {
  // The writer keeps views of these.
  NameList names;
  std::vector<NameList> values;
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> parents;
  for (Index v = 0; v < graph().num_variables(); ++v) {
    names.add(graph().variable(v).name);
    values.push_back(generative::name_list(graph().variable(v).values));
    for (const Index parent : graph().parents(v)) {
      parents.push_back(static_cast<std::uint32_t>(parent));
    }
    ends.push_back(parents.size());
  }
  std::vector<double> costs;
  for (const CostTable& table : costs_) {
    for (Index i = 0; i < table.num_labels(); ++i) {
      const std::span<const double> row = table.row(static_cast<Label>(i));
      costs.insert(costs.end(), row.begin(), row.end());
    }
  }
  ModelWriter writer(std::string(kKind), kVersion);
  writer.add_json("meta", Value::record({{"targets", roles_.targets},
                                         {"latent", roles_.latent},
                                         {"ignored", roles_.ignored},
                                         {"loss", loss_},
                                         {"training", training()}}));
  generative::add_names(writer, "variables", names);
  for (Index v = 0; v < values.size(); ++v) {
    generative::add_names(writer, fmt::format("values/{}", v), values[v]);
  }
  writer.add_array<std::uint64_t>("parents/ends", ends);
  writer.add_array<std::uint32_t>("parents/numbers", parents);
  writer.add_array<double>("theta", network_.theta());
  writer.add_array<double>("costs", costs);
  return put(writer);
}

void BayesModel::write(const std::string& path) const {
  with_writer([&](const ModelWriter& writer) { writer.write(path); });
}

std::string BayesModel::to_bytes() const {
  return with_writer([](const ModelWriter& writer) { return writer.to_bytes(); });
}

}  // namespace trellis::bayes
