#include "trellis/tasks/segment/evaluate.h"

#include <algorithm>
#include <numeric>

#include "trellis/tasks/image/image_file.h"
#include "trellis/tasks/segment/overlay.h"
#include "trellis/tasks/segment/predict.h"

namespace trellis::segment {
namespace {

// Which pictures to show: spread evenly over the order from worst to best.
std::vector<Index> pictures_to_show(const SegmentScores& scores, Index max_pictures) {
  std::vector<Index> order(scores.images().size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return scores.images()[a].counts.iou() < scores.images()[b].counts.iou();
  });
  if (order.size() <= max_pictures) return order;
  std::vector<Index> shown;
  for (Index k = 0; k < max_pictures; ++k) {
    shown.push_back(order[max_pictures == 1 ? 0 : k * (order.size() - 1) / (max_pictures - 1)]);
  }
  return shown;
}

}  // namespace

Evaluation evaluate_files(const SegmentModel& model, const SegmentInput& input, int threads,
                          Index max_pictures) {
  require_input_kind(model, input);
  Evaluation evaluation;
  if (input.graphs) {
    segment_graphs(model, input, threads,
                   [&](const SegmentExample& graph, std::span<const std::uint8_t> found) {
                     evaluation.scores.add(graph.name, compare(graph.labels, found));
                   });
    return evaluation;
  }
  const std::vector<PictureFile> files = list_pictures(input.files, true);
  std::vector<SegmentCounts> counts(files.size());
  segment_pictures(model, files, true, threads,
                   [&](Index i, Index, const Picture& picture, const image::Mask& found) {
                     counts[i] = compare(picture.mask.labels, found.labels);
                   });
  for (Index i = 0; i < files.size(); ++i) evaluation.scores.add(files[i].name, counts[i]);
  std::vector<PictureFile> shown;
  for (const Index i : pictures_to_show(evaluation.scores, max_pictures)) {
    shown.push_back(files[i]);
    evaluation.pictures.push_back({files[i].name, counts[i].pixel_error(), counts[i].iou(), ""});
  }
  segment_pictures(model, shown, true, threads,
                   [&](Index k, Index, const Picture& picture, const image::Mask& found) {
                     evaluation.pictures[k].png =
                         image::encode_png(overlay(picture.raster, found, picture.mask));
                   });
  return evaluation;
}

}  // namespace trellis::segment
