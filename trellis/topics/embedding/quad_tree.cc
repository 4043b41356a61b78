#include "trellis/topics/embedding/quad_tree.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

namespace trellis::topics {
namespace {

constexpr int kLevels = 26;  // bits of a coordinate: 2^−26 of the square is the smallest cell
constexpr Index kLeafPoints = 8;

// Bits of x at even places.
std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | (x << 16)) & 0x0000ffff0000ffff;
  x = (x | (x << 8)) & 0x00ff00ff00ff00ff;
  x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0f;
  x = (x | (x << 2)) & 0x3333333333333333;
  return (x | (x << 1)) & 0x5555555555555555;
}

}  // namespace

void QuadTree::build(std::span<const Point> points, double theta) {
  assert(theta >= 0);
  inverse_theta_ = theta > 0 ? 1 / theta : kInfinity;
  sort(points);
  nodes_.clear();
  if (!points.empty()) add_node(0, points.size());
}

void QuadTree::sort(std::span<const Point> points) {
  Point low{kInfinity, kInfinity}, high{-kInfinity, -kInfinity};
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  side_ = points.empty() ? 0 : std::max(high.x - low.x, high.y - low.y);
  const double cells = static_cast<double>(std::uint64_t{1} << kLevels);
  const auto cell = [&](double offset) {
    const double place = side_ > 0 ? offset / side_ * cells : 0;
    return static_cast<std::uint64_t>(std::min(place, cells - 1));
  };
  keys_.resize(points.size());
  for (Index i = 0; i < points.size(); ++i) {
    const std::uint64_t key =
        spread_bits(cell(points[i].x - low.x)) | (spread_bits(cell(points[i].y - low.y)) << 1);
    keys_[i] = {key, static_cast<std::uint32_t>(i)};
  }
  std::sort(keys_.begin(), keys_.end(), [](const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.id < b.id;
  });
  order_.resize(points.size());
  sorted_.resize(points.size());
  for (Index i = 0; i < points.size(); ++i) {
    order_[i] = keys_[i].id;
    sorted_[i] = points[keys_[i].id];
  }
}

std::uint32_t QuadTree::add_node(Index first, Index last) {
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  node.mass = static_cast<double>(last - first);
  // The smallest cell that holds them all: as deep as first and last key agree.
  const std::uint64_t differ = keys_[first].key ^ keys_[last - 1].key;
  const int bits = static_cast<int>(std::bit_width(differ));
  const int height = (bits + 1) / 2;  // levels below this cell
  const double side = std::ldexp(side_, height - kLevels);
  const double reach = last - first == 1 ? 0 : side * inverse_theta_;
  node.opening = reach * reach;
  Point total;
  if (last - first <= kLeafPoints || height == 0) {
    for (Index i = first; i < last; ++i) {
      total = {total.x + sorted_[i].x, total.y + sorted_[i].y};
    }
    node.first = static_cast<std::uint32_t>(first);
    node.count = static_cast<std::uint32_t>(last - first);
    // More points than a leaf has, in a cell that cannot be cut: their centre stands for them.
    if (node.count > kLeafPoints) node.opening = -1;
  } else {
    const int shift = 2 * (height - 1);
    for (Index begin = first; begin < last;) {
      const std::uint64_t quarter = keys_[begin].key >> shift;
      const auto beyond =
          std::partition_point(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                               keys_.begin() + static_cast<std::ptrdiff_t>(last),
                               [&](const Keyed& keyed) { return keyed.key >> shift == quarter; });
      const auto end = static_cast<Index>(beyond - keys_.begin());
      const Node& child = nodes_[add_node(begin, end)];
      total = {total.x + child.mass * child.centre.x, total.y + child.mass * child.centre.y};
      begin = end;
    }
  }
  node.centre = {total.x / node.mass, total.y / node.mass};
  node.end = static_cast<std::uint32_t>(nodes_.size());
  nodes_[number] = node;
  return number;
}

QuadTree::Repulsion QuadTree::repulsion(const Point& from) const {
  Repulsion out;
  const auto num_nodes = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t at = 0; at < num_nodes;) {
    const Node& node = nodes_[at];
    const double dx = from.x - node.centre.x, dy = from.y - node.centre.y;
    const double squared = dx * dx + dy * dy;
    if (squared > node.opening) {
      const double q = 1 / (1 + squared), share = node.mass * q, pull = share * q;
      out.normaliser += share;
      out.force = {out.force.x + pull * dx, out.force.y + pull * dy};
      at = node.end;
    } else if (node.count > 0) {
      for (std::uint32_t j = node.first; j < node.first + node.count; ++j) {
        const double ex = from.x - sorted_[j].x, ey = from.y - sorted_[j].y;
        const double q = 1 / (1 + (ex * ex + ey * ey)), pull = q * q;
        out.normaliser += q;
        out.force = {out.force.x + pull * ex, out.force.y + pull * ey};
      }
      at = node.end;
    } else {
      ++at;
    }
  }
  return out;
}

}  // namespace trellis::topics
