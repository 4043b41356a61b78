// Running a segmenter over pictures or graphs: what predict, evaluate and the reports share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/report/segment_report.h"
#include "trellis/tasks/segment/picture_files.h"
#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"
#include "trellis/tasks/segment/segment_scores.h"
#include "trellis/tasks/segment/train.h"

namespace trellis::cli {

// Segments each picture on its own thread; `work` gets it and the mask that was found, in the
// picture's own size, and is called for several pictures at a time.
using PictureWork =
    std::function<void(Index i, const segment::Picture& picture, const image::Mask& found)>;
void segment_pictures(const segment::SegmentModel& model,
                      const std::vector<segment::PictureFile>& files, int threads,
                      const PictureWork& work);

struct SegmentEvaluation {
  segment::SegmentScores scores;
  std::vector<report::SegmentPicture> pictures;  // the worst ones, and some in between
};

// Against the masks in their own size. Keeps overlays of up to `max_pictures` pictures.
SegmentEvaluation evaluate_segmenter(const segment::SegmentModel& model,
                                     const segment::SegmentInput& input, int threads,
                                     Index max_pictures);

// What the pages of --report show of a model, of its training and of an evaluation.
report::SegmentReport model_report(const segment::SegmentModel& model, const std::string& title);
void add_history(const segment::TrainResult& result, report::SegmentReport& page);
void add_evaluation(SegmentEvaluation evaluation, const std::string& name,
                    report::SegmentReport& page);
void write_report(const report::SegmentReport& page, const std::string& path);

}  // namespace trellis::cli
