// From files to an aligner that has learned from links: the generative model beneath, which is read
// or trained on all text that there is, and the max-margin model on the labelled pairs; both in one
// model file, which aligns new text by itself.
//
//   text ─ generative model, statistics ─┐
//                                        ├─ features ─ links learned ─ model
//   labelled pairs, externals, tags ─────┘
#pragma once

#include <optional>
#include <string>

#include "trellis/tasks/align/labelled_pairs.h"
#include "trellis/tasks/align/supervised/link_training.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {

struct SupervisedFiles {
  LabelledFiles labelled;
  std::optional<LabelledFiles> dev;
  std::string generative;           // a model; empty: one is trained
  std::optional<BitextFiles> text;  // more text to train it on; none: the labelled pairs alone
};

struct SupervisedOptions {
  LinkTrainingOptions links;
  TrainOptions generative;  // threads, seed and checkpoints are those of `links`
};

struct SupervisedTrained {
  std::optional<AlignModel> model;  // none where it was interrupted
  LinkTrainingResult result;
  std::optional<TrainResult> generative;  // where it was trained
  std::optional<LabelledPairs> dev;
};

// Where options.links.training.checkpoint is P, the state of a generative model that is being
// trained is kept in P.text, and the finished one, until all is done, in P.base.
SupervisedTrained train_supervised(const SupervisedFiles& files, const SupervisedOptions& options,
                                   const TrainEvents& events = {});

}  // namespace trellis::align
