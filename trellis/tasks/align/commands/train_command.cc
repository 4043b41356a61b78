#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/align/commands/align_calls.h"
#include "trellis/tasks/align/page/align_report.h"
#include "trellis/tasks/align/train.h"
#include "trellis/tasks/align/train_stages.h"
#include "trellis/tasks/align/train_supervised.h"

namespace trellis::align {
namespace {

using frame::Command;

// The options of learning from links.
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

  frame::TrainingFlags flags;
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
              "Source and target file, one sentence per line; or one file with both sides, with a "
              "tab or ' ||| ' between them")
      .required();
  command.option(
      "--gold", call.gold.file,
      "Learn from the links of the training pairs in this file (sure and possible links)");
  command.flag("--unsupervised", call.unsupervised, "Learn from the text only, without links");
  add_separator(command, call.text);
  command
      .option("--dev", call.flags.dev_files,
              "Held-out sentence pairs with gold links, source and target or one file: AER is "
              "reported, and the threshold (with --gold: all settings) is chosen on them")
      .same_bits();
  command.option("--dev-gold", call.dev_gold.file, "Gold links of --dev");
  add_links_form(command, call.gold, "--gold and --dev-gold");
  command.option(
      "--start", call.start,
      "Model to continue from with more text: its words, lexicon and jumps (--unsupervised)");
}

void add_lesson(Command& command, LinksLesson& lesson) {
  command.group("Learning from links");
  command.option("--text", lesson.text,
                 "Additional text without links to train the underlying generative model on");
  command.option("--generative", lesson.generative,
                 "Underlying generative model, trained with --unsupervised --statistics");
  command.option(
      "--fertility", lesson.fertility,
      "Maximum number of links of a word; each link after the first has a learned penalty [1]");
  command.flag("--quadratic", lesson.options.shape.quadratic,
               "Score pairs of neighbouring links: consecutive, crossed, or of one word");
  command.option("--quadratic-training", lesson.quadratic_training,
                 "Training with --quadratic\n"
                 "relaxed: by the linear program, an upper bound of the loss\n"
                 "exact: by search [relaxed]");
  add_search_limit(command, lesson.search_limit);
  command.option("--cost", lesson.costs,
                 "Cost of a missing link, where a wrong link costs 1; several values with commas "
                 "to choose from, for example 1,2,4 [chosen]");
  command
      .option("--offset", lesson.options.offset,
              "Number added to every link's score, for more or fewer links [chosen]")
      .between(-1000, 1000);
  add_extras(command, lesson.extras);
  add_extras(command, lesson.dev_extras, "dev-");
  command.option("--lexical", lesson.options.lexical,
                 "Number of frequent words on each side whose pairs have their own weights");
  command.flag("--strict", lesson.options.strict,
               "Stop with an error if a word has more gold links than --fertility allows, instead "
               "of ignoring such links");
}

void add_aligner(Command& command, TrainCall& call) {
  command.group("Aligner");
  command.option("--aligner", call.options.aligner,
                 "fertility: the hmm, extended by the number of links of each word, trained by EM\n"
                 "gibbs: the same, by Gibbs sampling\n"
                 "hmm: jumps from word to word\n"
                 "diagonal: near the diagonal, as in fast_align\n"
                 "model2, model1: IBM Models 2 and 1\n"
                 "dice, llr: co-occurrence only");
  command.flag("--agree,!--no-agree", call.options.agree,
               "Train both directions together, towards links that they agree on");
  command.option("--model1-iterations", call.options.model1_iterations,
                 "Number of iterations of Model 1, before the aligner");
  command.option(
      "--iterations", call.options.iterations,
      "Number of iterations of the aligner (with fertilities: of the hmm that precedes it)");
  command.option("--smoothing", call.options.smoothing,
                 "Smoothing of the lexicon: add-n, variational Bayes or none");
  command.option("--prior", call.options.prior, "Parameter of the smoothing: n, or alpha");
  command.option("--null", call.options.null, "Probability that a word is linked with nothing");
  command.option(
      "--reach", call.options.reach,
      "Width of the longest jump with its own probability; longer jumps share one (hmm)");
  command.option("--floor", call.options.floor, "Minimum probability of a translation");
  command.option(
      "--keep", call.options.keep,
      "Leave out word pairs whose posterior under Model 1 never reaches this; 0: keep all");
  command.flag("--keep-case", call.keep_case, "Distinguish upper and lower case");
}

void add_fertilities(Command& command, TrainOptions& options) {
  command.option("--fertility-iterations", options.fertility_iterations,
                 "Number of iterations after those of the hmm (fertility)");
  command.option("--fertility-sweeps", options.fertility.sampling.sweeps,
                 "Number of sampling sweeps over each pair in an iteration (fertility)");
  command.option("--fertility-prior", options.fertility.fertility_prior,
                 "Strength of the shared fertility distribution as a prior, in occurrences of a "
                 "word (fertility)");
  command.option("--fertility-null", options.fertility.null,
                 "Probability that a word is linked with nothing (fertility)");
  command.option("--chains", options.gibbs.chains, "Number of chains for each direction (gibbs)");
  command.option("--burn-in", options.gibbs.burn_in,
                 "Number of sweeps before samples are counted (gibbs)");
  command.option("--sweeps", options.gibbs.sweeps,
                 "Number of sweeps whose samples are counted (gibbs)");
  command.option("--gibbs-prior", options.gibbs.chain.lexical_prior,
                 "Dirichlet prior of translations (gibbs)");
  command.option("--gibbs-null", options.gibbs.chain.null,
                 "Probability that a word is linked with nothing (gibbs)");
  command.flag("--gibbs-fertility,!--no-gibbs-fertility", options.gibbs.chain.fertility,
               "Model the number of links of each word (gibbs)");
}

void add_statistics(Command& command, TrainCall& call) {
  command.flag("--statistics", call.options.statistics,
               "Store in the model the statistics of the text that training with links requires");
  command.option("--frequent", call.frequent,
                 "Minimum frequency of two consecutive words in the statistics [5]");
}

// Throws UsageError unless exactly one way to train is chosen, and for options of the other one.
void require_one_way(const Command& command, const TrainCall& call) {
  if (call.unsupervised == !call.gold.file.empty()) {
    throw UsageError(call.unsupervised
                         ? "--gold and --unsupervised cannot be combined (the gold links of --dev "
                           "are given by --dev-gold)"
                         : "--gold LINKS (learn from links) or --unsupervised (learn from the text "
                           "only) is required");
  }
  if (!call.unsupervised) return;
  for (const frame::Option& option : command.options()) {
    const std::string& group = option.facts().group;
    const bool of_learners =
        group == "Learning" || group == "Learners" || group == "Choice of settings";
    if (of_learners && option.given()) {
      throw UsageError(option.flag() + " requires --gold: --unsupervised is trained by EM");
    }
  }
  if (command.given("frequent") && !command.given("statistics")) {
    throw UsageError("--frequent requires --statistics");
  }
}

void add_rules(Command& command, TrainCall& call) {
  command.those({"quadratic-training", "search-limit"}).needs("quadratic");
  command
      .those({"text", "generative", "fertility", "quadratic", "cost", "offset", "external", "tags",
              "dev-external", "dev-tags", "lexical", "strict"})
      .needs("gold");
  command.those({"symmetrise", "decode", "threshold", "aim", "start", "statistics"})
      .needs("unsupervised");
  command.at("text").excludes("generative", "either trains a generative model, or uses one");
  command.those({"dev-external", "dev-tags"}).needs("dev");
  command.at("dev").needs("dev-gold");
  command.at("dev-gold").needs("dev");
  command
      .those({"aligner",
              "agree",
              "model1-iterations",
              "iterations",
              "smoothing",
              "prior",
              "null",
              "reach",
              "floor",
              "keep",
              "keep-case",
              "frequent",
              "fertility-iterations",
              "fertility-sweeps",
              "fertility-prior",
              "fertility-null",
              "chains",
              "burn-in",
              "sweeps",
              "gibbs-prior",
              "gibbs-null",
              "gibbs-fertility"})
      .excludes("generative", "that model is already trained");
  command.require([&call, &command] { require_one_way(command, call); });
}

void add_train_options(Command& command, TrainCall& call) {
  command.short_help({"--gold", "--unsupervised", "--dev-gold", "--text", "--fertility",
                      "--aligner", "--iterations"});
  add_text(command, call);
  add_lesson(command, call.links);
  add_aligner(command, call);
  add_fertilities(command, call.options);
  add_statistics(command, call);
  command.group("Links");
  add_decoding(command, call.decoding, "other values: the alignments of both directions, combined");
  command.option(
      "--aim", call.aim,
      "Score by which the threshold is chosen: aer, f1 (or another beta, as f0.5), or recall:0.9");
  add_rules(command, call);
}

void complete(TrainCall& call) {
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
  static_cast<CheckpointOptions&>(options) = call.flags.options.checkpointing();
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

frame::TrainingOutcome train_on_text(TrainCall& call, const TrainEvents& events) {
  TrainFiles files{call.text.text(), {}, call.dev_gold.links(), call.start};
  if (!call.flags.dev_files.empty()) files.dev = dev_text(call).text();
  const Trained trained = train_files(files, call.options, events);
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  frame::TrainingOutcome outcome;
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
    if (!cost)
      throw UsageError("expected --cost to be a number, or several separated by commas, found '" +
                       text + "'");
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
  if (call.flags.dev_files.empty()) return files;
  files.dev =
      LabelledFiles{dev_text(call).text(), call.dev_gold.links(), lesson.dev_extras.files()};
  if (files.dev->extras.names() != files.labelled.extras.names() ||
      files.dev->extras.has_tags() != files.labelled.extras.has_tags()) {
    throw UsageError(
        "--dev-external and --dev-tags must match --external and --tags: the same aligners, in the "
        "same order");
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

frame::TrainingOutcome train_on_links(TrainCall& call, const TrainEvents& events) {
  SupervisedOptions options{call.links.options, call.options};
  options.links.training = call.flags.options;
  options.links.quadratic = call.links.quadratic_training.value_or(QuadraticTraining::kRelaxed);
  options.links.search_limit = call.links.search_limit.value_or(kSearchLimit);
  options.links.shape.most_links = call.links.fertility.value_or(1);
  if (!call.links.costs.empty()) options.links.costs = parse_costs(call.links.costs);
  const SupervisedFiles files = lesson_files(call);
  options.links.externals = files.labelled.extras.names();
  const SupervisedTrained trained = train_supervised(files, options, events);
  return frame::outcome_of(call.flags, trained, [&] { return lesson_page(call, trained); });
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  complete(call);
  return call.unsupervised ? train_on_text(call, events) : train_on_links(call, events);
}

}  // namespace

void add_train(Command& align) {
  frame::add_training<TrainCall>(
      align, link_defaults(), link_able(),
      {"Train a word aligner on parallel text, or on text with gold links.\n\n"
       "  trellis align train text.en text.fr --unsupervised --model m.trellis\n"
       "  trellis align train bitext.tsv.gz --unsupervised --dev dev.en dev.fr --dev-gold "
       "dev.links --model m.trellis\n"
       "  trellis align train some.en some.fr --gold some.links --text text.en text.fr --fertility "
       "2 --quadratic --model m.trellis\n\n"
       "With --unsupervised, both directions are trained together by EM. With --gold, features of "
       "links come from such a generative model, and max-margin training learns their weights; C, "
       "costs and the offset are chosen by cross-validation. Words are separated by blanks.",
       "", "curves, weights, the lexicon, and sentence pairs of the dev set"},
      add_train_options, run_train);
}

}  // namespace trellis::align
