#include "trellis/tasks/segment/segment_model.h"

#include <algorithm>
#include <cstdint>
#include <ranges>

#include "trellis/base/names.h"

namespace trellis::segment {
namespace {

enum class Input { kPictures, kGraphs };
constexpr auto names_of(Input) {
  return Names{"input", "pictures", "graphs"};
}

void describe_pictures(ModelArchive& a, SegmentFeatures& f, bool unary) {
  PictureOptions options = f.options();
  a.value("colour", options.colour, "whether pictures have three channels");
  a.number("scale", options.scale, {}, "factor of width and height");
  a.number("connectivity", options.connectivity, {}, "neighbours of a pixel: 4 or 8");
  const std::vector<std::string> known = channel_names(options.colour);
  std::vector<std::string> channels = known;
  a.value("channels", channels, "names of the channels");
  a.require(channels == known, "the model was trained on channels that this program does not have");
  static_assert(sizeof(Quantiles) == kQuantiles * sizeof(float));  // rows without gaps
  std::span<const float> numbers(reinterpret_cast<const float*>(f.quantiles().data()),
                                 f.quantiles().size() * kQuantiles);
  a.array("quantiles", numbers, {.size = channels.size() * kQuantiles, .in = kFinite},
          "of the values of each channel");
  a.check([&] {
    std::vector<Quantiles> quantiles(channels.size());
    for (Index c = 0; c < quantiles.size(); ++c) {
      const auto row = numbers.subspan(c * kQuantiles, kQuantiles);
      a.require(std::is_sorted(row.begin(), row.end()), "the model's quantiles do not ascend");
      std::copy(row.begin(), row.end(), quantiles[c].begin());
    }
    f = SegmentFeatures::of_pictures(options, std::move(quantiles), unary);
  });
}

void describe_graphs(ModelArchive& a, SegmentFeatures& f, bool unary) {
  std::span<const float> means = f.means(), deviations = f.deviations();
  Index edge_width = f.edge_width();
  a.array("means", means, {.in = kFinite}, "by node feature");
  a.require(!means.empty(), "the model has no node features");
  a.array("deviations", deviations, {.size = means.size(), .in = Range{kAboveZero, kFinite.high}},
          "by node feature");
  a.number("edge_width", edge_width, {0, 1e9}, "number of edge features");
  a.check([&] {
    f = SegmentFeatures::of_graphs({means.begin(), means.end()},
                                   {deviations.begin(), deviations.end()}, edge_width, unary);
  });
}

}  // namespace

void SegmentModel::describe(ModelArchive& a, LinearParts<SegmentFeatures>& m) {
  SegmentFeatures& f = m.features;
  Input input = f.pictures() ? Input::kPictures : Input::kGraphs;
  bool unary = f.unary();
  a.choice("input", input, "what is segmented");
  a.value("unary", unary, "whether there are no edges");
  a.where("input pictures", input == Input::kPictures, [&] { describe_pictures(a, f, unary); });
  a.where("input graphs", input == Input::kGraphs, [&] { describe_graphs(a, f, unary); });
  a.weights("weights", m.weights, f.dimension(), "of nodes, then of edges (at least 0)");
  a.value("training", m.training, "how the model was made");
  a.check([&] {
    const auto edges = std::span(m.weights).subspan(f.num_node_weights());
    a.require(std::ranges::all_of(edges, [](double w) { return w >= 0; }),
              "the model has a negative weight of an edge feature");
  });
}

}  // namespace trellis::segment
