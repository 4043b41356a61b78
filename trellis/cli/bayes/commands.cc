#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/estimator_flags.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/training_command.h"
#include "trellis/data/json.h"
#include "trellis/generative/network/bif.h"
#include "trellis/generative/network/net_file.h"
#include "trellis/tasks/bayes/evaluate.h"
#include "trellis/tasks/bayes/inspect.h"
#include "trellis/tasks/bayes/page/bayes_page.h"
#include "trellis/tasks/bayes/page/bayes_report.h"
#include "trellis/tasks/bayes/predict.h"
#include "trellis/tasks/bayes/train.h"

namespace trellis::bayes {
namespace {

using cli::Command;
using cli::Findings;

struct TrainCall {
  cli::TrainingFlags flags;
  TrainFiles files;
  TrainOptions options;
};

// Nothing is hidden where that is said.
std::vector<std::string> parse_hidden(const std::string& text) {
  return text == "none" ? std::vector<std::string>{} : cli::parse_columns(text);
}

void add_delimiter(Command& command, Delimiter& delimiter) {
  command.option("--delimiter", delimiter,
                 "Between cells; auto: what the header has, a tab, or the more frequent of comma "
                 "and semicolon");
}

void add_target(Command& command, std::vector<std::string>& targets) {
  command.parsed("--target", targets, cli::parse_columns,
                 "The columns that will be asked for, with commas: those that predict and evaluate "
                 "hide, and that conditional and max-margin train for");
}

void add_train_options(Command& command, TrainCall& call) {
  command.option("files", call.files.train, "Tables with a header").required();
  command.group("Data");
  add_delimiter(command, call.files.data.delimiter);
  command.parsed("--columns", call.files.data.columns, cli::parse_columns,
                 "The columns that are variables, with commas [all, or those of the network]");
  add_target(command, call.options.targets);
  command.group("Structure");
  command.option("--structure", call.options.structure.structure,
                 "naive: the target is the parent of all others; chow-liu: the best tree; "
                 "hill-climbing: arrows that raise the BIC; or the file of a network, .bif or "
                 ".net");
  command.option("--max-parents", call.options.structure.max_parents,
                 "hill-climbing: at most so many of a variable [8]");
  command.flag("--keep-tables", call.options.keep_tables,
               "The tables of the network's file as they are; conditional and max-margin train "
               "those that matter to the target");
  cli::add_estimator_flags(command, call.options.estimator, call.files.dev, "values");
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

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  call.options.structure.threads = call.flags.common.threads;
  return cli::train_tables(call, events, training_page);
}

void add_train(Command& bayes) {
  cli::add_run<TrainCall>(
      bayes,
      {"Train a Bayesian network.\n\n"
       "  trellis bayes train train.csv --model m.trellis\n"
       "  trellis bayes train train.csv --structure naive --target class --model m.trellis\n"
       "  trellis bayes train train.csv --target class --estimator max-margin --model m.trellis\n"
       "  trellis bayes train gaps.csv --structure arrows.net --estimator em --restarts 10 --model "
       "m.trellis\n\n"
       "A row a line, a variable a column; '?' or an empty cell is a value that is not known.",
       "", "the network, tables of probabilities, curves, and mistakes on --dev"},
      add_train_options, run_train);
}

struct ImportCall : cli::CommonOptions {
  std::string file, model, loss = "hamming";
  std::vector<std::string> targets;
};

void add_import(Command& bayes) {
  const auto call = std::make_shared<ImportCall>();
  Command command = bayes.command(
      "import", "Make a model of a network with its tables, as a file has it: .bif or .net.");
  command.option("file", call->file, "The file of a network").required();
  command.option("--model", call->model, "Where to write the model").required();
  add_target(command, call->targets);
  command.option("--loss", call->loss,
                 "What mistakes about the target cost: hamming, ring or a file");
  cli::add_common_options(command, *call);
  command.run([call] {
    require_readable(call->file);
    require_writable(call->model);
    const BayesModel model = import_network(call->file, call->targets, call->loss);
    model.write(call->model);
    cli::ModelCall told;
    static_cast<cli::CommonOptions&>(told) = *call;
    Findings findings;
    if (call->json) findings.text = to_json(inspect_record(model, false)) + "\n";
    findings.notes.push_back(fmt::format("wrote {}", call->model));
    return cli::tell(told, findings);
  });
}

// What predict and evaluate have in common.
template <class Options>
void add_asking_options(Command& command, Options& options) {
  add_delimiter(command, options.delimiter);
  command.parsed("--hide", options.hide, parse_hidden,
                 "The columns that are not looked at, with commas; none: what is missing is all "
                 "that is asked for [the targets of the model]");
  command.option("--unknown", options.unknown,
                 "A value that training has not seen, in a column that is not hidden: an error, or "
                 "taken for missing");
  command.option("--decode", options.decode,
                 "map: the values that are jointly the most probable; posterior: the most probable "
                 "value of each cell");
}

void add_predict(Command& bayes) {
  struct Call : cli::ModelCall {
    PredictOptions options;
  };
  cli::add_predict<BayesModel, Call>(
      bayes,
      {"predict",
       "Write every row again with its missing and hidden cells filled in, from what the others "
       "say.\nWhat is piped in comes out row by row.",
       "Table with a header"},
      [](Command& command, Call& call) {
        add_asking_options(command, call.options);
        command.flag("--marginals", call.options.marginals,
                     "With the probability of each value of the hidden columns, or of all where "
                     "none is hidden");
      },
      [](const BayesModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        return Findings{{}, predict(model, call.input(), call.options, out).warnings()};
      });
}

struct EvaluateCall : cli::ModelCall {
  EvaluateOptions options;
};

Findings evaluate_model(const BayesModel& model, EvaluateCall& call) {
  call.options.threads = call.threads;
  const Evaluation evaluation = evaluate(model, call.input(), call.options);
  Findings findings{call.json ? to_json(evaluation.record()) + "\n" : evaluation.to_text(),
                    evaluation.warnings()};
  if (!call.report.empty()) {
    report::BayesReport page = report::model_report(model, cli::evaluation_title(call));
    report::add_evaluation(evaluation, call.piped() ? "standard input" : call.file, page);
    findings.page = report::bayes_report(page);
  }
  return findings;
}

Findings evaluate_predictions(EvaluateCall& call) {
  const Evaluation evaluation = judge_file(call.input(), InputFile(call.predictions), call.options);
  return {call.json ? to_json(evaluation.record()) : evaluation.to_text()};
}

std::optional<Findings> check_evaluate(EvaluateCall& call) {
  if (!call.predictions.empty() && !call.report.empty()) {
    throw UsageError("--report shows a model: predictions have no such page");
  }
  if (!call.predictions.empty() && (!call.options.hide || call.options.hide->empty())) {
    throw UsageError("--predictions needs --hide: the columns that were predicted");
  }
  return std::nullopt;
}

void add_evaluate(Command& bayes) {
  cli::add_evaluate<BayesModel, EvaluateCall>(
      bayes,
      {"evaluate",
       "Hide columns of a file that has them, tell them from the others, and compare.\n\n"
       "  trellis bayes evaluate test.csv --model m.trellis\n"
       "  trellis bayes evaluate test.csv --predictions filled.csv --hide class",
       "Table with a header", "the network, mistakes and tables of probabilities", true,
       "what predict writes, the table with its hidden columns told (--hide)"},
      [](Command& command, EvaluateCall& call) {
        add_asking_options(command, call.options);
        command.option("--loss", call.options.loss,
                       "hamming, ring or a file, as in training [the model's; of predictions "
                       "hamming]");
      },
      evaluate_model, evaluate_predictions, check_evaluate);
}

void add_inspect(Command& bayes) {
  struct Call : cli::ModelCall {
    bool tables = false;
  };
  cli::add_command<BayesModel, Call>(
      bayes,
      {"inspect", "The variables and arrows of a model, how it was made, its probabilities."},
      [](Command& command, Call& call) {
        command.flag("--tables", call.tables, "With all probabilities");
      },
      [](const BayesModel& model, Call& call) {
        return Findings{call.json ? to_json(inspect_record(model, call.tables)) + "\n"
                                  : inspect_text(model, call.tables)};
      });
}

void add_sample(Command& bayes) {
  struct Call : cli::ModelCall {
    Index count = 1;
    Given given;
    std::uint64_t seed = 1;
  };
  cli::add_command<BayesModel, Call>(
      bayes, {"sample", "Draw rows from a model, as CSV with a header."},
      [](Command& command, Call& call) {
        command.option("--count", call.count, "How many rows");
        command.parsed("--given", call.given, parse_given,
                       "COLUMN=VALUE, several with commas: rows that have these values");
        command.option("--seed", call.seed, "Same seed: same rows");
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
  struct Call : cli::ModelCall {};
  cli::add_predict<BayesModel, Call>(
      bayes,
      {"export",
       "Write a network for other programs: in Bayesian interchange format, or as plain text where "
       "--output ends in .net."},
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

void add_bayes(cli::Program& program) {
  program.task("bayes", "Bayesian networks: any columns of a table from the others.",
               [](Command& bayes) {
                 add_train(bayes);
                 add_import(bayes);
                 add_predict(bayes);
                 add_evaluate(bayes);
                 add_inspect(bayes);
                 add_sample(bayes);
                 add_export(bayes);
               });
}

}  // namespace trellis::bayes
