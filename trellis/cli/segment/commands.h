// `trellis segment`: train, predict, evaluate, inspect — a file each.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "trellis/tasks/segment/segment_data.h"
#include "trellis/tasks/segment/segment_model.h"

namespace trellis::cli {

// Where pictures or graphs come from: the arguments that predict and evaluate share.
void add_segment_input(CLI::App& app, segment::SegmentInput& input);
// Throws UsageError if the model is for the other kind of input.
void require_input_kind(const segment::SegmentModel& model, const segment::SegmentInput& input);

// Each adds its subcommand to `segment`; parsing it runs it. `status` becomes the exit status.
void add_segment_train(CLI::App& segment, int& status);
void add_segment_predict(CLI::App& segment, int& status);
void add_segment_evaluate(CLI::App& segment, int& status);
void add_segment_inspect(CLI::App& segment, int& status);
void add_segment(CLI::App& program, int& status);

}  // namespace trellis::cli
