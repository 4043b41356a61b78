#include <string>
#include <utility>

#include "trellis/frame/model_command.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/factors/factors_report.h"
#include "trellis/tasks/factors/inspect.h"
#include "trellis/tasks/factors/judge_file.h"
#include "trellis/tasks/factors/predict.h"
#include "trellis/tasks/factors/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::factors {
namespace {

using frame::Command;
using frame::Findings;

using TrainCall = frame::TrainCall<TrainFiles, TrainOptions>;

void add_search_limit(Command& command, Index& limit) {
  command
      .option("--search-limit", limit,
              "Maximum number of runs of AD3 in the search for the best assignment of a graph "
              "(--inference exact); at the limit, the best assignment found is used")
      .between(1, 1'000'000'000);
}

void add_options(Command& command, TrainCall& call) {
  command.group("Data");
  command.option("files", call.files.files, "Factor graphs with true values").required();
  command.short_help({"--inference", "--search-limit"});
  command
      .option("--dev", call.flags.dev_files,
              "Held-out files of the same kind, for early stopping (the epoch with the most "
              "correct variables is kept) and for the choice of settings")
      .same_bits();
  command.option(
      "--inference", call.options.inference,
      "Inference during training\n"
      "exact: the best assignment, by branch and bound; the loss and its certificate are exact "
      "(losses with beta = inf)\n"
      "relaxed: the best point of the local polytope, by AD3; the loss is an upper bound of the "
      "exact loss, and the certificate is for this bound (beta = inf)\n"
      "beliefs: sums by loopy belief propagation, an estimate without a certificate (finite beta)\n"
      "reweighted: upper bounds of the sums; the loss is an upper bound of the exact loss, without "
      "a certificate (finite beta)\n"
      "[exact, or reweighted if the loss needs sums]");
  add_search_limit(command, call.options.search_limit);
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  report::FactorsReport page = report::report_of(*trained.model, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  page.scores = trained.result.dev;
  page.evaluated_on = call.flags.dev;
  return factors_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  call.files.dev = call.flags.dev_files;
  const Trained trained = train_files(call.files, call.options, events);
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& task) {
  frame::add_training<TrainCall>(
      task, defaults(), able(),
      {"Train on factor graphs with true values.\n\n"
       "  trellis factors train train.txt --dev dev.txt --model m.trellis\n"
       "  trellis factors train train.txt --inference relaxed --gap 1e-3 --model m.trellis\n"
       "  trellis factors train train.txt --loss crf --inference beliefs --model m.trellis",
       "", "curves, scores on the dev set, and weights"},
      add_options, run_train);
}

void add_predict(Command& task) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<FactorsModel, Call>(
      task,
      {"predict",
       "Predict the values of the variables: a line 'NAME VALUE' for each, an empty line after "
       "each graph.\n\n"
       "  trellis factors predict graphs.txt --model m.trellis\n"
       "  trellis factors predict graphs.txt --model m.trellis --marginals beliefs",
       "Factor graphs; true values are ignored"},
      [](Command& command, Call& call) {
        command
            .option("--inference", call.options.inference,
                    "Inference\n"
                    "exact: the best assignment\n"
                    "relaxed: the best point of the local polytope; a fractional variable is "
                    "written with the share of each value; no assignment scores above the bound")
            .one_of({"exact", "relaxed"});
        add_search_limit(command, call.options.search_limit);
        command
            .option("--marginals", call.options.marginals,
                    "Also write the probabilities of all values, and whether they have converged\n"
                    "beliefs: by loopy belief propagation\n"
                    "reweighted: from an upper bound of log Z")
            .one_of({"beliefs", "reweighted"});
      },
      [](const FactorsModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.piped = call.piped();
        call.options.threads = call.threads;
        const PredictCounts counts = predict(model, call.input(), call.options, out);
        return Findings{{}, {}, counts.notes(call.options)};
      });
}

struct EvaluateCall : frame::ModelCall {
  Inference inference = Inference::kExact;
  Index search_limit = kSearchLimit;
};

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     report::FactorsReport page) {
  Findings found = frame::answer(call, evaluation.record(), evaluation.to_text());
  if (!call.report.empty()) {
    page.scores = evaluation.scores;
    page.evaluated_on = call.file;
    found.page = factors_report(page);
  }
  return found;
}

void add_evaluate(Command& task) {
  frame::add_evaluate<FactorsModel, EvaluateCall>(
      task,
      {"evaluate",
       "Predict graphs with true values, and compare: the percentage of correct variables, for "
       "each domain and overall, and of graphs without a mistake.\n\n"
       "  trellis factors evaluate graphs.txt --model m.trellis\n"
       "  trellis factors evaluate graphs.txt --predictions values.txt",
       "Factor graphs with true values; variables without one are not counted",
       "scores and weights", false, "the output of predict"},
      [](Command& command, EvaluateCall& call) {
        command
            .option("--inference", call.inference,
                    "Inference: exact; or relaxed, where a fractional variable takes the value "
                    "with the largest share")
            .one_of({"exact", "relaxed"});
        add_search_limit(command, call.search_limit);
      },
      [](const FactorsModel& model, EvaluateCall& call) {
        return findings_of(
            call,
            evaluate_file(model, call.input(), call.inference, call.threads, call.search_limit),
            report::report_of(model, frame::evaluation_title(call)));
      },
      [](EvaluateCall& call) {
        report::FactorsReport page;
        page.title = frame::evaluation_title(call);
        return findings_of(call,
                           {judge_file(call.input(), InputFile(call.predictions)), std::nullopt},
                           std::move(page));
      });
}

void add_explain(Command& task) {
  struct Call : frame::ModelCall {
    ExplainOptions options;
  };
  frame::add_command<FactorsModel, Call>(
      task,
      {"explain",
       "Explain the value of a variable: its score margin over each other value, both with all "
       "other variables fixed and with the best values for them, and the weights that make the "
       "difference.",
       "Factor graphs, with or without true values", "", true},
      [](Command& command, Call& call) {
        command.option("--graph", call.options.graph,
                       "Number of the graph in the file, from 1; 0: all");
        command.option("--variable", call.options.variable,
                       "Name of the variable in the graph [all]");
        command.option("--top", call.options.top, "Number of weights to show for each variable");
        add_search_limit(command, call.options.search_limit);
      },
      [](const FactorsModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain_file(model, call.input(), call.options)};
      });
}

void add_inspect(Command& task) {
  frame::add_inspect<FactorsModel>(
      task,
      {"Show what a model has learned: its domains and its strongest weights.", 20,
       "Number of weights to print"},
      [](const FactorsModel& model, frame::InspectCall& call) {
        return frame::answer(call, inspect_record(model, call.top),
                             inspect_text(model, call.model, call.top));
      });
}

}  // namespace

frame::Task task() {
  return {"factors", "train graphs.txt --model m.trellis",
          "Factor graphs: any variables that depend on each other.\n\n"
          "Graphs are text: variables with domains and attributes, scores for joint values, "
          "and constraints. See docs/factor-graphs.md.",
          [](Command& task) {
            add_train(task);
            add_predict(task);
            add_evaluate(task);
            add_explain(task);
            add_inspect(task);
          }};
}

}  // namespace trellis::factors
