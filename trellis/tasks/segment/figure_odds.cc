#include "trellis/tasks/segment/figure_odds.h"

#include <algorithm>

#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::segment {
namespace {

constexpr double kSpread = 0.25;  // of the Gaussian, as a share of a side
constexpr Index kBins = 32;       // for single values
constexpr Index kPairBins = 16;   // for each of two values
constexpr double kFloor = 0.1;    // ε, in units of a uniform histogram

double bell(Index at, Index size) {
  const double place = (static_cast<double>(at) + 0.5) / static_cast<double>(size) - 0.5;
  return portable_exp(-place * place / (2 * kSpread * kSpread));
}

// A value between bins `low` and `low + 1`.
struct Place {
  Index low;
  double fraction;

  Place(double value, Index num_bins) {
    const double at = std::clamp(value, 0.0, 1.0) * static_cast<double>(num_bins - 1);
    low = std::min(static_cast<Index>(at), num_bins - 2);
    fraction = at - static_cast<double>(low);
  }
};

// A grid of bins over pairs of values (one row for single values), with linear interpolation.
class Histogram {
 public:
  Histogram(Index columns, Index rows) : columns_(columns), rows_(rows), bins_(columns * rows) {}

  void add(const Place& column, const Place& row, double weight) {
    each(column, row, [&](Index bin, double share) { bins_[bin] += weight * share; });
  }
  double value(const Place& column, const Place& row) const {
    double sum = 0;
    each(column, row, [&](Index bin, double share) { sum += share * bins_[bin]; });
    return sum;
  }
  // Smooths by (1 2 1)/4 along both axes and scales the mean of the bins to 1.
  void finish() {
    smooth(columns_, 1, rows_, columns_);
    if (rows_ > 1) smooth(rows_, columns_, columns_, 1);
    double sum = 0;
    for (const double bin : bins_) sum += bin;
    if (sum <= 0) return;
    for (double& bin : bins_) bin *= static_cast<double>(bins_.size()) / sum;
  }

 private:
  template <class Visit>
  void each(const Place& column, const Place& row, const Visit& visit) const {
    const Index corner = row.low * columns_ + column.low;
    if (rows_ == 1) {
      visit(corner, 1 - column.fraction);
      visit(corner + 1, column.fraction);
      return;
    }
    visit(corner, (1 - column.fraction) * (1 - row.fraction));
    visit(corner + 1, column.fraction * (1 - row.fraction));
    visit(corner + columns_, (1 - column.fraction) * row.fraction);
    visit(corner + columns_ + 1, column.fraction * row.fraction);
  }

  // Along lines of `length` bins, which are `step` apart.
  void smooth(Index length, Index step, Index num_lines, Index line_step) {
    for (Index line = 0; line < num_lines; ++line) {
      double* bin = bins_.data() + line * line_step;
      double before = bin[0];
      for (Index k = 0; k < length; ++k) {
        const double here = bin[k * step];
        const double after = k + 1 < length ? bin[(k + 1) * step] : here;
        bin[k * step] = (before + 2 * here + after) / 4;
        before = here;
      }
    }
  }

  Index columns_;
  Index rows_;
  std::vector<double> bins_;
};

image::Plane odds_of(const image::Plane& first, const image::Plane* second, Index columns,
                     Index rows) {
  Histogram centre(columns, rows);
  Histogram rim(columns, rows);
  const auto column_of = [&](Index j) {
    return Place(static_cast<double>(first.values[j]), columns);
  };
  const auto row_of = [&](Index j) {
    return Place(second == nullptr ? 0.0 : static_cast<double>(second->values[j]),
                 std::max<Index>(rows, 2));
  };
  for (Index y = 0; y < first.height; ++y) {
    for (Index x = 0; x < first.width; ++x) {
      const Index j = y * first.width + x;
      const double weight = bell(x, first.width) * bell(y, first.height);
      centre.add(column_of(j), row_of(j), weight);
      rim.add(column_of(j), row_of(j), 1 - weight);
    }
  }
  centre.finish();
  rim.finish();
  image::Plane out(first.width, first.height);
  for (Index j = 0; j < out.values.size(); ++j) {
    out.values[j] =
        static_cast<float>(portable_log((centre.value(column_of(j), row_of(j)) + kFloor) /
                                        (rim.value(column_of(j), row_of(j)) + kFloor)));
  }
  return out;
}

}  // namespace

image::Plane figure_odds(const image::Plane& values) {
  return odds_of(values, nullptr, kBins, 1);
}

image::Plane figure_odds(const image::Plane& first, const image::Plane& second) {
  return odds_of(first, &second, kPairBins, kPairBins);
}

}  // namespace trellis::segment
