// Trains a hidden Markov model on files of sequences, by any of the estimators.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/tables/hmm/sequence_data.h"
#include "trellis/tasks/tables/hmm/sequence_model.h"
#include "trellis/tasks/tables/table_training.h"

namespace trellis::hmm {

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev = {};  // conditional, max-margin: for the choice of η
  DataOptions data = {};
};

struct TrainOptions : generative::TableOptions {
  Index num_states = 0;  // em, without a column of states
};

struct TrainResult : generative::TableTraining {
  Index sequences = 0, positions = 0, states = 0, channels = 0;

  Value record() const;
  std::vector<std::string> notes() const;
};

struct Trained {
  std::optional<SequenceModel> model;  // empty if interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // discard after writing the model
};

// Throws UsageError if options do not fit together. Call it before any file is read.
void check(const TrainFiles& files, const TrainOptions& options);
Trained train(const SequenceData& data, const SequenceData* dev, const TrainOptions& options,
              const TrainEvents& events);
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events);

// Reads held-out sequences with the numbers of the training set.
SequenceData read_held_out_sequences(InputFile file, const ColumnOptions& options,
                                     const SequenceData& training);

}  // namespace trellis::hmm
