// From a table of categories to a Bayesian network: its arrows, and its tables by any of the
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
#include "trellis/tasks/bayes/bayes_model.h"
#include "trellis/tasks/bayes/row_data.h"
#include "trellis/tasks/bayes/structure_choice.h"
#include "trellis/tasks/generative/table_training.h"

namespace trellis::bayes {

struct TrainFiles {
  std::vector<std::string> train;
  std::string dev = {};  // conditional, max-margin: η is chosen on it
  DataOptions data = {};
};

struct TrainOptions : generative::TableOptions {
  StructureOptions structure;
  std::vector<std::string> targets = {};  // to be told from the others
  // Tables of the structure's file are taken as they are: all of them by ml, and by conditional and
  // max-margin those that these do not train.
  bool keep_tables = false;
};

struct TrainResult : generative::TableTraining {
  Index rows = 0, variables = 0, arrows = 0;
  std::string structure;  // naive, chow-liu, hill-climbing or file
  std::vector<std::string> targets;
  std::vector<std::string> touched;  // conditional, max-margin: whose tables were trained
  Index touched_parameters = 0;
  std::vector<std::string> latent, ignored;
  Index added_values = 0;    // of the rows, which the structure's file does not declare
  bool kept_tables = false;  // of the structure's file

  Value record() const;
  std::vector<std::string> notes() const;
};

struct Trained {
  std::optional<BayesModel> model;  // none: interrupted
  TrainResult result;
  std::shared_ptr<Stages> stages;  // to be discarded when the model is written
};

// Throws UsageError where options do not fit together; before any file is read, check() does.
void check(const TrainFiles& files, const TrainOptions& options);
// `network` is the structure's file, where that is one (the data were read with its graph), and
// `dev` what η is chosen on; either may be null.
Trained train(const RowData& data, const NetworkFile* network, const HeldOutRows* dev,
              const TrainOptions& options, const TrainEvents& events);
Trained train_files(const TrainFiles& files, const TrainOptions& options,
                    const TrainEvents& events);

// A model of a network as it stands in a file. Throws InputError where it has no tables.
BayesModel import_network(const std::string& path, const std::vector<std::string>& targets,
                          const std::string& loss);

}  // namespace trellis::bayes
