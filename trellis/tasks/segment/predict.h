// Predictions of a model, one picture or graph at a time, in constant memory: what was found is
// there before the next ones are read, and stays where one of those is bad. And how good they are,
// on pictures whose masks are known, or on graphs whose labels are.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/formats/images/picture_files.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"

namespace trellis::segment {

// Throws UsageError if the model is for the other kind of input.
void require_input_kind(const SegmentModel& model, const SegmentInput& input);

// `work` is called for several pictures at a time, with the mask in the picture's own size;
// `finish` then comes in order. A slot, below the number of threads, is a place to keep what lies
// between the two. Masks that lie beside the pictures are read where they are `labelled`.
using PictureWork =
    std::function<void(Index i, Index slot, const Picture& picture, const image::Mask& found)>;
using PictureFinish = std::function<void(Index i, Index slot)>;
void segment_pictures(const SegmentModel& model, std::span<const PictureFile> files, bool labelled,
                      int threads, const PictureWork& work, const PictureFinish& finish = {});

// In order.
using GraphFound =
    std::function<void(const SegmentExample& graph, std::span<const std::uint8_t> labels)>;
void segment_graphs(const SegmentModel& model, const SegmentInput& input, int threads,
                    const GraphFound& finish);

struct PredictOptions {
  SegmentInput input;
  // Pictures: a directory, which is made; graphs: a file, or empty for standard output.
  std::string output;
  bool overlay = false;  // pictures to look at beside the masks
  int threads = 0;
};
// Writes NAME.mask.png, and NAME.overlay.png, for each picture; for each graph "graph NAME NODES"
// and a label per line. Returns how many there were. Throws UsageError where a mask would be
// replaced.
Index predict(const SegmentModel& model, const PredictOptions& options);

struct ShownPicture {
  std::string name;
  double pixel_error = 0;
  double iou = 0;
  std::string png;  // the bytes of a PNG file
};

struct Evaluation {
  SegmentScores scores;
  std::vector<ShownPicture> pictures;  // from the worst to the best, some in between left out
};

// Against the masks in their own size. Keeps overlays of up to `max_pictures` pictures.
Evaluation evaluate_files(const SegmentModel& model, const SegmentInput& input, int threads,
                          Index max_pictures = 0);
// The same of what anybody found: a directory with a mask NAME.mask.png for each picture, or a file
// with the labels of graphs, as predict() writes them. Throws InputError for a mask that is missing
// or of another size, and for labels that are not of the graphs.
Evaluation judge_files(const SegmentInput& input, const std::string& predictions, int threads,
                       Index max_pictures = 0);

}  // namespace trellis::segment
