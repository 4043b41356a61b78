// A Bayesian network with what is around it: which of its variables are to be told from the others,
// what mistakes about them cost, and how it was made.
//
// Model file, kind "bayes", version 1:
//   meta              JSON: targets, latent (numbers of variables), ignored (names of columns),
//                     loss (its name), training
//   variables/…       offsets and bytes of the names (data/name_list.h)
//   values/V/…        likewise, of the values of variable V = 0, 1, …
//   parents/ends      uint64: by variable, where the list of its parents ends
//   parents/numbers   uint32: the lists, one after the other
//   theta             float64: log-probabilities, as NetworkGraph lays them out
//   costs             float64: for each target in turn, by true and predicted value
//
// Everything is checked when it is read: a stranger's file can at worst be refused, and takes no
// more memory than some times its size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/model_file.h"
#include "trellis/data/value.h"
#include "trellis/generative/network/bayes_network.h"
#include "trellis/problem/cost_table.h"

namespace trellis::bayes {

// Which variable is what. Lists are ascending.
struct Roles {
  std::vector<Index> targets;        // to be told from the others
  std::vector<Index> latent;         // in no column of the training set
  std::vector<std::string> ignored;  // columns of it that are no variables
};

class BayesModel {
 public:
  static constexpr std::string_view kKind = "bayes";
  static constexpr std::uint32_t kVersion = 1;

  // `costs` has a table for each target. Throws UsageError where these do not go together.
  BayesModel(BayesNetwork network, Roles roles, std::string loss, std::vector<CostTable> costs,
             const Value& training);
  // Throws InputError unless the file is a whole model that this program understands.
  static BayesModel read(const std::string& path);
  static BayesModel from_bytes(std::span<const std::byte> bytes, const std::string& name);
  void write(const std::string& path) const;
  std::string to_bytes() const;

  const BayesNetwork& network() const { return network_; }
  const NetworkGraph& graph() const { return network_.graph(); }
  const Roles& roles() const { return roles_; }
  const std::string& loss() const { return loss_; }
  // Of a variable, that of a target or Hamming's.
  CostTable costs(Index variable) const;
  const Value& training() const { return *training_; }

  // The numbers of variables: see find_variables().
  std::vector<Index> variables(const std::vector<std::string>& names,
                               std::string_view option) const;

 private:
  static BayesModel load(const ModelReader& reader);
  template <class Put>
  auto with_writer(const Put& put) const;

  BayesNetwork network_;
  Roles roles_;
  std::string loss_;
  std::vector<CostTable> costs_;
  std::shared_ptr<const Value> training_;
};

}  // namespace trellis::bayes
