// The state of Ad3 (ad3.h has the symbols): shares and copies, which it relaxes, and the bounds and
// assignments that follow (ad3_bounds.cc). Only ad3*.cc include this.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/solve/anderson_acceleration.h"
#include "trellis/solve/factors/active_set.h"
#include "trellis/solve/factors/ad3.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/solve/factors/factor_maximum.h"

namespace trellis {

class Ad3::Solver {
 public:
  // As in Ad3; `implied` may be null.
  void begin(const FactorGraphLayout& graph, std::span<const double> s);
  void fix(Index state, bool on);
  void release(Index state);
  void require(const Literal& literal);
  bool is_fixed(Index state) const { return fixed_[state] != kFree; }
  Ad3Result run(const Ad3Options& options, double least, double tolerance,
                std::vector<Literal>* implied);
  std::span<const std::uint32_t> assignment() const { return assignment_; }
  std::span<const double> point() const { return p_; }
  void write(std::span<double> z) const;

 private:
  static constexpr std::int8_t kFree = -1;
  struct Pair {
    std::uint32_t first, second;  // states
    Index part;
  };
  struct OneOf {
    Index begin, end;  // links
  };
  struct Block {
    const FactorGraphLayout::Factor* factor;
    Index begin, end;  // links
    Index set;         // of sets_; kNoSet: closed form
  };
  static constexpr Index kNoSet = static_cast<Index>(-1);

  void add_pairs();
  void add_one_ofs();
  Index take_set();
  void share_scores();
  void refresh();
  void keep_free_pairs();
  void update_copies();
  void project_pairs();
  void project_block(const Block& block);
  double single_head_gain(const FactorGraphLayout::Factor& f) const;
  void update_point();
  void accelerate();
  void adapt();

  // No assignment scores below −Σ|s|; the margin covers rounding.
  bool refuted(double upper) const { return upper < -size_ - 1e-6 * penalty_; }
  void recentre();
  double upper_bound();
  void add_losses();
  void add_choice_losses(Index begin, Index end, double spare);
  void add_tree_losses(const Block& block, double value);
  void imply(double goal, bool last, std::vector<Literal>& implied);
  void rule_out_others(Index state, std::vector<Literal>& implied);
  void round_point();
  void round_factor(const Block& block);
  void switch_on(const Block& block, std::span<const std::uint32_t> on);
  void propose(Index kind);

  static std::span<double> links_of(const Block& block, std::vector<double>& values) {
    return std::span(values).subspan(block.begin, block.end - block.begin);
  }

  const FactorGraphLayout* graph_ = nullptr;
  std::span<const double> s_;
  double size_ = 0;     // Σ |s|
  double largest_ = 0;  // |s|
  double penalty_ = 0;  // on each copy that is not as its state is fixed
  double eta_ = 1;
  double primal_ = 0, dual_ = 0;
  bool stale_ = false;       // states were fixed or released
  bool impossible_ = false;  // a factor allows nothing
  bool unfinished_ = false;  // an active set goes on in the next round

  std::vector<OneOf> one_ofs_;
  std::vector<Block> blocks_;
  std::vector<ActiveSet> sets_;
  Index num_sets_ = 0;
  // Pairs with scores other than 0, the positive ones first, and those with free states: their
  // first links begin at pairs_begin_, and their second links follow.
  std::vector<Pair> pairs_;
  Index num_attractive_ = 0;
  std::vector<std::uint32_t> free_pairs_;
  Index num_free_attractive_ = 0;
  std::vector<double> pair_scores_;  // of free_pairs_
  Index pairs_begin_ = 0;
  std::vector<std::array<double, 2>> pair_shares_;  // by pair: memory of refresh()
  std::vector<Index> tree_link_;                    // by state: memory of share_scores()

  // By link: those of blocks_, one_ofs_ and free_pairs_.
  std::vector<std::uint32_t> state_;
  std::vector<double> c_, q_, b_, next_;
  std::vector<double> seen_;  // of blocks_ and one_ofs_
  AndersonAcceleration acceleration_;
  // By state.
  std::vector<double> p_, before_, sum_, inverse_degree_;
  std::vector<double> score_;               // with that of pairs whose other state is on
  std::vector<double> shift_;               // the correction of the shares for fixed states
  std::vector<double> on_loss_, off_loss_;  // a lower bound of the loss if it is on or off
  double constant_ = 0;                     // of pairs of which both states are on
  std::vector<std::int8_t> fixed_;
  std::vector<Literal> required_;

  FactorMaximum maximum_;
  std::vector<double> direction_, link_scores_;
  std::vector<std::uint32_t> on_;
  std::vector<std::uint32_t> tree_on_;  // what TREEs have chosen for the bound, one after another
  std::vector<double> tree_values_;     // of that
  double bound_ = kInfinity;            // of the current shares
  std::vector<std::uint32_t> rounding_, assignment_;
  std::array<std::vector<std::uint32_t>, 2> rounded_;
  std::vector<std::uint8_t> tied_;  // by variable
  double lower_ = -kInfinity;
};

}  // namespace trellis
