#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/cli/console.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/train_progress.h"
#include "trellis/cli/training_command.h"
#include "trellis/data/json.h"
#include "trellis/scorers/evalb.h"
#include "trellis/tasks/grammar/output/evaluate.h"
#include "trellis/tasks/grammar/output/explain.h"
#include "trellis/tasks/grammar/output/inspect.h"
#include "trellis/tasks/grammar/output/predict.h"
#include "trellis/tasks/grammar/page/grammar_report.h"
#include "trellis/tasks/grammar/train.h"

namespace trellis::grammar {
namespace {

using cli::Command;
using cli::Findings;

constexpr const char* kSentenceFormatHelp =
    "Of the file: tokens, a sentence a line, or trees, whose words are taken [trees, if it begins "
    "with '(']";
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
  command.flag("--evalb", call.table, "Print EVALB's table, digit for digit");
  command.option("--prm", call.parameters,
                 "EVALB's parameter file: which labels count, and which are equal; none: all "
                 "count [those of COLLINS.prm]");
  command.option("--cutoff", call.cutoff,
                 "Sentences up to this length are scored by themselves, too (-c) [as --prm says]");
  command.option("--max-errors", call.max_errors,
                 "With --evalb: stop after so many faults and one more (-e) [as --prm says]");
}

void add_parser_options(Command& command, ParserOptions& options) {
  command.option("--unparsed", options.unparsed,
                 "What a sentence gets that the grammar has no tree for: partial, as few fragments "
                 "as it does have, under the root, or flat, its words in one bracket");
  command
      .option("--max-words", options.max_words,
              "Longer sentences are refused: time grows with the cube of the length")
      .between(1, 10000);
}

struct TrainCall {
  cli::TrainingFlags flags;
  std::vector<std::string> files;
  TrainOptions options;
};

// What was read, and what of it is not used.
void tell_treebank(const Treebank& treebank, Index max_words, const std::string& what,
                   const TrainEvents& events) {
  events.phase(fmt::format("{} {} trees, {} words", what, treebank.trees.size(), treebank.words));
  if (treebank.left_out > 0) {
    events.phase(fmt::format("{} sentences of more than {} words are left out", treebank.left_out,
                             max_words));
  }
  if (treebank.only_traces > 0) {
    events.phase(fmt::format("{} trees of nothing but traces are left out", treebank.only_traces));
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
    page.subtitle += fmt::format(", {} weights; {}", result.weights, cli::ending(summary));
  }
  if (dev) {
    EvaluateOptions options;
    options.threads = call.flags.common.threads;
    report::add_evaluation(*trained.model, dev->trees, options, call.flags.dev, page);
  }
  return report::grammar_report(page);
}

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  plan(call.options);  // before any file is read
  const Stopwatch watch;
  const Treebank treebank = read_treebanks(call.files, call.options.max_words);
  tell_treebank(treebank, call.options.max_words, "read", events);
  std::optional<Treebank> dev;
  if (!call.flags.dev.empty()) {
    const Index longest = ParserOptions().max_words;
    dev = read_treebanks(std::vector{call.flags.dev}, longest);
    tell_treebank(*dev, longest, fmt::format("watching {},", call.flags.dev), events);
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(treebank, dev ? &*dev : nullptr, call.options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return cli::outcome_of(call.flags, trained, [&] { return training_page(call, dev, trained); });
}

void add_filter_options(Command& command, FilterOptions& filter) {
  command.unsetting_flag("--no-pruning", filter.prune,
                         "Charts have all that the grammar can make: for small ones");
  const auto share = [&](const char* name, double& value, const char* help) {
    command.option(name, value, help).between(0, 1);
  };
  share("--prune-below", filter.prune_below,
        "Leave out labels over spans that the coarse grammar expects less often");
  share("--prune-rules-below", filter.prune_rules_below,
        "And then rules that the generative grammar expects less often");
  share("--prune-tags-below", filter.prune_tags_below,
        "And tags that the tagger thinks less likely");
}

void add_train(Command& grammar) {
  cli::add_training<TrainCall>(
      grammar, defaults(), able(),
      {"Train a grammar: its rules are read off the trees of a treebank, and weights of features "
       "of spans, splits and rules are learned on top of their frequencies.\n\n"
       "  trellis grammar train train.mrg --dev dev.mrg --model m.trellis\n"
       "  trellis grammar train train.mrg --loss crf --model m.trellis\n"
       "  trellis grammar train train.mrg --generative --model m.trellis   # frequencies alone, "
       "the baseline",
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
            .option("files", call.files,
                    "Treebanks in Penn brackets; traces are dropped and labels cut at '-' and '='")
            .required();
        command.group("Data");
        command.option("--max-words", options.max_words,
                       "Longer sentences are not learned from; 0: all are");
        command.group("Model");
        command.flag("--generative", options.generative,
                     "The generative grammar alone: smoothed frequencies of rules, no weights");
        command
            .option("--vertical", options.orders.vertical,
                    "Markov order of symbols upwards: 1, a bracket's own label; 2, its parent's as "
                    "well")
            .between(1, 10);
        command
            .option("--horizontal", options.orders.horizontal,
                    "Markov order of rules: siblings that what is left of a bracket remembers")
            .between(0, 10);
        command.option("--min-count", options.min_count,
                       "Drop features that true trees have less often [2; 1 below 100000 words]");
        command.unsetting_flag("--no-tagger", options.tagger,
                               "Without a tagger: words have the tags that the grammar knows");
        command
            .option("--jackknife", options.jackknife,
                    "The tagger tags the treebank in K folds, each by what it learned of the "
                    "others [5]")
            .between(2, 1e6);
        add_filter_options(command, options.filter);
        command
            .option("--chart-memory", options.chart_megabytes,
                    "Megabytes for charts; those that they do not hold are made anew each time")
            .between(0, 1e9);
      },
      run_train);
}

void add_predict(Command& grammar) {
  struct Call : cli::ModelCall {
    PredictOptions options;
  };
  cli::add_predict<GrammarModel, Call>(
      grammar,
      {"predict",
       "Parse a file: a tree in Penn brackets for each sentence, on a line.\n"
       "Memory does not grow with the input; what is piped in comes out sentence by sentence.",
       "Sentences, a line each, tokens separated by blanks; or trees"},
      [](Command& command, Call& call) {
        PredictOptions& options = call.options;
        command.option("--format", options.format, kSentenceFormatHelp);
        command.flag("--pretty", options.pretty, "Trees over several lines, indented");
        command.option("--nbest", options.nbest, "The K best trees, each with its score")
            .between(1, 1000);
        command.flag("--marginals", options.marginals,
                     "Add the probability of each bracket: in comments before the tree");
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

struct EvaluateCall : cli::ModelCall {
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
  report::GrammarReport page = report::model_page(model, cli::evaluation_title(call));
  const Evaluation evaluation =
      call.report.empty() ? evaluate(model, call.input(), options)
                          : report::add_evaluation(model, call.input(), options, call.file, page);
  Findings found{call.evalb.table ? official.table()
                 : call.json      ? to_json(evaluation.record())
                                  : evaluation.to_text(),
                 cli::missed_labels(call.file, evaluation.unseen_labels)};
  if (!call.report.empty()) found.page = report::grammar_report(page);
  return found;
}

// The trees of two files; also of `score`.
Findings compare_files(const EvaluateCall& call) {
  const EvalbParameters parameters = call.evalb.read();
  if (call.evalb.table) {
    if (!call.report.empty()) throw UsageError("--evalb prints EVALB's table: no --report");
    Evalb evalb(parameters);
    evalb.add(call.input(), InputFile(call.predictions));
    if (!evalb.gave_up()) return {evalb.table(), evalb.faults()};
    cli::print(evalb.table());
    throw InputError(call.predictions, 0,
                     fmt::format("EVALB stops here, after more than {} faults (--max-errors); the "
                                 "last one: {}",
                                 parameters.max_errors, evalb.faults().back()));
  }
  report::GrammarReport page;
  page.title = cli::evaluation_title(call);
  const TreebankScores scores = compare(
      call.input(), InputFile(call.predictions), parameters,
      [&](const ConstituencyTree& gold, const ConstituencyTree& found, const BracketMatch& match) {
        if (!call.report.empty()) page.trees.add(gold, found, match, parameters);
      });
  Findings found{call.json ? to_json(scores.record()) : scores.to_text()};
  if (!call.report.empty()) {
    page.evaluated_on = call.file;
    page.scores = scores;
    found.page = report::grammar_report(page);
  }
  return found;
}

void add_evaluate(Command& grammar) {
  cli::add_evaluate<GrammarModel, EvaluateCall>(
      grammar,
      {"evaluate",
       "Parse the sentences of a treebank and compare: recall, precision and F1 of brackets, "
       "crossing brackets and tags as EVALB counts them, by category and by length.\n\n"
       "  trellis grammar evaluate test.mrg --model m.trellis\n"
       "  trellis grammar evaluate test.mrg --predictions found.mrg",
       "Treebank in Penn brackets", "scores and trees", false, "what predict writes, trees"},
      [](Command& command, EvaluateCall& call) {
        add_evalb(command, call.evalb);
        add_parser_options(command, call.options.parser);
      },
      evaluate_model, [](EvaluateCall& call) { return compare_files(call); });
}

void add_score(Command& grammar) {
  const auto call = std::make_shared<EvaluateCall>();
  Command command = grammar.command(
      "score",
      "Compare the trees that any program found with gold ones, as EVALB does; no model is "
      "needed.\n\n"
      "  trellis grammar score gold.mrg found.mrg\n"
      "  trellis grammar score gold.mrg found.mrg --evalb   # its table; a tree a line");
  command.option("gold", call->file, "Treebank in Penn brackets").required();
  command.option("test", call->predictions, "The same sentences with the trees that were found")
      .required();
  add_evalb(command, call->evalb);
  cli::add_common_options(command, *call);
  command.run([call] {
    require_readable({call->file, call->predictions});
    return cli::tell(*call, compare_files(*call));
  });
}

void add_inspect(Command& grammar) {
  cli::add_inspect<GrammarModel>(
      grammar, {"What a model has learned, and how it was made.", 20, "Weights of rules"},
      [](const GrammarModel& model, cli::InspectCall& call) {
        return Findings{call.json ? to_json(inspect_record(model, call.top))
                                  : inspect_text(model, call.model, call.top)};
      });
}

void add_explain(Command& grammar) {
  struct Call : cli::ModelCall {
    ExplainOptions options;
  };
  cli::add_command<GrammarModel, Call>(
      grammar,
      {"explain",
       "Why a bracket is in the best tree, or is not: the parts in which the best tree and the "
       "best one without it (or with it) differ, and what features and the generative grammar add "
       "to the score of each.",
       "Sentences, as for predict", "", true},
      [](Command& command, Call& call) {
        ExplainOptions& options = call.options;
        command.option("--format", options.format, kSentenceFormatHelp);
        command.option("--sentence", options.sentence, "Which sentence of the file, from 1")
            .between(1, 1e15);
        command.option("--span", options.span,
                       "The bracket's words: 2-5 are words 2, 3 and 4, counted from 0 [all "
                       "brackets of the best tree]");
        command.option("--label", options.label,
                       "The bracket's label [those of the best tree over --span]");
        command.option("--top", options.top,
                       "Parts to show of each tree, and features of each part");
        add_parser_options(command, options.parser);
      },
      [](const GrammarModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain(model, call.input(), call.options)};
      });
}

}  // namespace

void add_grammar(cli::Program& program) {
  program.task("grammar",
               "Constituency trees: brackets, by a grammar read off a treebank.\n\n"
               "Its rules have Markovised symbols, and features of spans have weights upon their "
               "frequencies. Treebanks are in Penn brackets, a tree a line or spread over lines; "
               "sentences to "
               "parse are tokens, a sentence a line. Gzip and zstd are read as they are; '-' is "
               "standard input.",
               [](Command& grammar) {
                 add_train(grammar);
                 add_predict(grammar);
                 add_evaluate(grammar);
                 add_score(grammar);
                 add_inspect(grammar);
                 add_explain(grammar);
               });
}

}  // namespace trellis::grammar
