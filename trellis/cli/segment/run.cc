#include "trellis/cli/segment/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trellis/base/output_file.h"
#include "trellis/base/parallel.h"
#include "trellis/cli/train_progress.h"
#include "trellis/tasks/image/image_file.h"
#include "trellis/tasks/segment/overlay.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::cli {
namespace {

constexpr Index kStrongest = 12;

// Which pictures to show: spread evenly over the order from worst to best.
std::vector<Index> pictures_to_show(const segment::SegmentScores& scores, Index max_pictures) {
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

SegmentEvaluation evaluate_graphs(const segment::SegmentModel& model,
                                  const segment::SegmentInput& input, int threads) {
  const auto examples = segment::read_examples(input, model.features(), threads);
  const segment::Segmenter segmenter(model.features(), model.weights());
  return {segment::evaluate(segmenter, examples, segment::networks_of(examples), threads), {}};
}

}  // namespace

void segment_pictures(const segment::SegmentModel& model,
                      const std::vector<segment::PictureFile>& files, int threads,
                      const PictureWork& work) {
  const segment::Segmenter segmenter(model.features(), model.weights());
  std::vector<segment::Segmenter::Scratch> scratch(static_cast<Index>(resolve_threads(threads)));
  parallel_for(files.size(), threads, [&](Index i, int worker) {
    const segment::Picture picture = segment::read_picture(files[i]);
    work(i, picture, segmenter.segment(picture.raster, scratch[static_cast<Index>(worker)]));
  });
}

SegmentEvaluation evaluate_segmenter(const segment::SegmentModel& model,
                                     const segment::SegmentInput& input, int threads,
                                     Index max_pictures) {
  if (input.graphs) return evaluate_graphs(model, input, threads);
  const auto files = segment::list_pictures(input.files, true);
  std::vector<segment::SegmentCounts> counts(files.size());
  segment_pictures(model, files, threads,
                   [&](Index i, const segment::Picture& picture, const image::Mask& found) {
                     counts[i] = segment::compare(picture.mask.labels, found.labels);
                   });
  SegmentEvaluation evaluation;
  for (Index i = 0; i < files.size(); ++i) evaluation.scores.add(files[i].name, counts[i]);
  if (max_pictures == 0) return evaluation;
  std::vector<segment::PictureFile> shown;
  for (const Index i : pictures_to_show(evaluation.scores, max_pictures)) {
    shown.push_back(files[i]);
    evaluation.pictures.push_back({files[i].name, counts[i].pixel_error(), counts[i].iou(), ""});
  }
  segment_pictures(model, shown, threads,
                   [&](Index k, const segment::Picture& picture, const image::Mask& found) {
                     evaluation.pictures[k].png =
                         image::encode_png(segment::overlay(picture.raster, found, picture.mask));
                   });
  return evaluation;
}

report::SegmentReport model_report(const segment::SegmentModel& model, const std::string& title) {
  report::SegmentReport page;
  page.title = title;
  for (const auto& [key, value] : model.training().items()) {
    page.options.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
  }
  const segment::SegmentFeatures& features = model.features();
  std::vector<Index> order(features.num_node_weights());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(model.weights()[a]) > std::abs(model.weights()[b]);
  });
  order.resize(std::min<Index>(order.size(), 2 * kStrongest));
  for (const Index k : order) {
    page.features.push_back({"figure", features.weight_name(k), model.weights()[k]});
  }
  for (Index k = features.num_node_weights(); k < features.dimension(); ++k) {
    page.features.push_back({"what a boundary costs", features.weight_name(k), model.weights()[k]});
  }
  return page;
}

void add_history(const segment::TrainResult& result, report::SegmentReport& page) {
  for (const EpochRecord& record : result.summary.history) {
    report::TrainingPoint point;
    point.epoch = static_cast<double>(record.epoch);
    point.objective = record.objective;
    point.bound = record.bound;
    point.gap = record.gap;
    point.loss = record.loss;
    point.dev = record.dev;
    point.seconds = record.seconds;
    page.history.push_back(point);
  }
  page.subtitle = fmt::format("{} examples, {} nodes, {} edges, {} weights; {} after {} epochs",
                              result.examples, result.nodes, result.edges, result.weights,
                              ending(result.summary.termination), result.summary.epochs);
}

void add_evaluation(SegmentEvaluation evaluation, const std::string& name,
                    report::SegmentReport& page) {
  page.evaluated_on = name;
  page.scores = std::move(evaluation.scores);
  page.pictures = std::move(evaluation.pictures);
}

void write_report(const report::SegmentReport& page, const std::string& path) {
  AtomicFile file(path);
  file.write(report::segment_report(page));
  file.commit();
}

}  // namespace trellis::cli
