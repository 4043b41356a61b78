// The unary model of pixels: a sum of piecewise linear functions of the channels, and of products
// of channels and positions in the picture. It is linear in its weights, which are the functions'
// values at their knots:
//
//   score_j = Σ_tables Σ_knots  w[table, knot] · Π_axes hat_knot(u_axis),     u ∈ [0, 1]
//
// where hat_k rises from 0 at knot k − 1 to 1 at knot k and falls to 0 at knot k + 1. Knots are
// evenly spaced in u, the rank of the channel among the training pixels (so half of the knots lie
// below its median); this standardises the features.
//
// A pixel is stored as u in 16 bits per channel, a fiftieth of the memory of its non-zero features;
// hats are computed when needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/segment/pixel_channels.h"

namespace trellis::segment {

// Maps values of a channel to ranks: quantile k of kQuantiles has rank k/(kQuantiles − 1), linear
// in between.
inline constexpr Index kQuantiles = 33;
using Quantiles = std::array<float, kQuantiles>;

Quantiles quantiles_of(std::vector<float> values);  // of a sample, at least one value
std::uint16_t rank_code(const Quantiles& quantiles, float value);

// The codes of a picture: channel by channel, and by pixel in a channel.
struct CodedPixels {
  Index num_pixels = 0;
  std::vector<std::uint16_t> codes;

  std::span<const std::uint16_t> channel(Index c) const {
    return std::span(codes).subspan(c * num_pixels, num_pixels);
  }
};

CodedPixels code_pixels(const ChannelImage& image, std::span<const Quantiles> quantiles);

struct TableAxis {
  Index channel = 0;
  Index knots = 0;  // ≥ 2
};

struct FeatureTable {
  std::vector<TableAxis> axes;  // one to three; the last one changes fastest
  Index begin = 0;              // its first weight

  Index size() const;
};

class FeatureTables {
 public:
  // The tables of the built-in channels.
  explicit FeatureTables(bool colour);

  bool colour() const { return colour_; }
  const std::vector<std::string>& channels() const { return channels_; }
  const std::vector<FeatureTable>& tables() const { return tables_; }
  Index num_weights() const { return num_weights_; }
  // "mean × x × y [2 0 4]": the table and the knot of weight k.
  std::string weight_name(Index k) const;

  void add_scores(const CodedPixels& pixels, std::span<const double> w, std::span<double> s) const;
  // gradient += factor · F z
  void add_features(const CodedPixels& pixels, std::span<const double> z, double factor,
                    std::span<double> gradient) const;

 private:
  void add(const std::vector<std::pair<const char*, Index>>& axes);
  Index channel(const char* name) const;

  bool colour_;
  std::vector<std::string> channels_;
  std::vector<FeatureTable> tables_;
  Index num_weights_ = 0;
};

}  // namespace trellis::segment
