#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/formats/treebank/treebank_pairs.h"
#include "trellis/frame/model_command.h"
#include "trellis/frame/train_progress.h"
#include "trellis/frame/training_command.h"
#include "trellis/scorers/conllx_script.h"
#include "trellis/scorers/ud_score.h"
#include "trellis/tasks/parse/commands/inference_options.h"
#include "trellis/tasks/parse/output/evaluate.h"
#include "trellis/tasks/parse/output/explain.h"
#include "trellis/tasks/parse/output/inspect.h"
#include "trellis/tasks/parse/output/predict.h"
#include "trellis/tasks/parse/page/parse_report.h"
#include "trellis/tasks/parse/train.h"
#include "trellis/tasks/tasks.h"

namespace trellis::parse {
namespace {

using frame::Command;
using frame::Findings;

// Whose script's output is printed, to the byte.
enum class Official { kConllx, kConll07, kUd };
constexpr auto names_of(Official) {
  return Names{"official scorer", "conllx", "conll07", "ud"};
}

// What of it.
enum class Details { kSummary, kSentences, kTables, kCounts };
constexpr auto names_of(Details) {
  return Names{"output of a scorer", "summary", "sentences", "tables", "counts"};
}

constexpr const char* kFormatHelp = "File format [detected from the first lines]";
struct OfficialCall {
  std::optional<Official> scorer;
  std::optional<Details> details;
  std::optional<Punctuation> punctuation;
  bool no_deriv = false;

  bool ud() const { return scorer == Official::kUd; }
  bool conll() const { return scorer && !ud(); }
  // Throws UsageError for an amount of output that the scorer does not have.
  void check() const {
    if (ud() && details == Details::kSentences) {
      throw UsageError("--official ud supports only --details summary, tables and counts");
    }
    if (conll() && details == Details::kCounts) {
      throw UsageError("--details counts requires --official ud");
    }
  }
  ConllScriptOptions script() const {
    ConllScriptOptions options;
    options.script = scorer == Official::kConll07 ? ConllScript::kConll07 : ConllScript::kConllx;
    options.punctuation = punctuation.value_or(standard_punctuation(options.script));
    options.derivations = !no_deriv;
    options.sentences = details == Details::kSentences;
    options.tables = details == Details::kTables;
    return options;
  }
  std::string ud_text(const UdScore& score) const {
    return details == Details::kSummary  ? score.official()
           : details == Details::kCounts ? score.count_table()
                                         : score.table();
  }
};

void add_official(Command& command, OfficialCall& call) {
  command.group("Official scorers");
  command.option("--official", call.scorer,
                 "Print exactly what the script of a shared task prints: eval.pl -q of CoNLL-X, "
                 "eval07.pl -q of CoNLL-07, or conll18_ud_eval.py -v");
  command.option("--details", call.details,
                 "Amount of output\n"
                 "conllx, conll07: summary, sentences (-b) or tables (without -q) [summary]\n"
                 "ud: summary (without -v), tables (-v) or counts (-c) [tables]");
  command.option("--punctuation", call.punctuation,
                 "Treatment of punctuation\n"
                 "conllx: left-out, or scored (-p) [left-out]\n"
                 "conll07: scored, or left-out (-p) [scored]");
  command.flag("--no-deriv", call.no_deriv,
               "Do not score words with the gold label DERIV (conll07, -d)");
  command.group("");
  command.at("official").excludes("json", "it prints the output of a script");
  command.those({"details", "punctuation", "no-deriv"}).needs("official");
  command.at("punctuation").only_with("official", {"conllx", "conll07"});
  command.at("no-deriv").only_with("official", {"conll07"});
  command.require([&call] { call.check(); });
}

struct TrainCall {
  frame::TrainingFlags flags;
  std::vector<std::string> files;
  std::optional<TreebankFormat> format;
  TrainOptions options;
};

ReadOptions reading_of(const TrainCall& call, bool to_learn) {
  ReadOptions reading;
  reading.format = call.format;
  reading.one_root = to_learn && call.options.roots == RootRule::kOne;
  reading.max_words = to_learn ? call.options.max_words : 0;
  return reading;
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const TrainResult& result = trained.result;
  const LearnSummary& summary = result.learned.fitted.summary;
  report::ParseReport page = report::model_page(*trained.model, "Training of " + call.flags.model);
  page.history = report::training_points(summary);
  page.learned = &result.learned;
  page.subtitle = fmt::format("{} sentences, {} words, {} weights; {}", result.sentences,
                              result.words, result.weights, frame::ending(summary));
  if (!call.flags.dev.empty()) {
    EvaluateOptions options;
    options.format = call.format;
    options.threads = call.flags.common.threads;
    if (result.tagging) options.retag = Retag::kAll;
    report::add_evaluation(*trained.model, InputFile(call.flags.dev), options, call.flags.dev,
                           page);
  }
  return report::parse_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  plan(call.options);  // before any file is read
  const Stopwatch watch;
  const Treebank treebank = read_treebanks(call.files, reading_of(call, true));
  std::optional<Treebank> dev;
  if (!call.flags.dev.empty()) dev = read_treebanks({call.flags.dev}, reading_of(call, false));
  const double read_seconds = watch.seconds();
  events.phase(
      fmt::format("read {} sentences, {} words", treebank.sentences.size(), treebank.words));
  if (treebank.left_out > 0) {
    events.phase(fmt::format("skipped {} sentences of more than {} words", treebank.left_out,
                             call.options.max_words));
  }
  if (dev) {
    events.phase(fmt::format("evaluating each epoch on {} sentences of {}", dev->sentences.size(),
                             call.flags.dev));
  }
  Trained trained = train(treebank, dev ? &*dev : nullptr, call.options, events);
  trained.result.seconds = {read_seconds, watch.seconds()};
  return frame::outcome_of(call.flags, trained, [&] { return training_page(call, trained); });
}

void add_train(Command& parse) {
  frame::add_training<TrainCall>(
      parse, defaults(), able(),
      {"Train a parser.\n\n"
       "  trellis parse train train.conllu --dev dev.conllu --model m.trellis\n"
       "  trellis parse train train.conllu --order 2 --model m.trellis   # pairs of arcs as well\n"
       "  trellis parse train train.conllu --tagger --model m.trellis   # parses words without "
       "tags",
       " (LAS without punctuation)",
       "curves, scores and trees",
       {},
       0,
       {},
       {},
       true},
      [](Command& command, TrainCall& call) {
        command.option("files", call.files, "Treebanks: CoNLL-U or CoNLL-X").required();
        command.short_help({"--format", "--max-words", "--order", "--inference", "--decode",
                            "--projective", "--min-count", "--tagger"});
        command.group("Data");
        command.option("--format", call.format,
                       "Format of the files [detected from their first lines]");
        command.option(
            "--max-words", call.options.max_words,
            "Maximum length of a training sentence in words; longer ones are skipped; 0: no limit");
        command.group("Model");
        command
            .option("--order", call.options.order,
                    "Order of the parser: 1: arcs; 2: also pairs of arcs")
            .between(1, 2);
        command.option(
            "--inference", call.options.inference,
            "Inference in training with --order 2: relaxed (trees of a linear program), reweighted "
            "(sums, an upper bound) or beliefs (sums, an estimate; on long sentences less accurate "
            "than --order 1) [relaxed for hinge losses, else reweighted]");
        add_limits(
            command, call.options.limits,
            ", iterations of AD3 for relaxed trees [beliefs: 50; reweighted: 30; relaxed: 100]",
            " [beliefs: 0.0001; reweighted: 0.001; relaxed: 0.0001]");
        command.option(
            "--decode", call.options.decoding,
            "Default decoding of the model, also used for the dev set\n"
            "map: the tree with the highest score\n"
            "risk: the tree with the least expected cost, by the probabilities of arcs and labels");
        command.flag("--projective", call.options.projective,
                     "Build only trees without crossing arcs");
        command.option("--roots", call.options.roots,
                       "Number of words attached to the root: one or any [one if every training "
                       "sentence has one, else any]");
        command.option("--min-count", call.options.min_count,
                       "Minimum frequency of a feature on gold arcs; rarer features are dropped "
                       "[2; 1 below 100000 words]");
        command.flag("--tagger", call.options.tagger,
                     "Also train a tagger, for files without parts of speech; the parser is "
                     "trained on its tags");
        command
            .option("--jackknife", call.options.jackknife,
                    "Number of folds in which --tagger tags the training sentences, each fold by a "
                    "tagger trained on the others [5]")
            .between(2, 1e6);
        FilterOptions& filter = call.options.filter;
        command.unsetting_flag("--no-pruning", filter.prune, "Keep all arcs as candidates");
        command
            .option("--max-heads", filter.limits.max_heads,
                    "Maximum number of candidate heads of a word")
            .between(1, 1e6);
        command
            .option("--prune-below", call.options.prune_below,
                    "Drop heads whose probability under the filter is below this fraction of the "
                    "best head's probability [0.002; 0.01 with --order 2]")
            .between(0, 1);
      },
      run_train);
}

void add_retag(Command& command, bool& retag) {
  command.flag("--retag", retag,
               "Tag all words with the tagger of the model, even if the file has tags");
}

void add_predict(Command& parse) {
  struct Call : frame::ModelCall {
    PredictOptions options;
    bool retag = false;
  };
  frame::add_predict<ParseModel, Call>(
      parse,
      {"predict",
       "Parse a file: write each sentence with its predicted heads and labels; all other columns "
       "stay unchanged. If parts of speech are missing, the tagger of the model adds them (train "
       "--tagger).\n"
       "Memory does not grow with the input; with piped input, each sentence is written as soon as "
       "it is complete.",
       "Sentences, CoNLL-U or CoNLL-X, with or without heads"},
      [](Command& command, Call& call) {
        command.option("--format", call.options.format, kFormatHelp);
        add_retag(command, call.retag);
        command.flag("--marginals", call.options.marginals,
                     "Write the probability of each arc and its label: Prob= in MISC");
        command
            .option("--nbest", call.options.nbest,
                    "Number of best trees to write for each sentence, each with its score")
            .between(1, 1000);
        add_decoding(command, call.options.decoding);
      },
      [](const ParseModel& model, Call& call, OutputFile& out) {
        call.options.json = call.json;
        call.options.threads = call.threads;
        if (call.retag) call.options.retag = Retag::kAll;
        if (call.options.nbest > 1 && call.options.decoding.risk()) {
          throw UsageError(
              "--nbest lists the trees with the highest scores: it cannot be combined with "
              "--decode risk");
        }
        const PredictCounts counts = predict(model, call.input(), call.options, out);
        Findings found;
        if (counts.unproven > 0) {
          found.notes.push_back(
              fmt::format("the trees of {} of {} sentences may not be the best ones under the "
                          "model: the search reached its limit",
                          counts.unproven, counts.sentences));
        }
        if (counts.unconverged > 0) {
          found.notes.push_back(
              fmt::format("the arc probabilities of {} of {} sentences did not converge",
                          counts.unconverged, counts.sentences));
        }
        return found;
      });
}

// What is asked for of two treebanks of the same sentences.
class TreebankComparison {
 public:
  TreebankComparison(std::string gold, std::string system)
      : gold_(std::move(gold)), system_(std::move(system)) {}

  void add(const Sentence& gold, const Sentence& system) {
    gold_.add(gold);
    system_.add(system);
  }
  UdScore ud() const { return ud_score(gold_, system_); }

 private:
  UdTreebank gold_, system_;
};

struct EvaluateCall : frame::ModelCall {
  std::optional<TreebankFormat> format;
  OfficialCall official;
  bool retag = false;
  DecodeOptions decoding;
};

Findings evaluate_model(const ParseModel& model, EvaluateCall& call) {
  EvaluateOptions options;
  options.format = call.format;
  options.threads = call.threads;
  if (call.retag) options.retag = Retag::kAll;
  options.decoding = call.decoding;
  TreebankComparison both(call.file, "<parser>");
  ConllScriptScores script(call.official.script());
  if (call.official.scorer) {
    options.on_sentence = [&](const Sentence& gold, const Sentence& system,
                              const std::vector<double>&) {
      if (call.official.ud()) both.add(gold, system);
      if (call.official.conll()) script.add(gold.words, system.words);
    };
  }
  report::ParseReport page = report::model_page(model, frame::evaluation_title(call));
  const Evaluation evaluation =
      call.report.empty() ? evaluate(model, call.input(), options)
                          : report::add_evaluation(model, call.input(), options, call.file, page);
  Findings found = frame::answer(call, evaluation.record(), evaluation.to_text(),
                                 frame::missed_labels(call.file, evaluation.unseen_labels));
  if (!call.report.empty()) found.page = report::parse_report(page);
  if (call.official.ud()) found.text = call.official.ud_text(both.ud());
  if (call.official.conll()) found.text = script.text(call.file, "<parser>");
  return found;
}

// CoNLL-X is read as the script reads it; files in CoNLL-U have lines that it does not know.
bool is_conllx(const EvaluateCall& call) {
  TreebankOptions reading;
  reading.format = call.format;
  return TreebankReader(call.input(), reading).format() == TreebankFormat::kConllx;
}

// The trees of two files; also of `score`.
Findings compare_files(const EvaluateCall& call) {
  const OfficialCall& official = call.official;
  if (official.ud()) {
    return {official.ud_text(ud_score(call.input(), InputFile(call.predictions)))};
  }
  if (official.conll() && is_conllx(call)) {
    return {conll_script(call.input(), InputFile(call.predictions), official.script())};
  }
  TreebankOptions reading;
  reading.format = call.format;
  reading.heads = Heads::kGiven;
  TreebankPairs pairs(TreebankReader(call.input(), reading),
                      TreebankReader(InputFile(call.predictions), reading));
  report::ParseReport page;
  page.title = frame::evaluation_title(call);
  ConllScriptScores script(official.script());
  for (Sentence gold, system; pairs.read(gold, system);) {
    page.scores.add(gold, system);
    if (official.conll()) script.add(gold.words, system.words);
    if (!call.report.empty()) page.trees.add(gold, system);
  }
  const AttachmentScores& scores = page.scores;
  if (scores.num_sentences() == 0) throw InputError(call.file, 0, "expected sentences, found none");
  Findings found = frame::answer(call, scores.record(), scores.to_text());
  if (official.conll()) found.text = script.text(call.file, call.predictions);
  page.evaluated_on = call.file;
  if (!call.report.empty()) found.page = report::parse_report(page);
  return found;
}

void add_evaluate(Command& parse) {
  frame::add_evaluate<ParseModel, EvaluateCall>(
      parse,
      {"evaluate",
       "Parse a treebank and compare: UAS and LAS with and without punctuation, by label and by "
       "distance.\n\n"
       "  trellis parse evaluate test.conllu --model m.trellis\n"
       "  trellis parse evaluate test.conllu --predictions parsed.conllu",
       "Treebank", "scores and trees", false, "the output of predict, a treebank"},
      [](Command& command, EvaluateCall& call) {
        command.option("--format", call.format, kFormatHelp);
        add_retag(command, call.retag);
        add_decoding(command, call.decoding);
        add_official(command, call.official);
        command
            .those({"retag", "decode", "inference", "inference-iterations", "inference-tolerance",
                    "damping"})
            .excludes("predictions", "predictions are already trees");
      },
      evaluate_model, [](EvaluateCall& call) { return compare_files(call); },
      [](EvaluateCall& call) -> std::optional<Findings> {
        if (call.official.scorer && !call.predictions.empty() && !call.report.empty()) {
          throw UsageError(
              "--official prints the output of a script: it cannot be combined with --report");
        }
        return std::nullopt;
      });
}

void add_score(Command& parse) {
  const auto call = std::make_shared<EvaluateCall>();
  Command& command = parse.command(
      "score", "Compare trees found by any program with gold trees; requires no model.");
  command.option("gold", call->file, "Treebank").required();
  command.option("system", call->predictions, "The same sentences with the predicted trees")
      .required();
  command.option("--format", call->format, "Format of the files [detected from their first lines]");
  add_official(command, call->official);
  frame::add_common_options(command, *call);
  command.run([call](frame::Session&) {
    require_readable({call->file, call->predictions});
    return compare_files(*call);
  });
}

void add_inspect(Command& parse) {
  frame::add_inspect<ParseModel>(parse,
                                 {"Show what a model has learned, and how it was trained.", 20,
                                  "Number of label weights to print, by coarse tags and distance"},
                                 [](const ParseModel& model, frame::InspectCall& call) {
                                   return frame::answer(call, inspect_record(model, call.top),
                                                        inspect_text(model, call.model, call.top));
                                 });
}

void add_explain(Command& parse) {
  struct Call : frame::ModelCall {
    ExplainOptions options;
  };
  frame::add_command<ParseModel, Call>(
      parse,
      {"explain",
       "Explain the head and label of a word: what each feature adds to the score of its arc, and "
       "to the score of an alternative arc.",
       "Sentences, with or without heads; predictions are compared with the heads in the file", "",
       true},
      [](Command& command, Call& call) {
        ExplainOptions& options = call.options;
        command.option("--format", options.format, kFormatHelp);
        command.option("--sentence", options.sentence, "Number of the sentence in the file, from 1")
            .between(1, 1e15);
        command.option("--word", options.word,
                       "Number of the word in the sentence, from 1; 0: all");
        command.option("--head", options.head,
                       "Head of the alternative arc, 0 for the root [the head in the file, or the "
                       "second best head]");
        command.option("--top", options.top, "Number of features to show for each arc");
      },
      [](const ParseModel& model, Call& call) {
        call.options.json = call.json;
        return Findings{explain(model, call.input(), call.options)};
      });
}

}  // namespace

frame::Task task() {
  return {"parse", "train train.conllu --dev dev.conllu --model m.trellis",
          "Dependency parsing: the head and the arc label of each word.\n\n"
          "Files are treebanks in CoNLL-U or CoNLL-X; parts of speech may be missing if the "
          "model has a tagger. Gzip and zstd files are read directly; '-' is standard input.",
          [](Command& parse) {
            add_train(parse);
            add_predict(parse);
            add_evaluate(parse);
            add_score(parse);
            add_inspect(parse);
            add_explain(parse);
          }};
}

}  // namespace trellis::parse
