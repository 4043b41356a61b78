// Discriminative training of the relevant part of a network: P(targets | all others) depends only
// on the tables of the targets and of their children. (P) is over these tables; the others stay as
// they were estimated (Yu, Bertsekas & Rousu, sec. 4.2: "we take the subgraph around the class
// variable").
//
// The subgraph has the touched variables first, then their other parents, which have no parents of
// their own. So the touched tables are a prefix of its parameters, and the losses use nothing else.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/network_data.h"
#include "trellis/generative/network/network_graph.h"
#include "trellis/problem/cost_table.h"
#include "trellis/tasks/tables/discriminative_training.h"
#include "trellis/tasks/tables/generative_options.h"

namespace trellis::bayes {

class BlanketTask final : public generative::DiscriminativeTask {
 public:
  // `theta` has the tables of the whole network, `costs` a table for each target. Rows have no
  // missing values; those of `dev` may. Data and options must outlive the object.
  BlanketTask(std::shared_ptr<const NetworkGraph> graph, std::vector<double> theta,
              const NetworkData& rows, const NetworkData* dev, std::vector<Index> targets,
              std::vector<CostTable> costs, const generative::EstimatorOptions& options);

  // The targets and their children, ascending.
  const std::vector<Index>& touched() const { return touched_; }
  // The tables of the whole network, with these in place of the touched ones.
  std::vector<double> whole(std::span<const double> touched_theta) const;

  const Distributions& distributions() const override { return distributions_; }
  Index num_examples() const override { return rows_.size(); }
  std::unique_ptr<generative::ExampleLosses> losses(std::span<const Index> examples,
                                                    double gamma) const override;
  std::vector<double> frequencies(std::span<const Index> examples) const override;
  std::vector<double> towards() const override;
  generative::Tally judge(std::span<const double> theta,
                          std::span<const Index> examples) const override;
  bool has_dev() const override { return dev_ != nullptr; }
  generative::Tally judge_dev(std::span<const double> theta) const override;

 private:
  void find_blanket();
  NetworkData blanket_rows(std::span<const Index> examples) const;
  generative::Tally tally(std::span<const double> theta, const NetworkData& rows,
                          std::span<const Index> examples) const;

  std::shared_ptr<const NetworkGraph> graph_;
  std::vector<double> theta_;
  const NetworkData& rows_;
  const NetworkData* dev_;
  std::vector<Index> targets_;
  std::vector<CostTable> costs_;
  const generative::EstimatorOptions& options_;
  std::vector<Index> touched_;
  std::vector<Index> blanket_;  // variables of the subgraph, by number in the network
  std::shared_ptr<const NetworkGraph> subgraph_;
  Distributions distributions_;  // of the touched tables
};

}  // namespace trellis::bayes
