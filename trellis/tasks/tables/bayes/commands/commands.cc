#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/net_file.h"
#include "trellis/tasks/tables/bayes/evaluate.h"
#include "trellis/tasks/tables/bayes/inspect.h"
#include "trellis/tasks/tables/bayes/page/bayes_page.h"
#include "trellis/tasks/tables/bayes/page/bayes_report.h"
#include "trellis/tasks/tables/bayes/predict.h"
#include "trellis/tasks/tables/bayes/train.h"
#include "trellis/tasks/tables/estimator_options.h"
#include "trellis/tasks/tasks.h"

namespace trellis::bayes {
namespace {

using frame::Command;
using frame::Findings;

struct TrainCall {
  frame::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
};

// The columns to hide; the word none hides no column.
std::vector<std::string> parse_hidden(const std::string& text) {
  return text == "none" ? std::vector<std::string>{} : generative::parse_columns(text);
}

void add_delimiter(Command& command, Delimiter& delimiter) {
  command.option("--delimiter", delimiter,
                 "Separator of cells; auto: a tab if the header has one, else comma or semicolon, "
                 "whichever is more frequent");
}

void add_target(Command& command, std::vector<std::string>& targets) {
  command.parsed("--target", targets, generative::parse_columns,
                 "Columns to predict, separated by commas: predict and evaluate hide them; "
                 "conditional and max-margin train for them");
}

void add_train_options(Command& command, TrainCall& call) {
  command.option("files", call.files.train, "Tables (CSV or TSV) with a header").required();
  command.short_help({"--target", "--columns", "--structure", "--estimator", "--smoothing",
                      "--iterations", "--loss", "--restarts", "--dev"});
  command.group("Data");
  add_delimiter(command, call.files.data.delimiter);
  command.parsed("--columns", call.files.data.columns, generative::parse_columns,
                 "Columns that are variables, separated by commas [all, or those of the network]");
  add_target(command, call.options.targets);
  command.group("Structure");
  command.option(
      "--structure", call.options.structure.structure,
      "naive: the target is the parent of all others; chow-liu: the best tree; hill-climbing: "
      "arrows added, removed or reversed while the BIC rises; or a network file, .bif or .net");
  command.option("--max-parents", call.options.structure.max_parents,
                 "Maximum number of parents of a variable (hill-climbing) [8]");
  command.flag("--keep-tables", call.options.keep_tables,
               "Keep the tables of the network file; conditional and max-margin train only those "
               "that affect the target");
  generative::add_estimator_options(command, call.options.estimator, call.files.dev, "values");
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  report::BayesReport page =
      report::model_report(*trained.model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  if (!call.files.dev.empty()) {
    EvaluateOptions options;
    options.delimiter = call.files.data.delimiter;
    options.threads = call.flags.common.threads;
    report::add_evaluation(evaluate(*trained.model, InputFile(call.files.dev), options),
                           call.files.dev, page);
  }
  return report::bayes_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  call.options.structure.threads = call.flags.common.threads;
  return generative::train_tables(call, events, training_page);
}

void add_train(Command& bayes) {
  frame::add_run<TrainCall>(
      bayes,
      {"Train a Bayesian network.\n\n"
       "  trellis bayes train train.csv --model m.trellis\n"
       "  trellis bayes train train.csv --structure naive --target class --model m.trellis\n"
       "  trellis bayes train train.csv --target class --estimator max-margin --model m.trellis\n"
       "  trellis bayes train gaps.csv --structure arrows.net --estimator em --restarts 10 --model "
       "m.trellis\n\n"
       "Each line is a row, each column a variable; '?' or an empty cell is an unknown value.",
       "", "the network, probability tables, curves, and mistakes on --dev"},
      add_train_options, run_train);
}

struct ImportCall : frame::CommonOptions {
  std::string file, model, loss = "hamming";
  std::vector<std::string> targets;
};

void add_import(Command& bayes) {
  const auto call = std::make_shared<ImportCall>();
  Command& command = bayes.command(
      "import", "Convert a network file with probability tables (.bif or .net) into a model.");
  command.option("file", call->file, "Network file").required();
  command.option("--model", call->model, "Model file to write").required();
  add_target(command, call->targets);
  command.option("--loss", call->loss,
                 "Loss of a mistake about the target: hamming, ring or a file of costs");
  frame::add_common_options(command, *call);
  command.run([call](frame::Session& session) {
    if (call->quiet) session.be_quiet();
    require_readable(call->file);
    require_writable(call->model);
    const BayesModel model = import_network(call->file, call->targets, call->loss);
    model.write(call->model);
    Findings findings = frame::answer(*call, inspect_record(model, false), {});
    findings.notes.push_back(fmt::format("wrote {}", call->model));
    return findings;
  });
}

// What predict and evaluate have in common.
template <class Options>
void add_asking_options(Command& command, Options& options) {
  add_delimiter(command, options.delimiter);
  command.parsed("--hide", options.hide, parse_hidden,
                 "Columns to hide and predict, separated by commas; none: predict only the missing "
                 "values [the targets of the model]");
  command.option("--unknown", options.unknown,
                 "Treatment of a value not seen in training, in a column that is not hidden: an "
                 "error, or a missing value");
  command.option(
      "--decode", options.decode,
      "map: the jointly most probable values; posterior: the most probable value of each cell");
}

void add_predict(Command& bayes) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<BayesModel, Call>(
      bayes,
      {"predict",
       "Write every row with its missing and hidden cells filled in, predicted from the other "
       "cells.\n"
       "With piped input, each row is written as soon as it is complete.",
       "Table (CSV or TSV) with a header"},
      [](Command& command, Call& call) {
        add_asking_options(command, call.options);
        command.flag("--marginals", call.options.marginals,
                     "Write the probability of each value of the hidden columns (of all columns if "
                     "none is hidden)");
      },
      [](const BayesModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        return Findings{{}, predict(model, call.input(), call.options, out).warnings()};
      });
}

struct EvaluateCall : frame::ModelCall {
  EvaluateOptions options;
};

Findings evaluate_model(const BayesModel& model, EvaluateCall& call) {
  call.options.threads = call.threads;
  const Evaluation evaluation = evaluate(model, call.input(), call.options);
  Findings findings =
      frame::answer(call, evaluation.record(), evaluation.to_text(), evaluation.warnings());
  if (!call.report.empty()) {
    report::BayesReport page = report::model_report(model, frame::evaluation_title(call));
    report::add_evaluation(evaluation, call.piped() ? "standard input" : call.file, page);
    findings.page = report::bayes_report(page);
  }
  return findings;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const Evaluation evaluation = judge_file(call.input(), InputFile(call.predictions), call.options);
  return frame::answer(call, evaluation.record(), evaluation.to_text());
}

std::optional<Findings> check_evaluate(EvaluateCall& call) {
  if (!call.predictions.empty() && (!call.options.hide || call.options.hide->empty())) {
    throw UsageError("--predictions requires --hide with the columns that were predicted");
  }
  return std::nullopt;
}

void add_evaluate(Command& bayes) {
  frame::add_evaluate<BayesModel, EvaluateCall>(
      bayes,
      {"evaluate",
       "Hide columns of a file, predict them from the other columns, and compare.\n\n"
       "  trellis bayes evaluate test.csv --model m.trellis\n"
       "  trellis bayes evaluate test.csv --predictions filled.csv --hide class",
       "Table (CSV or TSV) with a header", "the network, mistakes and probability tables", true,
       "the output of predict, a table with the predicted columns (--hide)"},
      [](Command& command, EvaluateCall& call) {
        add_asking_options(command, call.options);
        command.option("--loss", call.options.loss,
                       "Loss: hamming, ring or a file of costs, as in training [as in the model; "
                       "with --predictions hamming]");
        command.at("predictions").excludes("report", "a report requires a model");
      },
      evaluate_model, evaluate_predictions, check_evaluate);
}

void add_inspect(Command& bayes) {
  struct Call : frame::ModelCall {
    bool tables = false;
  };
  frame::add_command<BayesModel, Call>(
      bayes,
      {"inspect",
       "Show the variables and arrows of a model, how it was trained, and its probabilities."},
      [](Command& command, Call& call) {
        command.flag("--tables", call.tables, "Print all probabilities");
      },
      [](const BayesModel& model, Call& call) {
        return frame::answer(call, inspect_record(model, call.tables),
                             inspect_text(model, call.tables));
      });
}

void add_sample(Command& bayes) {
  struct Call : frame::ModelCall {
    Index count = 1;
    Given given;
    std::uint64_t seed = 1;
  };
  frame::add_command<BayesModel, Call>(
      bayes, {"sample", "Draw rows from a model, as CSV with a header."},
      [](Command& command, Call& call) {
        command.option("--count", call.count, "Number of rows");
        command.parsed("--given", call.given, parse_given,
                       "COLUMN=VALUE, several separated by commas: draw rows with these values");
        command.option("--seed", call.seed, "Seed of the random numbers; same seed: same rows");
      },
      [](const BayesModel& model, Call& call) {
        Findings findings{sample_text(model, call.count, call.given, call.seed)};
        const std::string note = sample_note(model);
        if (!note.empty()) findings.warnings.push_back(note);
        return findings;
      });
}

bool is_net_name(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  return path.ends_with(".net");
}

void add_export(Command& bayes) {
  struct Call : frame::ModelCall {};
  frame::add_predict<BayesModel, Call>(
      bayes,
      {"export",
       "Write a network for other programs: in Bayesian interchange format (BIF), or as plain text "
       "if --output ends in .net."},
      [](Command&, Call&) {},
      [](const BayesModel& model, Call& call, OutputFile& out) {
        out.write(is_net_name(call.output) ? to_net(model.network()) : to_bif(model.network()));
        Findings findings;
        const std::string note = sample_note(model);
        if (!note.empty()) findings.warnings.push_back(note);
        return findings;
      });
}

}  // namespace

frame::Task task() {
  return {"bayes", "train train.csv --model m.trellis",
          "Bayesian networks: predict any columns of a table from the others.", [](Command& bayes) {
            add_train(bayes);
            add_import(bayes);
            add_predict(bayes);
            add_evaluate(bayes);
            add_inspect(bayes);
            add_sample(bayes);
            add_export(bayes);
          }};
}

}  // namespace trellis::bayes
