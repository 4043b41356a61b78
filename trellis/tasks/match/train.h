// Trains a matcher on graphs or pairs of shapes.
//
//   files → edge features → graphs → part model → learner → model
//
// The objective is λ/2 ‖w − w₀‖² + (1/n) Σ L_i(w) (Petterson 2011, 5.4, with w₀ = 0; centre.h has
// other centres). For the MAP estimator L_i is the negative log-likelihood of the true matching
// among all that cover the smaller side; for the max-margin estimator it is the margin loss whose
// cost is the share of wrong nodes. There are two part models: matchings, and matchings that cover
// the smaller side, which have sums for up to 24 nodes on a side, and draws beyond.
//
// The metric on held-out data is the share of correct nodes: 100 % minus the Hamming error.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/tasks/match/centre.h"
#include "trellis/tasks/match/match_data.h"
#include "trellis/tasks/match/match_model.h"
#include "trellis/tasks/match/match_scores.h"
#include "trellis/tasks/match/normalize.h"

namespace trellis::match {

const TaskDefaults& defaults();
// Partial matchings have neither sums nor faces.
Able able(Cover cover = Cover::kPerfect);

struct TrainOptions {
  TrainingOptions training;
  std::optional<Estimator> estimator;  // empty: that of the loss
  Normalize normalize = Normalize::kAutomatic;
  CentreOption centre;
};

// The learner of a run; empty for the distance, which has no training. Reads no data. Throws
// UsageError for options that do not fit together.
std::optional<LearnerChoice> learner_of(const TrainOptions& options, Cover cover, bool pairs,
                                        bool has_dev);

// Statistics of the draws of a run: acceptance, and accuracy of the gradient.
struct DrawFigures {
  Index draws = 0;            // for one gradient; 0: no draws
  double acceptance = 0;      // accepted draws / tried draws, over all examples
  double gradient_norm = 0;   // of the estimated objective
  double gradient_error = 0;  // its standard error: √(Σ_k Var g_k)
};

struct TrainResult {
  Estimator estimator = Estimator::kMaxMargin;
  Learned learned;          // for the distance: only the weights
  std::string centre;       // centre of regularisation; empty: no training
  double centre_scale = 0;  // factor of the unlearned score; 0: another centre
  Index examples = 0;
  Index nodes = 0;  // on the smaller sides
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;  // 0: not regularised by λ
  DrawFigures draws;
  std::optional<MatchScores> train;  // on the training set
  std::optional<MatchScores> dev;
  // For shapes, the unlearned score: on dev, or else on the training set.
  std::optional<MatchScores> unlearned;
  double unlearned_held_out = kUnknown;  // percent, on the pairs that evaluated the folds
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
  // One line on whether training helped. Only for shapes.
  std::string against_unlearned() const;
};

struct Trained {
  std::optional<MatchModel> model;  // empty if interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together, or if the graphs are too large for them.
// `dev` may be empty.
Trained train(const MatchData& data, std::span<const MatchExample> dev, const TrainOptions& options,
              const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> files;  // graph files, or lists of pairs
  std::vector<std::string> dev;    // of the same kind; may be empty
  bool pairs = false;
  ContextOptions contexts;
  Cover cover = Cover::kPerfect;
};

// Checks the options before it reads anything. Throws InputError for invalid files.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::match
