#include "trellis/solve/measures/pairwise_measure_argmax_hull.h"

namespace trellis {
namespace {

struct Corner {
  double score;
  std::int64_t hits, others;
  Index point;
};

using Whole = std::int64_t;

// Twice the signed area of a triangle.
Whole area(const Corner& a, const Corner& b, const Corner& c) {
  return (b.hits - a.hits) * (c.others - a.others) - (c.hits - a.hits) * (b.others - a.others);
}

class HullSimplex {
 public:
  HullSimplex(const CountRectangle& rectangle, Index hits, Index others, double depth)
      : place_(corner_at(static_cast<Whole>(hits), static_cast<Whole>(others), 0)) {
    const Whole h = static_cast<Whole>(rectangle.first_hits) - 1;
    const Whole f = static_cast<Whole>(rectangle.first_others) - 1;
    const Whole side = static_cast<Whole>(rectangle.free_hits + rectangle.free_others) + 3;
    basis_ = {corner_at(h, f, -depth), corner_at(h + side, f, -depth),
              corner_at(h, f + side, -depth)};
    find_plane();
  }

  double height(double hits, double others) const {
    return basis_[0].score + slope_hits_ * (hits - static_cast<double>(basis_[0].hits)) +
           slope_others_ * (others - static_cast<double>(basis_[0].others));
  }

  // The point takes the place of the corner whose share is the first to become 0.
  void enter(const CountedSet& set, Index point) {
    const Corner q{set.score, static_cast<Whole>(set.hits), static_cast<Whole>(set.others), point};
    const std::array<Whole, 3> of_place = shares(place_), of_point = shares(q);
    Index leaving = HullFacet::kNone;
    for (Index k = 0; k < 3; ++k) {
      if (of_point[k] <= 0) continue;
      if (leaving == HullFacet::kNone ||
          of_place[k] * of_point[leaving] < of_place[leaving] * of_point[k]) {
        leaving = k;
      }
    }
    basis_[leaving] = q;  // the shares of a point add up to one, so one of them is positive
    find_plane();
  }

  HullFacet facet() const {
    HullFacet facet;
    const std::array<Whole, 3> numerators = shares(place_);
    const Whole whole = numerators[0] + numerators[1] + numerators[2];
    for (Index k = 0; k < 3; ++k) {
      facet.corner[k] = basis_[k].point;
      facet.share[k] = static_cast<double>(numerators[k]) / static_cast<double>(whole);
      // No product where the share is 0: points far below would take digits away.
      if (numerators[k] != 0) facet.value += facet.share[k] * basis_[k].score;
    }
    facet.slope_hits = slope_hits_;
    facet.slope_others = slope_others_;
    return facet;
  }

 private:
  static Corner corner_at(Whole hits, Whole others, double score) {
    return {score, hits, others, HullFacet::kNone};
  }

  // Barycentric coordinates times the (positive) area of the basis.
  std::array<Whole, 3> shares(const Corner& at) const {
    const Whole sign = area(basis_[0], basis_[1], basis_[2]) > 0 ? 1 : -1;
    return {sign * area(at, basis_[1], basis_[2]), sign * area(basis_[0], at, basis_[2]),
            sign * area(basis_[0], basis_[1], at)};
  }

  void find_plane() {
    const Corner &a = basis_[0], &b = basis_[1], &c = basis_[2];
    const auto twice = static_cast<double>(area(a, b, c));
    const double rise_b = b.score - a.score, rise_c = c.score - a.score;
    slope_hits_ = (rise_b * static_cast<double>(c.others - a.others) -
                   rise_c * static_cast<double>(b.others - a.others)) /
                  twice;
    slope_others_ = (rise_c * static_cast<double>(b.hits - a.hits) -
                     rise_b * static_cast<double>(c.hits - a.hits)) /
                    twice;
  }

  Corner place_;
  std::array<Corner, 3> basis_;
  double slope_hits_ = 0, slope_others_ = 0;
};

}  // namespace

HullFacet upper_hull_at(std::span<const CountedSet> points, const CountRectangle& rectangle,
                        Index hits, Index others, double depth, double tolerance) {
  HullSimplex simplex(rectangle, hits, others, depth);
  // Where shares are 0 a basis could come back; any plane is a valid one to cut with, so it is
  // enough to stop.
  for (Index pivots = 0; pivots < 16 + 4 * points.size(); ++pivots) {
    Index highest = HullFacet::kNone;
    double most = tolerance;
    for (Index j = 0; j < points.size(); ++j) {
      const double above = points[j].score - simplex.height(static_cast<double>(points[j].hits),
                                                            static_cast<double>(points[j].others));
      if (above > most) {
        most = above;
        highest = j;
      }
    }
    if (highest == HullFacet::kNone) break;
    simplex.enter(points[highest], highest);
  }
  return simplex.facet();
}

}  // namespace trellis
