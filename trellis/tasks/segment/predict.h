// Predicts one picture or graph at a time, in constant memory: each result is written before the
// next input is read, and remains if a later one is invalid. Evaluates predictions on pictures with
// known masks, or on graphs with known labels.
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

// Calls `work` for several pictures in parallel, with the predicted mask in the picture's own size;
// then `finish` in order. A slot, below the number of threads, can hold data between the two calls.
// If `labelled`, also reads the masks in the folders of the pictures.
using PictureWork =
    std::function<void(Index i, Index slot, const Picture& picture, const image::Mask& found)>;
using PictureFinish = std::function<void(Index i, Index slot)>;
void segment_pictures(const SegmentModel& model, std::span<const PictureFile> files, bool labelled,
                      int threads, const PictureWork& work, const PictureFinish& finish = {});

// Calls `finish` in order.
using GraphFound =
    std::function<void(const SegmentExample& graph, std::span<const std::uint8_t> labels)>;
void segment_graphs(const SegmentModel& model, const SegmentInput& input, int threads,
                    const GraphFound& finish);

struct PredictOptions {
  SegmentInput input;
  // Pictures: a directory, which is created; graphs: a file, or empty for standard output.
  std::string output;
  bool overlay = false;  // write overlays in addition to masks
  int threads = 0;
};
// Writes NAME.mask.png and, on request, NAME.overlay.png for each picture; for each graph "graph
// NAME NODES" and one label per line. Returns the number of inputs. Throws UsageError if a mask
// would be overwritten.
Index predict(const SegmentModel& model, const PredictOptions& options);

struct ShownPicture {
  std::string name;
  double pixel_error = 0;
  double iou = 0;
  std::string png;  // content of a PNG file
};

struct Evaluation {
  SegmentScores scores;
  std::vector<ShownPicture> pictures;  // from worst to best; some are left out
};

// Evaluates against the masks in their own size. Keeps overlays of up to `max_pictures` pictures.
Evaluation evaluate_files(const SegmentModel& model, const SegmentInput& input, int threads,
                          Index max_pictures = 0);
// The same for predictions of any program: a directory with a mask NAME.mask.png for each picture,
// or a file with labels of graphs, as written by predict(). Throws InputError for a mask that is
// missing or has another size, and for labels that do not match the graphs.
Evaluation judge_files(const SegmentInput& input, const std::string& predictions, int threads,
                       Index max_pictures = 0);

}  // namespace trellis::segment
