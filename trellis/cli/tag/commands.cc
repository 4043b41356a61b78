#include "trellis/cli/tag/commands.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "trellis/base/output_file.h"
#include "trellis/cli/console.h"
#include "trellis/cli/tag/report_data.h"
#include "trellis/cli/training_command.h"
#include "trellis/tasks/tag/model/inspect.h"
#include "trellis/tasks/tag/output/evaluate.h"
#include "trellis/tasks/tag/output/explain.h"
#include "trellis/tasks/tag/output/predict.h"

namespace trellis::tag {
namespace {

constexpr Index kSentencesToShow = 200;

// What predict, evaluate and explain are told alike.
struct FileCall {
  cli::CommonOptions common;
  std::string file;
  std::string model;
  std::string comments;

  InputFile input() const { return InputFile(file.empty() ? "-" : file); }
  std::optional<Comments> comment_lines() const {
    return comments.empty() ? std::nullopt : std::optional(parse_comments(comments));
  }
};

cli::OptionRules add_file(cli::Command& command, FileCall& call, const std::string& what) {
  const cli::OptionRules file = command.option("file", call.file, what);
  command.option("--model", call.model, "The model").required();
  command
      .option("--comments", call.comments,
              "Lines before a sentence that are comments: none, every '# ...' (hash), or those "
              "that have not the columns of a token (auto) [as in training]")
      .one_of({"auto", "none", "hash"});
  return file;
}

struct PredictCall : FileCall {
  PredictOptions options;
  std::string output;
  std::string marginals;
};

int run(PredictCall& call) {
  const TagModel model = TagModel::read(call.model);
  PredictOptions& options = call.options;
  options.comments = call.comment_lines();
  options.json = call.common.json;
  options.threads = call.common.threads;
  if (!call.marginals.empty()) {
    options.marginals = call.marginals == "all" ? Marginals::kAll : Marginals::kLabel;
  }
  OutputFile out(call.output);
  predict(model, call.input(), options, out);
  out.commit();
  return 0;
}

void add_predict(cli::Command& tag) {
  auto call = std::make_shared<PredictCall>();
  cli::Command command = tag.command(
      "predict",
      "Tag a file: each line comes back with its label as a further column (in CoNLL-U, in its own "
      "column). Lines that are no tokens pass through.\n"
      "Memory does not grow with the input; what is piped in comes out as sentences complete.");
  add_file(command, *call,
           "File to tag, with or without its label column; '-' or nothing: standard input");
  command.option("--output", call->output, "Where to write; '-' or nothing: standard output");
  command
      .option("--marginals", call->marginals,
              "Add probabilities: of the label (the same as no word), or of all labels")
      .one_of({"label", "all"})
      .or_alone("label");
  command.option("--nbest", call->options.nbest, "The K best label sequences, each with its score")
      .between(1, 1000)
      .shows_default();
  command.option("--constraints", call->options.constraints,
                 "Column with what is known: a label, several as A|B, or _ for any");
  command.flag("--scores", call->options.scores,
               "Write score and log probability before each sequence");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct EvaluateCall : FileCall {
  std::string report;
  bool confusion = false;
};

int run(const EvaluateCall& call) {
  cli::Console console(call.common.quiet);
  const TagModel model = TagModel::read(call.model);
  const Evaluation evaluation = evaluate(
      model, call.input(),
      {call.comment_lines(), call.common.threads, call.report.empty() ? 0 : kSentencesToShow});
  for (const std::string& label : evaluation.unseen_labels) {
    console.warn(
        fmt::format("{}: the model has no label '{}': it counts as missed", call.file, label));
  }
  cli::write_page(call.report, [&] {
    report::TagReport page = model_report(model, "Evaluation of " + call.model);
    add_evaluation(evaluation, call.file, page);
    return report::tag_report(page);
  });
  if (call.common.json) {
    cli::print(evaluation.to_json() + "\n");
    return 0;
  }
  cli::print(evaluation.scores.to_text());
  if (call.confusion && evaluation.scores.has_spans()) {
    cli::print(evaluation.scores.confusion().table());
  }
  return 0;
}

void add_evaluate(cli::Command& tag) {
  auto call = std::make_shared<EvaluateCall>();
  cli::Command command =
      tag.command("evaluate",
                  "Tag a labelled file and compare: precision, recall and F1 of spans as conlleval "
                  "counts them, accuracy of tokens.");
  add_file(command, *call, "Labelled file; '-' is standard input").required();
  command.flag("--confusion", call->confusion, "Print the commonest confusions of labels as well");
  command.option("--report", call->report, "Write a page with scores, confusions and sentences");
  add_common_options(command, call->common);
  command.run([call] { return run(*call); });
}

struct InspectCall {
  cli::CommonOptions common;
  std::string model;
  Index top = 10;
  bool show_template = false;
};

void add_inspect(cli::Command& tag) {
  auto call = std::make_shared<InspectCall>();
  cli::Command command =
      tag.command("inspect", "What a model has learned: its strongest weights and transitions.");
  command.option("--model", call->model, "The model").required();
  command.option("--top", call->top, "Features of each label, and transitions").shows_default();
  command.flag("--template", call->show_template, "Print the model's feature template instead");
  add_common_options(command, call->common);
  command.run([call] {
    const TagModel model = TagModel::read(call->model);
    if (call->show_template) {
      cli::print(model.features().source());
    } else {
      cli::print(call->common.json ? inspect_json(model, call->top) + "\n"
                                   : inspect_text(model, call->top));
    }
    return 0;
  });
}

struct ExplainCall : FileCall {
  ExplainOptions options;
};

void add_explain(cli::Command& tag) {
  auto call = std::make_shared<ExplainCall>();
  cli::Command command = tag.command("explain",
                                     "Why a token has its label: what each feature adds to its "
                                     "score, and to that of the runner-up.");
  add_file(command, *call, "Columns, with or without labels; '-' or nothing: standard input");
  command.option("--sentence", call->options.sentence, "Which sentence of the file, from 1")
      .between(1, 1e15)
      .shows_default();
  command.option("--token", call->options.token, "Which token of it, from 1; 0: all")
      .shows_default();
  command.option("--top", call->options.top, "Features to show for each label").shows_default();
  add_common_options(command, call->common);
  command.run([call] {
    const TagModel model = TagModel::read(call->model);
    call->options.comments = call->comment_lines();
    call->options.json = call->common.json;
    cli::print(explain(model, call->input(), call->options));
    return 0;
  });
}

}  // namespace

void add_tag(cli::Program& program) {
  cli::Command tag = program.task(
      "tag",
      "Label sequences: parts of speech, chunks, named entities, slots.\n\n"
      "Files have a token per line in columns (CoNLL), an empty line between sentences, and the "
      "label in the last column. Gzip and zstd are read as they are; '-' is standard input.");
  add_train(tag);
  add_predict(tag);
  add_evaluate(tag);
  add_inspect(tag);
  add_explain(tag);
}

}  // namespace trellis::tag
