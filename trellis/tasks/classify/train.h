// Trains a classifier on labelled documents.
//
//   documents → features (→ a kernel) → part model of one label each → any learner of fit/
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n); problem/loss.h has the losses. Naive
// Bayes counts instead of minimising (generative/naive_bayes.h): it is not a learner of fit/ and
// has none of their options.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/fit/choose.h"
#include "trellis/frame/training/result.h"
#include "trellis/frame/training/training.h"
#include "trellis/problem/kernels/kernel.h"
#include "trellis/tasks/classify/classify_model.h"
#include "trellis/tasks/classify/classify_scores.h"
#include "trellis/tasks/classify/document_set.h"

namespace trellis::classify {

const TaskDefaults& defaults();
// `implicit`: with a kernel without explicit features.
Able able(bool implicit = false);

inline constexpr const char* kNaiveBayes = "naive-bayes";

struct TrainOptions {
  TrainingOptions training;
  std::map<std::string, double> label_weights;  // the cost of missing a label; 1 where not given
  std::optional<Kernel> kernel;                 // over the features except the bias
  std::optional<Index> kernel_rank;             // maximum of pivots; default: as many as needed
  bool implicit = false;        // coefficients of all training documents instead of pivots
  bool naive_bayes = false;     // instead of a learner
  std::optional<double> alpha;  // naive Bayes: smoothing; not given: 0.1
  bool complement = false;      // naive Bayes: the complement variant
  bool bernoulli = false;       // naive Bayes: on presence and absence of features
};

struct TrainResult {
  bool naive_bayes = false;
  Learned learned;  // weights are in the model; naive Bayes: only the summary
  Index documents = 0;
  Index labels = 0;
  Index features = 0;
  Index pivots = 0;  // with a kernel
  Index weights = 0;
  Scaling scaling = Scaling::kNone;  // of columns: none, range or deviation
  double lambda = 0;
  std::optional<ClassifyScores> dev;
  std::vector<std::string> unseen_dev_labels;
  RunSeconds seconds;

  const LearnSummary& summary() const { return learned.fitted.summary; }
  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<ClassifyModel> model;  // empty: interrupted, with the state in the checkpoint
  TrainResult result;
};

// Throws UsageError for options that do not fit together. `dev` may be null. After writing the
// model, the caller removes the checkpoint: result.learned.stages->discard().
Trained train(const ClassifyData& data, const HeldOutSet* dev, const TrainOptions& options,
              const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev;   // empty: none
  DataOptions data;  // the kind of model sets `counts`
};
// The same from files; checks the options before it opens a file. Throws InputError for invalid
// files.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::classify
