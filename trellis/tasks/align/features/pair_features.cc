#include "trellis/tasks/align/features/pair_features.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "trellis/tasks/align/features/feature_sink.h"

namespace trellis::align {
namespace {

using Edge = MatchingEdges::Edge;

enum LinkPattern : std::uint8_t { kMonotone, kInverted, kSameSource, kSameTarget };
constexpr std::array<std::string_view, 4> kLinkPatternNames = {"monotone", "inverted",
                                                               "same_source", "same_target"};

// Requires a before b.
LinkPattern pattern_of(Edge a, Edge b) {
  if (a.left == b.left) return kSameSource;
  if (a.right == b.right) return kSameTarget;
  return a.right < b.right ? kMonotone : kInverted;
}

// For each set of links: the share of this pattern for the words of a pair of links; the mean over
// the sides that have statistics.
using Shares = std::array<double, BigramPatterns::kSets>;
Shares shares_of(const PairEvidence& evidence, const TextStatistics& statistics, Edge a, Edge b,
                 LinkPattern pattern) {
  Shares shares{};
  Index sides = 0;
  const auto add = [&](std::span<const float> known, BigramPatterns::Pattern of_words) {
    if (known.empty()) return;
    ++sides;
    for (Index set = 0; set < shares.size(); ++set) {
      shares[set] +=
          double{known[BigramPatterns::place(static_cast<BigramPatterns::Set>(set), of_words)]};
    }
  };
  const auto of_words = [&] {
    if (pattern == kMonotone) return BigramPatterns::kMonotone;
    return pattern == kInverted ? BigramPatterns::kInverted : BigramPatterns::kShared;
  }();
  if (pattern != kSameSource) {
    add(statistics.source.find(evidence.source[a.left], evidence.source[b.left]), of_words);
  }
  if (pattern != kSameTarget) {
    const auto [first, second] = std::minmax(a.right, b.right);
    add(statistics.target.find(evidence.target[first], evidence.target[second]), of_words);
  }
  for (double& share : shares) share /= static_cast<double>(std::max<Index>(sides, 1));
  return shares;
}

}  // namespace

struct PairFeatures::Cell {
  Shares shares{};
  double product_a = 0, product_b = 0;    // by the aligner itself
  double strength_a = 0, strength_b = 0;  // by the view with the largest product
  double dice_a = 0, dice_b = 0;
  const PairEvidence* evidence = nullptr;  // null: only names are listed
  Edge a{}, b{};

  bool in_external(Index x) const {
    if (evidence == nullptr) return false;
    const Grid<std::uint8_t>& linked = evidence->externals[x].linked;
    return linked(a.left, a.right) != 0 && linked(b.left, b.right) != 0;
  }
};

PairFeatures::PairFeatures(const std::vector<std::string>& externals) {
  for (const std::string& name : externals) externals_.push_back("external." + name);
  FeatureNames sink(names_);
  for (const std::string_view pattern : kLinkPatternNames) {
    sink.group(pattern);
    tell(Cell{}, sink);
  }
}

template <class Sink>
void PairFeatures::tell(const Cell& cell, Sink& sink) const {
  sink("bias", 1);
  sink("share_forward", cell.shares[BigramPatterns::kForward]);
  sink("share_reverse", cell.shares[BigramPatterns::kReverse]);
  sink("share_intersection", cell.shares[BigramPatterns::kIntersection]);
  sink("product", std::sqrt(cell.product_a * cell.product_b));
  sink("least", std::min(cell.strength_a, cell.strength_b));
  sink("support", std::abs(cell.strength_a - cell.strength_b));
  sink("dice", std::sqrt(cell.dice_a * cell.dice_b));
  for (Index x = 0; x < externals_.size(); ++x) {
    sink(externals_[x], indicator(cell.in_external(x)));
  }
}

void PairFeatures::find(const PairEvidence& evidence, const Candidates& candidates,
                        std::vector<EdgePair>& pairs) {
  pairs.clear();
  for (Index e = 0; e < candidates.edges.size(); ++e) {
    const Index i = candidates.edges[e].left, j = candidates.edges[e].right;
    const auto add = [&](Index l, Index m) {
      if (l >= evidence.num_source || m >= evidence.num_target) return;
      const std::uint32_t other = candidates.edge_at(l, m);
      if (other != Candidates::kNone) pairs.push_back({static_cast<std::uint32_t>(e), other});
    };
    add(i, j + 1);
    if (j > 0) add(i + 1, j - 1);
    add(i + 1, j);
    add(i + 1, j + 1);
  }
}

void PairFeatures::fill(const PairEvidence& evidence, const Candidates& candidates,
                        const TextStatistics& statistics, std::span<const EdgePair> pairs,
                        std::span<float> rows) const {
  assert(rows.size() == pairs.size() * names_.size());
  const ViewEvidence& aligner = evidence.views[0];
  const Index width = names_.size(), each = width / kLinkPatternNames.size();
  Cell cell;
  cell.evidence = &evidence;
  for (Index k = 0; k < pairs.size(); ++k) {
    const Edge a = cell.a = candidates.edges[pairs[k].a];
    const Edge b = cell.b = candidates.edges[pairs[k].b];
    const LinkPattern pattern = pattern_of(a, b);
    cell.shares = shares_of(evidence, statistics, a, b, pattern);
    cell.product_a = double{aligner.product(a.left, a.right)};
    cell.product_b = double{aligner.product(b.left, b.right)};
    cell.strength_a = double{evidence.product(a.left, a.right)};
    cell.strength_b = double{evidence.product(b.left, b.right)};
    cell.dice_a = double{evidence.dice(a.left, a.right)};
    cell.dice_b = double{evidence.dice(b.left, b.right)};
    FeatureValues sink(rows.data() + k * width + pattern * each);
    tell(cell, sink);
  }
}

}  // namespace trellis::align
