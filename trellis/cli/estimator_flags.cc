#include "trellis/cli/estimator_flags.h"

#include <fmt/format.h>

#include <string_view>

#include "trellis/base/error.h"
#include "trellis/base/text.h"

namespace trellis::cli {

std::vector<std::string> parse_columns(const std::string& text) {
  std::vector<std::string_view> fields;
  split(text, ',', fields);
  std::vector<std::string> columns;
  for (const std::string_view field : fields) {
    columns.emplace_back(trim(field));
    if (columns.back().empty()) {
      throw UsageError(fmt::format("'{}' is no list of columns, separated by commas", text));
    }
  }
  return columns;
}

void take_flags(const TrainingFlags& flags, generative::TableOptions& options) {
  options.estimator.seed = flags.options.seed;
  options.estimator.threads = flags.common.threads;
  options.checkpoint = flags.options.checkpoint;
  options.resume = flags.options.resume;
  options.save_every = flags.options.save_every;
}

void add_estimator_flags(Command& command, generative::EstimatorOptions& options, std::string& dev,
                         const std::string& mistakes) {
  command.group("Estimation");
  command.option("--estimator", options.estimator,
                 "ml: relative frequencies; em: where values are not known; conditional: the "
                 "likelihood of what will be asked, given the rest; max-margin: what is true is to "
                 "win by what mistakes cost");
  command.option("--smoothing", options.smoothing,
                 "What is added to every count; 0: maximum likelihood [1; em: 0.1]");
  command.option("--iterations", options.iterations,
                 "Maximum number of iterations [em: 100; conditional, max-margin: 2000]");
  command.option("--loss", options.loss,
                 "What mistakes cost: hamming, 1 each; ring, the distance along the ring of the " +
                     mistakes +
                     " in the order of their names (numbers by value); or a file of lines 'truth "
                     "predicted cost', 1 for those not told [hamming]");
  command.group("EM");
  command.option("--restarts", options.restarts, "Random starts, the best of which is kept [1]");
  command.option("--tolerance", options.tolerance,
                 "Ends where an iteration gains less than this times the objective [1e-6]");
  command.group("Conditional and max-margin");
  command.parsed("--eta", options.eta, generative::parse_etas,
                 "What the examples weigh against the tables held to; several with commas: chosen "
                 "by the loss of what is held out [0.1,1,10 over the number of examples; "
                 "quadratic: a hundredth of that]");
  command.parsed("--gamma", options.gamma, generative::parse_gammas,
                 "What is added to the score of a mistake for each unit of its loss; several with "
                 "commas: chosen as well [conditional: 0; max-margin: 0.1,0.3,1]");
  command.option("--dev", dev, "Held-out file, by which eta and gamma are chosen");
  command.option("--cv", options.folds,
                 "Folds by which they are chosen where there is no --dev [5]");
  command.option("--towards", options.towards,
                 "The tables held to: uniform, ml (smoothed) or the file of a model [ml]");
  command.option("--divergence", options.divergence,
                 "forward: D(tables held to, model); reverse: D(model, tables held to) [forward]");
  command.option("--penalty", options.penalty,
                 "Max-margin. Of the margin that is missed: linear; quadratic; rescaled: times the "
                 "loss of the mistake [linear]");
  command.option("--gap", options.gap,
                 "Ends where objective and bound are proven to be this close, relative to the "
                 "objective; ten times as far in the choice of eta and gamma [0.001]");
  command.option("--start", options.start,
                 "Where to begin: uniform or ml; without influence on the optimum [ml]");
  command.option("--proximal", options.proximal, "Weight of the proximal term [0.01]");
  command.option("--vertices", options.vertices,
                 "Maximum number of vertices in each simplex of a master problem [100]");
  command.option("--directions", options.directions,
                 "Parts of the examples that are tried as ascent directions of their own [1]");
  command.option("--working-sets", options.working_sets,
                 "Parts of the examples with a simplex each [1]");
  command.option("--set-steps", options.set_steps,
                 "Working sets one after the other, so many master problems for each [3]");
  command.option("--rounds", options.rounds,
                 "Maximum number of passes over the working sets, instead of --iterations");
  command.flag("--online", options.online,
               "One simplex for all working sets, which each in turn expands");
}

}  // namespace trellis::cli
