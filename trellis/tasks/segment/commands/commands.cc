#include <fmt/format.h>

#include <string>
#include <utility>

#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/segment/inspect.h"
#include "trellis/tasks/segment/predict.h"
#include "trellis/tasks/segment/segment_report.h"
#include "trellis/tasks/segment/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::segment {
namespace {

using frame::Command;
using frame::Findings;

void add_input(Command& command, SegmentInput& input, const std::string& files) {
  command.option("files", input.files, files + "; with --graph graph files").required();
  command.flag("--graph", input.graphs, "The files are graphs (see docs/segmenting.md)");
  command.flag("--allow-disconnected", input.allow_disconnected,
               "Accept graphs that are not connected");
}

void add_evaluation(Evaluation evaluation, const std::string& name, report::SegmentReport& page) {
  page.evaluated_on = name;
  page.scores = std::move(evaluation.scores);
  page.pictures = std::move(evaluation.pictures);
}

using TrainCall = frame::TrainCall<SegmentInput, TrainOptions>;

void add_options(Command& command, TrainCall& call) {
  FeatureOptions& features = call.options.features;
  command.short_help({"--graph", "--scale", "--neighbours", "--unary", "--balanced"});
  command.group("Data");
  add_input(command, call.files,
            "Directories of pictures with masks, or lists of pictures and masks");
  command.option(
      "--scale", features.pictures.scale,
      "Scale factor applied to pictures first (0 to 1); masks are predicted in full size");
  command
      .option("--neighbours", features.pictures.connectivity,
              "Number of neighbours of a pixel: 4 or 8")
      .one_of({"4", "8"});
  command.flag("--unary", features.unary, "Use no edges: predict each pixel separately");
  command.flag("--balanced", call.options.balanced,
               "Weight wrong pixels so that figure and ground have the same total cost");
  command
      .option("--dev", call.flags.dev_files,
              "Held-out files of the same kind, for early stopping (the epoch with the fewest "
              "wrong pixels is kept) and for the choice of settings")
      .same_bits();
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  constexpr Index kPictures = 12;
  report::SegmentReport page = report::report_of(*trained.model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  if (!call.flags.dev.empty()) {
    SegmentInput dev = call.files;
    dev.files = call.flags.dev_files;
    add_evaluation(evaluate_files(*trained.model, dev, call.flags.common.threads, kPictures),
                   call.flags.dev, page);
  }
  return report::segment_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  const Trained trained = train_files(call.files, call.flags.dev_files, call.options, events);
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& task) {
  frame::add_training<TrainCall>(
      task, defaults(), able(),
      {"Train a segmenter.\n\n"
       "  trellis segment train pictures/ --dev more-pictures/ --model m.trellis\n"
       "  trellis segment train train.list --dev dev.list --scale 0.5 --model m.trellis\n"
       "  trellis segment train --graph scans.txt --gap 1e-3 --model m.trellis",
       "", "curves, weights, and pictures of the dev set"},
      add_options, run_train);
}

// Masks go to a directory of many files, so this is not the frame of other predictions.
void add_predict(Command& task) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_command<SegmentModel, Call>(
      task,
      {"predict",
       "Write the mask NAME.mask.png of each picture into a directory, or the labels of graphs as "
       "text.\n\n"
       "  trellis segment predict pictures/ --model m.trellis --output masks/ --overlay"},
      [](Command& command, Call& call) {
        add_input(command, call.options.input,
                  "Directories of pictures, pictures, or lists of them");
        command.option("--output", call.options.output,
                       "Directory for the masks, created if it does not exist; for graphs a file "
                       "[standard output]");
        command.flag("--overlay", call.options.overlay,
                     "Write NAME.overlay.png as well: the picture with the figure tinted");
      },
      [](const SegmentModel& model, Call& call) {
        PredictOptions& options = call.options;
        options.threads = call.threads;
        options.input.labelled = false;
        const Index count = predict(model, options);
        Findings found;
        if (!options.input.graphs) {
          found.notes.push_back(
              fmt::format("wrote the masks of {} pictures to {}", count, options.output));
        }
        return found;
      });
}

struct EvaluateCall : frame::ModelCall {
  SegmentInput input;
  bool per_image = false;

  Index shown() const { return report.empty() ? 0 : 24; }
};

Findings findings_of(const EvaluateCall& call, Evaluation evaluation, report::SegmentReport page) {
  const SegmentScores& scores = evaluation.scores;
  Findings found = frame::answer(call, scores.record(), scores.to_text(call.per_image));
  if (!call.report.empty()) {
    add_evaluation(std::move(evaluation), call.input.files.front(), page);
    found.page = report::segment_report(page);
  }
  return found;
}

void add_evaluate(Command& task) {
  frame::add_evaluate<SegmentModel, EvaluateCall>(
      task,
      {"evaluate",
       "Segment pictures or graphs with true labels, and compare: the percentage of wrong pixels, "
       "and intersection over union.\n\n"
       "  trellis segment evaluate pictures/ --model m.trellis\n"
       "  trellis segment evaluate pictures/ --predictions masks/",
       "", "scores, weights and pictures", false,
       "the output of predict, a directory of masks NAME.mask.png or, with --graph, labels of "
       "graphs"},
      [](Command& command, EvaluateCall& call) {
        add_input(command, call.input,
                  "Directories of pictures with masks, pictures, or lists of them");
        command.flag("--per-image", call.per_image, "Print a line for each picture as well");
      },
      [](const SegmentModel& model, EvaluateCall& call) {
        return findings_of(call, evaluate_files(model, call.input, call.threads, call.shown()),
                           report::report_of(model, frame::evaluation_title(call)));
      },
      [](EvaluateCall& call) {
        report::SegmentReport page;
        page.title = frame::evaluation_title(call);
        return findings_of(call,
                           judge_files(call.input, call.predictions, call.threads, call.shown()),
                           std::move(page));
      });
}

void add_inspect(Command& task) {
  frame::add_inspect<SegmentModel>(task,
                                   {"Show what a model has learned: the weights for figure and for "
                                    "ground, and the cost of a boundary.",
                                    20, "Number of node weights to print"},
                                   [](const SegmentModel& model, frame::InspectCall& call) {
                                     return frame::answer(
                                         call, inspect_record(model, call.top),
                                         inspect_text(model, call.model, call.top));
                                   });
}

}  // namespace

frame::Task task() {
  return {"segment", "train pictures/ --model m.trellis",
          "Segmentation: separate figure from ground in pictures or graphs.\n\n"
          "The mask of a picture NAME.png (or .pgm, .ppm) is NAME.mask.png in the same "
          "directory; bright pixels are figure.",
          [](Command& task) {
            add_train(task);
            add_predict(task);
            add_evaluate(task);
            add_inspect(task);
          }};
}

}  // namespace trellis::segment
