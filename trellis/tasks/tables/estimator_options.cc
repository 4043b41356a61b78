#include "trellis/tasks/tables/estimator_options.h"

#include <fmt/format.h>

#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::generative {

std::vector<std::string> parse_columns(const std::string& text) {
  std::vector<std::string_view> fields;
  split(text, ',', fields);
  std::vector<std::string> columns;
  for (const std::string_view field : fields) {
    columns.emplace_back(trim(field));
    if (columns.back().empty()) {
      throw UsageError(fmt::format("'{}' is not a list of columns separated by commas", text));
    }
  }
  return columns;
}

void take_flags(const frame::TrainingFlags& flags, TableOptions& options) {
  options.estimator.seed = flags.options.seed;
  options.estimator.threads = flags.common.threads;
  static_cast<CheckpointOptions&>(options) = flags.options.checkpointing();
}

void add_estimator_options(frame::Command& command, EstimatorOptions& options, std::string& dev,
                           const std::string& mistakes) {
  command.group("Estimation");
  command.option("--estimator", options.estimator,
                 "ml: relative frequencies; em: expectation maximisation, for data with unknown "
                 "values; conditional: maximum likelihood of the predicted values given the "
                 "others; max-margin: the true values must win by a margin equal to the loss");
  command.option("--smoothing", options.smoothing,
                 "Number added to every count; 0: maximum likelihood [1; em: 0.1]");
  command.option("--iterations", options.iterations,
                 "Maximum number of iterations [em: 100; conditional, max-margin: 2000]");
  command.option("--loss", options.loss,
                 "Loss of a mistake: hamming: 1 each; ring: the distance on a ring of the " +
                     mistakes +
                     " in the order of their names (numbers by value); or a file with lines 'truth "
                     "predicted cost', where a pair that is not listed costs 1 [hamming]");
  command.group("EM");
  command.option("--restarts", options.restarts,
                 "Number of random starts; the best one is kept [1]");
  command.option("--tolerance", options.tolerance,
                 "Stop when an iteration gains less than this times the objective [1e-6]");
  command.group("Conditional and max-margin");
  command.parsed("--eta", options.eta, parse_etas,
                 "Weight of the examples relative to the reference tables (--towards); several "
                 "values with commas: chosen by the held-out loss [0.1,1,10 over the number of "
                 "examples; quadratic: 1 % of that]");
  command.parsed(
      "--gamma", options.gamma, parse_gammas,
      "Number added to the score of a mistake for each unit of its loss; several values with "
      "commas: chosen by the held-out loss [conditional: 0; max-margin: 0.1,0.3,1]");
  command.option("--dev", dev, "Held-out file, used to choose eta and gamma").same_bits();
  command.option("--cv", options.folds,
                 "Number of cross-validation folds to choose eta and gamma without --dev [5]");
  command.option("--towards", options.towards,
                 "Reference tables, which the model stays close to: uniform, ml (smoothed) or a "
                 "model file [ml]");
  command.option("--divergence", options.divergence,
                 "Divergence that keeps the model close to the reference tables: forward: "
                 "D(reference, model); reverse: D(model, reference) [forward]");
  command.option("--penalty", options.penalty,
                 "Max-margin: penalty of a missed margin: linear; quadratic; rescaled: multiplied "
                 "by the loss of the mistake [linear]");
  command.option("--gap", options.gap,
                 "Stop when the certified relative gap between objective and bound is below this; "
                 "10 times this while eta and gamma are chosen [0.001]");
  command.option("--start", options.start,
                 "Starting point: uniform or ml; does not change the optimum [ml]");
  command.option("--proximal", options.proximal, "Weight of the proximal term [0.01]");
  command.option("--vertices", options.vertices,
                 "Maximum number of vertices in each simplex of a master problem [100]");
  command.option("--directions", options.directions,
                 "Number of parts of the examples, each with its own ascent direction [1]");
  command.option("--working-sets", options.working_sets,
                 "Number of parts of the examples, each with its own simplex [1]");
  command.option("--set-steps", options.set_steps,
                 "Number of master problems solved for a working set before the next one [3]");
  command.option("--rounds", options.rounds,
                 "Maximum number of passes over the working sets, instead of --iterations");
  command.flag("--online", options.online,
               "Use one simplex for all working sets, which extend it one after another");
}

}  // namespace trellis::generative
