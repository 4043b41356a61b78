// Training of probability tables by (P) (generative/margin/margin_training.h). η and γ are given,
// or chosen by the loss of predictions for a held-out file or for folds of the examples. Each fit
// is a stage: finished fits are kept, and an interrupted fit continues to the same bits.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/generative/distributions.h"
#include "trellis/generative/margin/margin_training.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/oracle/oracle.h"
#include "trellis/tasks/tables/generative_options.h"

namespace trellis::generative {

// The losses of some examples, with everything that they refer to.
class ExampleLosses {
 public:
  virtual ~ExampleLosses() = default;
  virtual const ConvexOracle& oracle() const = 0;
};

// The sum of the losses of predictions, and the number of examples.
struct Tally {
  double loss = 0;
  double examples = 0;

  double mean() const { return examples > 0 ? loss / examples : 0; }
};

// What training requires of a task. Lists of examples are ascending.
class DiscriminativeTask {
 public:
  virtual ~DiscriminativeTask() = default;
  virtual const Distributions& distributions() const = 0;
  virtual Index num_examples() const = 0;
  virtual std::unique_ptr<ExampleLosses> losses(std::span<const Index> examples,
                                                double gamma) const = 0;
  // θ of smoothed frequencies; all values are finite.
  virtual std::vector<double> frequencies(std::span<const Index> examples) const = 0;
  // θ of the model that `--towards PATH` names.
  virtual std::vector<double> towards() const = 0;
  virtual Tally judge(std::span<const double> theta, std::span<const Index> examples) const = 0;
  virtual bool has_dev() const = 0;
  virtual Tally judge_dev(std::span<const double> theta) const = 0;
};

struct MarginSetting {
  double eta = 0;
  double gamma = 0;

  std::string text() const;  // "eta 0.1, gamma 1"
};

struct MarginTrial {
  MarginSetting setting;
  double loss = 0;  // the mean over held-out examples
};

struct DiscriminativeResult {
  bool interrupted = false;
  MarginResult fitted;  // of the last fit, with its whole history
  MarginSetting setting;
  std::vector<MarginTrial> trials;  // empty if there was nothing to choose
  double choice_seconds = 0;
  LearnSummary summary;  // of the last fit
};

// Throws UsageError if the options do not fit together, or the reference tables have a zero.
DiscriminativeResult train_discriminative(const DiscriminativeTask& task,
                                          const EstimatorOptions& options, Stages& stages,
                                          const TrainEvents& events);

// Keys of `train --json` in addition to the summary: η, γ, trials, iterations, the history.
void put_discriminative(const DiscriminativeResult& result, Value& record);
// The record in a model file: the same for two runs of one call.
void put_discriminative_provenance(const DiscriminativeResult& result,
                                   const EstimatorOptions& options, Value& training);

// The probability missing from distributions, and where most of it is missing.
struct MissingMass {
  Index distributions = 0;  // those with a mass below 1 by more than rounding
  double largest = 0;
  Index where = 0;
};
MissingMass missing_mass(const Distributions& distributions, std::span<const double> theta);

}  // namespace trellis::generative
