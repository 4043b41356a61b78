#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/cli/console.h"
#include "trellis/cli/model_command.h"
#include "trellis/cli/tasks.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/align_report.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/metrics/naacl_score.h"
#include "trellis/tasks/align/predict.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {
namespace {

using cli::Command;
using cli::Findings;

// Where sentence pairs and their links are, as they were written.
struct TextCall {
  std::vector<std::string> files;  // both sides, or one file with both
  std::optional<BitextSeparator> separator;

  BitextFiles text() const {
    if (files.size() > 2) throw UsageError("expected a source and a target file, or one with both");
    return {files.front(), files.size() == 2 ? files[1] : "", separator};
  }
};
struct LinksCall {
  std::string file;
  std::optional<LinksFormat> format;
  bool swapped = false;

  LinkFiles links() const { return {file, {format, swapped}}; }
};

void add_separator(Command& command, TextCall& call) {
  command.option("--separator", call.separator,
                 "Between the two sides of one file [seen from its first line]");
}
void add_links_form(Command& command, LinksCall& call) {
  command.option("--gold-format", call.format, "Of --gold [seen from its first line]");
  command.flag("--gold-swapped", call.swapped, "In --gold the target word of a link comes first");
}
void add_decoding(Command& command, DecodingOptions& decoding, const char* standard) {
  command.option("--symmetrise", decoding.combination,
                 std::string("How the two directions are combined\n"
                             "product: links whose posteriors, multiplied, reach --threshold\n"
                             "forward, reverse: one of them alone\n") +
                     standard);
  command.option("--decode", decoding.decode,
                 "Of each direction, where that is not product\nviterbi: its best alignment\n"
                 "posterior: links whose posterior reaches --threshold");
  command.option("--threshold", decoding.threshold, "Least posterior of a link, 0 to 1")
      .between(0, 1);
}

struct TrainCall {
  cli::TrainingFlags flags;
  bool unsupervised = false;
  TextCall text;
  LinksCall gold;
  TrainOptions options;
  DecodingOptions decoding;
  std::string aim = "aer", start;
  bool keep_case = false;
};

void add_train_options(Command& command, TrainCall& call) {
  command
      .option("files", call.text.files,
              "Source and target, a sentence a line; or one file with both, a tab or ' ||| ' "
              "between them")
      .required();
  command.flag("--unsupervised", call.unsupervised,
               "Learn from the text alone: no links are known");
  add_separator(command, call.text);
  command.option("--dev", call.flags.dev_files,
                 "Sentence pairs whose links are known, source and target or one file: AER is "
                 "followed, and the threshold of links is chosen by them");
  command.option("--gold", call.gold.file, "The links of --dev");
  add_links_form(command, call.gold);
  command.option("--start", call.start, "A model to begin with: its words, lexicon and jumps");
  command.group("Aligner");
  command.option("--aligner", call.options.aligner,
                 "gibbs: from the hmm on by Gibbs sampling, with fertilities of words\n"
                 "fertility: from the hmm on by EM, with fertilities of words\n"
                 "hmm: jumps from word to word\n"
                 "diagonal: near the diagonal, as fast_align\n"
                 "model2, model1: of IBM\n"
                 "dice, llr: co-occurrence alone");
  command.flag("--agree,!--no-agree", call.options.agree,
               "Both directions learn from the links that both see");
  command.option("--warm-up", call.options.warm_up, "Iterations of Model 1 before");
  command.option("--iterations", call.options.iterations, "Of the aligner");
  command.option("--smoothing", call.options.smoothing,
                 "Of the lexicon: variational Bayes, add-n or none");
  command.option("--prior", call.options.prior, "Of the smoothing: alpha, or n");
  command.option("--null", call.options.null, "Probability that a word is linked with nothing");
  command.option("--fertility-iterations", call.options.fertility_iterations,
                 "After those of the hmm (fertility)");
  command.option("--fertility-sweeps", call.options.fertility.sampling.sweeps,
                 "Of each pair in each iteration (fertility)");
  command.option("--fertility-prior", call.options.fertility.fertility_prior,
                 "Occurrences of a word that what all words have is worth (fertility)");
  command.option("--fertility-null", call.options.fertility.null,
                 "Probability that a word is linked with nothing (fertility)");
  command.option("--chains", call.options.gibbs.chains, "Of each direction (gibbs)");
  command.option("--burn-in", call.options.gibbs.burn_in, "Sweeps that are not counted (gibbs)");
  command.option("--sweeps", call.options.gibbs.sweeps, "Sweeps that are (gibbs)");
  command.option("--gibbs-prior", call.options.gibbs.chain.lexical_prior,
                 "Dirichlet prior of translations (gibbs)");
  command.option("--gibbs-null", call.options.gibbs.chain.null,
                 "Probability that a word is linked with nothing (gibbs)");
  command.flag("--fertility,!--no-fertility", call.options.gibbs.chain.fertility,
               "How many words a word is linked with, by word (gibbs)");
  command.option("--reach", call.options.reach, "Longer jumps share a class (hmm)");
  command.option("--floor", call.options.floor, "Least probability of a translation");
  command.option("--keep", call.options.keep,
                 "Pairs of words to which Model 1 nowhere gives so large a posterior are left out; "
                 "0: none");
  command.flag("--keep-case", call.keep_case, "Tell words apart by capitals");
  command.group("Links");
  add_decoding(command, call.decoding, "the others: made of both");
  command.option("--aim", call.aim,
                 "What the threshold is chosen for: aer, f1 (or another f), or recall:0.9");
}

void complete(TrainCall& call) {
  if (!call.unsupervised) {
    throw UsageError(
        "say --unsupervised: there are no links to learn from, and training with links is not "
        "offered");
  }
  if (call.flags.dev_files.empty() != call.gold.file.empty()) {
    throw UsageError("--dev and --gold belong together: sentence pairs, and their links");
  }
  TrainOptions& options = call.options;
  options.lowercase = !call.keep_case;
  options.aim = ThresholdAim::parse(call.aim);
  options.decoding = call.decoding.over(Decoding());
  options.fixed_threshold = call.decoding.threshold.has_value();
  options.threads = call.flags.common.threads;
  options.seed = call.flags.options.seed;
  options.checkpoint = call.flags.options.checkpoint;
  options.save_every = call.flags.options.save_every;
  options.resume = call.flags.options.resume;
}

constexpr Index kTranslationsInReport = 40;

std::string training_page(const TrainCall& call, const Trained& trained) {
  report::AlignReport page = report::model_page(*trained.model, trained.model->decoding(),
                                                "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  report::add_lexicon(*trained.model, kTranslationsInReport, "", page);
  if (trained.dev) {
    report::add_evaluation(*trained.model, *trained.dev, trained.model->decoding(), call.flags.dev,
                           call.flags.common.threads, page);
  }
  return align_report(page);
}

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  complete(call);
  TrainFiles files{call.text.text(), {}, call.gold.links(), call.start};
  if (!call.flags.dev_files.empty()) {
    files.dev = TextCall{call.flags.dev_files, call.text.separator}.text();
  }
  const Trained trained = train_files(files, call.options, events);
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  cli::TrainingOutcome outcome;
  outcome.json = trained.result.to_json();
  outcome.notes = trained.result.notes(call.flags.dev);
  if (!call.flags.report.empty()) outcome.page = training_page(call, trained);
  return outcome;
}

void add_train(Command& align) {
  cli::add_run<TrainCall>(
      align,
      {"Train a word aligner on parallel text.\n\n"
       "  trellis align train text.en text.fr --unsupervised --model m.trellis\n"
       "  trellis align train bitext.tsv.gz --unsupervised --dev dev.en dev.fr --gold dev.links "
       "--model m.trellis\n\n"
       "Both directions are trained together. Words are what blanks separate.",
       "", "curves, the lexicon, and pairs of the dev set"},
      add_train_options, run_train);
}

void add_predict(Command& align) {
  struct Call : cli::ModelCall {
    TextCall text;
    PredictOptions options;
  };
  cli::add_predict<AlignModel, Call>(
      align,
      {"predict",
       "Print the links of each sentence pair, a line each: 'i-j', words from 0, source first.\n\n"
       "  trellis align predict text.en text.fr --model m.trellis\n"
       "  trellis align predict bitext.tsv --symmetrise grow-diag-final-and --model m.trellis",
       "", "the first pairs as grids"},
      [](Command& command, Call& call) {
        command.option("files", call.text.files,
                       "Source and target, or one file with both; nothing: standard input");
        add_separator(command, call.text);
        add_decoding(command, call.options.decoding, "[the model's]");
        command.option("--format", call.options.writing.format,
                       "pharaoh: i-j\nnaacl: sentence i j S, from 1\ngiza: A3 of GIZA++");
        command.flag("--probabilities", call.options.writing.probabilities,
                     "How likely each link is, behind it");
        command.flag("--scores", call.options.scores,
                     "Behind each line log p(target|source) and log p(source|target)");
      },
      [](const AlignModel& model, Call& call, OutputFile& out) {
        if (call.text.files.empty()) call.text.files = {"-"};
        require_readable(call.text.files);
        call.options.json = call.json;
        call.options.threads = call.threads;
        call.options.at_once = call.text.files.front() == "-";
        if (call.report.empty()) {
          return Findings{"", predict(model, call.text.text(), call.options, out).warnings()};
        }
        const Decoding decoding = call.options.decoding.over(model.decoding());
        report::AlignReport page = report::model_page(model, decoding, "Links by " + call.model);
        call.options.on_pair = [&](const SentencePair& pair, const AlignedLinks& found) {
          report::add_pair(model, pair, found, decoding, page);
        };
        const auto warnings = predict(model, call.text.text(), call.options, out).warnings();
        return Findings{"", warnings, {}, align_report(page)};
      });
}

void add_evaluate(Command& align) {
  struct Call : cli::ModelCall {
    TextCall text;
    LinksCall gold;
    DecodingOptions decoding;
    bool per_sentence = false;
  };
  cli::add_command<AlignModel, Call>(
      align,
      {"evaluate",
       "Align sentence pairs whose links are known, and compare: AER, precision, "
       "recall.",
       "", "scores, pairs from the worst to the best, and words with mistakes"},
      [](Command& command, Call& call) {
        command.option("files", call.text.files, "Source and target, or one file with both")
            .required();
        add_separator(command, call.text);
        command.option("--gold", call.gold.file, "Their links").required();
        add_links_form(command, call.gold);
        add_decoding(command, call.decoding, "[the model's]");
        command.flag("--per-sentence", call.per_sentence, "Figures of each pair as well");
      },
      [](const AlignModel& model, Call& call) {
        const GoldPairs gold = read_gold(call.text.text(), call.gold.links());
        const Decoding decoding = call.decoding.over(model.decoding());
        const AlignmentScores scores = evaluate(model, gold, decoding, call.threads);
        Findings found{call.json ? scores.to_json(call.per_sentence).dump()
                                 : scores.to_text(call.per_sentence)};
        if (!call.report.empty()) {
          report::AlignReport page =
              report::model_page(model, decoding, "Evaluation of " + call.model);
          report::add_evaluation(model, gold, decoding, call.text.files.front(), call.threads,
                                 page);
          found.page = align_report(page);
        }
        return found;
      });
}

void add_score(Command& align) {
  struct Call : cli::CommonOptions {
    std::string found;
    LinksCall gold;
    std::optional<LinksFormat> format;
    bool swapped = false, official = false, per_sentence = false;
  };
  const auto call = std::make_shared<Call>();
  Command command = align.command(
      "score", "Compare links that any program found with gold ones; no model is needed.");
  command.option("links", call->found, "The links that were found").required();
  command.option("--gold", call->gold.file, "The true ones").required();
  command.option("--format", call->format, "Of the links [seen from their first line]");
  command.flag("--swapped", call->swapped, "In the links the target word comes first");
  add_links_form(command, call->gold);
  command.flag("--official", call->official,
               "Print what wa_eval_align.pl does of two NAACL files, to the byte");
  command.flag("--per-sentence", call->per_sentence, "Figures of each pair as well");
  cli::add_common_options(command, *call);
  command.run([call] {
    require_readable({call->found, call->gold.file});
    if (call->official) {
      cli::print(naacl_score(InputFile(call->gold.file), InputFile(call->found)).to_text());
      return 0;
    }
    const auto gold = read_links(InputFile(call->gold.file), {}, call->gold.links().options);
    const auto found =
        read_links(InputFile(call->found), {}, LinkReadingOptions{call->format, call->swapped});
    if (gold.size() != found.size()) {
      throw InputError(call->found, 0,
                       fmt::format("has links of {} sentence pairs, and {} of {}", found.size(),
                                   call->gold.file, gold.size()));
    }
    AlignmentScores scores;
    for (Index k = 0; k < gold.size(); ++k) scores.add(found[k].possible, gold[k]);
    cli::print(call->json ? scores.to_json(call->per_sentence).dump() + "\n"
                          : scores.to_text(call->per_sentence));
    return 0;
  });
}

void add_inspect(Command& align) {
  struct Call : cli::InspectCall {
    std::string word;
  };
  cli::add_inspect<AlignModel, Call>(
      align,
      {"What a model has learned: its strongest translations, how far it jumps, and what it links "
       "with nothing.",
       20, "Translations to print", "the lexicon, the jumps, and words that translate nothing"},
      [](const AlignModel& model, Call& call) {
        Findings found{call.json ? inspect_json(model, call.top, call.word).dump()
                                 : inspect_text(model, call.model, call.top, call.word)};
        if (!call.report.empty()) {
          report::AlignReport page =
              report::model_page(model, model.decoding(), "The model " + call.model);
          report::add_lexicon(model, call.top, call.word, page);
          found.page = align_report(page);
        }
        return found;
      },
      [](Command& command, Call& call) {
        command.option("--word", call.word, "The translations of this word alone");
      });
}

}  // namespace

void add_align(cli::Program& program) {
  program.task("align",
               "Which words translate which, in parallel text.\n\n"
               "Text is a sentence a line, in two files or in one with a tab or ' ||| '; links are "
               "'i-j' lines, NAACL or GIZA++ files. docs/aligning.md says more.",
               [](Command& align) {
                 add_train(align);
                 add_predict(align);
                 add_evaluate(align);
                 add_score(align);
                 add_inspect(align);
               });
}

}  // namespace trellis::align
