#include <optional>
#include <string>

#include "trellis/cli/model_command.h"
#include "trellis/cli/tag/report_data.h"
#include "trellis/cli/tag/train.h"
#include "trellis/cli/tasks.h"
#include "trellis/tasks/tag/model/inspect.h"
#include "trellis/tasks/tag/output/explain.h"
#include "trellis/tasks/tag/output/predict.h"

namespace trellis::tag {
namespace {

using cli::Command;
using cli::Findings;

constexpr Index kSentencesToShow = 200;

void add_comments(Command& command, std::optional<Comments>& comments) {
  command.option("--comments", comments,
                 "Lines before a sentence that are comments: none, every '# ...' (hash), or those "
                 "that have not the columns of a token (auto) [as in training]");
}

void add_predict(Command& tag) {
  struct Call : cli::ModelCall {
    PredictOptions options;
  };
  cli::add_predict<TagModel, Call>(
      tag,
      {"predict",
       "Tag a file: each line comes back with its label as a further column (in CoNLL-U, in its "
       "own column). Lines that are no tokens pass through.\n"
       "Memory does not grow with the input; what is piped in comes out as sentences complete.",
       "File to tag, with or without its label column"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        add_comments(command, options.comments);
        command
            .option("--marginals", options.marginals,
                    "Add probabilities: of the label (the same as no word), or of all labels")
            .or_alone("label");
        command.option("--nbest", options.nbest, "The K best label sequences, each with its score")
            .between(1, 1000);
        command.option("--constraints", options.constraints,
                       "Column with what is known: a label, several as A|B, or _ for any");
        command.flag("--scores", options.scores,
                     "Write score and log probability before each sequence");
      },
      [](const TagModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        predict(model, call.input(), call.options, out);
        return Findings{};
      });
}

void add_evaluate(Command& tag) {
  struct Call : cli::ModelCall {
    std::optional<Comments> comments;
    bool confusion = false;
  };
  cli::add_command<TagModel, Call>(
      tag,
      {"evaluate",
       "Tag a labelled file and compare: precision, recall and F1 of spans as conlleval counts "
       "them, accuracy of tokens.",
       "Labelled file", "scores, confusions and sentences"},
      [](Command& command, Call& call) {
        add_comments(command, call.comments);
        command.flag("--confusion", call.confusion,
                     "Print the commonest confusions of labels as well");
      },
      [](const TagModel& model, Call& call) {
        const Index shown = call.report.empty() ? 0 : kSentencesToShow;
        const Evaluation evaluation =
            evaluate(model, call.input(), {call.comments, call.threads, shown});
        const TagScores& scores = evaluation.scores;
        Findings found{call.json ? evaluation.to_json() : scores.to_text(),
                       cli::missed_labels(call.file, evaluation.unseen_labels)};
        if (call.confusion && !call.json && scores.has_spans()) {
          found.text += scores.confusion().table();
        }
        if (!call.report.empty()) {
          report::TagReport page = model_report(model, "Evaluation of " + call.model);
          add_evaluation(evaluation, call.file, page);
          found.page = report::tag_report(page);
        }
        return found;
      });
}

void add_inspect(Command& tag) {
  struct Call : cli::InspectCall {
    bool show_template = false;
  };
  cli::add_inspect<TagModel, Call>(
      tag,
      {"What a model has learned: its strongest weights and transitions.", 10,
       "Features of each label, and transitions"},
      [](const TagModel& model, Call& call) {
        if (call.show_template) return Findings{std::string(model.features().source())};
        return Findings{call.json ? inspect_json(model, call.top) : inspect_text(model, call.top)};
      },
      [](Command& command, Call& call) {
        command.flag("--template", call.show_template,
                     "Print the model's feature template instead");
      });
}

void add_explain(Command& tag) {
  struct Call : cli::ModelCall {
    ExplainOptions options;
  };
  cli::add_command<TagModel, Call>(
      tag,
      {"explain",
       "Why a token has its label: what each feature adds to its score, and to that of the "
       "runner-up.",
       "Columns, with or without labels", "", true},
      [](Command& command, Call& call) {
        ExplainOptions& options = call.options;
        add_comments(command, options.comments);
        command.option("--sentence", options.sentence, "Which sentence of the file, from 1")
            .between(1, 1e15);
        command.option("--token", options.token, "Which token of it, from 1; 0: all");
        command.option("--top", options.top, "Features to show for each label");
      },
      [](const TagModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain(model, call.input(), call.options)};
      });
}

}  // namespace

void add_tag(cli::Program& program) {
  program.task(
      "tag",
      "Label sequences: parts of speech, chunks, named entities, slots.\n\n"
      "Files have a token per line in columns (CoNLL), an empty line between sentences, and the "
      "label in the last column. Gzip and zstd are read as they are; '-' is standard input.",
      [](Command& tag) {
        add_train(tag);
        add_predict(tag);
        add_evaluate(tag);
        add_inspect(tag);
        add_explain(tag);
      });
}

}  // namespace trellis::tag
