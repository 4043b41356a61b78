// `trellis segment predict`
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/cli/command_options.h"
#include "trellis/cli/console.h"
#include "trellis/cli/segment/commands.h"
#include "trellis/cli/segment/run.h"
#include "trellis/tasks/image/image_file.h"
#include "trellis/tasks/segment/overlay.h"
#include "trellis/tasks/segment/segmenter.h"

namespace trellis::cli {
namespace {

struct SegmentPredictCall {
  CommonOptions common;
  segment::SegmentInput input;
  std::string model;
  std::string output;
  bool overlay = false;
};

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw InputError(path, 0, "the directory cannot be made: " + error.message());
}

// NAME.mask.png in the output directory, and NAME.overlay.png with --overlay.
void predict_pictures(const SegmentPredictCall& call, const segment::SegmentModel& model,
                      Console& console) {
  if (call.output.empty()) {
    throw UsageError("say where the masks of the pictures go: --output DIRECTORY");
  }
  const auto files = segment::list_pictures(call.input.files, false);
  make_directory(call.output);
  const std::filesystem::path directory(call.output);
  for (const segment::PictureFile& file : files) {
    const std::string mask = (directory / (file.name + ".mask.png")).string();
    std::error_code none;
    if (!file.mask.empty() && std::filesystem::equivalent(mask, file.mask, none)) {
      throw UsageError(
          fmt::format("the prediction would replace the mask {}: choose another "
                      "output directory",
                      file.mask));
    }
  }
  segment_pictures(model, files, call.common.threads,
                   [&](Index i, const segment::Picture& picture, const image::Mask& found) {
                     const std::string stem = (directory / files[i].name).string();
                     image::write_png(stem + ".mask.png", image::encode_png(found));
                     if (!call.overlay) return;
                     image::write_png(stem + ".overlay.png",
                                      image::encode_png(segment::overlay(picture.raster, found)));
                   });
  console.note(fmt::format("wrote the masks of {} pictures to {}", files.size(), call.output));
}

// "graph NAME NODES", then a label per line.
void predict_graphs(const SegmentPredictCall& call, const segment::SegmentModel& model) {
  if (call.overlay) throw UsageError("a graph has no picture to lay anything over");
  const auto examples = segment::read_examples(call.input, model.features(), call.common.threads);
  const segment::Segmenter segmenter(model.features(), model.weights());
  const auto labels = segment::segment_all(segmenter, examples, segment::networks_of(examples),
                                           call.common.threads);
  OutputFile output(call.output);
  for (Index i = 0; i < examples.size(); ++i) {
    std::string text = fmt::format("graph {} {}\n", examples[i].name, examples[i].num_nodes);
    for (const std::uint8_t label : labels[i]) text += label != 0 ? "1\n" : "0\n";
    output.write(text);
  }
  output.commit();
}

int run(SegmentPredictCall& call) {
  Console console(call.common.quiet);
  call.input.labelled = false;
  const auto model = segment::SegmentModel::load(call.model);
  require_input_kind(model, call.input);
  if (call.input.graphs) {
    predict_graphs(call, model);
  } else {
    predict_pictures(call, model, console);
  }
  return 0;
}

}  // namespace

void add_segment_predict(CLI::App& segment, int& status) {
  auto call = std::make_shared<SegmentPredictCall>();
  CLI::App* app = segment.add_subcommand(
      "predict",
      "Write the mask NAME.mask.png of each picture into a directory, or the labels of graphs as "
      "text.\n\n"
      "  trellis segment predict pictures/ --model m.trellis --output masks/ --overlay");
  add_segment_input(*app, call->input);
  app->add_option("--model", call->model, "The model")->required();
  app->add_option("--output", call->output,
                  "The directory for the masks, which is made where it is missing; with --graph a "
                  "file [standard output]");
  app->add_flag("--overlay", call->overlay,
                "Write NAME.overlay.png as well: the picture with the figure tinted");
  add_common_options(*app, call->common);
  refuse_negative_counts(*app);
  app->callback([call, &status] { status = run(*call); });
}

}  // namespace trellis::cli
