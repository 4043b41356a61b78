#include "trellis/structure/trees/dependency_arcs.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "trellis/base/error.h"

namespace trellis {
namespace {

void check(Index words, const DependencyArc& arc) {
  if (arc.modifier == 0) {
    throw UsageError(fmt::format("an arc leads from word {} to the root", arc.head));
  }
  if (arc.head == arc.modifier) {
    throw UsageError(fmt::format("an arc leads from word {} to itself", arc.head));
  }
  if (arc.head > words || arc.modifier > words) {
    throw UsageError(fmt::format("an arc leads from word {} to word {}, but there are {} words",
                                 arc.head, arc.modifier, words));
  }
}

}  // namespace

DependencyArcs::DependencyArcs(Index words, std::span<const DependencyArc> arcs)
    : begin_(words + 1, 0) {
  constexpr Index kMost = std::numeric_limits<std::uint32_t>::max() / 2;
  if (words > kMost || arcs.size() > kMost) {
    throw UsageError(
        fmt::format("{} words with {} arcs are too many for a tree", words, arcs.size()));
  }
  head_.reserve(arcs.size());
  modifier_.reserve(arcs.size());
  DependencyArc before{0, 0};
  for (const DependencyArc& arc : arcs) {
    check(words, arc);
    if (std::pair(arc.modifier, arc.head) < std::pair(before.modifier, before.head)) {
      throw UsageError(
          fmt::format("the arcs of a dependency tree must be sorted by modifier and then by head, "
                      "but {} → {} comes after {} → {}",
                      arc.head, arc.modifier, before.head, before.modifier));
    }
    const bool parallel = arc.modifier == before.modifier && arc.head == before.head;
    if (!parallel) group_begin_.push_back(head_.size());
    head_.push_back(arc.head);
    modifier_.push_back(arc.modifier);
    begin_[arc.modifier] = head_.size();
    before = arc;
  }
  for (Index m = 1; m <= words; ++m) {
    if (begin_[m] == 0) begin_[m] = begin_[m - 1];
  }
  group_begin_.push_back(head_.size());
}

}  // namespace trellis
