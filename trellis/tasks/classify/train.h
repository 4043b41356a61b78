// Training a classifier: from labelled documents to a model.
//
//   documents → features (→ a kernel) → part model of one label each → any learner of fit/
//
// The objective is λ/2 ‖w‖² + (1/n) Σ L_i(w) with λ = 1/(C n); problem/loss.h has the losses. Naive
// Bayes counts instead of minimising (generative/naive_bayes.h): it is no learner of fit/, and has
// none of their dials.
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
// `implicit`: through a kernel without features of its own.
Able able(bool implicit = false);

inline constexpr const char* kNaiveBayes = "naive-bayes";

struct TrainOptions {
  TrainingOptions training;
  std::map<std::string, double> label_weights;  // the cost of missing a label; 1 where not given
  std::optional<Kernel> kernel;                 // over the features but the bias
  std::optional<Index> kernel_rank;             // pivots at most; not given: as many as it takes
  bool implicit = false;        // coefficients of all training documents instead of pivots
  bool naive_bayes = false;     // instead of a learner
  std::optional<double> alpha;  // naive Bayes: smoothing; not given: 0.1
  bool complement = false;      // naive Bayes: its complement
  bool bernoulli = false;       // naive Bayes: of what is there and what is not
};

struct TrainResult {
  bool naive_bayes = false;
  Learned learned;  // without its weights, which the model has; of naive Bayes its summary alone
  Index documents = 0;
  Index labels = 0;
  Index features = 0;
  Index pivots = 0;  // with a kernel
  Index weights = 0;
  Scaling scaling = Scaling::kNone;  // of columns: nothing, range or deviation
  double lambda = 0;
  std::optional<ClassifyScores> dev;
  std::vector<std::string> unseen_dev_labels;
  RunSeconds seconds;

  const LearnSummary& summary() const { return learned.fitted.summary; }
  Value record() const;
  std::vector<std::string> notes(const std::string& dev_name) const;  // for people
};

struct Trained {
  std::optional<ClassifyModel> model;  // none: interrupted, and the state is in the checkpoint
  TrainResult result;
};

// Throws UsageError for options that do not fit together. `dev` may be null. A checkpoint stays
// until the model is written: result.learned.stages->discard().
Trained train(const ClassifyData& data, const HeldOutSet* dev, const TrainOptions& options,
              const TrainEvents& events = {});

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev;   // empty: none
  DataOptions data;  // `counts` is set by what is trained
};
// The same from files; options that do not fit are refused before one is opened. Throws InputError
// for what is wrong with the files.
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events = {});

}  // namespace trellis::classify
