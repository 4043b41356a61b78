#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/train_progress.h"
#include "trellis/frame/training_command.h"
#include "trellis/scorers/evalb.h"
#include "trellis/tasks/grammar/output/evaluate.h"
#include "trellis/tasks/grammar/output/explain.h"
#include "trellis/tasks/grammar/output/inspect.h"
#include "trellis/tasks/grammar/output/predict.h"
#include "trellis/tasks/grammar/page/grammar_report.h"
#include "trellis/tasks/grammar/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::grammar {
namespace {

using frame::Command;
using frame::Findings;

constexpr const char* kSentenceFormatHelp =
    "Format of the file: tokens (one sentence per line) or trees (only their words are used) "
    "[trees if the file begins with '(', else tokens]";
// What EVALB is told.
struct EvalbCall {
  bool table = false;
  std::string parameters;
  std::optional<Index> cutoff, max_errors;

  EvalbParameters read() const {
    EvalbParameters told;
    if (parameters.empty()) {
      told = EvalbParameters::collins();
    } else if (parameters != "none") {
      told = read_evalb_parameters(InputFile(parameters));
    }
    if (cutoff) told.cutoff = *cutoff;
    if (max_errors) told.max_errors = *max_errors;
    return told;
  }
};

void add_evalb(Command& command, EvalbCall& call) {
  command.flag("--evalb", call.table, "Print exactly the table that EVALB prints");
  command.option("--prm", call.parameters,
                 "EVALB parameter file: which labels are counted, and which are equal; none: count "
                 "all [as in COLLINS.prm]");
  command.option("--cutoff", call.cutoff,
                 "Also report sentences up to this length separately (-c of EVALB) [as in --prm]");
  command.option(
      "--max-errors", call.max_errors,
      "Maximum number of errors before the scorer stops (--evalb; -e of EVALB) [as in --prm]");
}

void add_parser_options(Command& command, ParserOptions& options) {
  command.option("--unparsed", options.unparsed,
                 "Output for a sentence without a tree in the grammar: partial (the fewest "
                 "fragments, under the root) or flat (its words in one bracket)");
  command
      .option("--max-words", options.max_words,
              "Maximum length of a sentence in words; longer ones are an error, since time grows "
              "with the cube of the length")
      .between(1, 10000);
}

struct TrainCall {
  frame::TrainingFlags flags;
  std::vector<std::string> files;
  TrainOptions options;
};

// What was read, and what of it is not used.
void tell_treebank(const Treebank& treebank, Index max_words, const std::string& what,
                   const TrainEvents& events) {
  events.phase(fmt::format("{} {} trees, {} words", what, treebank.trees.size(), treebank.words));
  if (treebank.left_out > 0) {
    events.phase(
        fmt::format("skipped {} sentences of more than {} words", treebank.left_out, max_words));
  }
  if (treebank.only_traces > 0) {
    events.phase(fmt::format("skipped {} trees that contain only traces", treebank.only_traces));
  }
}

std::string training_page(const TrainCall& call, const std::optional<Treebank>& dev,
                          const Trained& trained) {
  const TrainResult& result = trained.result;
  const LearnSummary& summary = result.learned.fitted.summary;
  report::GrammarReport page =
      report::model_page(*trained.model, "Training of " + call.flags.model);
  page.subtitle = fmt::format("{} sentences, {} words, {} rules", result.sentences, result.words,
                              result.binary_rules + result.chains);
  if (!result.generative) {
    page.history = report::training_points(summary);
    page.learned = &result.learned;
    page.subtitle += fmt::format(", {} weights; {}", result.weights, frame::ending(summary));
  }
  if (dev) {
    EvaluateOptions options;
    options.threads = call.flags.common.threads;
    report::add_evaluation(*trained.model, dev->trees, options, call.flags.dev, page);
  }
  return report::grammar_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  plan(call.options);  // before any file is read
  const Stopwatch watch;
  const Treebank treebank = read_treebanks(call.files, call.options.max_words);
  tell_treebank(treebank, call.options.max_words, "read", events);
  std::optional<Treebank> dev;
  if (!call.flags.dev.empty()) {
    const Index longest = ParserOptions().max_words;
    dev = read_treebanks(std::vector{call.flags.dev}, longest);
    tell_treebank(*dev, longest, fmt::format("evaluating each epoch on {},", call.flags.dev),
                  events);
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(treebank, dev ? &*dev : nullptr, call.options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, dev, trained); });
}

void add_filter_options(Command& command, FilterOptions& filter) {
  command.unsetting_flag("--no-pruning", filter.prune,
                         "Do not prune the charts; for small grammars");
  const auto share = [&](const char* name, double& value, const char* help) {
    command.option(name, value, help).between(0, 1);
  };
  share(
      "--prune-below", filter.prune_below,
      "Prune labelled spans whose expected count under the coarse grammar is below this (0 to 1)");
  share(
      "--prune-rules-below", filter.prune_rules_below,
      "Then prune rules whose expected count under the generative grammar is below this (0 to 1)");
  share("--prune-tags-below", filter.prune_tags_below,
        "Prune tags whose probability under the tagger is below this (0 to 1)");
}

void add_train(Command& grammar) {
  frame::add_training<TrainCall>(
      grammar, defaults(), able(),
      {"Train a grammar: rules are read from the trees of a treebank; weights for features of "
       "spans, splits and rules are learned in addition to rule frequencies.\n\n"
       "  trellis grammar train train.mrg --dev dev.mrg --model m.trellis\n"
       "  trellis grammar train train.mrg --loss crf --model m.trellis\n"
       "  trellis grammar train train.mrg --generative --model m.trellis   # only frequencies, a "
       "baseline",
       " (F1 of brackets, as EVALB counts them)",
       "curves, scores and trees",
       {},
       0,
       {},
       {},
       true},
      [](Command& command, TrainCall& call) {
        TrainOptions& options = call.options;
        command
            .option(
                "files", call.files,
                "Treebanks in Penn brackets; traces are removed, and labels are cut at '-' and '='")
            .required();
        command.short_help({"--max-words", "--generative", "--vertical", "--horizontal",
                            "--min-count", "--no-tagger", "--unparsed"});
        command.group("Data");
        command.option(
            "--max-words", options.max_words,
            "Maximum length of a training sentence in words; longer ones are skipped; 0: no limit");
        command.group("Model");
        command.flag("--generative", options.generative,
                     "Train only the generative grammar: smoothed rule frequencies, no weights");
        command
            .option("--vertical", options.orders.vertical,
                    "Vertical Markov order of symbols: 1: the bracket's label; 2: also its "
                    "parent's label")
            .between(1, 10);
        command
            .option("--horizontal", options.orders.horizontal,
                    "Horizontal Markov order of rules: number of previous siblings that a "
                    "binarised rule remembers")
            .between(0, 10);
        command.option("--min-count", options.min_count,
                       "Minimum frequency of a feature in the gold trees; rarer features are "
                       "dropped [2; 1 below 100000 words]");
        command.unsetting_flag("--no-tagger", options.tagger,
                               "Train no tagger: words get their tags from the grammar");
        command
            .option("--jackknife", options.jackknife,
                    "Number of folds in which the tagger tags the treebank, each fold by a tagger "
                    "trained on the others [5]")
            .between(2, 1e6);
        add_filter_options(command, options.filter);
        command
            .option("--chart-memory", options.chart_megabytes,
                    "Memory for charts in megabytes; charts that do not fit are computed again "
                    "each time")
            .between(0, 1e9);
      },
      run_train);
}

void add_predict(Command& grammar) {
  struct Call : frame::ModelCall {
    PredictOptions options;
  };
  frame::add_predict<GrammarModel, Call>(
      grammar,
      {"predict",
       "Parse a file: write a tree in Penn brackets for each sentence, one per line.\n"
       "Memory does not grow with the input; with piped input, each sentence is written as soon as "
       "it is complete.",
       "Sentences, one per line, tokens separated by blanks; or trees"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        command.option("--format", options.format, kSentenceFormatHelp);
        command.flag("--pretty", options.pretty, "Write trees over several lines, indented");
        command
            .option("--nbest", options.nbest,
                    "Number of best trees to write for each sentence, each with its score")
            .between(1, 1000);
        command.flag("--marginals", options.marginals,
                     "Write the probability of each bracket, in comments before the tree");
        add_parser_options(command, options.parser);
      },
      [](const GrammarModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        const PredictCounts counts = predict(model, call.input(), call.options, out);
        Findings found;
        const std::string unparsed = unparsed_text(counts.partial, counts.flat, counts.sentences);
        if (!unparsed.empty()) found.notes.push_back(unparsed);
        return found;
      });
}

struct EvaluateCall : frame::ModelCall {
  EvaluateOptions options;
  EvalbCall evalb;
};

Findings evaluate_model(const GrammarModel& model, EvaluateCall& call) {
  EvaluateOptions& options = call.options;
  options.parameters = call.evalb.read();
  options.threads = call.threads;
  Evalb official(options.parameters);
  if (call.evalb.table) {
    options.on_sentence = [&](const ConstituencyTree& gold, const ParsedTree& found,
                              const BracketMatch&) { official.add(gold, found.tree); };
  }
  report::GrammarReport page = report::model_page(model, frame::evaluation_title(call));
  const Evaluation evaluation =
      call.report.empty() ? evaluate(model, call.input(), options)
                          : report::add_evaluation(model, call.input(), options, call.file, page);
  Findings found = frame::answer(call, evaluation.record(), evaluation.to_text(),
                                 frame::missed_labels(call.file, evaluation.unseen_labels));
  if (call.evalb.table) found.text = official.table();
  if (!call.report.empty()) found.page = report::grammar_report(page);
  return found;
}

// The trees of two files; also of `score`.
Findings compare_files(const EvaluateCall& call) {
  const EvalbParameters parameters = call.evalb.read();
  if (call.evalb.table) {
    if (!call.report.empty())
      throw UsageError("--evalb prints EVALB's table: it cannot be combined with --report");
    Evalb evalb(parameters);
    evalb.add(call.input(), InputFile(call.predictions));
    if (!evalb.gave_up()) return {evalb.table(), evalb.faults()};
    Findings found{evalb.table()};
    const InputError stopped(
        call.predictions, 0,
        fmt::format(
            "EVALB stops here, after more than {} errors (--max-errors); the last error: {}",
            parameters.max_errors, evalb.faults().back()));
    found.fault = stopped.what();
    return found;
  }
  report::GrammarReport page;
  page.title = frame::evaluation_title(call);
  const TreebankScores scores = compare(
      call.input(), InputFile(call.predictions), parameters,
      [&](const ConstituencyTree& gold, const ConstituencyTree& found, const BracketMatch& match) {
        if (!call.report.empty()) page.trees.add(gold, found, match, parameters);
      });
  Findings found = frame::answer(call, scores.record(), scores.to_text());
  if (!call.report.empty()) {
    page.evaluated_on = call.file;
    page.scores = scores;
    found.page = report::grammar_report(page);
  }
  return found;
}

void add_evaluate(Command& grammar) {
  frame::add_evaluate<GrammarModel, EvaluateCall>(
      grammar,
      {"evaluate",
       "Parse the sentences of a treebank and compare: recall, precision and F1 of brackets, "
       "crossing brackets and tags as EVALB counts them, by category and by length.\n\n"
       "  trellis grammar evaluate test.mrg --model m.trellis\n"
       "  trellis grammar evaluate test.mrg --predictions found.mrg",
       "Treebank in Penn brackets", "scores and trees", false, "the output of predict, trees"},
      [](Command& command, EvaluateCall& call) {
        add_evalb(command, call.evalb);
        add_parser_options(command, call.options.parser);
      },
      evaluate_model, [](EvaluateCall& call) { return compare_files(call); });
}

void add_score(Command& grammar) {
  const auto call = std::make_shared<EvaluateCall>();
  Command& command = grammar.command(
      "score",
      "Compare trees found by any program with gold trees, as EVALB does; requires no model.\n\n"
      "  trellis grammar score gold.mrg found.mrg\n"
      "  trellis grammar score gold.mrg found.mrg --evalb   # EVALB's table; one tree per line");
  command.option("gold", call->file, "Treebank in Penn brackets").required();
  command.option("test", call->predictions, "Trees found for the same sentences").required();
  add_evalb(command, call->evalb);
  frame::add_common_options(command, *call);
  command.run([call](frame::Session&) {
    require_readable({call->file, call->predictions});
    return compare_files(*call);
  });
}

void add_inspect(Command& grammar) {
  frame::add_inspect<GrammarModel>(
      grammar,
      {"Show what a model has learned, and how it was trained.", 20, "Number of rules to print"},
      [](const GrammarModel& model, frame::InspectCall& call) {
        return frame::answer(call, inspect_record(model, call.top),
                             inspect_text(model, call.model, call.top));
      });
}

void add_explain(Command& grammar) {
  struct Call : frame::ModelCall {
    ExplainOptions options;
  };
  frame::add_command<GrammarModel, Call>(
      grammar,
      {"explain",
       "Explain why a bracket is in the best tree or not: the parts in which the best trees with "
       "and without the bracket differ, and what each feature and the generative grammar add to "
       "their scores.",
       "Sentences, as for predict", "", true},
      [](Command& command, Call& call) {
        ExplainOptions& options = call.options;
        command.option("--format", options.format, kSentenceFormatHelp);
        command.option("--sentence", options.sentence, "Number of the sentence in the file, from 1")
            .between(1, 1e15);
        command.option("--span", options.span,
                       "Words of the bracket: 2-5 is words 2, 3 and 4, counted from 0 [all "
                       "brackets of the best tree]");
        command.option("--label", options.label,
                       "Label of the bracket [the labels over --span in the best tree]");
        command.option("--top", options.top,
                       "Number of parts to show for each tree, and of features for each part");
        add_parser_options(command, options.parser);
      },
      [](const GrammarModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain(model, call.input(), call.options)};
      });
}

}  // namespace

frame::Task task() {
  return {"grammar", "train train.mrg --dev dev.mrg --model m.trellis",
          "Constituency parsing, by a grammar read from a treebank.\n\n"
          "Rules have Markovised symbols; features of spans have weights, in addition to rule "
          "frequencies. Treebanks are in Penn brackets, a tree on one line or on several; "
          "sentences to parse are tokens, one sentence per line. Gzip and zstd files are read "
          "directly; '-' is standard input.",
          [](Command& grammar) {
            add_train(grammar);
            add_predict(grammar);
            add_evaluate(grammar);
            add_score(grammar);
            add_inspect(grammar);
            add_explain(grammar);
          }};
}

}  // namespace trellis::grammar
