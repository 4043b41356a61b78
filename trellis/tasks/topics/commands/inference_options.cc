#include "trellis/tasks/topics/commands/inference_options.h"

#include "trellis/base/error.h"

namespace trellis::topics {

void add_inference_options(frame::Command& command, InferenceOptions& options, bool& bridges) {
  command.require([&] { bridges = command.any_given({"bridge", "bridge-to"}); });
  command.option("--inference", options.method,
                 "Inference\n"
                 "cvb0: deterministic; for LDA a fixed point, for DiscLDA a filter\n"
                 "mean-field: a lower bound (DiscLDA)\n"
                 "gibbs: a mean over samples; classes of DiscLDA by bridge sampling");
  command.option("--burn-in", options.burn_in,
                 "Number of sweeps before samples are counted (gibbs) [20; DiscLDA: 50]");
  command
      .option("--samples", options.samples,
              "Number of sweeps whose samples are counted (gibbs) [80; DiscLDA: 200]")
      .between(1, 1e9);
  command.option("--bridge", options.bridge,
                 "Estimator of the ratio of two normalising constants from samples: the geometric "
                 "bridge, the optimal bridge, or the harmonic mean (DiscLDA, gibbs)");
  command.option("--bridge-to", options.bridge_to,
                 "Other end of the bridge from each class: variational: a distribution fitted to "
                 "the class; class: the first class (DiscLDA, gibbs)");
  command.option("--seed", options.seed, "Seed of the random numbers");
  command.those({"burn-in", "samples", "bridge", "bridge-to"}).only_with("inference", {"gibbs"});
}

void require_bridges(const TopicModel& model, bool bridges) {
  if (bridges && model.classes() == nullptr) {
    throw UsageError("--bridge and --bridge-to require a model of DiscLDA: this is a model of LDA");
  }
}

}  // namespace trellis::topics
