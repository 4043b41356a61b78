#include "trellis/tasks/tables/bayes/bayes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/tasks/tables/bayes/row_data.h"

namespace trellis::bayes {
namespace {

void check_variables(std::span<const Index> list, Index num_variables, std::string_view what) {
  for (Index k = 0; k < list.size(); ++k) {
    if (list[k] < num_variables && (k == 0 || list[k - 1] < list[k])) continue;
    throw UsageError(fmt::format("its {} are not distinct variables of the network", what));
  }
}

NetworkParents parents_of(std::span<const std::uint64_t> ends,
                          std::span<const std::uint32_t> numbers) {
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

std::vector<CostTable> costs_of(std::span<const double> all, std::span<const Index> targets,
                                const NetworkGraph& graph) {
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

void describe_variables(ModelArchive& a, std::vector<NetworkVariable>& variables) {
  std::vector<std::string> names;
  for (const NetworkVariable& variable : variables) names.push_back(variable.name);
  a.name_list("variables", names, "of the variables");
  for (Index v = 0; a.reading() && v < names.size(); ++v) variables.push_back({names[v], {}});
  a.each(variables, 0, [&](NetworkVariable& variable, const std::string& v) {
    a.name_list("values/" + v, variable.values, "of the values of variable K");
  });
}

NetworkParents describe_parents(ModelArchive& a, const NetworkParents& parents, Index variables) {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> numbers;
  for (const std::vector<Index>& some : parents) {
    numbers.insert(numbers.end(), some.begin(), some.end());
    ends.push_back(numbers.size());
  }
  a.made_array("parents/ends", ends, {.size = variables}, "where the parents of each variable end");
  a.made_array("parents/numbers", numbers, {}, "variables that are parents");
  return a.reading() ? parents_of(ends, numbers) : parents;
}

}  // namespace

void BayesModel::describe(ModelArchive& a, BayesParts& m) {
  a.value("targets", m.roles.targets, "variables that are predicted from the others");
  a.value("latent", m.roles.latent, "variables that no column of the training set has");
  a.value("ignored", m.roles.ignored, "columns of it that are no variables");
  a.value("loss", m.loss, "what a wrong value costs");
  a.value("training", m.training, "how the model was made");
  std::vector<NetworkVariable> variables;
  NetworkParents parents;
  std::span<const double> theta;
  if (m.network) {
    variables = m.network->graph().variables();
    parents = m.network->graph().all_parents();
    theta = m.network->theta();
  }
  describe_variables(a, variables);
  parents = describe_parents(a, parents, variables.size());
  a.array("theta", theta, {}, "log-probabilities, table after table");
  std::vector<double> costs;
  for (const CostTable& table : m.costs) {
    const double* first = table.row(0).data();
    costs.insert(costs.end(), first, first + table.num_labels() * table.num_labels());
  }
  a.made_array("costs", costs, {}, "of each target, by true and predicted value");
  a.check([&] {
    check_dimension(variables, parents, theta.size());
    const auto graph =
        std::make_shared<const NetworkGraph>(std::move(variables), std::move(parents));
    check_variables(m.roles.targets, graph->num_variables(), "targets");
    m.costs = costs_of(costs, m.roles.targets, *graph);
    m.network.emplace(graph, std::vector<double>(theta.begin(), theta.end()));
  });
}

BayesModel::BayesModel(BayesParts parts) : StoredModel(std::move(parts)) {
  const Index num_variables = graph().num_variables();
  check_variables(roles().targets, num_variables, "targets");
  check_variables(roles().latent, num_variables, "latent variables");
  const std::vector<CostTable>& costs = this->parts().costs;
  if (costs.size() != roles().targets.size()) {
    throw UsageError("a network requires a table of costs for each target");
  }
  for (Index k = 0; k < costs.size(); ++k) {
    if (costs[k].num_labels() != graph().num_values(roles().targets[k])) {
      throw UsageError("a network requires costs for each value of a target");
    }
  }
}

CostTable BayesModel::costs(Index variable) const {
  const std::vector<Index>& targets = roles().targets;
  const auto found = std::find(targets.begin(), targets.end(), variable);
  if (found == targets.end()) return CostTable::hamming(graph().num_values(variable));
  return parts().costs[static_cast<Index>(found - targets.begin())];
}

std::vector<Index> BayesModel::variables(const std::vector<std::string>& names,
                                         std::string_view option) const {
  return find_variables(graph().variables(), names, option);
}

}  // namespace trellis::bayes
