#include "trellis/tasks/parse/commands/inference_options.h"

namespace trellis::parse {

void add_limits(frame::Command& command, InferenceLimits& limits, const std::string& iterations,
                const std::string& tolerance) {
  command
      .option("--inference-iterations", limits.iterations,
              "Maximum number of iterations of the inference for a sentence: sweeps of beliefs, "
              "evaluations of the reweighted bound" +
                  iterations)
      .between(1, 1e6);
  command
      .option("--inference-tolerance", limits.tolerance,
              "Residual below which the inference has converged" + tolerance)
      .between(0, 1);
  command
      .option("--damping", limits.damping,
              "Damping of messages (0 to below 1): fraction of the old message in the new one "
              "(--inference beliefs) [0.5]")
      .between(0, 1);
}

void add_decoding(frame::Command& command, DecodeOptions& decoding) {
  command.group("Decoding");
  command.option(
      "--decode", decoding.decoding,
      "map: the tree with the highest score\n"
      "risk: the tree with the least expected cost, by the probabilities of arcs and labels\n"
      "[as in training: map, unless train --decode risk]");
  command
      .option("--inference", decoding.sums,
              "Inference for the probabilities of a second-order model [beliefs]")
      .one_of({"beliefs", "reweighted"});
  add_limits(command, decoding.limits, " [beliefs: 200; reweighted: 20]",
             " [beliefs: 1e-09; reweighted: 0.001]");
  command.group("");
}

}  // namespace trellis::parse
