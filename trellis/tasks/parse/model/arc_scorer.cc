#include "trellis/tasks/parse/model/arc_scorer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trellis::parse {

namespace {

// Keeps those that may be known, and starts to load their slots.
Index keep_known(const WeightView& table, std::uint64_t* fingerprints, Index size) {
  Index kept = 0;
  for (Index k = 0; k < size; ++k) {
    const std::uint64_t fp = fingerprints[k];
    fingerprints[kept] = fp;
    kept += table.may_know(fp) ? 1 : 0;
  }
  for (Index k = 0; k < kept; ++k) table.prefetch(fingerprints[k]);
  return kept;
}

constexpr Index kMostArcFeatures =
    kArcTemplates.size() + (TagNumbers::kMostTags + 2) * kMidTemplates.size();

}  // namespace

void ArcScorer::compute(ArcFeatures& features, Index head, Index modifier,
                        Scratch::Features& made) {
  made.arc.resize(kMostArcFeatures);
  made.pair.resize(kPairTemplates.size());
  features.set_modifier(modifier);
  features.set_head(head);
  std::uint64_t* arc = made.arc.data();
  features.each_of_arc([&](std::uint64_t fp) { *arc++ = fp; });
  made.arc_size = static_cast<Index>(arc - made.arc.data());
  std::uint64_t* pair = made.pair.data();
  features.each<TemplateTable::kPair>([&](std::uint64_t fp) { *pair++ = fp; });
  made.pair_size = kPairTemplates.size();
}

void ArcScorer::fetch(Scratch::Features& features) const {
  features.arc_size = keep_known(*arcs_, features.arc.data(), features.arc_size);
  features.pair_size = keep_known(labels_->places(), features.pair.data(), features.pair_size);
}

template <TemplateTable kTable>
void ArcScorer::add_rows(const ArcFeatures& features, double* sums) const {
  std::array<std::uint64_t, table_of<kTable>().size()> fingerprints;
  std::uint64_t* end = fingerprints.data();
  features.each<kTable>([&](std::uint64_t fp) { *end++ = fp; });
  const Index known = keep_known(labels_->places(), fingerprints.data(), fingerprints.size());
  for (Index k = 0; k < known; ++k) {
    const std::uint32_t place = labels_->places().find(fingerprints[k]);
    if (place != WeightView::kNone) labels_->add(place, sums);
  }
}

const double* ArcScorer::of_head(ArcFeatures& features, Index head, ArcDirection direction,
                                 Scratch& scratch) const {
  const Index place = kDirections * head + static_cast<Index>(direction);
  double* sums = scratch.of_heads.data() + place * num_labels_;
  if (scratch.known_heads[place] == 0) {
    scratch.known_heads[place] = 1;
    std::fill_n(sums, num_labels_, 0.0);
    features.set_head_alone(head, direction);
    add_rows<TemplateTable::kHead>(features, sums);
  }
  return sums;
}

void ArcScorer::score(const SentenceAtoms& atoms, const LabelledArcs& arcs, Scratch& scratch,
                      std::vector<double>& s) const {
  const DependencyArcs& parts = arcs.parts;
  const Index places = kDirections * (atoms.words() + 1);
  s.resize(parts.size());
  scratch.of_modifier.resize(num_labels_);
  scratch.of_arc.resize(num_labels_);
  scratch.known_heads.assign(places, 0);
  if (scratch.of_heads.size() < places * num_labels_) {
    scratch.of_heads.resize(places * num_labels_);
  }
  ArcFeatures ahead(atoms), words(atoms);
  const Index num_arcs = parts.num_groups();
  const auto compute_arc = [&](Index g) {
    if (g >= num_arcs) return;
    const Index first = parts.group_begin(g);
    compute(ahead, parts.head(first), parts.modifier(first), scratch.computed);
  };
  Index modifier_place = ~Index{0};
  compute_arc(0);
  std::swap(scratch.computed, scratch.fetched);
  compute_arc(1);
  if (num_arcs > 0) fetch(scratch.fetched);
  for (Index g = 0; g < num_arcs; ++g) {
    std::swap(scratch.here, scratch.fetched);
    std::swap(scratch.fetched, scratch.computed);
    if (g + 1 < num_arcs) fetch(scratch.fetched);
    compute_arc(g + 2);
    const Index first = parts.group_begin(g);
    const Index h = parts.head(first), m = parts.modifier(first);
    const ArcDirection direction = direction_of_arc(h, m);
    const Index place = kDirections * m + static_cast<Index>(direction);
    if (place != modifier_place) {
      modifier_place = place;
      std::fill(scratch.of_modifier.begin(), scratch.of_modifier.end(), 0.0);
      words.set_modifier(m);
      words.set_direction(direction);
      add_rows<TemplateTable::kModifier>(words, scratch.of_modifier.data());
    }
    std::copy(scratch.of_modifier.begin(), scratch.of_modifier.end(), scratch.of_arc.begin());
    for (Index k = 0; k < scratch.here.pair_size; ++k) {
      const std::uint32_t row = labels_->places().find(scratch.here.pair[k]);
      if (row != WeightView::kNone) labels_->add(row, scratch.of_arc.data());
    }
    const double* of_head_labels = of_head(words, h, direction, scratch);
    double of_arc = 0;
    for (Index k = 0; k < scratch.here.arc_size; ++k) of_arc += arcs_->weight(scratch.here.arc[k]);
    for (Index p = first; p < parts.group_begin(g + 1); ++p) {
      const std::uint32_t label = arcs.labels[p];
      s[p] = of_arc + (scratch.of_arc[label] + of_head_labels[label]);
    }
  }
}

}  // namespace trellis::parse
