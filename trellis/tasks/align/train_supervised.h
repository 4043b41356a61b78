// From files to an aligner that has learned from links: a generative model, which is read or
// trained on all text, and the max-margin model on the labelled pairs. Both are in one model file,
// which is all that prediction needs.
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
  std::string generative;           // path of a model; empty: train one
  std::optional<BitextFiles> text;  // more text for that training; empty: the labelled pairs
};

struct SupervisedOptions {
  LinkTrainingOptions links;
  TrainOptions generative;  // threads, seed and checkpoints come from `links`
};

struct SupervisedTrained {
  std::optional<AlignModel> model;  // empty if interrupted
  LinkTrainingResult result;
  std::optional<TrainResult> generative;  // if it was trained
  std::optional<LabelledPairs> dev;
};

// If options.links.training.checkpoint is P, the state of a generative model in training is in
// P.text, and the finished one is in P.base until all is done.
SupervisedTrained train_supervised(const SupervisedFiles& files, const SupervisedOptions& options,
                                   const TrainEvents& events = {});

}  // namespace trellis::align
