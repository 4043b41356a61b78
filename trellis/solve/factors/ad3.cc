#include "trellis/solve/factors/ad3.h"

#include <algorithm>
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
constexpr Index kPlainRounds =
    30;  // before acceleration: until then most factors change their face
constexpr Index kFirstAdaptation = 10;
constexpr double kImbalance = 1.5;  // of primal and dual residual, that η may leave
constexpr double kAdaptation = 4;   // of η at most
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

bool is_hard(FactorKind kind) {
  return kind >= FactorKind::kOneOf;
}

}  // namespace

Ad3Result Ad3::solve(const FactorGraphLayout& graph, std::span<const double> s,
                     const Ad3Options& options, std::span<double> z) {
  begin(graph, s);
  const Ad3Result result = run(options);
  if (result.integral) {
    graph.indicator(assignment_, z);
  } else {
    write(z);
  }
  return result;
}

Index Ad3::take_set() {
  if (num_sets_ == sets_.size()) sets_.emplace_back();
  sets_[num_sets_].clear();
  return num_sets_++;
}

void Ad3::begin(const FactorGraphLayout& graph, std::span<const double> s) {
  assert(s.size() == graph.num_parts());
  graph_ = &graph;
  s_ = s;
  pairs_.clear();
  blocks_.clear();
  one_ofs_.clear();
  num_sets_ = 0;
  state_.resize(graph.num_links());
  for (Index l = 0; l < graph.num_links(); ++l) state_[l] = graph.link(l).state;
  for (Index f = 0; f < graph.num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = graph.factor(f);
    if (factor.kind == FactorKind::kPair) {
      pairs_.push_back({factor.links_begin, s[factor.parts_begin]});
    } else {
      blocks_.push_back({&factor, is_closed_form(factor) ? kNoSet : take_set()});
    }
  }
  add_one_ofs();
  const Index states = graph.num_states();
  inverse_degree_.assign(states, 0.0);
  for (const std::uint32_t i : state_) ++inverse_degree_[i];
  for (double& degree : inverse_degree_) degree = degree > 0 ? 1 / degree : 0;
  share_scores();
  q_.assign(state_.size(), 0.5);
  b_.resize(state_.size());
  seen_.assign(state_.size(), kInfinity);
  p_.assign(states, 0.5);
  for (Index i = 0; i < states; ++i) {
    if (inverse_degree_[i] == 0) p_[i] = s[i] > 0 ? 1 : 0;
  }
  before_ = p_;
  sum_.resize(states);
  fixed_.assign(states, kFree);
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
  rounded_.clear();
  lower_ = -kInfinity;
  impossible_ = false;
}

// Equal shares, but half for a TREE, which then begins near the answer.
void Ad3::share_scores() {
  c_.resize(state_.size());
  for (Index l = 0; l < c_.size(); ++l) c_[l] = s_[state_[l]] * inverse_degree_[state_[l]];
  for (const Block& block : blocks_) {
    if (block.factor->kind != FactorKind::kTree) continue;
    for (Index l = block.factor->links_begin; l < block.factor->links_end; ++l) {
      const Index i = state_[l];
      if (inverse_degree_[i] == 1) continue;
      const double rest = 0.5 * s_[i] * inverse_degree_[i] / (1 - inverse_degree_[i]);
      each_link_of(i, [&](Index other) { c_[other] = other == l ? 0.5 * s_[i] : rest; });
    }
  }
}

// Variables whose states no TABLE or SEQUENCE ties together.
void Ad3::add_one_ofs() {
  one_of_link_.assign(graph_->num_states(), kNoLink);
  tied_.assign(graph_->num_variables(), 0);
  for (const Block& block : blocks_) {
    for (const std::uint32_t v : graph_->scope(*block.factor)) tied_[v] = 1;
  }
  for (Index v = 0; v < graph_->num_variables(); ++v) {
    if (graph_->is_switch(v) || tied_[v] != 0) continue;
    const Index begin = state_.size();
    for (Index k = 0; k < graph_->arity(v); ++k) {
      one_of_link_[graph_->state(v, k)] = static_cast<std::uint32_t>(state_.size());
      state_.push_back(static_cast<std::uint32_t>(graph_->state(v, k)));
    }
    one_ofs_.push_back({begin, state_.size()});
  }
}

void Ad3::fix(Index state, bool on) {
  assert(!is_fixed(state));
  fixed_[state] = on ? 1 : 0;
  p_[state] = on ? 1 : 0;
  const double shift = on ? penalty_ : -penalty_;
  each_link_of(state, [&](Index l) { c_[l] += shift; });
}

// The shares of a free state sum to its score again before they are used (recentre).
void Ad3::release(Index state) {
  assert(is_fixed(state));
  const double shift = fixed_[state] == 1 ? -penalty_ : penalty_;
  each_link_of(state, [&](Index l) { c_[l] += shift; });
  fixed_[state] = kFree;
  if (inverse_degree_[state] == 0) p_[state] = s_[state] > 0 ? 1 : 0;
}

void Ad3::require(const Literal& literal) {
  fix(literal.state, !literal.negated);
  required_.push_back(literal);
}

Ad3Result Ad3::run(const Ad3Options& options, double goal) {
  Ad3Result result;
  recentre();
  acceleration_.reset(c_.size());
  Index next_adaptation = kFirstAdaptation;
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
      if (result.upper <= goal || refuted(result.upper)) break;
      if (result.upper - lower_ <= options.gap * (largest_ + std::abs(result.upper))) {
        result.integral = true;
        break;
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

void Ad3::update_copies() {
  for (Index l = 0; l < c_.size(); ++l) b_[l] = eta_ * p_[state_[l]] + c_[l];
  const double inverse = 1 / eta_;
  for (const Pair& pair : pairs_) {
    const Index l = pair.link;
    const PairPoint point =
        project_pair(b_[l] * inverse, b_[l + 1] * inverse, pair.score * inverse);
    q_[l] = point.first;
    q_[l + 1] = point.second;
  }
  for (const OneOf& one : one_ofs_) {
    const Index size = one.end - one.begin;
    for (Index l = one.begin; l < one.end; ++l) q_[l] = b_[l] * inverse;
    const std::span<double> q = std::span(q_).subspan(one.begin, size);
    project_simplex(q, 1, q, direction_);
  }
  unfinished_ = false;
  for (const Block& block : blocks_) project_block(block);
}

void Ad3::project_block(const Block& block) {
  const FactorGraphLayout::Factor& f = *block.factor;
  const Index begin = f.links_begin, size = f.links_end - f.links_begin;
  const std::span<const double> b = std::span<const double>(b_).subspan(begin, size);
  const std::span<double> seen = std::span(seen_).subspan(begin, size);
  const double close = kUnchanged * eta_;
  bool changed = false;
  for (Index l = 0; l < size; ++l) changed |= !(std::abs(b[l] - seen[l]) <= close);
  if (!changed && size > 0) return;
  std::ranges::copy(b, seen.begin());
  const std::span<double> q = std::span(q_).subspan(begin, size);
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
      seen[0] = kInfinity;  // to be seen again even if nothing changes
    }
  } else if (f.kind == FactorKind::kHead) {
    q[0] = std::clamp((b[0] + single_head_gain(f)) / eta_, 0.0, 1.0);
  } else {
    link_scores_.resize(size);
    for (Index l = 0; l < size; ++l) link_scores_[l] = b[l] / eta_;
    project_logical(f.kind, graph_->links(f), f.detail, link_scores_, q, direction_);
  }
}

// What a HEAD's only switch adds to its own scores.
double Ad3::single_head_gain(const FactorGraphLayout::Factor& f) const {
  return s_[FactorGraphLayout::head_part(f, 0, 1)] + s_[FactorGraphLayout::head_part(f, 1, 2)] -
         s_[FactorGraphLayout::head_part(f, 0, 2)];
}

void Ad3::update_point() {
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
  double apart = 0;
  for (Index l = 0; l < q_.size(); ++l) {
    const Index i = state_[l];
    const double moved = before_[i] + kOverRelaxation * (q_[l] - before_[i]);
    c_[l] -= eta_ * (moved - p_[i]);
    apart += (q_[l] - p_[i]) * (q_[l] - p_[i]);
  }
  const double links = static_cast<double>(std::max<Index>(1, q_.size()));
  primal_ = std::sqrt(apart / links);
  dual_ = std::sqrt(change / links);
}

// The shares and p as one: t_l = ηp_i + c_l, from which both come back since Σ_l c_l = s_i.
void Ad3::accelerate() {
  next_.resize(c_.size());
  for (Index l = 0; l < c_.size(); ++l) next_[l] = eta_ * p_[state_[l]] + c_[l];
  acceleration_.step(b_, next_);
  std::ranges::fill(sum_, 0.0);
  for (Index l = 0; l < c_.size(); ++l) sum_[state_[l]] += next_[l];
  for (Index i = 0; i < p_.size(); ++i) {
    if (fixed_[i] != kFree || inverse_degree_[i] == 0) continue;
    p_[i] = (sum_[i] - s_[i]) * inverse_degree_[i] / eta_;
  }
  for (Index l = 0; l < c_.size(); ++l) c_[l] = next_[l] - eta_ * p_[state_[l]];
}

// Boyd, Parikh, Chu, Peleato & Eckstein (2011), sec. 3.4.1.
void Ad3::adapt() {
  const double ratio = primal_ / std::max(dual_, 1e-300);
  if (ratio < kImbalance && ratio * kImbalance > 1) return;
  eta_ *= std::clamp(std::sqrt(ratio), 1 / kAdaptation, kAdaptation);
  acceleration_.reset(c_.size());
}

// Σ_l c_l = s_i again for states that are free: rounding, and what was fixed, have spoiled it.
void Ad3::recentre() {
  std::ranges::fill(sum_, 0.0);
  for (Index l = 0; l < c_.size(); ++l) sum_[state_[l]] += c_[l];
  for (Index i = 0; i < sum_.size(); ++i) {
    sum_[i] = fixed_[i] == kFree ? (s_[i] - sum_[i]) * inverse_degree_[i] : 0.0;
  }
  for (Index l = 0; l < c_.size(); ++l) c_[l] += sum_[state_[l]];
}

// Σ_f max_f, and of a fixed state its score less its shares, which the copies have got.
double Ad3::upper_bound() {
  double bound = 0;
  for (const Pair& pair : pairs_) {
    const double first = c_[pair.link], second = c_[pair.link + 1];
    bound += std::max(std::max(0.0, first + second + pair.score), std::max(first, second));
  }
  for (const OneOf& one : one_ofs_) {
    const std::span<const double> c =
        std::span<const double>(c_).subspan(one.begin, one.end - one.begin);
    bound += *std::ranges::max_element(c);
  }
  for (const Block& block : blocks_) {
    const FactorGraphLayout::Factor& f = *block.factor;
    const auto c = std::span<const double>(c_).subspan(f.links_begin, f.links_end - f.links_begin);
    bound += maximum_.solve(*graph_, f, c, s_, on_);
  }
  for (Index i = 0; i < p_.size(); ++i) {
    if (inverse_degree_[i] == 0) bound += s_[i] * p_[i];
  }
  for (Index l = 0; l < c_.size(); ++l) {
    if (fixed_[state_[l]] == 1) bound += s_[state_[l]] * inverse_degree_[state_[l]] - c_[l];
  }
  return bound;
}

// The nearest values first, then what each hard factor makes of p, TREEs last.
void Ad3::round_point() {
  const FactorGraphLayout& graph = *graph_;
  rounding_.resize(graph.num_variables());
  for (Index v = 0; v < graph.num_variables(); ++v) {
    const double* p = p_.data() + graph.state(v, 0);
    rounding_[v] = graph.is_switch(v)
                       ? (p[0] > 0.5 ? 1 : 0)
                       : static_cast<std::uint32_t>(std::max_element(p, p + graph.arity(v)) - p);
  }
  for (const bool trees : {false, true}) {
    for (const Block& block : blocks_) {
      const FactorKind kind = block.factor->kind;
      if ((kind == FactorKind::kTree) == trees && is_hard(kind)) round_factor(*block.factor);
    }
  }
  if (rounding_ == rounded_) return;
  rounded_ = rounding_;
  const auto holds = [&](const Literal& literal) { return graph.holds(literal, rounded_); };
  if (!std::ranges::all_of(required_, holds) || !graph.legal(rounded_)) return;
  const double score = graph.score(s_, rounded_);
  if (score > lower_) {
    lower_ = score;
    assignment_ = rounded_;
  }
}

void Ad3::round_factor(const FactorGraphLayout::Factor& f) {
  const std::span<const Literal> literals = graph_->links(f);
  link_scores_.resize(literals.size());
  for (Index l = 0; l < literals.size(); ++l) {
    link_scores_[l] = p_[literals[l].state] - 0.5;
  }
  maximum_.solve(*graph_, f, link_scores_, s_, on_);
  Index next = 0;
  for (Index l = 0; l < literals.size(); ++l) {
    const bool on = next < on_.size() && on_[next] == l;
    next += on ? 1 : 0;
    const Index v = graph_->variable_of(literals[l].state);
    if (graph_->is_switch(v)) rounding_[v] = on ? 1 : 0;
  }
}

void Ad3::write(std::span<double> z) const {
  std::ranges::fill(z, 0.0);
  for (Index i = 0; i < p_.size(); ++i) z[i] = std::clamp(p_[i], 0.0, 1.0);
  for (Index f = 0; f < graph_->num_factors(); ++f) {
    const FactorGraphLayout::Factor& factor = graph_->factor(f);
    if (factor.kind != FactorKind::kPair) continue;
    const double first = q_[factor.links_begin], second = q_[factor.links_begin + 1];
    z[factor.parts_begin] =
        s_[factor.parts_begin] < 0 ? std::max(0.0, first + second - 1) : std::min(first, second);
  }
  for (const Block& block : blocks_) {
    const FactorGraphLayout::Factor& f = *block.factor;
    if (block.set != kNoSet) {
      sets_[block.set].each_vertex([&](double weight, std::span<const std::uint32_t> on) {
        each_part_of_links(*graph_, f, on, [&](Index part) { z[part] += weight; });
      });
    } else if (f.kind == FactorKind::kHead) {
      const double on = q_[f.links_begin];
      z[FactorGraphLayout::head_part(f, 0, 1)] = z[FactorGraphLayout::head_part(f, 1, 2)] = on;
      z[FactorGraphLayout::head_part(f, 0, 2)] = 1 - on;
    }
  }
}

}  // namespace trellis
