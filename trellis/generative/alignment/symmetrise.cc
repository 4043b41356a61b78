#include "trellis/generative/alignment/symmetrise.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <iterator>
#include <vector>

namespace trellis {
namespace {

struct NeighbourOffset {
  int target;
  int source;
};
constexpr std::array<NeighbourOffset, 8> kNeighbours = {
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

// A link of the union, where it comes from, and whether it is in A.
struct UnionCell {
  Link link;
  bool forward = false;
  bool reverse = false;
  bool in = false;
};

// By source word, then target word.
std::vector<UnionCell> union_cells(std::span<const Link> forward, std::span<const Link> reverse) {
  std::vector<UnionCell> cells;
  for (Index i = 0, j = 0; i < forward.size() || j < reverse.size();) {
    UnionCell cell;
    cell.forward = j == reverse.size() || (i < forward.size() && forward[i] <= reverse[j]);
    cell.reverse = i == forward.size() || (j < reverse.size() && reverse[j] <= forward[i]);
    cell.link = cell.forward ? forward[i] : reverse[j];
    i += cell.forward ? 1 : 0;
    j += cell.reverse ? 1 : 0;
    cells.push_back(cell);
  }
  return cells;
}

class GrowingLinks {
 public:
  GrowingLinks(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
               Index num_target)
      : row_begin_(num_target + 1, 0), has_source_(num_source, 0), has_target_(num_target, 0) {
    sort_by_target(union_cells(forward, reverse));
    for (UnionCell& cell : cells_) {
      if (cell.forward && cell.reverse) add(cell);
    }
  }

  void grow_diag() {
    for (bool added = true; added;) {
      added = false;
      for (const UnionCell& cell : cells_) {
        if (!cell.in) continue;
        for (const NeighbourOffset offset : kNeighbours) added = grow(cell.link, offset) || added;
      }
    }
  }

  // FINAL with most_linked = 1, FINAL-AND with 0.
  void finish(bool UnionCell::*direction, int most_linked) {
    for (UnionCell& cell : cells_) {
      if (cell.*direction && num_linked(cell.link.source, cell.link.target) <= most_linked)
        add(cell);
    }
  }

  Links links() const {
    Links out;
    for (const UnionCell& cell : cells_) {
      if (cell.in) out.push_back(cell.link);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  // Cells of one target word stay in the order of their source words.
  void sort_by_target(const std::vector<UnionCell>& cells) {
    for (const UnionCell& cell : cells) ++row_begin_[cell.link.target + 1];
    for (Index t = 0; t + 1 < row_begin_.size(); ++t) row_begin_[t + 1] += row_begin_[t];
    cells_.resize(cells.size());
    std::vector<Index> next(row_begin_.begin(), row_begin_.end() - 1);
    for (const UnionCell& cell : cells) cells_[next[cell.link.target]++] = cell;
  }

  void add(UnionCell& cell) {
    cell.in = true;
    has_source_[cell.link.source] = 1;
    has_target_[cell.link.target] = 1;
  }

  // How many of the two words have a link in A.
  int num_linked(Index source, Index target) const {
    return has_source_[source] + has_target_[target];
  }

  // Adds the neighbour where it is in the union and has a word without a link; false otherwise.
  bool grow(Link from, NeighbourOffset offset) {
    const Index target = from.target + static_cast<Index>(offset.target);  // −1 wraps around
    const Index source = from.source + static_cast<Index>(offset.source);
    if (target >= has_target_.size() || source >= has_source_.size()) return false;
    if (num_linked(source, target) == 2) return false;
    for (Index k = row_begin_[target]; k < row_begin_[target + 1]; ++k) {
      if (cells_[k].link.source < source) continue;
      if (cells_[k].link.source > source) return false;
      add(cells_[k]);
      return true;
    }
    return false;
  }

  std::vector<UnionCell> cells_;          // the union by target word, then source word
  std::vector<Index> row_begin_;          // in it, by target word
  std::vector<std::uint8_t> has_source_;  // a link in A
  std::vector<std::uint8_t> has_target_;
};

Links grown_links(std::span<const Link> forward, std::span<const Link> reverse, Index num_source,
                  Index num_target, Symmetrisation method) {
  GrowingLinks links(forward, reverse, num_source, num_target);
  links.grow_diag();
  if (method != Symmetrisation::kGrowDiag) {
    const int most_linked = method == Symmetrisation::kGrowDiagFinal ? 1 : 0;
    links.finish(&UnionCell::forward, most_linked);
    links.finish(&UnionCell::reverse, most_linked);
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
      return grown_links(forward, reverse, num_source, num_target, method);
  }
}

}  // namespace trellis
