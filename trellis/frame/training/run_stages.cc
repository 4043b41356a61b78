#include "trellis/frame/training/run_stages.h"

#include <fmt/format.h>

#include <utility>

namespace trellis {
namespace {

std::string identity_of(const LearnerChoice& choice, const TrainingOptions& options,
                        const std::string& identity) {
  std::string text = fmt::format("{} {} folds={} path={} seed={}", identity, choice.description(),
                                 options.folds, options.path, options.seed);
  for (const Candidates& one : options.candidates) {
    text += fmt::format(" {}:{}", one.dial, fmt::join(one.values, ","));
  }
  if (options.judged_folds > 0) text += fmt::format(" judged={}", options.judged_folds);
  if (options.besides) text += " besides";
  if (options.behind_peak != TrainingOptions{}.behind_peak) {
    text += fmt::format(" behind={}", options.behind_peak);
  }
  return text;
}

}  // namespace

std::shared_ptr<Stages> make_stages(const LearnerChoice& choice, const TrainingOptions& options,
                                    const std::string& identity, const TrainEvents& events) {
  return make_stages(options, identity_of(choice, options, identity), events);
}

std::shared_ptr<Stages> make_stages(const CheckpointOptions& options, const std::string& identity,
                                    const TrainEvents& events) {
  auto made = std::make_shared<Stages>(options, identity, events.stop);
  if (options.resume && !made->resumed()) {
    events.phase(
        fmt::format("there is no checkpoint {}: starting from the beginning", options.checkpoint));
  }
  return made;
}

}  // namespace trellis
