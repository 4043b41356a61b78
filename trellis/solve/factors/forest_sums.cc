#include "trellis/solve/factors/forest_sums.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include "trellis/solve/vectors/log_domain.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

void ForestSums::reset(const ForestCover& cover) {
  cover_ = &cover;
  const FactorGraphLayout& layout = cover.layout();
  messages_.reset(layout);
  place_.resize(layout.num_states());
}

// Whether all that there is to sum is one factor's business.
bool ForestSums::is_simple(const Piece& piece) const {
  if (piece.factors_end - piece.factors_begin > 1) return false;
  const FactorGraphLayout& layout = cover_->layout();
  const FactorKind kind = layout.factor(cover_->factors(piece)[0]).kind;
  if (piece.untied || kind == FactorKind::kTable || kind == FactorKind::kSequence) return true;
  return std::ranges::all_of(cover_->variables(piece),
                             [&](std::uint32_t v) { return layout.is_switch(v); });
}

double ForestSums::sum_factor(const FactorGraphLayout::Factor& f, std::span<const double> eta,
                              std::span<const double> parts, std::span<double> part_marginals) {
  const Index own = f.parts_end - f.parts_begin;
  heard_.resize(eta.size());
  return sums_.sum(
      cover_->layout(), f, eta, parts.subspan(f.parts_begin, own), heard_,
      part_marginals.empty() ? part_marginals : part_marginals.subspan(f.parts_begin, own));
}

// eta_ ← θ by the links of the piece's one factor
void ForestSums::read_links(const Piece& piece, std::span<const double> theta) {
  const FactorGraphLayout& layout = cover_->layout();
  const std::span<const std::uint32_t> states =
      cover_->piece_states().subspan(piece.states_begin, theta.size());
  for (Index k = 0; k < states.size(); ++k) place_[states[k]] = static_cast<std::uint32_t>(k);
  eta_.clear();
  for (const Literal& link : layout.links(layout.factor(cover_->factors(piece)[0]))) {
    eta_.push_back(theta[place_[link.state]]);
  }
}

double ForestSums::sum_simple(const Piece& piece, std::span<const double> theta,
                              std::span<const double> parts, std::span<double> marginals,
                              std::span<double> part_marginals) {
  const FactorGraphLayout& layout = cover_->layout();
  const FactorGraphLayout::Factor& f = layout.factor(cover_->factors(piece)[0]);
  read_links(piece, theta);
  double value = sum_factor(f, eta_, parts, part_marginals);
  if (value == -kInfinity) return value;
  std::ranges::copy(theta, marginals.begin());
  const std::span<const Literal> links = layout.links(f);
  for (Index l = 0; l < links.size(); ++l) marginals[place_[links[l].state]] += heard_[l];
  if (piece.untied && links.size() < theta.size()) {
    // States that it is not linked to are coins; the others are counted by the factor.
    for (const double score : theta) value += softplus(score);
    for (const double eta : eta_) value -= softplus(eta);
  }
  Index next = 0;
  for (const std::uint32_t v : cover_->variables(piece)) {
    const std::span<double> states = marginals.subspan(next, layout.arity(v));
    next += states.size();
    if (piece.untied || layout.is_switch(v)) {
      for (double& p : states) p = chance_of(p);
    } else {
      softmax(states, states);
    }
  }
  return value;
}

double ForestSums::sum(const Piece& piece, std::span<const double> theta,
                       std::span<const double> parts, std::span<double> marginals,
                       std::span<double> part_marginals) {
  if (is_simple(piece)) return sum_simple(piece, theta, parts, marginals, part_marginals);
  const FactorGraphLayout& layout = cover_->layout();
  const std::span<const std::uint32_t> factors = cover_->factors(piece);
  const std::span<const std::uint32_t> parents = cover_->parents(piece);
  double total = 0;
  for (const double score : theta) total += std::abs(score);
  for (const std::uint32_t f : factors) {
    const FactorGraphLayout::Factor& factor = layout.factor(f);
    for (Index p = factor.parts_begin; p < factor.parts_end; ++p) total += std::abs(parts[p]);
    total += static_cast<double>(factor.links_end - factor.links_begin);
  }
  const double limit = 1000 + 4 * total;
  messages_.restart(factors, cover_->variables(piece), theta, limit);
  // A factor sends its sum upwards as a message, relative to its sum with the variable above off
  // (or to the message's largest value): `value` stores that reference.
  double value = 0;
  for (Index k = factors.size(); k-- > 0;) {
    const FactorGraphLayout::Factor& f = layout.factor(factors[k]);
    const double sum = sum_factor(f, messages_.gather(f), parts, part_marginals);
    if (sum == -kInfinity) return -kInfinity;
    messages_.replace(f, heard_);
    value += sum + messages_.log_sum_passed_by(f, parents[k]);
  }
  for (const std::uint32_t number : factors.subspan(1)) {
    const FactorGraphLayout::Factor& f = layout.factor(number);
    sum_factor(f, messages_.gather(f), parts, part_marginals);
    messages_.replace(f, heard_);
  }
  Index next = 0;
  for (const std::uint32_t v : cover_->variables(piece)) {
    messages_.marginals(v, marginals.subspan(next, layout.arity(v)));
    next += layout.arity(v);
  }
  return value < -limit / 2 ? -kInfinity : value;
}

double ForestSums::entropy(const Piece& piece, std::span<const double> theta,
                           std::span<const double> parts) {
  const FactorGraphLayout& layout = cover_->layout();
  const auto entropy_of = [&](const FactorGraphLayout::Factor& f, std::span<const double> eta) {
    return sums_.entropy(layout, f, eta, parts.subspan(f.parts_begin, f.parts_end - f.parts_begin));
  };
  double entropy = 0;
  if (is_simple(piece)) {
    read_links(piece, theta);
    entropy = entropy_of(layout.factor(cover_->factors(piece)[0]), eta_);
    if (!piece.untied) return entropy;
    for (const double score : theta) entropy += binary_entropy(score);
    for (const double eta : eta_) entropy -= binary_entropy(eta);
    return entropy;
  }
  for (const std::uint32_t number : cover_->factors(piece)) {
    const FactorGraphLayout::Factor& f = layout.factor(number);
    entropy += entropy_of(f, messages_.gather(f));
    entropy -= messages_.entropy_of_links(f);
  }
  for (const std::uint32_t v : cover_->variables(piece)) {
    entropy += messages_.entropy_of_variable(v);
  }
  return entropy;
}

}  // namespace trellis
