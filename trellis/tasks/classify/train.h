// Training a classifier: from labelled files to a model file.
//
//   files → documents → features → part model of one label each → oracle of the loss → learner
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n); problem/loss.h has the losses.
// What mathematics does not allow together (L-BFGS with the hinge, say) is a UsageError before any
// work is done. Naive Bayes counts instead of minimising (generative/naive_bayes.h).
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
#include "trellis/problem/loss.h"
#include "trellis/tasks/classify/classify_scores.h"
#include "trellis/tasks/classify/document_set.h"
#include "trellis/tasks/classify/features.h"

namespace trellis::classify {

enum class Learner { kSmo, kDca, kBcfw, kBmrm, kLbfgs, kSgd, kPerceptron, kNaiveBayes };

std::string_view to_string(Learner learner);   // "smo", …, "naive-bayes"
Learner parse_learner(std::string_view name);  // throws UsageError
// What goes together where only one of the two is given: smo, dca, bcfw, bmrm: svm; lbfgs, sgd:
// crf; perceptron: perceptron. Of no loss at all: smo.
Learner default_learner(const std::optional<Loss>& loss);
Loss default_loss(Learner learner);

struct TrainOptions {
  TrainingSetOptions data;
  std::string dev;    // watched for early stopping; empty: none
  std::string model;  // where the model goes
  // Not given: log-tfidf and length 1 for text; counts as they are for LIBSVM and naive Bayes.
  std::optional<Weighting> weighting;
  std::optional<bool> normalize;

  std::optional<Learner> learner;  // not given: default_learner(loss)
  std::optional<Loss> loss;        // not given: default_loss(learner)
  std::optional<double> c;         // C = 1/(λ n); not given: 1 for the hinge, 10 for finite β
  double l1 = 0;  // weight of ‖w‖₁ on the scale of C Σ L_i; lbfgs only (OWL-QN)
  std::map<std::string, double> label_weights;  // the cost of missing a label; 1 where not given
  double alpha = 0.1;                           // naive Bayes: smoothing
  bool complement = false;                      // naive Bayes: its complement

  Index epochs = 0;       // at most; 0: the learner's own default
  Index patience = 0;     // epochs without a better dev figure before training ends; 0: default
  double epsilon = 1e-4;  // lbfgs: relative gradient norm
  double delta = 1e-3;    // lbfgs: relative decrease over ten iterations
  // Stop when the certified relative gap is below this; 0: never. Not given: 0.001 for the learners
  // that go to the optimum of the hinge (smo, bcfw, bmrm, dca with a stored dual), else 0.
  std::optional<double> gap;
  bool certify = false;
  bool average = true;       // dca, bcfw, perceptron
  bool stored_dual = false;  // dca: true dual coordinate ascent, which goes to the optimum
  double eta = 0;            // sgd: learning rate; 0: chosen on held-out data
  std::uint64_t seed = 1;
  int threads = 0;  // 0: all cores

  std::string checkpoint;  // where the state goes on an interruption; empty: nowhere
  bool resume = false;     // continue from `checkpoint`
};

// Who is told what, while it happens. Every function may be empty.
struct TrainEvents {
  std::function<void(const std::string& message)> on_phase;
  std::function<void(const EpochRecord& record)> on_epoch;
  std::stop_token stop;
};

struct TrainResult {
  Learner learner = Learner::kSmo;
  Loss loss;
  double c = 0;
  double lambda = 0;
  LearnSummary summary;
  bool interrupted = false;  // then there is a checkpoint, and no model was written
  Index documents = 0;
  Index labels = 0;
  Index features = 0;
  Index weights = 0;
  double eta = 0;        // sgd: the learning rate that was used
  Index best_epoch = 0;  // with a dev set: the epoch whose weights were kept
  std::optional<ClassifyScores> dev;
  std::vector<std::string> unseen_dev_labels;
  double read_seconds = 0;
  double total_seconds = 0;

  nlohmann::json to_json() const;
};

// Throws UsageError for options that do not fit together, InputError for what is wrong with the
// files.
TrainResult train_classifier(const TrainOptions& options, const TrainEvents& events = {});

}  // namespace trellis::classify
