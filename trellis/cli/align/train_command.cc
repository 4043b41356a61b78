#include <string>

#include "trellis/base/error.h"
#include "trellis/cli/align/align_calls.h"
#include "trellis/cli/training_command.h"
#include "trellis/report/align_report.h"
#include "trellis/tasks/align/train.h"

namespace trellis::align {
namespace {

using cli::Command;

struct TrainCall {
  cli::TrainingFlags flags;
  bool unsupervised = false;
  TextCall text;
  LinksCall dev_gold;
  TrainOptions options;
  DecodingOptions decoding;
  std::string aim = "aer", start;
  std::optional<Index> frequent;
  bool keep_case = false;
};

void add_text(Command& command, TrainCall& call) {
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
  command.option("--dev-gold", call.dev_gold.file, "The links of --dev");
  add_links_form(command, call.dev_gold, "--dev-gold");
  command.option("--start", call.start,
                 "A model to go on from, with more text: its words, lexicon and jumps");
}

void add_aligner(Command& command, TrainCall& call) {
  command.group("Aligner");
  command.option("--aligner", call.options.aligner,
                 "fertility: from the hmm on by EM, with how many words each word is linked with\n"
                 "gibbs: likewise, by Gibbs sampling\n"
                 "hmm: jumps from word to word\n"
                 "diagonal: near the diagonal, as fast_align\n"
                 "model2, model1: of IBM\n"
                 "dice, llr: co-occurrence alone");
  command.flag("--agree,!--no-agree", call.options.agree,
               "Both directions learn from the links that both see");
  command.option("--model1-iterations", call.options.model1_iterations,
                 "Iterations of Model 1 before");
  command.option("--iterations", call.options.iterations,
                 "Of the aligner; with fertilities, of the hmm before");
  command.option("--smoothing", call.options.smoothing,
                 "Of the lexicon: add-n, variational Bayes or none");
  command.option("--prior", call.options.prior, "Of the smoothing: n, or alpha");
  command.option("--null", call.options.null, "Probability that a word is linked with nothing");
  command.option("--reach", call.options.reach, "Longer jumps share a class (hmm)");
  command.option("--floor", call.options.floor, "Least probability of a translation");
  command.option("--keep", call.options.keep,
                 "Pairs of words to which Model 1 nowhere gives so large a posterior are left out; "
                 "0: none");
  command.flag("--keep-case", call.keep_case, "Tell words apart by capitals");
}

void add_fertilities(Command& command, TrainOptions& options) {
  command.option("--fertility-iterations", options.fertility_iterations,
                 "After those of the hmm (fertility)");
  command.option("--fertility-sweeps", options.fertility.sampling.sweeps,
                 "Of each pair in each iteration (fertility)");
  command.option("--fertility-prior", options.fertility.fertility_prior,
                 "Occurrences of a word that what all words have is worth (fertility)");
  command.option("--fertility-null", options.fertility.null,
                 "Probability that a word is linked with nothing (fertility)");
  command.option("--chains", options.gibbs.chains, "Of each direction (gibbs)");
  command.option("--burn-in", options.gibbs.burn_in, "Sweeps that are not counted (gibbs)");
  command.option("--sweeps", options.gibbs.sweeps, "Sweeps that are (gibbs)");
  command.option("--gibbs-prior", options.gibbs.chain.lexical_prior,
                 "Dirichlet prior of translations (gibbs)");
  command.option("--gibbs-null", options.gibbs.chain.null,
                 "Probability that a word is linked with nothing (gibbs)");
  command.flag("--gibbs-fertility,!--no-gibbs-fertility", options.gibbs.chain.fertility,
               "How many words a word is linked with, by word (gibbs)");
}

void add_statistics(Command& command, TrainCall& call) {
  command.flag("--statistics", call.options.statistics,
               "Count, with the trained aligner, what training with links wants to know of the "
               "text, and keep it in the model");
  command.option("--frequent", call.frequent,
                 "Times that two words follow each other, to be among the statistics [5]");
}

void add_train_options(Command& command, TrainCall& call) {
  add_text(command, call);
  add_aligner(command, call);
  add_fertilities(command, call.options);
  add_statistics(command, call);
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
  if (call.flags.dev_files.empty() != call.dev_gold.file.empty()) {
    throw UsageError("--dev and --dev-gold belong together: sentence pairs, and their links");
  }
  if (call.frequent && !call.options.statistics) throw UsageError("--frequent is for --statistics");
  TrainOptions& options = call.options;
  options.frequent = call.frequent.value_or(options.frequent);
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
  TrainFiles files{call.text.text(), {}, call.dev_gold.links(), call.start};
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

}  // namespace

void add_train(Command& align) {
  cli::add_run<TrainCall>(
      align,
      {"Train a word aligner on parallel text.\n\n"
       "  trellis align train text.en text.fr --unsupervised --model m.trellis\n"
       "  trellis align train bitext.tsv.gz --unsupervised --dev dev.en dev.fr --dev-gold "
       "dev.links "
       "--model m.trellis\n\n"
       "Both directions are trained together. Words are what blanks separate.",
       "", "curves, the lexicon, and pairs of the dev set"},
      add_train_options, run_train);
}

}  // namespace trellis::align
