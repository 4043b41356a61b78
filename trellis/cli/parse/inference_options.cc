#include "trellis/cli/parse/inference_options.h"

namespace trellis::parse {

void add_limits(cli::Command& command, InferenceLimits& limits, const std::string& iterations,
                const std::string& tolerance) {
  command
      .option("--inference-iterations", limits.iterations,
              "Maximum number of iterations of the inference for a sentence: sweeps of beliefs, "
              "evaluations of the reweighted bound" +
                  iterations)
      .between(1, 1e6);
  command
      .option("--inference-tolerance", limits.tolerance,
              "Residual at which the inference has converged" + tolerance)
      .between(0, 1);
  command
      .option("--damping", limits.damping,
              "Share of the old message that a new one keeps, from 0 to below 1; with --inference "
              "beliefs [0.5]")
      .between(0, 1);
}

void add_decoding(cli::Command& command, DecodeOptions& decoding) {
  command.group("Decoding");
  command.option(
      "--decode", decoding.decoding,
      "map: the tree with the highest score\nrisk: the tree with the least expected cost "
      "by the probabilities of arcs and labels\n[as the model was trained: map, unless "
      "train --decode risk]");
  command
      .option("--inference", decoding.sums,
              "With a second-order model, how probabilities are computed [beliefs]")
      .one_of({"beliefs", "reweighted"});
  add_limits(command, decoding.limits, " [200; 20]", " [1e-09; 0.001]");
  command.group("");
}

}  // namespace trellis::parse
