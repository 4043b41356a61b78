// From files of sequences to a hidden Markov model, by any of the estimators.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/tasks/generative/table_training.h"
#include "trellis/tasks/hmm/sequence_data.h"
#include "trellis/tasks/hmm/sequence_model.h"

namespace trellis::hmm {

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev = {};  // conditional, max-margin: η is chosen on it
  DataOptions data = {};
};

struct TrainOptions : generative::TableOptions {
  Index num_states = 0;  // em, where no column has the state
};

struct TrainResult : generative::TableTraining {
  Index sequences = 0, positions = 0, states = 0, channels = 0;

  Value record() const;
  std::vector<std::string> notes() const;
};

struct Trained {
  std::optional<SequenceModel> model;  // none: interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // to be discarded when the model is written
};

// Throws UsageError where options do not fit together; before any file is read, check() does.
void check(const TrainFiles& files, const TrainOptions& options);
Trained train(const SequenceData& data, const SequenceData* dev, const TrainOptions& options,
              const TrainEvents& events);
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events);

// Held-out sequences, numbered as the training set is.
SequenceData read_held_out_sequences(InputFile file, const ColumnOptions& options,
                                     const SequenceData& training);

}  // namespace trellis::hmm
