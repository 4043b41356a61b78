// A Bayesian network with what is around it: which of its variables are to be told from the others,
// what mistakes about them cost, and how it was made.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/stored_model.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/problem/cost_table.h"

namespace trellis::bayes {

// Which variable is what. Lists are ascending.
struct Roles {
  std::vector<Index> targets;        // to be told from the others
  std::vector<Index> latent;         // in no column of the training set
  std::vector<std::string> ignored;  // columns of it that are no variables
};

struct BayesParts {
  std::optional<BayesNetwork> network;  // there, except while a file is read
  Roles roles;
  std::string loss;
  std::vector<CostTable> costs;  // of each target
  std::shared_ptr<const Value> training;
};

class BayesModel : public StoredModel<BayesModel, BayesParts> {
 public:
  static constexpr ModelKind kKind{"bayes"};
  static void describe(ModelArchive& a, BayesParts& m);

  // Throws UsageError where these do not go together.
  explicit BayesModel(BayesParts parts);
  BayesModel(BayesNetwork network, Roles roles, std::string loss, std::vector<CostTable> costs,
             const Value& training)
      : BayesModel(BayesParts{std::move(network), std::move(roles), std::move(loss),
                              std::move(costs), share(training)}) {}

  const BayesNetwork& network() const { return *parts().network; }
  const NetworkGraph& graph() const { return network().graph(); }
  const Roles& roles() const { return parts().roles; }
  const std::string& loss() const { return parts().loss; }
  // Of a variable, that of a target or Hamming's.
  CostTable costs(Index variable) const;

  // The numbers of variables: see find_variables().
  std::vector<Index> variables(const std::vector<std::string>& names,
                               std::string_view option) const;
};

}  // namespace trellis::bayes
