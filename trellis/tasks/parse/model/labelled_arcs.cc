#include "trellis/tasks/parse/model/labelled_arcs.h"

#include <utility>

namespace trellis::parse {

LabelledArcs label_arcs(std::span<const DependencyArc> arcs, const SentenceAtoms& atoms,
                        const LabelSets& sets) {
  std::vector<DependencyArc> parts;
  std::vector<std::uint32_t> labels;
  parts.reserve(8 * arcs.size());
  labels.reserve(8 * arcs.size());
  for (const DependencyArc& arc : arcs) {
    const auto allowed = sets.labels(atoms.tag(arc.head), atoms.tag(arc.modifier),
                                     direction_of_arc(arc.head, arc.modifier));
    parts.insert(parts.end(), allowed.size(), arc);
    labels.insert(labels.end(), allowed.begin(), allowed.end());
  }
  return {DependencyArcs(atoms.words(), parts), std::move(labels)};
}

}  // namespace trellis::parse
