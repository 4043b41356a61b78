#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/output_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/train_progress.h"
#include "trellis/frame/training_command.h"
#include "trellis/scorers/conlleval_file.h"
#include "trellis/tasks/tag/commands/tag_files.h"
#include "trellis/tasks/tag/data_warnings.h"
#include "trellis/tasks/tag/model/inspect.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/output/explain.h"
#include "trellis/tasks/tag/output/item_export.h"
#include "trellis/tasks/tag/output/judge_file.h"
#include "trellis/tasks/tag/output/predict.h"
#include "trellis/tasks/tag/page/tag_report.h"
#include "trellis/tasks/tag/templates/builtin_templates.h"
#include "trellis/tasks/tag/templates/template_parser.h"
#include "trellis/tasks/tag/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::tag {
namespace {

using frame::Command;
using frame::Findings;

constexpr Index kSentencesToShow = 200;

struct TrainCall {
  frame::TrainingFlags flags;
  TrainOptions options;
  TagFiles files;
  std::string warm_start;
};

std::string training_page(const TrainCall& call, const Trained& trained) {
  const TrainResult& result = trained.result;
  const LearnSummary& summary = result.learned.fitted.summary;
  const std::string& dev = call.flags.dev;
  report::TagReport page = report::model_report(*trained.model, "Training of " + call.flags.model);
  page.history = report::training_points(summary);
  page.learned = &result.learned;
  if (result.dev) page.dev_metric = result.dev->has_spans() ? "F1" : "accuracy";
  page.subtitle = fmt::format("{} sequences, {} tokens, {} weights; {}", result.sequences,
                              result.tokens, result.weights, frame::ending(summary));
  if (!dev.empty()) {
    report::add_evaluation(
        evaluate(*trained.model, InputFile(dev), {{}, call.flags.common.threads, kSentencesToShow}),
        dev, page);
  }
  return report::tag_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  TagFiles& files = call.files;
  choose_format(files);
  files.data.threads = call.flags.common.threads;
  if (!call.warm_start.empty()) {
    call.options.warm_start = std::make_shared<const TagModel>(TagModel::read(call.warm_start));
  }
  plan(call.options, files.data);  // before any file is read
  const Stopwatch watch;
  std::optional<InputFile> dev;
  if (!call.flags.dev.empty()) dev.emplace(call.flags.dev);
  OpenFiles opened = open(files, [&](const std::string& note) { events.phase(note); });
  call.options.word_column = files.word_column;
  TagData data =
      read_tag_data(std::move(opened.sequences), std::move(dev), std::move(opened.features),
                    files.data, call.options.warm_start.get());
  const double read_seconds = watch.seconds();
  events.phase(fmt::format("read {} sequences, {} tokens, {} labels ({})",
                           data.set.examples->num_examples(), data.set.examples->num_positions(),
                           data.set.labels.size(), to_string(data.set.model_scheme)));
  if (data.dev) {
    events.phase(fmt::format("evaluating each epoch on {} sequences of {}", data.dev->gold.size(),
                             call.flags.dev));
  }
  events.warn(data_warnings(data));  // before hours of training, not after them
  const Index repaired = data.set.repaired_labels;
  Trained trained = train(std::move(data), call.options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  if (repaired > 0) events.phase(fmt::format("repaired {} labels", repaired));
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

// A tag scheme, or the word that stands for none.
auto scheme_or(std::string_view none) {
  return [none](const std::string& text) {
    return text == none ? std::nullopt : std::optional(parse_named<TagScheme>(text));
  };
}

void add_data_options(Command& command, TrainCall& call) {
  command.group("Data");
  add_file_options(command, call.files);
  TrainingSetOptions& data = call.files.data;
  command.parsed("--file-scheme", data.file_scheme, scheme_or("detect"), "Tag scheme of the files")
      .one_of({"detect", "plain", "iob1", "iob2", "bioes"})
      .shows("detect");
  command
      .parsed("--scheme", data.model_scheme, scheme_or("keep"),
              "Tag scheme to learn; predictions are written in the scheme of the files")
      .one_of({"keep", "plain", "iob2", "bioes"})
      .shows("keep");
  command.flag("--repair", data.repair,
               "Read illegal tag sequences as conlleval does, instead of refusing them");
  command.flag("--allow-illegal", call.options.allow_illegal,
               "Allow illegal tag sequences in training and decoding");
  command.flag("--partial", data.partial,
               "Allow unknown labels '?' and alternatives 'A|B' (smooth losses)");
  command.option("--label-weight", call.options.label_weights,
                 "LABEL=WEIGHT: cost of missing this label [1]");
}

void add_feature_options(Command& command, TrainCall& call) {
  command.group("Features");
  add_template_options(command, call.files);
  command.parsed("--kernel", call.options.kernel, parse_kernel,
                 "Kernel over the attributes of a token, as one vector of length 1 (for example "
                 "pixels): linear, poly:DEGREE[:OFFSET] or rbf:GAMMA");
  command
      .option("--kernel-rank", call.options.kernel_rank,
              "Maximum number of pivots of the kernel: fewer are faster and less exact [as many as "
              "needed]")
      .shows("");
  command.flag(
      "--implicit", call.options.implicit,
      "Learn a coefficient for each training token instead of weights of explicit kernel features");
  command.option("--order", call.options.order, "Number of previous labels that a label depends on")
      .between(1, 4);
  ChainFeatureOptions& features = call.options.features;
  command.option("--states", features.nodes, "Pairs (attribute, label) that have a weight");
  command.option("--transitions", features.transitions, "Label n-grams that have a weight");
  command.unsetting_flag("--no-boundaries", features.boundaries,
                         "Use no weights for the first and the last label");
  command.option("--min-count", features.min_count,
                 "Minimum frequency of an attribute; rarer attributes are dropped");
  command
      .option("--hash-bits", call.files.data.hash_bits,
              "Number of bits B for feature hashing into 2^B attributes; 0: no hashing")
      .between(0, AttributeIndex::kMaxHashBits);
  command.option("--warm-start", call.warm_start,
                 "Model whose weights training starts from; labels and features may differ");
}

void add_train(Command& tag) {
  Command& command = frame::add_training<TrainCall>(
      tag, defaults(), able(),
      {"Train a tagger.\n\n"
       "  trellis tag train train.txt --dev dev.txt --template ner --model ner.trellis\n"
       "  trellis tag train train.txt.gz --template chunk --loss softmax-margin --c 0.1,1,10 --cv "
       "5 --model m.trellis",
       " (f1 of spans, or accuracy)", "curves, scores, features and sentences"},
      [](Command& adding, TrainCall& call) {
        adding.option("files", call.files.paths, "Labelled files").required();
        adding.short_help({"--format", "--label-column", "--scheme", "--template", "--word-column",
                           "--pos-column", "--order", "--min-count", "--warm-start",
                           "--help-template"});
        add_data_options(adding, call);
        add_feature_options(adding, call);
      },
      run_train);
  command.print_and_exit(
      "--help-template", [] { return std::string(template_reference()); },
      "Print the template language, and exit");
}

void add_comments(Command& command, std::optional<Comments>& comments) {
  command.option("--comments", comments, std::string(kComments) + " [as in training]");
}

void add_template(Command& tag) {
  struct Call {
    std::string name;
    BuiltinFlags builtin;
  };
  const auto call = std::make_shared<Call>();
  Command& command = tag.command("template",
                                 "Print a built-in template, to be edited and used with 'train "
                                 "--template FILE'; without a name, list all built-in templates.");
  command.option("name", call->name, "Name of the template");
  add_builtin_options(command, call->builtin);
  command.run([call](frame::Session&) {
    if (!call->name.empty()) {
      return Findings{builtin_template(call->name, call->builtin.options())};
    }
    Findings list;
    for (const BuiltinTemplate& known : builtin_templates()) {
      list.text += fmt::format("{:<15}{}\n", known.name, known.description);
    }
    return list;
  });
}

void add_features(Command& tag) {
  struct Call {
    TagFiles files;
    std::string output;
    int threads = 0;
    bool quiet = false;
  };
  const auto call = std::make_shared<Call>();
  Command& command = tag.command("features",
                                 "Write the features of labelled files as items, the format of "
                                 "CRFsuite and of 'train --format items'.\n"
                                 "Memory does not grow with the input.");
  command.option("files", call->files.paths, "Labelled files; '-' is standard input").required();
  command.option("--output", call->output, "Output file; '-': standard output [standard output]");
  add_file_options(command, call->files);
  add_template_options(command, call->files);
  command.option("--threads", call->threads, "Number of threads; 0: all cores");
  command.flag("--quiet", call->quiet, "Print no notes");
  command.run([call](frame::Session& session) {
    if (call->quiet) session.be_quiet();
    choose_format(call->files);
    OutputFile out(call->output);
    OpenFiles opened = open(call->files, [&](const std::string& note) { session.note(note); });
    write_items(std::move(opened.sequences), opened.features, call->files.data.label_column,
                call->threads, out);
    out.commit();
    return Findings{};
  });
}

void add_predict(Command& tag) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<TagModel, Call>(
      tag,
      {"predict",
       "Tag a file: write each line with its label in an additional column (in CoNLL-U, in the "
       "label's own column). Lines that are not tokens stay unchanged.\n"
       "Memory does not grow with the input; with piped input, each sentence is written as soon as "
       "it is complete.",
       "File to tag, with or without its label column"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        add_comments(command, options.comments);
        command
            .option("--marginals", options.marginals,
                    "Write probabilities: of the predicted label (also without a value), or of all "
                    "labels")
            .or_alone("label");
        command
            .option("--nbest", options.nbest,
                    "Number of best label sequences to write, each with its score")
            .between(1, 1000);
        command.option(
            "--constraints", options.constraints,
            "Column with the allowed labels of a token: one label, several as A|B, or _ for any");
        command.flag("--scores", options.scores,
                     "Write score and log probability before each sequence");
      },
      [](const TagModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        const Coverage coverage = predict(model, call.input(), call.options, out);
        return Findings{{}, coverage_warnings(model, call.file, coverage)};
      });
}

// Whose output is printed, to the byte.
enum class Convention { kConlleval };
constexpr auto names_of(Convention) {
  return Names{"convention", "conlleval"};
}

struct EvaluateCall : frame::ModelCall {
  std::optional<Comments> comments;
  bool confusion = false;
  JudgeOptions judging;  // with --predictions
  std::optional<Convention> convention;
  ConllevalOptions script;
  bool latex = false;

  // The file has gold and predicted labels side by side.
  bool both_in_file() const { return convention && model.empty() && predictions.empty(); }
};

void add_judging_options(Command& command, EvaluateCall& call) {
  command.group("With --predictions");
  command.option(
      "--format", call.judging.format,
      "Format of the labelled file: columns, items or conllu [columns; CoNLL-U is detected]");
  command
      .option("--label-column", call.judging.label_column,
              "Column of the label in the labelled file, from 0 [the last column; in CoNLL-U 3]")
      .shows("");
  command
      .parsed("--file-scheme", call.judging.scheme, scheme_or("detect"), "Tag scheme of the labels")
      .one_of({"detect", "plain", "iob1", "iob2", "bioes"})
      .shows("detect");
  command.those({"format", "label-column", "file-scheme"}).needs("predictions");
}

void add_convention_options(Command& command, EvaluateCall& call) {
  command.group("With --convention conlleval");
  command.option("--convention", call.convention,
                 "conlleval: print exactly what the script prints, by its rules (which join "
                 "adjacent spans of one type in BIOES). Without --model and --predictions, the "
                 "last two fields of a line are the gold and the predicted label");
  command.flag("--raw", call.script.raw,
               "Labels have no B- and I-: every token is a span (-r of the script)");
  command.option("--outside", call.script.outside,
                 "Label outside of all spans, in addition to O, with --raw (-o of the script)");
  command.option("--delimiter", call.script.delimiter, "Separator of fields (-d of the script)")
      .shows("a blank");
  command.flag("--latex", call.latex, "Print a table for LaTeX (-l of the script)");
  command.group("");
  const char* side_by_side = "the file must have both gold and predicted labels";
  command.those({"raw", "outside", "delimiter", "latex"}).only_with("convention", {"conlleval"});
  command.those({"raw", "outside", "delimiter"})
      .excludes("model", side_by_side)
      .excludes("predictions", side_by_side);
  const char* printed = "it prints the output of the script";
  command.at("convention")
      .excludes("json", printed)
      .excludes("confusion", printed)
      .excludes("report", printed);
}

std::string script_text(const EvaluateCall& call, const SpanMetrics& metrics) {
  return call.latex ? metrics.conlleval_latex() : metrics.conlleval();
}

Findings findings_of(const EvaluateCall& call, const Evaluation& evaluation,
                     const std::vector<std::string>& warnings, report::TagReport page) {
  const TagScores& scores = evaluation.scores;
  Findings found = frame::answer(call, evaluation.record(), scores.to_text(), warnings);
  if (call.confusion && !call.json && scores.has_spans()) {
    found.text += scores.confusion().table();
  }
  if (!call.report.empty()) {
    report::add_evaluation(evaluation, call.file, page);
    found.page = report::tag_report(page);
  }
  return found;
}

Findings evaluate_model(const TagModel& model, EvaluateCall& call) {
  SpanMetrics script(ChunkRules::kConlleval2004);
  EvaluateOptions options{call.comments, call.threads, call.report.empty() ? 0 : kSentencesToShow};
  if (call.convention) {
    options.on_sentence = [&](auto gold, auto found) { script.add(gold, found); };
  }
  const Evaluation evaluation = evaluate(model, call.input(), options);
  std::vector<std::string> warnings = frame::missed_labels(call.file, evaluation.unseen_labels);
  for (std::string& warning : coverage_warnings(model, call.file, evaluation.coverage)) {
    warnings.push_back(std::move(warning));
  }
  if (call.convention) return {script_text(call, script), warnings};
  return findings_of(call, evaluation, warnings,
                     report::model_report(model, frame::evaluation_title(call)));
}

Findings evaluate_predictions(EvaluateCall& call) {
  SpanMetrics script(ChunkRules::kConlleval2004);
  JudgeOptions& options = call.judging;
  if (call.comments) options.comments = *call.comments;
  options.max_sentences = call.report.empty() ? 0 : kSentencesToShow;
  if (call.convention) {
    options.on_sentence = [&](auto gold, auto found) { script.add(gold, found); };
  }
  const Evaluation evaluation = judge_file(call.input(), InputFile(call.predictions), options);
  if (call.convention) return {script_text(call, script)};
  report::TagReport page;
  page.title = frame::evaluation_title(call);
  return findings_of(call, evaluation, {}, std::move(page));
}

void add_evaluate(Command& tag) {
  frame::add_evaluate<TagModel, EvaluateCall>(
      tag,
      {"evaluate",
       "Tag a labelled file and compare: precision, recall and F1 of spans as conlleval counts "
       "them, accuracy of tokens.\n\n"
       "  trellis tag evaluate test.txt --model m.trellis\n"
       "  trellis tag evaluate test.txt --predictions tagged.txt\n"
       "  trellis tag evaluate both.txt --convention conlleval",
       "Labelled file", "scores, confusions and sentences", false,
       "the output of predict, or one label per line"},
      [](Command& command, EvaluateCall& call) {
        add_comments(command, call.comments);
        command.flag("--confusion", call.confusion,
                     "Print the most common confusions of labels as well");
        add_judging_options(command, call);
        add_convention_options(command, call);
      },
      evaluate_model, evaluate_predictions,
      [](EvaluateCall& call) -> std::optional<Findings> {
        if (!call.both_in_file()) return std::nullopt;
        return Findings{script_text(call, read_conlleval(call.input(), call.script))};
      });
}

void add_inspect(Command& tag) {
  struct Call : frame::InspectCall {
    bool show_template = false;
  };
  frame::add_inspect<TagModel, Call>(
      tag,
      {"Show what a model has learned: its strongest weights and transitions.", 10,
       "Number of features to print for each label, and of transitions"},
      [](const TagModel& model, Call& call) {
        if (call.show_template) return Findings{std::string(model.features().source())};
        return frame::answer(call, inspect_record(model, call.top), inspect_text(model, call.top));
      },
      [](Command& command, Call& call) {
        command.flag("--template", call.show_template,
                     "Print the feature template of the model instead");
      });
}

void add_explain(Command& tag) {
  struct Call : frame::ModelCall {
    ExplainOptions options;
  };
  frame::add_command<TagModel, Call>(
      tag,
      {"explain",
       "Explain the label of a token: what each feature adds to the score of the label, and of the "
       "second best label.",
       "File in columns, with or without labels", "", true},
      [](Command& command, Call& call) {
        ExplainOptions& options = call.options;
        add_comments(command, options.comments);
        command.option("--sentence", options.sentence, "Number of the sentence in the file, from 1")
            .between(1, 1e15);
        command.option("--token", options.token,
                       "Number of the token in the sentence, from 1; 0: all");
        command.option("--top", options.top, "Number of features to show for each label");
      },
      [](const TagModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain(model, call.input(), call.options)};
      });
}

}  // namespace

frame::Task task() {
  return {"tag", "train train.txt --dev dev.txt --model m.trellis",
          "Sequence labelling: parts of speech, chunks, entities, slots.\n\n"
          "Files have a token per line in columns (CoNLL), an empty line between sentences, "
          "and the label in the last column; CoNLL-U is detected. Gzip and zstd files are "
          "read directly; '-' is standard input.",
          [](Command& tag) {
            add_train(tag);
            add_predict(tag);
            add_evaluate(tag);
            add_inspect(tag);
            add_explain(tag);
            add_template(tag);
            add_features(tag);
          }};
}

}  // namespace trellis::tag
