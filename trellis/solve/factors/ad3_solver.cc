#include "trellis/solve/factors/ad3_solver.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <ranges>

#include "trellis/solve/factors/factor_projection.h"
#include "trellis/solve/polytopes/simplex_projection.h"

namespace trellis {
namespace {

constexpr double kOverRelaxation = 1.5;
constexpr double kFirstStep = 0.2;   // η, of the largest score
constexpr Index kStepsPerRound = 3;  // of active sets, which go on where they are
constexpr Index kRoundsPerBound = 5;
// Iterations before acceleration; by then most factors keep their face, and most searches end.
constexpr Index kPlainRounds = 40;
constexpr Index kFirstAdaptation = 10;
constexpr double kImbalance = 1.5;  // of primal and dual residual, that η may leave
constexpr double kAdaptation = 4;   // of η at most
// A search splits a node if within this many rounds the bound has fallen by less than this share of
// the remaining distance.
constexpr Index kPatience = 20;
constexpr double kProgress = 0.2;
constexpr double kUnchanged = 1e-13;

bool is_closed_form(const FactorGraphLayout::Factor& f) {
  switch (f.kind) {
    case FactorKind::kOneOf:
    case FactorKind::kAtMostOne:
    case FactorKind::kOr:
    case FactorKind::kBudget:
      return true;
    case FactorKind::kHead:
      return f.links_end - f.links_begin == 1;
    default:
      return false;
  }
}

}  // namespace

Index Ad3::Solver::take_set() {
  if (num_sets_ == sets_.size()) sets_.emplace_back();
  sets_[num_sets_].clear();
  return num_sets_++;
}

void Ad3::Solver::begin(const FactorGraphLayout& graph, std::span<const double> s) {
  assert(s.size() == graph.num_parts());
  graph_ = &graph;
  s_ = s;
  const Index states = graph.num_states();
  state_.clear();
  blocks_.clear();
  num_sets_ = 0;
  for (Index f = 0; f < graph.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = graph.factor(f);
    if (factor.kind == FactorKind::kPair) continue;
    const Index begin = state_.size();
    for (const Literal& literal : graph.links(factor)) state_.push_back(literal.state);
    blocks_.push_back(
        {&factor, begin, state_.size(), is_closed_form(factor) ? kNoSet : take_set()});
  }
  add_one_ofs();
  pairs_begin_ = state_.size();
  add_pairs();
  fixed_.assign(states, kFree);
  shift_.assign(states, 0.0);
  c_.assign(pairs_begin_, 0.0);
  p_.assign(states, 0.5);
  seen_.assign(pairs_begin_, kInfinity);
  free_pairs_.clear();
  refresh();
  q_.assign(state_.size(), 0.5);
  before_ = p_;
  share_scores();
  required_.clear();
  size_ = 0;
  largest_ = 0;
  for (const double score : s) {
    size_ += std::abs(score);
    largest_ = std::max(largest_, std::abs(score));
  }
  penalty_ = size_ > 0 ? size_ : 1;
  eta_ = kFirstStep * (largest_ > 0 ? largest_ : 1);
  assignment_.clear();
  for (auto& rounded : rounded_) rounded.clear();
  lower_ = -kInfinity;
  impossible_ = false;
}

void Ad3::Solver::add_pairs() {
  pairs_.clear();
  for (const bool attractive : {true, false}) {
    for (Index f = 0; f < graph_->num_factors(); ++f) {
      const FactorGraphLayout::Factor& factor = graph_->factor(f);
      if (factor.kind != FactorKind::kPair) continue;
      const double score = s_[factor.parts_begin];
      if (score == 0 || (score > 0) != attractive) continue;
      const std::span<const Literal> literals = graph_->links(factor);
      pairs_.push_back({literals[0].state, literals[1].state, factor.parts_begin});
    }
    if (attractive) num_attractive_ = pairs_.size();
  }
}

// Equal shares, except that a TREE gets half, and so starts near the answer.
void Ad3::Solver::share_scores() {
  constexpr Index kNone = static_cast<Index>(-1);
  tree_link_.assign(p_.size(), kNone);
  for (const Block& block : blocks_) {
    if (block.factor->kind != FactorKind::kTree) continue;
    for (Index l = block.begin; l < block.end; ++l) {
      if (inverse_degree_[state_[l]] < 1) tree_link_[state_[l]] = l;
    }
  }
  for (Index l = 0; l < c_.size(); ++l) {
    const Index i = state_[l];
    const double share = inverse_degree_[i];
    c_[l] = s_[i] * (tree_link_[i] == kNone ? share
                     : tree_link_[i] == l   ? 0.5
                                            : 0.5 * share / (1 - share));
  }
}

// Variables whose states no TABLE or SEQUENCE constrains.
void Ad3::Solver::add_one_ofs() {
  one_ofs_.clear();
  tied_.assign(graph_->num_variables(), 0);
  for (const Block& block : blocks_) {
    for (const std::uint32_t v : graph_->scope(*block.factor)) tied_[v] = 1;
  }
  for (Index v = 0; v < graph_->num_variables(); ++v) {
    if (graph_->is_switch(v) || tied_[v] != 0) continue;
    const Index begin = state_.size();
    for (Index k = 0; k < graph_->arity(v); ++k) {
      state_.push_back(static_cast<std::uint32_t>(graph_->state(v, k)));
    }
    one_ofs_.push_back({begin, state_.size()});
  }
}

void Ad3::Solver::fix(Index state, bool on) {
  assert(!is_fixed(state));
  fixed_[state] = on ? 1 : 0;
  p_[state] = on ? 1 : 0;
  stale_ = true;
}

void Ad3::Solver::release(Index state) {
  assert(is_fixed(state));
  fixed_[state] = kFree;
  stale_ = true;
}

// After states were fixed or released: pairs of a state that is off have no effect, and those of a
// state that is on add to the score of the other; the other factors get a penalty.
void Ad3::Solver::refresh() {
  for (Index l = 0; l < pairs_begin_; ++l) {
    const std::int8_t fixed = fixed_[state_[l]];
    const double shift = fixed == kFree ? 0.0 : fixed == 1 ? penalty_ : -penalty_;
    c_[l] += shift - shift_[state_[l]];
  }
  for (Index i = 0; i < fixed_.size(); ++i) {
    shift_[i] = fixed_[i] == kFree ? 0.0 : fixed_[i] == 1 ? penalty_ : -penalty_;
  }
  keep_free_pairs();
  inverse_degree_.assign(p_.size(), 0.0);
  for (const std::uint32_t i : state_) ++inverse_degree_[i];
  for (Index i = 0; i < p_.size(); ++i) {
    if (inverse_degree_[i] > 0) {
      inverse_degree_[i] = 1 / inverse_degree_[i];
    } else if (fixed_[i] == kFree) {
      p_[i] = score_[i] > 0 ? 1 : 0;
    }
  }
  q_.resize(state_.size());
  b_.resize(state_.size());
  next_.resize(state_.size());
  sum_.resize(p_.size());
  acceleration_.reset(state_.size());
  stale_ = false;
}

// The shares of a pair that returns begin at 0.
void Ad3::Solver::keep_free_pairs() {
  pair_shares_.assign(pairs_.size(), {0.0, 0.0});
  const Index old = free_pairs_.size();
  for (Index k = 0; k < old; ++k) {
    pair_shares_[free_pairs_[k]] = {c_[pairs_begin_ + k], c_[pairs_begin_ + old + k]};
  }
  free_pairs_.clear();
  score_.assign(s_.begin(), s_.begin() + static_cast<std::ptrdiff_t>(p_.size()));
  constant_ = 0;
  for (Index k = 0; k < pairs_.size(); ++k) {
    if (k == num_attractive_) num_free_attractive_ = free_pairs_.size();
    const auto [i, j, part] = pairs_[k];
    if (fixed_[i] == kFree && fixed_[j] == kFree) {
      free_pairs_.push_back(static_cast<std::uint32_t>(k));
    } else if (fixed_[i] == 1 && fixed_[j] == 1) {
      constant_ += s_[part];
    } else if (fixed_[i] == 1) {
      score_[j] += s_[part];
    } else if (fixed_[j] == 1) {
      score_[i] += s_[part];
    }
  }
  if (num_attractive_ == pairs_.size()) num_free_attractive_ = free_pairs_.size();
  const Index size = free_pairs_.size();
  state_.resize(pairs_begin_ + 2 * size);
  c_.resize(state_.size());
  pair_scores_.resize(size);
  for (Index k = 0; k < size; ++k) {
    const Pair& pair = pairs_[free_pairs_[k]];
    pair_scores_[k] = s_[pair.part];
    state_[pairs_begin_ + k] = pair.first;
    state_[pairs_begin_ + size + k] = pair.second;
    c_[pairs_begin_ + k] = pair_shares_[free_pairs_[k]][0];
    c_[pairs_begin_ + size + k] = pair_shares_[free_pairs_[k]][1];
  }
}

void Ad3::Solver::require(const Literal& literal) {
  fix(literal.state, !literal.negated);
  required_.push_back(literal);
}

Ad3Result Ad3::Solver::run(const Ad3Options& options, double least, double tolerance,
                           std::vector<Literal>* implied) {
  Ad3Result result;
  if (stale_) refresh();
  recentre();
  acceleration_.reset(c_.size());
  Index next_adaptation = kFirstAdaptation;
  double seen_upper = kInfinity;
  for (Index round = 0; round < options.max_iterations; ++round) {
    update_copies();
    if (impossible_) break;
    update_point();
    result.convergence.iterations = round + 1;
    result.convergence.residual = std::max(primal_, dual_);
    const bool settled = !unfinished_ && result.convergence.residual <= options.residual;
    const bool last = round + 1 == options.max_iterations;
    if (!settled && round + 1 >= kPlainRounds) accelerate();
    if (settled || last || (round + 1) % kRoundsPerBound == 0) {
      recentre();
      result.upper = std::min(result.upper, upper_bound());
      round_point();
      result.lower = lower_;
      if (refuted(result.upper)) break;
      if (result.upper - lower_ <= options.gap * (largest_ + std::abs(result.upper))) {
        result.integral = true;
        break;
      }
      if (implied != nullptr) {
        const double goal = std::max(least, lower_) + tolerance;
        if (result.upper <= goal) break;
        const bool look = (round + 1) % kPatience == 0;
        const bool stalled = look && seen_upper - result.upper < kProgress * (result.upper - goal);
        if (look) seen_upper = result.upper;
        if (goal > -kInfinity) {
          imply(goal, settled || last || stalled, *implied);
          if (stalled) break;
        }
      }
    }
    if (settled) break;
    if (round + 1 == next_adaptation) {
      adapt();
      next_adaptation += next_adaptation / 2;  // less and less often, or it might not settle
    }
  }
  if (impossible_ || refuted(result.upper)) result.upper = -kInfinity;
  const bool proven = result.integral || result.upper == -kInfinity;
  if (proven) result.convergence.residual = 0;
  result.convergence.converged =
      proven || (!unfinished_ && result.convergence.residual <= options.residual);
  return result;
}

void Ad3::Solver::update_copies() {
  for (Index l = 0; l < c_.size(); ++l) b_[l] = eta_ * p_[state_[l]] + c_[l];
  project_pairs();
  const double inverse = 1 / eta_;
  for (const OneOf& one : one_ofs_) {
    const Index size = one.end - one.begin;
    for (Index l = one.begin; l < one.end; ++l) q_[l] = b_[l] * inverse;
    const std::span<double> q = std::span(q_).subspan(one.begin, size);
    project_simplex(q, 1, q, direction_);
  }
  unfinished_ = false;
  for (const Block& block : blocks_) project_block(block);
}

void Ad3::Solver::project_pairs() {
  const Index size = pair_scores_.size(), attractive = num_free_attractive_;
  const std::span<const double> b = std::span<const double>(b_).subspan(pairs_begin_);
  const std::span<double> q = std::span(q_).subspan(pairs_begin_);
  const double inverse = 1 / eta_;
  project_attractive_pairs(pair_scores_.data(), b.data(), b.data() + size, inverse, attractive,
                           q.data(), q.data() + size);
  project_repulsive_pairs(pair_scores_.data() + attractive, b.data() + attractive,
                          b.data() + size + attractive, inverse, size - attractive,
                          q.data() + attractive, q.data() + size + attractive);
}

void Ad3::Solver::project_block(const Block& block) {
  const FactorGraphLayout::Factor& f = *block.factor;
  const Index size = block.end - block.begin;
  const std::span<const double> b = links_of(block, b_);
  const std::span<double> seen = links_of(block, seen_);
  const double close = kUnchanged * eta_;
  bool changed = false;
  for (Index l = 0; l < size; ++l) changed |= !(std::abs(b[l] - seen[l]) <= close);
  if (!changed && size > 0) return;
  std::ranges::copy(b, seen.begin());
  const std::span<double> q = links_of(block, q_);
  if (block.set != kNoSet) {
    const auto maximize = [&](std::span<const double> scores, std::vector<std::uint32_t>& on) {
      return maximum_.solve(*graph_, f, scores, s_, on);
    };
    const auto own = [&](std::span<const std::uint32_t> on) {
      double sum = 0;
      each_part_of_links(*graph_, f, on, [&](Index part) { sum += s_[part]; });
      return sum;
    };
    const ActiveSet::Outcome outcome =
        sets_[block.set].solve(b, eta_, maximize, own, kStepsPerRound, direction_, on_, q);
    if (outcome == ActiveSet::Outcome::kNoVertex) impossible_ = true;
    if (outcome != ActiveSet::Outcome::kDone) {
      unfinished_ = true;
      if (size > 0) seen[0] = kInfinity;  // to be seen again even if nothing changes
    }
  } else if (f.kind == FactorKind::kHead) {
    q[0] = std::clamp((b[0] + single_head_gain(f)) / eta_, 0.0, 1.0);
  } else {
    link_scores_.resize(size);
    for (Index l = 0; l < size; ++l) link_scores_[l] = b[l] / eta_;
    project_logical(f.kind, graph_->links(f), f.detail, link_scores_, q, direction_);
  }
}

// The gain of a HEAD's only switch, in addition to its own scores.
double Ad3::Solver::single_head_gain(const FactorGraphLayout::Factor& f) const {
  return s_[FactorGraphLayout::head_part(f, 0, 1)] + s_[FactorGraphLayout::head_part(f, 1, 2)] -
         s_[FactorGraphLayout::head_part(f, 0, 2)];
}

void Ad3::Solver::update_point() {
  std::ranges::fill(sum_, 0.0);
  for (Index l = 0; l < q_.size(); ++l) sum_[state_[l]] += q_[l];
  std::swap(p_, before_);
  double change = 0;
  for (Index i = 0; i < p_.size(); ++i) {
    const double degree_inverse = inverse_degree_[i];
    p_[i] = before_[i];
    if (degree_inverse == 0 || fixed_[i] != kFree) continue;
    p_[i] += kOverRelaxation * (sum_[i] * degree_inverse - before_[i]);
    change += (p_[i] - before_[i]) * (p_[i] - before_[i]) / degree_inverse;
  }
  // c −= η(p⁻ + κ(q − p⁻) − p) with p⁻ the previous p. Several sums run in parallel.
  for (Index i = 0; i < p_.size(); ++i) sum_[i] = p_[i] + (kOverRelaxation - 1) * before_[i];
  constexpr Index kSums = 4;
  std::array<double, kSums> apart{};
  const auto move = [&](Index l, double& sum) {
    const Index i = state_[l];
    const double distance = q_[l] - p_[i];
    c_[l] -= eta_ * (kOverRelaxation * q_[l] - sum_[i]);
    sum += distance * distance;
  };
  const Index whole = q_.size() - q_.size() % kSums;
  for (Index l = 0; l < whole; l += kSums) {
    for (Index k = 0; k < kSums; ++k) move(l + k, apart[k]);
  }
  for (Index l = whole; l < q_.size(); ++l) move(l, apart[0]);
  const double links = static_cast<double>(std::max<Index>(1, q_.size()));
  primal_ = std::sqrt(((apart[0] + apart[1]) + (apart[2] + apart[3])) / links);
  dual_ = std::sqrt(change / links);
}

// Shares and p as one vector: t_l = ηp_i + c_l determines both, since Σ_l c_l = s_i.
void Ad3::Solver::accelerate() {
  for (Index l = 0; l < c_.size(); ++l) next_[l] = eta_ * p_[state_[l]] + c_[l];
  acceleration_.step(b_, next_);
  std::ranges::fill(sum_, 0.0);
  for (Index l = 0; l < c_.size(); ++l) sum_[state_[l]] += next_[l];
  for (Index i = 0; i < p_.size(); ++i) {
    if (fixed_[i] != kFree || inverse_degree_[i] == 0) continue;
    p_[i] = (sum_[i] - score_[i]) * inverse_degree_[i] / eta_;
  }
  for (Index l = 0; l < c_.size(); ++l) c_[l] = next_[l] - eta_ * p_[state_[l]];
}

// Boyd, Parikh, Chu, Peleato & Eckstein (2011), sec. 3.4.1.
void Ad3::Solver::adapt() {
  const double ratio = primal_ / std::max(dual_, 1e-300);
  if (ratio < kImbalance && ratio * kImbalance > 1) return;
  eta_ *= std::clamp(std::sqrt(ratio), 1 / kAdaptation, kAdaptation);
  acceleration_.reset(c_.size());
}

void Ad3::Solver::write(std::span<double> z) const {
  std::ranges::fill(z, 0.0);
  for (Index i = 0; i < p_.size(); ++i) z[i] = std::clamp(p_[i], 0.0, 1.0);
  const auto both = [&](Index part, double first, double second) {
    return s_[part] < 0 ? std::max(0.0, first + second - 1) : std::min(first, second);
  };
  for (Index f = 0; f < graph_->num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = graph_->factor(f);
    if (factor.kind != FactorKind::kPair) continue;
    const std::span<const Literal> literals = graph_->links(factor);
    z[factor.parts_begin] = both(factor.parts_begin, z[literals[0].state], z[literals[1].state]);
  }
  const Index size = free_pairs_.size();
  for (Index k = 0; k < size; ++k) {
    const Index part = pairs_[free_pairs_[k]].part;
    z[part] = both(part, q_[pairs_begin_ + k], q_[pairs_begin_ + size + k]);
  }
  for (const Block& block : blocks_) {
    const FactorGraphLayout::Factor& f = *block.factor;
    if (block.set != kNoSet) {
      sets_[block.set].each_vertex([&](double weight, std::span<const std::uint32_t> on) {
        each_part_of_links(*graph_, f, on, [&](Index part) { z[part] += weight; });
      });
    } else if (f.kind == FactorKind::kHead) {
      const double on = q_[block.begin];
      z[FactorGraphLayout::head_part(f, 0, 1)] = z[FactorGraphLayout::head_part(f, 1, 2)] = on;
      z[FactorGraphLayout::head_part(f, 0, 2)] = 1 - on;
    }
  }
}

}  // namespace trellis
