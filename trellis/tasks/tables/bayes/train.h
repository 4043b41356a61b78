// Trains a Bayesian network on a table of categories: its arrows, and its tables by any of the
// estimators.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/frame/training/stages.h"
#include "trellis/frame/training/training.h"
#include "trellis/generative/network/network_file.h"
#include "trellis/tasks/tables/bayes/bayes_model.h"
#include "trellis/tasks/tables/bayes/row_data.h"
#include "trellis/tasks/tables/bayes/structure_choice.h"
#include "trellis/tasks/tables/table_training.h"

namespace trellis::bayes {

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev = {};  // conditional, max-margin: for the choice of η
  DataOptions data = {};
};

struct TrainOptions : generative::TableOptions {
  StructureOptions structure;
  std::vector<std::string> targets = {};  // variables to predict from the others
  // Keep the tables of the structure's file: with ml all tables, with conditional and max-margin
  // those that these do not train.
  bool keep_tables = false;
};

struct TrainResult : generative::TableTraining {
  Index rows = 0, variables = 0, arrows = 0;
  std::string structure;  // naive, chow-liu, hill-climbing or file
  std::vector<std::string> targets;
  std::vector<std::string> touched;  // conditional, max-margin: variables with trained tables
  Index touched_parameters = 0;
  std::vector<std::string> latent, ignored;
  Index added_values = 0;    // in the rows, not declared by the structure's file
  bool kept_tables = false;  // of the structure's file

  Value record() const;
  std::vector<std::string> notes() const;
};

struct Trained {
  std::optional<BayesModel> model;  // empty if interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // discard after writing the model
};

// Throws UsageError if options do not fit together. Call it before any file is read.
void check(const TrainFiles& files, const TrainOptions& options);
// `network`: the structure's file if there is one (then the data were read with its graph); `dev`:
// for the choice of η. Either may be null.
Trained train(const RowData& data, const NetworkFile* network, const HeldOutRows* dev,
              const TrainOptions& options, const TrainEvents& events);
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events);

// Makes a model of a network file. Throws InputError if the file has no tables.
BayesModel import_network(const std::string& path, const std::vector<std::string>& targets,
                          const std::string& loss);

}  // namespace trellis::bayes
