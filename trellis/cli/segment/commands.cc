#include "trellis/cli/segment/commands.h"

#include "trellis/base/error.h"

namespace trellis::cli {

void add_segment_input(CLI::App& app, segment::SegmentInput& input) {
  app.add_option("files", input.files,
                 "Directories of pictures, pictures, or lists of pictures (and masks); with "
                 "--graph graph files")
      ->required();
  app.add_flag("--graph", input.graphs, "The files are graphs, not pictures");
  app.add_flag("--allow-disconnected", input.allow_disconnected,
               "Take graphs that fall into several parts");
}

void require_input_kind(const segment::SegmentModel& model, const segment::SegmentInput& input) {
  if (model.features().pictures() && input.graphs) {
    throw UsageError("the model was trained on pictures: it cannot take graphs (--graph)");
  }
  if (!model.features().pictures() && !input.graphs) {
    throw UsageError("the model was trained on graphs: name graph files, and --graph");
  }
}

void add_segment(CLI::App& program, int& status) {
  CLI::App* segment = program.add_subcommand(
      "segment",
      "Tell figure from ground: pixels of pictures, nodes of graphs (3-D scans).\n\n"
      "A picture NAME.png (or .pgm, .ppm) has its mask beside it, NAME.mask.png, in which figure "
      "is "
      "what is bright.");
  segment->require_subcommand(1);
  add_segment_train(*segment, status);
  add_segment_predict(*segment, status);
  add_segment_evaluate(*segment, status);
  add_segment_inspect(*segment, status);
}

}  // namespace trellis::cli
