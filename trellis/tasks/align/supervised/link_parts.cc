#include "trellis/tasks/align/supervised/link_parts.h"

#include <algorithm>
#include <utility>

namespace trellis::align {
namespace {

// Of the D − 1 parts of each word, part d has the word's features once for each c ≤ d.
FeatureRows cumulated(const FeatureRows& words, Index most_links) {
  const Index levels = most_links - 1;
  FeatureRowsBuilder rows(words.width() * levels, true, words.num_rows() * levels);
  for (Index r = 0; r < words.num_rows(); ++r) {
    for (Index d = 0; d < levels; ++d) {
      rows.begin_row();
      for (Index c = 0; c <= d; ++c) {
        words.for_each(r, [&](Index k, double value) {
          rows.add(c * words.width() + k, static_cast<float>(value));
        });
      }
    }
  }
  return std::move(rows).finish();
}

// If a word has at most one link, two links of one word never occur together: their pairs carry no
// information and only loosen the relaxation.
void drop_pairs_of_one_word(LinkGraph& graph) {
  const auto meet = [&](const EdgePair& pair) {
    const MatchingEdges::Edge a = graph.edges[pair.a];
    const MatchingEdges::Edge b = graph.edges[pair.b];
    return a.left != b.left && a.right != b.right;
  };
  const auto kept = static_cast<Index>(std::count_if(graph.pairs.begin(), graph.pairs.end(), meet));
  FeatureRowsBuilder rows(graph.pair_rows.width(), true, kept);
  for (Index p = 0; p < graph.pairs.size(); ++p) {
    if (!meet(graph.pairs[p])) continue;
    rows.begin_row();
    graph.pair_rows.for_each(
        p, [&](Index k, double value) { rows.add(k, static_cast<float>(value)); });
  }
  graph.pair_rows = std::move(rows).finish();
  std::erase_if(graph.pairs, [&](const EdgePair& pair) { return !meet(pair); });
}

}  // namespace

WeightLayout layout_of(const AlignmentFeatures& features, const LinkShape& shape) {
  WeightLayout layout;
  layout.links = features.link_names().size();
  layout.identities = features.identity_names().size();
  layout.words = features.word_names().size();
  layout.pairs = shape.quadratic ? features.pair_names().size() : 0;
  layout.most_links = shape.most_links;
  return layout;
}

void LinkParts::scores(std::span<const double> w, std::span<double> s) const {
  std::fill(s.begin(), s.end(), 0.0);
  for (const FeatureBlock& block : blocks) block.add_scores(w, s);
}

LinkParts link_parts(LinkGraph graph, const WeightLayout& layout) {
  if (layout.pairs > 0 && layout.most_links == 1) drop_pairs_of_one_word(graph);
  LinkParts parts;
  parts.edges =
      std::make_unique<const MatchingEdges>(graph.num_source, graph.num_target, graph.edges);
  parts.links = std::move(graph.edges);
  const auto add = [&](FeatureRows rows, Index part_begin, Index weight_begin, double scale) {
    if (rows.num_rows() == 0 || rows.width() == 0) return;
    parts.blocks.push_back({std::move(rows), part_begin, 1, weight_begin, scale});
  };
  const Index words_begin = parts.links.size();
  const Index levels = layout.most_links - 1;
  add(std::move(graph.links), 0, 0, 1);
  add(std::move(graph.identities), 0, layout.identity_begin(), 1);
  if (levels > 0) {
    add(cumulated(graph.source_words, layout.most_links), words_begin, layout.source_word_begin(),
        -1);
    add(cumulated(graph.target_words, layout.most_links), words_begin + graph.num_source * levels,
        layout.target_word_begin(), -1);
  }
  if (layout.pairs == 0) return parts;
  parts.pairs = std::move(graph.pairs);
  add(std::move(graph.pair_rows), words_begin + (graph.num_source + graph.num_target) * levels,
      layout.pair_begin(), 1);
  return parts;
}

}  // namespace trellis::align
