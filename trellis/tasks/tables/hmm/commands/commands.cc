#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/tables/estimator_options.h"
#include "trellis/tasks/tables/hmm/evaluate.h"
#include "trellis/tasks/tables/hmm/hmm_report.h"
#include "trellis/tasks/tables/hmm/inspect.h"
#include "trellis/tasks/tables/hmm/predict.h"
#include "trellis/tasks/tables/hmm/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::hmm {
namespace {

using frame::Command;
using frame::Findings;

struct TrainCall {
  frame::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
};

void add_file_options(Command& command, ColumnOptions& columns) {
  command.option("--format", columns.format,
                 "File format: columns: one position per line, an empty line between sequences; "
                 "csv: with a header; auto: csv if the file name ends in .csv, else columns");
  command.option("--sequence", columns.sequence,
                 "Column with the id of the sequence that a line belongs to (CSV)");
}

void add_train_options(Command& command, TrainCall& call) {
  ColumnOptions& columns = call.files.data.columns;
  command.option("files", call.files.train, "Files of sequences").required();
  command.short_help({"--format", "--sequence", "--state", "--observations", "--rare", "--states",
                      "--estimator", "--smoothing", "--loss", "--restarts", "--dev"});
  command.group("Data");
  add_file_options(command, columns);
  command.option("--state", columns.state,
                 "Column of the state: a number from 1, or a name from the header; none: the files "
                 "have no states [the last column]");
  command.parsed("--observations", columns.observations, generative::parse_columns,
                 "Columns of the observations, separated by commas [all others]");
  command.option("--rare", call.files.data.rare,
                 "Minimum frequency of a value; rarer values share one symbol, which also "
                 "represents unseen values; 0: unseen values are treated as missing");
  command.option("--states", call.options.num_states, "Number of states (em with --state none)")
      .shows("");
  generative::add_estimator_options(command, call.options.estimator, call.files.dev, "states");
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  report::HmmReport page = report::training_report(trained.result, *trained.model);
  page.title = "Training of " + call.flags.model;
  std::optional<Evaluation> evaluation;
  if (!call.files.dev.empty()) {
    EvaluateOptions options;
    options.columns = call.files.data.columns;
    options.threads = call.flags.common.threads;
    options.keep_sequences = true;
    evaluation = evaluate(*trained.model, InputFile(call.files.dev), options);
    page.evaluation = &*evaluation;
    page.evaluated_on = call.files.dev;
  }
  return report::hmm_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  return generative::train_tables(call, events, training_page);
}

void add_train(Command& hmm) {
  frame::add_run<TrainCall>(
      hmm,
      {"Train a hidden Markov model.\n\n"
       "  trellis hmm train train.tsv --model m.trellis\n"
       "  trellis hmm train train.tsv --estimator max-margin --loss ring --model m.trellis\n"
       "  trellis hmm train train.csv --sequence day --state weather --model m.trellis\n"
       "  trellis hmm train seen.txt --state none --estimator em --states 4 --restarts 10 --model "
       "m.trellis\n\n"
       "A position has a state and one or more observations; '?' is an unknown value.",
       "", "curves, probability tables, and mistakes on --dev"},
      add_train_options, run_train);
}

void add_predict(Command& hmm) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<SequenceModel, Call>(
      hmm,
      {"predict",
       "Write every line with its predicted state. With piped input, each sequence is written as "
       "soon as it is complete.\n"
       "A column of states in the file is ignored.",
       "Sequences"},
      [](Command& command, Call& call) {
        add_file_options(command, call.options.columns);
        command.option("--decode", call.options.decode,
                       "map: the most probable sequence of states; posterior: the most probable "
                       "state of each position");
        command.flag("--marginals", call.options.marginals,
                     "Write the probability of each state at each position");
      },
      [](const SequenceModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        return Findings{{}, predict(model, call.input(), call.options, out).warnings()};
      });
}

struct EvaluateCall : frame::ModelCall {
  EvaluateOptions options;
};

Findings evaluate_model(const SequenceModel& model, EvaluateCall& call) {
  call.options.threads = call.threads;
  call.options.keep_sequences = !call.report.empty();
  const Evaluation evaluation = evaluate(model, call.input(), call.options);
  Findings findings =
      frame::answer(call, evaluation.record(), evaluation.to_text(), evaluation.warnings());
  if (!call.report.empty()) {
    report::HmmReport page;
    page.title = frame::evaluation_title(call);
    page.subtitle = fmt::format("{} sequences", evaluation.sequences);
    page.model = &model;
    page.evaluated_on = call.piped() ? "standard input" : call.file;
    page.evaluation = &evaluation;
    findings.page = report::hmm_report(page);
  }
  return findings;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const Evaluation evaluation = judge_file(call.input(), InputFile(call.predictions), call.options);
  return frame::answer(call, evaluation.record(), evaluation.to_text());
}

void add_evaluate(Command& hmm) {
  frame::add_evaluate<SequenceModel, EvaluateCall>(
      hmm,
      {"evaluate",
       "Predict the states of a file with known states, and compare.\n\n"
       "  trellis hmm evaluate test.tsv --model m.trellis\n"
       "  trellis hmm evaluate test.tsv --predictions states.tsv",
       "Sequences", "mistakes, sequences and probability tables", true,
       "the output of predict, the same lines with predicted states"},
      [](Command& command, EvaluateCall& call) {
        add_file_options(command, call.options.columns);
        command.option("--state", call.options.columns.state,
                       "Column of the state (with --predictions): a number from 1, or a name from "
                       "the header [the last column]");
        command.option("--decode", call.options.decode,
                       "map: the most probable sequence of states; posterior: the most probable "
                       "state of each position");
        command.option("--loss", call.options.loss,
                       "Loss: hamming, ring or a file of costs, as in training [as in the model; "
                       "with --predictions hamming]");
        command.at("state").needs("predictions", "a model stores the column of its state");
        command.at("predictions").excludes("report", "a report requires a model");
      },
      evaluate_model, evaluate_predictions);
}

void add_inspect(Command& hmm) {
  struct Call : frame::ModelCall {
    bool tables = false;
  };
  frame::add_command<SequenceModel, Call>(
      hmm,
      {"inspect",
       "Show the states and columns of a model, how it was trained, and its probabilities."},
      [](Command& command, Call& call) {
        command.flag("--tables", call.tables, "Print all probabilities");
      },
      [](const SequenceModel& model, Call& call) {
        return frame::answer(call, inspect_record(model, call.tables),
                             inspect_text(model, call.tables));
      });
}

void add_sample(Command& hmm) {
  struct Call : frame::ModelCall {
    Index count = 1;
    Index length = 50;
    std::uint64_t seed = 1;
  };
  frame::add_command<SequenceModel, Call>(
      hmm,
      {"sample",
       "Draw sequences from a model in column format: observations, and the state in the last "
       "column."},
      [](Command& command, Call& call) {
        command.option("--count", call.count, "Number of sequences");
        command.option("--length", call.length, "Number of positions in each sequence");
        command.option("--seed", call.seed,
                       "Seed of the random numbers; same seed: same sequences");
      },
      [](const SequenceModel& model, Call& call) {
        Findings findings{sample_text(model, call.count, call.length, call.seed)};
        const std::string note = sample_note(model);
        if (!note.empty()) findings.warnings.push_back(note);
        return findings;
      });
}

}  // namespace

frame::Task task() {
  return {"hmm", "train train.tsv --model m.trellis",
          "Hidden Markov models: hidden states of sequences of observations.", [](Command& hmm) {
            add_train(hmm);
            add_predict(hmm);
            add_evaluate(hmm);
            add_inspect(hmm);
            add_sample(hmm);
          }};
}

}  // namespace trellis::hmm
