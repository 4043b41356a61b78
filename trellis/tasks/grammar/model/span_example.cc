#include "trellis/tasks/grammar/model/span_example.h"

#include <algorithm>
#include <ranges>

namespace trellis::grammar {

Index SpanExample::bytes() const {
  const Index numbers = features.size() + of_part.begin.size() + of_part.numbers.size();
  return sizeof(*this) + numbers * sizeof(std::uint32_t) +
         chart.forest.num_nodes() * (sizeof(ChartNode) + 2 * sizeof(std::uint32_t)) +
         chart.forest.num_edges() * (sizeof(ChartEdge) + sizeof(PackedForest::Tails) +
                                     sizeof(float) + sizeof(std::int32_t));
}

void SpanExample::shrink() {
  of_part.begin.shrink_to_fit();
  of_part.numbers.shrink_to_fit();
  features.shrink_to_fit();
}

void SpanNumbers::see(std::uint64_t fingerprint) {
  const std::uint32_t number = table_.insert(fingerprint).id;
  if (number == counts_.size()) counts_.push_back(0);
  ++counts_[number];
}

void SpanNumbers::finish(Index min_count) {
  const std::vector<std::uint64_t> all = table_.fingerprints();
  FingerprintTable kept;
  for (Index k = 0; k < all.size(); ++k) {
    if (counts_[k] >= min_count) kept.insert(all[k]);
  }
  table_ = std::move(kept);
  counts_.clear();
}

void see_true_tree(const FeatureKeys& keys, std::span<const std::string> words,
                   std::span<const std::uint32_t> tags, const Derivation& truth,
                   SpanNumbers& numbers) {
  SpanAtoms atoms;
  SpanFeatures features(keys);
  atoms.assign(words, tags, keys);
  features.begin(atoms);
  const auto see = [&](std::uint64_t fingerprint) { numbers.see(fingerprint); };
  for (const DerivationStep& step : truth.steps) {
    ChartEdge edge;
    edge.rule = step.rule;
    if (step.kind == DerivationStep::Kind::kBinary) {
      edge.kind = ChartEdge::Kind::kBinary;
      edge.split = truth.steps[step.first].end;
    } else if (step.kind == DerivationStep::Kind::kChain) {
      edge.kind = ChartEdge::Kind::kChain;
    }
    const bool above = edge.kind == ChartEdge::Kind::kChain;
    const ChartNode node{step.symbol, step.begin, step.end, above};
    features.each(node, see);
    features.each(node, edge, see);
  }
}

void SpanNumberer::fill(const SpanAtoms& atoms, SpanExample& example) {
  example.features.clear();
  example.of_part.clear();
  features_.begin(atoms);
  const auto see = [&](std::uint64_t fingerprint) {
    const std::uint32_t place = numbers_->find(fingerprint);
    if (place == 0) return;
    example.of_part.numbers.push_back(place);
    if (place_[place] == 0) {
      place_[place] = 1;
      example.features.push_back(place);
    }
  };
  const ChartForest& chart = example.chart;
  for (const ChartNode& node : chart.nodes) {
    features_.each(node, see);
    example.of_part.end_list();
  }
  for (Index v = 0; v < chart.nodes.size(); ++v) {
    for (Index e = chart.forest.begin(v); e < chart.forest.end(v); ++e) {
      features_.each(chart.nodes[v], chart.edges[e], see);
      example.of_part.end_list();
    }
  }
  std::ranges::sort(example.features);
  for (std::uint32_t k = 0; k < example.features.size(); ++k) place_[example.features[k]] = k;
  for (std::uint32_t& number : example.of_part.numbers) number = place_[number];
  for (const std::uint32_t place : example.features) place_[place] = 0;
}

}  // namespace trellis::grammar
