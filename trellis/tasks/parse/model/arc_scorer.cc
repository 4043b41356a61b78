#include "trellis/tasks/parse/model/arc_scorer.h"

#include <algorithm>
#include <utility>

namespace trellis::parse {

void ArcScorer::fetch(ArcFeatures& features, Index head, Index modifier,
                      Scratch::Fetched& ahead) const {
  ahead.arc.clear();
  ahead.pair.clear();
  features.set_modifier(modifier);
  features.set_head(head);
  features.each_of_arc([&](std::uint64_t fp) {
    arcs_->prefetch(fp);
    ahead.arc.push_back(fp);
  });
  features.each<TemplateTable::kPair>([&](std::uint64_t fp) {
    labels_->places().prefetch(fp);
    ahead.pair.push_back(fp);
  });
}

template <TemplateTable kTable>
void ArcScorer::add_rows(const ArcFeatures& features, double* sums) const {
  features.each<kTable>([&](std::uint64_t fp) {
    const std::uint32_t place = labels_->places().find(fp);
    if (place != WeightView::kNone) labels_->add(place, sums);
  });
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
  const auto fetch_group = [&](Index g) {
    const Index first = parts.group_begin(g);
    fetch(ahead, parts.head(first), parts.modifier(first), scratch.ahead);
  };
  Index modifier_place = ~Index{0};
  if (parts.num_groups() > 0) fetch_group(0);
  for (Index g = 0; g < parts.num_groups(); ++g) {
    std::swap(scratch.ahead, scratch.here);
    if (g + 1 < parts.num_groups()) fetch_group(g + 1);
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
    for (const std::uint64_t fp : scratch.here.pair) {
      const std::uint32_t row = labels_->places().find(fp);
      if (row != WeightView::kNone) labels_->add(row, scratch.of_arc.data());
    }
    const double* of_head_labels = of_head(words, h, direction, scratch);
    double of_arc = 0;
    for (const std::uint64_t fp : scratch.here.arc) of_arc += arcs_->weight(fp);
    for (Index p = first; p < parts.group_begin(g + 1); ++p) {
      const std::uint32_t label = arcs.labels[p];
      s[p] = of_arc + (scratch.of_arc[label] + of_head_labels[label]);
    }
  }
}

}  // namespace trellis::parse
