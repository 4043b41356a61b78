#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/cli/align/align_calls.h"
#include "trellis/cli/training_command.h"
#include "trellis/tasks/align/page/align_report.h"
#include "trellis/tasks/align/train.h"
#include "trellis/tasks/align/train_stages.h"
#include "trellis/tasks/align/train_supervised.h"

namespace trellis::align {
namespace {

using cli::Command;

// What is said of learning from links.
struct LinksLesson {
  LinkTrainingOptions options;
  std::vector<std::string> text;  // more of it, source and target or one file
  std::string generative;
  ExtrasCall extras, dev_extras;
  std::optional<Index> fertility;
  std::string costs;
  std::optional<QuadraticTraining> quadratic_training;
  std::optional<Index> search_limit;
};

struct TrainCall {
  TrainCall() {
    flags.held_by = "lambda";
    flags.sees_to_grid = true;  // costs and the offset are chosen as well
  }

  cli::TrainingFlags flags;
  bool unsupervised = false;
  TextCall text;
  LinksCall gold, dev_gold;  // in one form
  LinksLesson links;
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
  command.option("--gold", call.gold.file,
                 "Learn from links: those of the files, sure and possible ones");
  command.flag("--unsupervised", call.unsupervised,
               "Learn from the text alone: no links are known");
  add_separator(command, call.text);
  command.option("--dev", call.flags.dev_files,
                 "Further pairs whose links are known, source and target or one file: AER is "
                 "followed, and the threshold of links, or all settings, are chosen by them");
  command.option("--dev-gold", call.dev_gold.file, "The links of --dev");
  add_links_form(command, call.gold, "--gold and --dev-gold");
  command.option("--start", call.start,
                 "A model to go on from, with more text: its words, lexicon and jumps "
                 "(--unsupervised)");
}

void add_lesson(Command& command, LinksLesson& lesson) {
  command.group("Learning from links");
  command.option("--text", lesson.text,
                 "More text without links, which the generative model beneath is trained on too");
  command.option("--generative", lesson.generative,
                 "The generative model beneath: trained before, with --unsupervised --statistics");
  command.option("--fertility", lesson.fertility,
                 "Links that a word may have; all but the first are paid for [1]");
  command.flag("--quadratic", lesson.options.shape.quadratic,
               "Pairs of neighbouring links score together: one behind the other, crossed, of one "
               "word");
  command.option("--quadratic-training", lesson.quadratic_training,
                 "relaxed: by the linear program, an upper bound of the loss\nexact: by search "
                 "[relaxed]");
  add_search_limit(command, lesson.search_limit);
  command.option("--cost", lesson.costs,
                 "What a missing link costs, where one too many costs 1; several, as 1,2,4, to "
                 "choose from [chosen]");
  command
      .option("--offset", lesson.options.offset,
              "Added to every link's score: more links, or fewer [chosen]")
      .between(-1000, 1000);
  add_extras(command, lesson.extras);
  add_extras(command, lesson.dev_extras, "dev-");
  command.option("--lexical", lesson.options.lexical,
                 "Pairs of so many frequent words of each side have weights of their own");
  command.flag("--strict", lesson.options.strict,
               "Refuse links that a word may not have, in place of leaving them out");
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
  add_lesson(command, call.links);
  add_aligner(command, call);
  add_fertilities(command, call.options);
  add_statistics(command, call);
  command.group("Links");
  add_decoding(command, call.decoding, "the others: made of both");
  command.option("--aim", call.aim,
                 "What the threshold is chosen for: aer, f1 (or another f), or recall:0.9");
}

// What is of one way to train alone.
void refuse_mixture(const TrainCall& call) {
  if (call.unsupervised == !call.gold.file.empty()) {
    throw UsageError(
        call.unsupervised
            ? "--gold has links to learn from, and --unsupervised says that there are none; the "
              "links of --dev are --dev-gold"
            : "say --gold LINKS to learn from links, or --unsupervised: there are none");
  }
  const LinksLesson& lesson = call.links;
  const cli::TrainingFlags& flags = call.flags;
  if (lesson.quadratic_training && !lesson.options.shape.quadratic) {
    throw UsageError("--quadratic-training is for --quadratic");
  }
  if (lesson.search_limit && !lesson.options.shape.quadratic) {
    throw UsageError("--search-limit is for --quadratic");
  }
  if (call.unsupervised) {
    const bool dials = std::any_of(flags.dials.begin(), flags.dials.end(),
                                   [](const auto& dial) { return !dial.second.empty(); }) ||
                       std::any_of(flags.switches.begin(), flags.switches.end(),
                                   [](const auto& flag) { return flag.second.has_value(); });
    if (dials || !flags.learner.empty() || !flags.loss.empty() || !flags.beta.empty() ||
        flags.gamma || flags.options.folds > 0 || flags.options.path) {
      throw UsageError("learners and their dials are for --gold: --unsupervised is trained by EM");
    }
    const LinkTrainingOptions& said = lesson.options;
    if (lesson.fertility || said.shape.quadratic || said.offset || said.strict ||
        said.lexical > 0 || !lesson.costs.empty() || !lesson.text.empty() ||
        !lesson.generative.empty() || lesson.extras.said() || lesson.dev_extras.said()) {
      throw UsageError(
          "--text, --generative, --fertility, --quadratic, --cost, --offset, --external, --tags, "
          "--lexical and --strict are for --gold");
    }
    return;
  }
  if (call.decoding.combination || call.decoding.decode || call.decoding.threshold ||
      call.aim != "aer" || !call.start.empty() || call.options.statistics) {
    throw UsageError(
        "--symmetrise, --decode, --threshold, --aim, --start and --statistics are for "
        "--unsupervised");
  }
  if (!lesson.generative.empty() && !lesson.text.empty()) {
    throw UsageError("--text trains a generative model, and --generative names one: say either");
  }
  const bool of_aligner = settings_of(call.options, false) != settings_of(TrainOptions(), false);
  if (!lesson.generative.empty() && (of_aligner || call.keep_case || call.frequent)) {
    throw UsageError(
        "--aligner, what is said of it, --keep-case and --frequent are for text to train on: "
        "--generative names a model that is trained");
  }
}

void complete(TrainCall& call) {
  refuse_mixture(call);
  if (call.flags.dev_files.empty() != call.dev_gold.file.empty()) {
    throw UsageError("--dev and --dev-gold belong together: sentence pairs, and their links");
  }
  if (call.frequent && call.unsupervised && !call.options.statistics) {
    throw UsageError("--frequent is for --statistics");
  }
  call.dev_gold.format = call.gold.format;
  call.dev_gold.swapped = call.gold.swapped;
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
constexpr Index kWeightsInReport = 60;

TextCall dev_text(const TrainCall& call) {
  return {call.flags.dev_files, call.text.separator};
}

std::string training_page(const TrainCall& call, const Trained& trained) {
  const PairAligner aligner(*trained.model);
  report::AlignReport page = report::model_page(aligner, "Training of " + call.flags.model);
  report::add_training(trained.result, page);
  report::add_lexicon(*trained.model, kTranslationsInReport, "", page);
  if (!call.flags.dev_files.empty()) {
    report::add_evaluation(aligner,
                           read_labelled({dev_text(call).text(), call.dev_gold.links(), {}}),
                           call.flags.dev, call.flags.common.threads, page);
  }
  return align_report(page);
}

cli::TrainingOutcome train_on_text(TrainCall& call, const TrainEvents& events) {
  TrainFiles files{call.text.text(), {}, call.dev_gold.links(), call.start};
  if (!call.flags.dev_files.empty()) files.dev = dev_text(call).text();
  const Trained trained = train_files(files, call.options, events);
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  cli::TrainingOutcome outcome;
  outcome.record = trained.result.record();
  outcome.notes = trained.result.notes(call.flags.dev);
  if (!call.flags.report.empty()) outcome.page = training_page(call, trained);
  return outcome;
}

std::vector<double> parse_costs(const std::string& text) {
  std::vector<double> costs;
  std::vector<std::string_view> parts;
  split(text, ',', parts);
  for (const std::string_view part : parts) {
    const auto cost = parse_double(part);
    if (!cost) throw UsageError("--cost is a number, or several with commas: '" + text + "'");
    costs.push_back(*cost);
  }
  return costs;
}

SupervisedFiles lesson_files(const TrainCall& call) {
  const LinksLesson& lesson = call.links;
  SupervisedFiles files;
  files.labelled = {call.text.text(), call.gold.links(), lesson.extras.files()};
  files.generative = lesson.generative;
  if (!lesson.text.empty()) files.text = TextCall{lesson.text, call.text.separator}.text();
  if (call.flags.dev_files.empty()) {
    if (lesson.dev_extras.said()) throw UsageError("--dev-external and --dev-tags are of --dev");
    return files;
  }
  files.dev =
      LabelledFiles{dev_text(call).text(), call.dev_gold.links(), lesson.dev_extras.files()};
  if (files.dev->extras.names() != files.labelled.extras.names() ||
      files.dev->extras.has_tags() != files.labelled.extras.has_tags()) {
    throw UsageError(
        "--dev-external and --dev-tags are to be what --external and --tags are: the same "
        "aligners, "
        "in the same order");
  }
  return files;
}

std::string lesson_page(const TrainCall& call, const SupervisedTrained& trained) {
  const PairAligner aligner(*trained.model);
  report::AlignReport page = report::model_page(aligner, "Training of " + call.flags.model);
  if (trained.generative) report::add_training(*trained.generative, page);
  report::add_link_training(trained.result, page);
  report::add_weights(*aligner.supervised(), kWeightsInReport, page);
  if (trained.dev) {
    report::add_evaluation(aligner, *trained.dev, call.flags.dev, call.flags.common.threads, page);
  }
  return align_report(page);
}

cli::TrainingOutcome train_on_links(TrainCall& call, const TrainEvents& events) {
  SupervisedOptions options{call.links.options, call.options};
  options.links.training = call.flags.options;
  options.links.quadratic = call.links.quadratic_training.value_or(QuadraticTraining::kRelaxed);
  options.links.search_limit = call.links.search_limit.value_or(kSearchLimit);
  options.links.shape.most_links = call.links.fertility.value_or(1);
  if (!call.links.costs.empty()) options.links.costs = parse_costs(call.links.costs);
  const SupervisedFiles files = lesson_files(call);
  options.links.externals = files.labelled.extras.names();
  const SupervisedTrained trained = train_supervised(files, options, events);
  return cli::outcome_of(call.flags, trained, [&] { return lesson_page(call, trained); });
}

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  complete(call);
  return call.unsupervised ? train_on_text(call, events) : train_on_links(call, events);
}

}  // namespace

void add_train(Command& align) {
  cli::add_training<TrainCall>(
      align, link_defaults(), link_able(),
      {"Train a word aligner on parallel text, and on links where some are known.\n\n"
       "  trellis align train text.en text.fr --unsupervised --model m.trellis\n"
       "  trellis align train bitext.tsv.gz --unsupervised --dev dev.en dev.fr --dev-gold "
       "dev.links --model m.trellis\n"
       "  trellis align train some.en some.fr --gold some.links --text text.en text.fr "
       "--fertility 2 --quadratic --model m.trellis\n\n"
       "From text alone both directions are trained together, by EM. With links, that model says "
       "what the features of a link are, and weights are learned by the margin; C, costs and the "
       "offset are chosen by folds. Words are what blanks separate.",
       "", "curves, weights, the lexicon, and pairs of the dev set"},
      add_train_options, run_train);
}

}  // namespace trellis::align
