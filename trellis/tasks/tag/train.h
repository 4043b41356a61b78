// Training a tagger: from labelled files to a model file.
//
//   files → training set → features → chain model → oracle of the loss → learner → model
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n); see problem/loss.h for the losses
// and learn/ for the learners. What mathematics does not allow together (L-BFGS with the hinge,
// say) is a UsageError before any work is done.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/learn/frame/learner.h"
#include "trellis/problem/chain/chain_feature_builder.h"
#include "trellis/problem/loss.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/templates/feature_template.h"
#include "trellis/tasks/tag/training_set.h"

namespace trellis::tag {

enum class Learner {
  kLbfgs,
  kDca,
  kSgd,
  kPerceptron,
  kMira,
  kBcfw,
  kBmrm,
  kExtragradient,
  kProjectedGradient,
  kSmo,  // structured SMO, over marginals
  kQp,   // the joint convex program, for small data
};

std::string_view to_string(Learner learner);   // "lbfgs", "dca", …, "projected-gradient", …
Learner parse_learner(std::string_view name);  // throws UsageError
Loss default_loss(Learner learner);  // perceptron: perceptron; lbfgs, dca, sgd: crf; others: svm
// Whether it moves points of the polytopes instead of collecting cuts (oracle/part_oracle.h).
bool sees_parts(Learner learner);

// In which geometry extragradient moves the points of the polytopes.
enum class Geometry { kEntropic, kEuclidean };

struct TrainOptions {
  std::vector<std::string> files;
  std::string dev;    // watched for early stopping; empty: none
  std::string model;  // where the model goes

  TrainingSetOptions data;
  Index word_column = 0;  // what reports show of a token
  ChainFeatureOptions features;
  std::optional<Kernel> kernel;  // over the node attributes as a vector of numbers
  Index kernel_rank = 0;         // pivots at most; 0: as many as it takes
  int order = 1;                 // labels that a label depends on, 1 to 4
  bool allow_illegal = false;    // do not hold training and decoding to legal tag sequences

  Learner learner = Learner::kLbfgs;
  std::optional<Loss> loss;  // not given: default_loss(learner)
  double c = 1;              // C = 1/(λ n)
  double l1 = 0;             // weight of ‖w‖₁ on the scale of C Σ L_i; lbfgs only (OWL-QN)
  std::map<std::string, double> label_weights;  // the cost of missing a label; 1 where not given

  Index epochs = 0;       // at most; 0: the learner's own default
  Index patience = 0;     // epochs without a better dev figure before training ends; 0: default
  Index warm_up = 3;      // lbfgs: epochs of dca that it starts from
  double epsilon = 1e-5;  // lbfgs: relative gradient norm
  double delta = 1e-5;    // lbfgs: relative decrease over ten iterations
  double gap = 0;         // stop when the certified relative gap is below this; 0: never
  bool certify = false;
  bool average = true;       // dca, mira, perceptron
  bool stored_dual = false;  // dca: true dual coordinate ascent, which goes to the optimum
  Index voters = 0;          // perceptron: keep this many voters; 0: average instead
  Index k = 5;               // mira: cuts a step looks at
  Index cache = 20;          // bcfw: cuts to keep of each sequence
  Geometry geometry = Geometry::kEntropic;  // extragradient
  double radius = 0;     // extragradient, projected-gradient: ‖w‖ ≤ radius instead of C; 0: C
  bool l1_ball = false;  // extragradient: the ball of radius is that of the 1-norm
  double eta = 0;        // sgd: learning rate; 0: chosen on held-out data
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  std::string warm_start;  // a model to start from
  std::string checkpoint;  // where the state goes on an interruption; empty: nowhere
  bool resume = false;     // continue from `checkpoint`
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  // `w` are the weights that would be returned now.
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;
};

struct TrainResult {
  LearnSummary summary;
  bool interrupted = false;  // then there is a checkpoint, and no model was written
  Index sequences = 0;
  Index tokens = 0;
  Index labels = 0;
  Index attributes = 0;
  Index weights = 0;
  Index repaired_labels = 0;
  Loss loss;
  double lambda = 0;
  double eta = 0;        // sgd: the learning rate that was used
  Index best_epoch = 0;  // with a dev set: the epoch whose weights were kept
  std::optional<TagScores> dev;
  std::vector<std::string> unseen_dev_labels;
  double read_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json() const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_tagger(const TrainOptions& options, const FeatureTemplate& features,
                         const TrainEvents& events = {});

}  // namespace trellis::tag
