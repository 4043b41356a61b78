#include "trellis/tasks/parse/model/arc_scorer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace trellis::parse {

namespace {

// Number of slots to prefetch: as many loads as a core can have in flight.
constexpr Index kSlotsAhead = 24;

constexpr Index kMostArcFeatures =
    kArcTemplates.size() + (TagNumbers::kMostTags + 2) * kMidTemplates.size();
constexpr Index kMostLabelFeatures =
    kPairTemplates.size() + kModifierTemplates.size() + kHeadTemplates.size();

void clear(ArcScorer::FeatureLists& lists) {
  lists.size = 0;
  lists.ends.clear();
}

// Makes room for `more` features and for the prefetched ones.
void make_room(ArcScorer::FeatureLists& lists, Index more) {
  const Index size = lists.size + more + kSlotsAhead;
  if (lists.features.size() < size) lists.features.resize(std::max(size, 2 * lists.size));
}

// Appends the features that may be known.
template <Index kSize>
void append_known(const WeightView& table, const std::array<std::uint64_t, kSize>& made,
                  ArcScorer::FeatureLists& lists) {
  std::uint64_t* const out = lists.features.data();
  Index size = lists.size;
  for (const std::uint64_t fp : made) {
    out[size] = fp;
    size += table.may_know(fp) ? 1 : 0;
  }
  lists.size = size;
}

template <TemplateTable kTable>
void append_arc(const ArcSums<kTable>& sums, Index head, Index modifier,
                const typename ArcSums<kTable>::Own& own, const WeightView& table,
                ArcScorer::FeatureLists& lists) {
  std::array<std::uint64_t, ArcSums<kTable>::kSize> made;
  sums.write(head, modifier, own, made.data());
  append_known(table, made, lists);
}

void end_list(ArcScorer::FeatureLists& lists) {
  lists.ends.push_back(lists.size);
}

// Label scores are summed once for each modifier with a direction and each head with a direction.
Index place_of_word(Index word, ArcDirection direction) {
  return kDirections * word + static_cast<Index>(direction);
}

// Calls visit(g, h, m, whether the modifier's labels are new, whether the head's are), in the order
// of arcs.
template <class Visit>
void each_arc(const DependencyArcs& parts, std::vector<std::uint8_t>& known_heads,
              const Visit& visit) {
  known_heads.assign(kDirections * (parts.words() + 1), 0);
  Index modifier_place = ~Index{0};
  for (Index g = 0; g < parts.num_groups(); ++g) {
    const Index first = parts.group_begin(g);
    const Index h = parts.head(first), m = parts.modifier(first);
    const ArcDirection direction = direction_of_arc(h, m);
    const bool new_modifier = place_of_word(m, direction) != modifier_place;
    modifier_place = place_of_word(m, direction);
    std::uint8_t& known = known_heads[place_of_word(h, direction)];
    const bool new_head = known == 0;
    known = 1;
    visit(g, h, m, new_modifier, new_head);
  }
}

}  // namespace

void ArcScorer::find_features(const SentenceAtoms& atoms, const DependencyArcs& parts,
                              Scratch& scratch) const {
  scratch.arc_sums.assign(atoms);
  scratch.mid_sums.assign(atoms);
  scratch.pair_sums.assign(atoms);
  scratch.modifier_sums.assign(atoms);
  scratch.head_sums.assign(atoms);
  const WeightView& places = labels_->places();
  FeatureLists& of_arcs = scratch.of_arcs;
  FeatureLists& of_labels = scratch.of_labels;
  clear(of_arcs);
  clear(of_labels);
  each_arc(parts, scratch.known_heads,
           [&](Index, Index h, Index m, bool new_modifier, bool new_head) {
             make_room(of_arcs, kMostArcFeatures);
             make_room(of_labels, kMostLabelFeatures);
             std::array<std::uint64_t, kArcAtoms> own = {atoms.distance(h, m), atoms.between(h, m),
                                                         atoms.shared(h, m), atoms.clash(h, m), 0};
             append_arc(scratch.arc_sums, h, m, own, *arcs_, of_arcs);
             for (std::uint64_t tags = atoms.tags_between(h, m); tags != 0; tags &= tags - 1) {
               own[static_cast<Index>(ArcAtom::kCoarseMid)] =
                   atoms.tag_atom(static_cast<Index>(std::countr_zero(tags)));
               append_arc(scratch.mid_sums, h, m, own, *arcs_, of_arcs);
             }
             end_list(of_arcs);
             if (new_modifier) {
               append_arc(scratch.modifier_sums, h, m, own, places, of_labels);
               end_list(of_labels);
             }
             if (new_head) {
               append_arc(scratch.head_sums, h, m, own, places, of_labels);
               end_list(of_labels);
             }
             append_arc(scratch.pair_sums, h, m, own, places, of_labels);
             end_list(of_labels);
           });
  make_room(of_arcs, 0);
  make_room(of_labels, 0);
}

void ArcScorer::find_rows(Scratch& scratch) const {
  const WeightView& places = labels_->places();
  const std::uint64_t* features = scratch.of_labels.features.data();
  const Index size = scratch.of_labels.size;
  scratch.rows.resize(size);
  for (Index k = 0; k < std::min(size, kSlotsAhead); ++k) places.prefetch(features[k]);
  for (Index k = 0; k < size; ++k) {
    places.prefetch(features[k + kSlotsAhead]);
    scratch.rows[k] = places.find(features[k]);
    labels_->prefetch(scratch.rows[k] != WeightView::kNone ? scratch.rows[k] : 0);
  }
}

void ArcScorer::sum(const LabelledArcs& arcs, Scratch& scratch, std::vector<double>& s) const {
  const DependencyArcs& parts = arcs.parts;
  scratch.of_modifier.resize(num_labels_);
  scratch.of_arc.resize(num_labels_);
  const Index num_heads = kDirections * (parts.words() + 1);
  if (scratch.of_heads.size() < num_heads * num_labels_) {
    scratch.of_heads.resize(num_heads * num_labels_);
  }
  const std::uint64_t* features = scratch.of_arcs.features.data();
  for (Index k = 0; k < std::min(scratch.of_arcs.size, kSlotsAhead); ++k) {
    arcs_->prefetch(features[k]);
  }
  Index feature = 0, row = 0, list = 0;
  const auto add_list = [&](double* sums) {
    for (const Index end = scratch.of_labels.ends[list++]; row < end; ++row) {
      if (scratch.rows[row] != WeightView::kNone) labels_->add(scratch.rows[row], sums);
    }
  };
  each_arc(
      parts, scratch.known_heads, [&](Index g, Index h, Index m, bool new_modifier, bool new_head) {
        double* of_head = &scratch.of_heads[place_of_word(h, direction_of_arc(h, m)) * num_labels_];
        if (new_modifier) {
          std::fill(scratch.of_modifier.begin(), scratch.of_modifier.end(), 0.0);
          add_list(scratch.of_modifier.data());
        }
        if (new_head) {
          std::fill_n(of_head, num_labels_, 0.0);
          add_list(of_head);
        }
        std::copy(scratch.of_modifier.begin(), scratch.of_modifier.end(), scratch.of_arc.begin());
        add_list(scratch.of_arc.data());
        double of_arc = 0;
        for (const Index end = scratch.of_arcs.ends[g]; feature < end; ++feature) {
          arcs_->prefetch(features[feature + kSlotsAhead]);
          of_arc += arcs_->weight(features[feature]);
        }
        for (Index p = parts.group_begin(g); p < parts.group_begin(g + 1); ++p) {
          const std::uint32_t label = arcs.labels[p];
          s[p] = of_arc + (scratch.of_arc[label] + of_head[label]);
        }
      });
}

void ArcScorer::score(const SentenceAtoms& atoms, const LabelledArcs& arcs, Scratch& scratch,
                      std::vector<double>& s) const {
  s.resize(arcs.parts.size());
  find_features(atoms, arcs.parts, scratch);
  find_rows(scratch);
  sum(arcs, scratch, s);
}

}  // namespace trellis::parse
