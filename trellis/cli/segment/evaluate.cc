// `trellis segment evaluate`
#include <memory>
#include <string>

#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/segment/commands.h"
#include "trellis/cli/segment/run.h"

namespace trellis::cli {
namespace {

constexpr Index kPicturesInReport = 24;

struct SegmentEvaluateCall {
  CommonOptions common;
  segment::SegmentInput input;
  std::string model;
  std::string report;
  bool per_image = false;
};

int run(const SegmentEvaluateCall& call) {
  const auto model = segment::SegmentModel::load(call.model);
  require_input_kind(model, call.input);
  SegmentEvaluation evaluation = evaluate_segmenter(model, call.input, call.common.threads,
                                                    call.report.empty() ? 0 : kPicturesInReport);
  print(call.common.json ? evaluation.scores.to_json().dump() + "\n"
                         : evaluation.scores.to_text(call.per_image));
  if (!call.report.empty()) {
    report::SegmentReport page = model_report(model, "Evaluation of " + call.model);
    add_evaluation(std::move(evaluation), call.input.files.front(), page);
    write_report(page, call.report);
  }
  return 0;
}

}  // namespace

void add_segment_evaluate(CLI::App& segment, int& status) {
  auto call = std::make_shared<SegmentEvaluateCall>();
  CLI::App* app = segment.add_subcommand(
      "evaluate",
      "Segment pictures whose masks are known, or graphs, and compare: the share of wrong pixels, "
      "and intersection over union.");
  add_segment_input(*app, call->input);
  app->add_option("--model", call->model, "The model")->required();
  app->add_flag("--per-image", call->per_image, "A line for each picture as well");
  app->add_option("--report", call->report, "Write a page with scores, weights and pictures");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
