#include "trellis/tasks/segment/feature_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace trellis::segment {
namespace {

constexpr double kMaxCode = 65535;
constexpr Index kChannelKnots = 12;
constexpr Index kPixelsAtATime = 1024;

// The knots around a pixel's value, and its position between them. A signed 32-bit integer, because
// processors convert it from and to double in one step.
struct Knot {
  std::int32_t low;
  double fraction;
};

class AxisReader {
 public:
  AxisReader(const TableAxis& axis, const CodedPixels& pixels)
      : codes_(pixels.channel(axis.channel).data()),
        last_(static_cast<std::int32_t>(axis.knots) - 2),
        scale_(static_cast<double>(axis.knots - 1) / kMaxCode) {}

  Knot at(Index j) const {
    const double u = static_cast<double>(codes_[j]) * scale_;
    const std::int32_t low = std::min(static_cast<std::int32_t>(u), last_);
    return {low, u - static_cast<double>(low)};
  }

 private:
  const std::uint16_t* codes_;
  std::int32_t last_;
  double scale_;
};

// Calls visit(weight, value) for the two knots around a pixel on one axis, or the corners of its
// cell on several axes.
template <class Visit>
[[gnu::always_inline]] inline void visit_line(const Knot& a, const Visit& visit) {
  visit(a.low, 1 - a.fraction);
  visit(a.low + 1, a.fraction);
}

template <class Visit>
[[gnu::always_inline]] inline void visit_cell(const Knot& a, const Knot& b, std::int32_t columns,
                                              const Visit& visit) {
  visit(a.low * columns + b.low, (1 - a.fraction) * (1 - b.fraction));
  visit(a.low * columns + b.low + 1, (1 - a.fraction) * b.fraction);
  visit((a.low + 1) * columns + b.low, a.fraction * (1 - b.fraction));
  visit((a.low + 1) * columns + b.low + 1, a.fraction * b.fraction);
}

// Calls each_pixel(at); each_pixel calls at(j, visit) for pixels of its choice, and `at` calls
// visit(weight within the table, value). All is inlined into one loop for each number of axes,
// because training spends much of its time here.
template <class EachPixel>
void visit_table(const FeatureTable& table, const CodedPixels& pixels,
                 const EachPixel& each_pixel) {
  const std::vector<TableAxis>& axes = table.axes;
  const AxisReader first(axes[0], pixels);
  if (axes.size() == 1) {
    each_pixel([&](Index j, const auto& visit) { visit_line(first.at(j), visit); });
    return;
  }
  const AxisReader second(axes[1], pixels);
  const auto columns = static_cast<std::int32_t>(axes.back().knots);
  if (axes.size() == 2) {
    each_pixel(
        [&](Index j, const auto& visit) { visit_cell(first.at(j), second.at(j), columns, visit); });
    return;
  }
  const AxisReader third(axes[2], pixels);
  const std::int32_t plane = static_cast<std::int32_t>(axes[1].knots) * columns;
  each_pixel([&](Index j, const auto& visit) {
    const Knot b = second.at(j);
    const Knot c = third.at(j);
    visit_line(first.at(j), [&](std::int32_t low, double share) {
      visit_cell(b, c, columns,
                 [&](std::int32_t k, double value) { visit(low * plane + k, share * value); });
    });
  });
}

}  // namespace

Quantiles quantiles_of(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  Quantiles quantiles{};
  for (Index k = 0; k < kQuantiles; ++k) {
    quantiles[k] = values[k * (values.size() - 1) / (kQuantiles - 1)];
  }
  return quantiles;
}

std::uint16_t rank_code(const Quantiles& quantiles, float value) {
  const auto above = std::upper_bound(quantiles.begin(), quantiles.end(), value);
  if (above == quantiles.begin()) return 0;
  if (above == quantiles.end()) return static_cast<std::uint16_t>(kMaxCode);
  const double low = static_cast<double>(*(above - 1));
  const double fraction = (static_cast<double>(value) - low) / (static_cast<double>(*above) - low);
  const double rank = static_cast<double>(above - 1 - quantiles.begin()) + fraction;
  return static_cast<std::uint16_t>(
      std::lround(kMaxCode * rank / static_cast<double>(kQuantiles - 1)));
}

CodedPixels code_pixels(const ChannelImage& image, std::span<const Quantiles> quantiles) {
  CodedPixels pixels;
  pixels.num_pixels = image.planes.front().values.size();
  pixels.codes.reserve(pixels.num_pixels * image.planes.size());
  for (Index c = 0; c < image.planes.size(); ++c) {
    for (const float value : image.planes[c].values) {
      pixels.codes.push_back(rank_code(quantiles[c], value));
    }
  }
  return pixels;
}

Index FeatureTable::size() const {
  Index product = 1;
  for (const TableAxis& axis : axes) product *= axis.knots;
  return product;
}

FeatureTables::FeatureTables(bool colour) : colour_(colour), channels_(channel_names(colour)) {
  for (const std::string& name : channels_) {
    if (name != "x" && name != "y") add({{name.c_str(), kChannelKnots}});
  }
  add({{"y", 12}, {"x", 12}});
  for (const char* name : {"figure smooth", "figure texture smooth", "mean", "deviation"}) {
    add({{name, 5}, {"y", 6}, {"x", 6}});
  }
  add({{"figure smooth", 8}, {"mean near", 8}});
  add({{"figure texture smooth", 8}, {"deviation", 8}});
  add({{"mean", 8}, {"deviation", 8}});
  if (colour) add({{"figure colour smooth", 5}, {"y", 6}, {"x", 6}});
}

void FeatureTables::add(const std::vector<std::pair<const char*, Index>>& axes) {
  FeatureTable table;
  for (const auto& axis : axes) table.axes.push_back({channel(axis.first), axis.second});
  table.begin = num_weights_;
  num_weights_ += table.size();
  tables_.push_back(std::move(table));
}

Index FeatureTables::channel(const char* name) const {
  return static_cast<Index>(std::find(channels_.begin(), channels_.end(), name) -
                            channels_.begin());
}

std::string FeatureTables::weight_name(Index k) const {
  const auto after =
      std::upper_bound(tables_.begin(), tables_.end(), k,
                       [](Index at, const FeatureTable& table) { return at < table.begin; });
  const FeatureTable& table = *(after - 1);
  Index rest = k - table.begin;
  std::string name;
  std::string place;
  for (Index a = table.axes.size(); a-- > 0;) {
    const TableAxis& axis = table.axes[a];
    name = fmt::format("{}{}{}", channels_[axis.channel], name.empty() ? "" : " x ", name);
    place = fmt::format("{}/{}{}{}", rest % axis.knots, axis.knots - 1, place.empty() ? "" : " ",
                        place);
    rest /= axis.knots;
  }
  return fmt::format("{} [{}]", name, place);
}

void FeatureTables::add_scores(const CodedPixels& pixels, std::span<const double> w,
                               std::span<double> s) const {
  // All tables for some pixels, then for the next ones: this keeps the sums in the cache.
  for (Index begin = 0; begin < pixels.num_pixels; begin += kPixelsAtATime) {
    const Index end = std::min(begin + kPixelsAtATime, pixels.num_pixels);
    for (const FeatureTable& table : tables_) {
      const double* weights = w.data() + table.begin;
      visit_table(table, pixels, [&](const auto& at) {
        for (Index j = begin; j < end; ++j) {
          double score = s[j];  // in a register: the compiler must assume that w overlaps s
          at(j, [&](std::int32_t k, double value) { score += value * weights[k]; });
          s[j] = score;
        }
      });
    }
  }
}

void FeatureTables::add_features(const CodedPixels& pixels, std::span<const double> z,
                                 double factor, std::span<double> gradient) const {
  // For a cut, z is non-zero only at the wrong pixels.
  std::array<Index, kPixelsAtATime> active;
  for (Index j = 0; j < pixels.num_pixels;) {
    Index count = 0;
    for (; j < pixels.num_pixels && count < active.size(); ++j) {
      if (z[j] != 0) active[count++] = j;
    }
    for (const FeatureTable& table : tables_) {
      double* block = gradient.data() + table.begin;
      visit_table(table, pixels, [&](const auto& at) {
        for (Index a = 0; a < count; ++a) {
          const double share = factor * z[active[a]];
          at(active[a], [&](std::int32_t k, double value) { block[k] += share * value; });
        }
      });
    }
  }
}

}  // namespace trellis::segment
