#include "trellis/generative/alignment/symmetrise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <tuple>
#include <vector>

namespace trellis {
namespace {

struct Offset {
  int target;
  int source;
};
constexpr std::array<Offset, 8> kNeighbours = {
    {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

Links intersection_of(std::span<const Link> a, std::span<const Link> b) {
  Links out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

Links union_of(std::span<const Link> a, std::span<const Link> b) {
  Links out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

// The links of the union by target word, then source word, and which of them are in A.
class GrowingLinks {
 public:
  GrowingLinks(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
               Index num_target)
      : cells_(union_of(forward, reverse)),
        in_(cells_.size(), false),
        row_begin_(num_target + 1, 0),
        source_linked_(num_source, false),
        target_linked_(num_target, false) {
    std::sort(cells_.begin(), cells_.end(), [](Link a, Link b) {
      return std::tie(a.target, a.source) < std::tie(b.target, b.source);
    });
    for (const Link cell : cells_) ++row_begin_[cell.target + 1];
    for (Index t = 0; t < num_target; ++t) row_begin_[t + 1] += row_begin_[t];
    for (Index k = 0; k < cells_.size(); ++k) {
      if (contains(forward, cells_[k]) && contains(reverse, cells_[k])) add(k);
    }
  }

  void grow_diag() {
    for (bool added = true; added;) {
      added = false;
      for (Index k = 0; k < cells_.size(); ++k) {
        if (!in_[k]) continue;
        for (const Offset offset : kNeighbours) {
          const Index neighbour = find(cells_[k], offset);
          if (neighbour == kNone || num_linked(neighbour) == 2) continue;
          add(neighbour);
          added = true;
        }
      }
    }
  }

  // FINAL with most_linked = 1, FINAL-AND with 0.
  void finish(std::span<const Link> direction, int most_linked) {
    for (Index k = 0; k < cells_.size(); ++k) {
      if (num_linked(k) <= most_linked && contains(direction, cells_[k])) add(k);
    }
  }

  Links links() const {
    Links out;
    for (Index k = 0; k < cells_.size(); ++k) {
      if (in_[k]) out.push_back(cells_[k]);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  static constexpr Index kNone = static_cast<Index>(-1);

  void add(Index k) {
    in_[k] = true;
    source_linked_[cells_[k].source] = true;
    target_linked_[cells_[k].target] = true;
  }

  // How many of its two words have a link in A.
  int num_linked(Index k) const {
    return (source_linked_[cells_[k].source] ? 1 : 0) + (target_linked_[cells_[k].target] ? 1 : 0);
  }

  Index find(Link from, Offset offset) const {
    const std::int64_t target = std::int64_t{from.target} + offset.target;
    const std::int64_t source = std::int64_t{from.source} + offset.source;
    if (target < 0 || target + 1 >= static_cast<std::int64_t>(row_begin_.size())) return kNone;
    const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(row_begin_[Index(target)]);
    const auto end = cells_.begin() + static_cast<std::ptrdiff_t>(row_begin_[Index(target) + 1]);
    const auto at = std::lower_bound(begin, end, source, [](Link cell, std::int64_t s) {
      return std::int64_t{cell.source} < s;
    });
    if (at == end || std::int64_t{at->source} != source) return kNone;
    return static_cast<Index>(at - cells_.begin());
  }

  std::vector<Link> cells_;
  std::vector<bool> in_;
  std::vector<Index> row_begin_;  // by target word
  std::vector<bool> source_linked_;
  std::vector<bool> target_linked_;
};

Links grown(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
            Index num_target, Symmetrisation method) {
  GrowingLinks links(forward, reverse, num_source, num_target);
  links.grow_diag();
  if (method != Symmetrisation::kGrowDiag) {
    const int most_linked = method == Symmetrisation::kGrowDiagFinal ? 1 : 0;
    links.finish(forward, most_linked);
    links.finish(reverse, most_linked);
  }
  return links.links();
}

[[maybe_unused]] bool is_link_set(std::span<const Link> links, Index num_source, Index num_target) {
  return std::adjacent_find(links.begin(), links.end(), std::greater_equal<>()) == links.end() &&
         std::all_of(links.begin(), links.end(), [&](Link link) {
           return link.source < num_source && link.target < num_target;
         });
}

}  // namespace

Links symmetrise(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
                 Index num_target, Symmetrisation method) {
  assert(is_link_set(forward, num_source, num_target));
  assert(is_link_set(reverse, num_source, num_target));
  switch (method) {
    case Symmetrisation::kForward:
      return Links(forward.begin(), forward.end());
    case Symmetrisation::kReverse:
      return Links(reverse.begin(), reverse.end());
    case Symmetrisation::kIntersection:
      return intersection_of(forward, reverse);
    case Symmetrisation::kUnion:
      return union_of(forward, reverse);
    default:
      return grown(forward, reverse, num_source, num_target, method);
  }
}

}  // namespace trellis
