#include "trellis/cli/topics/inference_options.h"

#include "trellis/base/error.h"

namespace trellis::topics {

void add_inference_options(cli::Command& command, InferenceOptions& options) {
  command.option("--inference", options.method,
                 "cvb0: without random numbers, LDA by a fixed point, DiscLDA by a filter\n"
                 "mean-field: a lower bound (DiscLDA)\n"
                 "gibbs: a mean over samples; DiscLDA's classes by bridge sampling");
  command.option("--burn-in", options.burn_in,
                 "Sweeps that are not counted (gibbs) [20; 50 of DiscLDA]");
  command.option("--samples", options.samples, "Sweeps that are (gibbs) [80; 200 of DiscLDA]")
      .between(1, 1e9);
  command.option("--bridge", options.bridge,
                 "How samples of two distributions give the ratio of their sums: the geometric "
                 "bridge, the optimal one, or the harmonic mean of one (DiscLDA, gibbs)");
  command.option("--bridge-to", options.bridge_to,
                 "variational: from each class to a distribution fitted to it; class: to the first "
                 "class (DiscLDA, gibbs)");
  command.option("--seed", options.seed, "Of random numbers");
}

void refuse_other_inferences(const TopicModel& model, const InferenceOptions& said) {
  const InferenceOptions standard;
  const bool bridges = said.bridge != standard.bridge || said.bridge_to != standard.bridge_to;
  if (said.method != Inference::kGibbs && (said.burn_in || said.samples || bridges)) {
    throw UsageError("--burn-in, --samples and --bridge… are for --inference gibbs");
  }
  if (bridges && model.classes() == nullptr) {
    throw UsageError("--bridge and --bridge-to are for models of DiscLDA, and this is one of LDA");
  }
}

}  // namespace trellis::topics
