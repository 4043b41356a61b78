// Training a matcher: from graphs or pairs of shapes to a model.
//
//   files → edge features → graphs → part model → learner → model
//
// The objective is λ/2 ‖w − w₀‖² + (1/n) Σ L_i(w) (Petterson 2011, 5.4, where w₀ is 0; centre.h
// says what else it may be). With the MAP estimator L_i is
// the negative log-likelihood of the true matching among all that cover the smaller side; with the
// max-margin estimator the margin loss with the share of wrong nodes for cost. There are two part
// models: matchings, and matchings that cover the smaller side, which have sums up to 24 nodes on a
// side and draws beyond.
//
// What held-out data are judged by is the share of right nodes, 100 % minus the Hamming error.
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
  std::optional<Estimator> estimator;  // none: what the loss says
  Normalize normalize = Normalize::kAutomatic;
  CentreOption centre;
};

// The learner of a run; none for the distance, which learns nothing. Reads no data. Throws
// UsageError for what does not go together.
std::optional<LearnerChoice> learner_of(const TrainOptions& options, Cover cover, bool pairs,
                                        bool has_dev);

// What a run by draws says of them: how hard they were to come by, and how sure the gradient is.
struct DrawFigures {
  Index draws = 0;            // of a gradient; 0: nothing was drawn
  double acceptance = 0;      // accepted draws of those tried, of all examples together
  double gradient_norm = 0;   // of the estimated objective
  double gradient_error = 0;  // its standard error: √(Σ_k Var g_k)
};

struct TrainResult {
  Estimator estimator = Estimator::kMaxMargin;
  Learned learned;          // of the distance: nothing but weights
  std::string centre;       // what weights were held to; empty: nothing was learned
  double centre_scale = 0;  // of the unlearned score; 0: of something else
  Index examples = 0;
  Index nodes = 0;  // of the smaller sides
  Index edges = 0;
  Index weights = 0;
  double lambda = 0;  // 0: something else holds the weights, or nothing
  DrawFigures draws;
  std::optional<MatchScores> train;  // on what was learned from
  std::optional<MatchScores> dev;
  // By what was not learned, of shapes: on dev, or else on what was learned from.
  std::optional<MatchScores> unlearned;
  double unlearned_held_out = kUnknown;  // in percent, on the pairs that the folds were judged by
  RunSeconds seconds;

  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
  // Whether learning has helped, in a line. Of shapes alone.
  std::string against_unlearned() const;
};

struct Trained {
  std::optional<MatchModel> model;  // none where it was interrupted
  TrainResult result;
};

// Throws UsageError for options that do not fit together or that the graphs are too large for.
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

// Throws InputError for what is wrong with the files. Nothing is read before it is known that the
// options fit together.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::match
