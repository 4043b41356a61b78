#include "trellis/cli/segment/commands.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "trellis/cli/console.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/segment_report.h"
#include "trellis/tasks/segment/evaluate.h"
#include "trellis/tasks/segment/inspect.h"
#include "trellis/tasks/segment/predict.h"
#include "trellis/tasks/segment/train.h"

namespace trellis::segment {
namespace {

using cli::Command;

void add_input(Command& command, SegmentInput& input, const std::string& files) {
  command.option("files", input.files, files + "; with --graph graph files").required();
  command.flag("--graph", input.graphs, "The files are graphs (see docs/segmenting.md)");
  command.flag("--allow-disconnected", input.allow_disconnected,
               "Take graphs that fall into several parts");
}

void add_evaluation(Evaluation evaluation, const std::string& name, report::SegmentReport& page) {
  page.evaluated_on = name;
  page.scores = std::move(evaluation.scores);
  page.pictures = std::move(evaluation.pictures);
}

struct TrainCall {
  cli::TrainingFlags flags;
  SegmentInput input;
  std::vector<std::string> dev;
  TrainOptions options;
};

std::string train_page(const TrainCall& call, const Trained& trained) {
  constexpr Index kPictures = 12;
  report::SegmentReport page = report::report_of(*trained.model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  if (!call.dev.empty()) {
    SegmentInput dev = call.input;
    dev.files = call.dev;
    add_evaluation(evaluate_files(*trained.model, dev, call.flags.common.threads, kPictures),
                   call.dev.front(), page);
  }
  return report::segment_report(page);
}

cli::TrainingOutcome run(TrainCall& call, const TrainEvents& events) {
  call.options.training = call.flags.options;
  const auto trained =
      std::make_shared<const Trained>(train_files(call.input, call.dev, call.options, events));
  const TrainResult& result = trained->result;
  cli::TrainingOutcome outcome;
  outcome.interrupted = result.learned.interrupted;
  if (outcome.interrupted) return outcome;
  trained->model->write(call.flags.model);
  result.learned.stages->discard();
  outcome.json = result.to_json().dump();
  outcome.summary = result.learned.fitted.summary;
  if (result.dev) {
    outcome.notes.push_back(
        fmt::format("best on dev: pixel error {:.2f} %, IoU {:.2f} % (epoch {})",
                    result.dev->overall().pixel_error(), result.dev->overall().iou(),
                    result.learned.best_epoch));
  }
  outcome.page = [&call, trained] { return train_page(call, *trained); };
  return outcome;
}

void add_train(Command& task) {
  auto call = std::make_shared<TrainCall>();
  Command command = task.command(
      "train",
      "Train a segmenter.\n\n"
      "  trellis segment train pictures/ --dev more-pictures/ --model m.trellis\n"
      "  trellis segment train train.list --dev dev.list --scale 0.5 --model m.trellis\n"
      "  trellis segment train --graph scans.txt --gap 1e-3 --model m.trellis");
  command.group("Data");
  add_input(command, call->input,
            "Directories of pictures with masks, or lists of pictures and masks");
  command
      .option("--scale", call->options.features.pictures.scale,
              "Pictures are shrunk by this before anything else; masks are predicted in full size "
              "all the same")
      .shows_default();
  command.option("--neighbours", call->options.features.pictures.connectivity, "Of a pixel: 4 or 8")
      .one_of({"4", "8"})
      .shows_default();
  command.flag("--unary", call->options.features.unary, "No edges: each pixel on its own");
  command.flag("--balanced", call->options.balanced,
               "Wrong pixels cost so that figure and ground weigh the same");
  command.option("--dev", call->dev,
                 "Held-out files of the same kind: watched for early stopping, the epoch with the "
                 "fewest wrong pixels is kept, and settings are chosen by them");
  add_training_flags(command, call->flags, defaults(), able(),
                     {"", "curves, weights, and pictures of the dev set"});
  command.run([call] {
    if (!call->dev.empty()) call->flags.dev = call->dev.front();
    return run_training(call->flags, [&](const TrainEvents& events) { return run(*call, events); });
  });
}

struct PredictCall {
  cli::CommonOptions common;
  PredictOptions options;
  std::string model;
};

int run(PredictCall& call) {
  cli::Console console(call.common.quiet);
  call.options.threads = call.common.threads;
  call.options.input.labelled = false;
  const Index count = predict(SegmentModel::read(call.model), call.options);
  if (!call.options.input.graphs) {
    console.note(fmt::format("wrote the masks of {} pictures to {}", count, call.options.output));
  }
  return 0;
}

void add_predict(Command& task) {
  auto call = std::make_shared<PredictCall>();
  Command command = task.command(
      "predict",
      "Write the mask NAME.mask.png of each picture into a directory, or the labels of graphs as "
      "text.\n\n"
      "  trellis segment predict pictures/ --model m.trellis --output masks/ --overlay");
  add_input(command, call->options.input, "Directories of pictures, pictures, or lists of them");
  command.option("--model", call->model, "The model").required();
  command.option("--output", call->options.output,
                 "The directory for the masks, which is made where it is missing; with --graph a "
                 "file [standard output]");
  command.flag("--overlay", call->options.overlay,
               "Write NAME.overlay.png as well: the picture with the figure tinted");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct EvaluateCall {
  cli::CommonOptions common;
  SegmentInput input;
  std::string model;
  std::string report;
  bool per_image = false;
};

int run(const EvaluateCall& call) {
  constexpr Index kPictures = 24;
  const SegmentModel model = SegmentModel::read(call.model);
  Evaluation evaluation =
      evaluate_files(model, call.input, call.common.threads, call.report.empty() ? 0 : kPictures);
  cli::print(call.common.json ? evaluation.scores.to_json().dump() + "\n"
                              : evaluation.scores.to_text(call.per_image));
  cli::write_page(call.report, [&] {
    report::SegmentReport page = report::report_of(model, "Evaluation of " + call.model);
    add_evaluation(std::move(evaluation), call.input.files.front(), page);
    return report::segment_report(page);
  });
  return 0;
}

void add_evaluate(Command& task) {
  auto call = std::make_shared<EvaluateCall>();
  Command command = task.command(
      "evaluate",
      "Segment pictures whose masks are known, or graphs, and compare: the share of wrong pixels, "
      "and intersection over union.");
  add_input(command, call->input, "Directories of pictures with masks, pictures, or lists of them");
  command.option("--model", call->model, "The model").required();
  command.flag("--per-image", call->per_image, "A line for each picture as well");
  command.option("--report", call->report, "Write a page with scores, weights and pictures");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  Index top = 20;
};

int run(const InspectCall& call) {
  const SegmentModel model = SegmentModel::read(call.model);
  cli::print(call.common.json ? inspect_json(model, call.top).dump() + "\n"
                              : inspect_text(model, call.model, call.top));
  return 0;
}

void add_inspect(Command& task) {
  auto call = std::make_shared<InspectCall>();
  Command command = task.command(
      "inspect", "What a model has learned: what speaks for figure, what a boundary costs.");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Weights of nodes to print").shows_default();
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

}  // namespace

void add_segment(cli::Program& program) {
  Command task = program.task(
      "segment",
      "Tell figure from ground: pixels of pictures, nodes of graphs (3-D scans).\n\n"
      "A picture NAME.png (or .pgm, .ppm) has its mask beside it, NAME.mask.png, in which figure "
      "is what is bright.");
  add_train(task);
  add_predict(task);
  add_evaluate(task);
  add_inspect(task);
}

}  // namespace trellis::segment
