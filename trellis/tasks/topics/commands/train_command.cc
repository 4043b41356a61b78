#include "trellis/tasks/topics/commands/train_command.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/base/text.h"
#include "trellis/frame/training_command.h"
#include "trellis/tasks/topics/commands/corpus_call.h"
#include "trellis/tasks/topics/commands/page_call.h"
#include "trellis/tasks/topics/commands/relations_call.h"
#include "trellis/tasks/topics/train.h"

namespace trellis::topics {
namespace {

using frame::Command;

struct TrainCall {
  frame::TrainingFlags flags;
  CorpusCall corpus;
  RelationsCall relations;
  RelationSources sources;  // what it comes to
  std::vector<std::string> stages, lambdas, sigmas;
  TrainOptions options;
  std::optional<Index> topics;
  std::string held_out;  // a share, or a file
  std::string start;     // a model
  PageCall page;
};

void add_method(Command& command, TrainCall& call) {
  TrainOptions& options = call.options;
  LdaOptions& lda = options.learner.lda;
  LdaSchedule& schedule = options.learner.schedule;
  command.group("Topics");
  command.option(
      "--kind", options.kind,
      "Kind of model\n"
      "lda: latent Dirichlet allocation, without labels\n"
      "disclda: for labelled documents; topics distinguish the classes\n"
      "wordlda: lda in which related words, in one or several languages, share their topics");
  command.option("--topics", call.topics, "Number of topics (lda, wordlda)").between(1, 65534);
  command.option("--method", options.learner.method,
                 "Training method\n"
                 "gibbs: collapsed Gibbs sampling\n"
                 "cvb0: collapsed variational Bayes, deterministic; for few topics, since memory "
                 "grows with the number of words times the number of topics");
  command.option("--sweeps", options.sweeps,
                 "Number of sweeps over all words (cvb0: maximum number, see --tolerance)");
  command.option("--alpha", lda.alpha, "Initial prior of each topic in a document");
  command.option("--beta", lda.beta, "Initial prior of each word in a topic");
  command.unsetting_flag(
      "--fixed-alpha", schedule.optimise_alpha,
      "Keep alpha fixed; else the most likely value is estimated for each topic");
  command.option("--beta-prior", schedule.beta,
                 "Estimation of beta: fixed: keep --beta; symmetric: the most likely value, the "
                 "same for all words; per-word: one value for each word");
  command.option("--burn-in", schedule.first,
                 "Number of sweeps before priors are estimated for the first time");
  command.option("--optimise-every", schedule.every,
                 "Number of sweeps between two estimates of the priors; 0: never");
  command.option("--optimise-until", schedule.last, "Sweep after which priors are kept fixed");
  command.option(
      "--sampler", lda.sampler,
      "Algorithm to sample the topic of a word: dense: considers all topics; sparse: only topics "
      "with a count; alias: Metropolis-Hastings steps, for thousands of topics; auto: dense or "
      "sparse, by the number of topics. All have the same distribution");
  command.option("--cycles", lda.cycles, "Number of proposal cycles for each word (alias)");
  command.option(
      "--tolerance", options.learner.tolerance,
      "Stop when a sweep changes the topic distributions of words by less than this (cvb0)");
}

void add_classes(Command& command, TrainCall& call) {
  DiscLdaSettings& disclda = call.options.disclda;
  command.group("Classes");
  command.option("--class-topics", disclda.blocks.class_topics,
                 "Number of topics of each class (disclda)");
  command.option("--shared-topics", disclda.blocks.shared_topics,
                 "Number of topics shared by all classes (disclda)");
  command.option(
      "--kept-sweeps", disclda.samples,
      "Number of sweeps whose topics are kept; predictions are means over them (disclda)");
  command.option("--lag", disclda.lag, "Number of sweeps between two kept sweeps (disclda)");
  command.option("--classifier", call.options.classifier,
                 "svm: also train a linear classifier of documents by their topic shares, with C "
                 "chosen by cross-validation; it predicts the classes (lda, disclda)");
  command.option("--validation", disclda.validation,
                 "Fraction of the documents held out to calibrate class probabilities and to "
                 "choose the round of --learn (0 to 1); without --learn, another chain is trained "
                 "on the remaining documents first; 0: no calibration (disclda)");
  command.flag("--learn", disclda.learned,
               "Learn the transformation of topic shares for each class, to separate the classes, "
               "starting from blocks; for few classes and topics (disclda)");
  command.option("--rounds", disclda.rounds, "Number of rounds of --learn; the best round is kept");
  command.option("--gradient-steps", disclda.gradient_steps,
                 "Number of gradient steps in a round of --learn");
  command.option("--rate", disclda.rate,
                 "Rate of a gradient step of --learn, on the mean over documents");
  command.option("--decay", disclda.decay,
                 "Decay of the rate of --learn: step t has rate / (1 + decay t)");
  command.option("--contrast", disclda.contrast,
                 "Contrast of the smoothed blocks that --learn starts from");
  command.flag("--fixed-topics", disclda.fixed_topics,
               "Keep the topics fixed in the rounds of --learn");
  command.option("--inference", disclda.inference.method,
                 "Inference of classes in --learn: cvb0: the collapsed filter, with exact "
                 "gradients; mean-field; gibbs: chains and bridges");
  command.option("--inference-burn-in", disclda.inference.burn_in,
                 "Number of sweeps of a chain before samples are counted (--inference gibbs) [50]");
  command
      .option("--inference-samples", disclda.inference.samples,
              "Number of sweeps of a chain whose samples are counted (--inference gibbs) [200]")
      .between(1, 1e9);
  command.option("--bridge", disclda.inference.bridge,
                 "As in 'trellis topics predict' (--inference gibbs)");
  command.option("--bridge-to", disclda.inference.bridge_to,
                 "As in 'trellis topics predict' (--inference gibbs)");
}

void add_words(Command& command, TrainCall& call) {
  add_relations_options(command, call.relations);
  WordLdaSettings& words = call.options.word_lda;
  command.group("Smoothing (wordlda)");
  command
      .option("--lambda", call.lambdas,
              "Scale of the difference between the log priors of linked words: smaller: more "
              "similar; several values: chosen by the likelihood of held-out documents [0.5]")
      .repeats();
  command
      .option("--sigma", call.sigmas,
              "Scale of the difference between the log prior of a word in a topic and its usual "
              "log prior; inf: no limit; several values: chosen by the likelihood of held-out "
              "documents [5]")
      .repeats();
  command.option("--tau", words.smoothing.tau, "Scale of the weights of word features");
  command.option("--choose-by", words.validation,
                 "Fraction of the documents held out to choose lambda and sigma (0 to 1)");
  command.option("--smooth-first", words.schedule.first,
                 "Sweep after which the priors of related words are estimated for the first time");
  command.option("--smooth-every", words.schedule.every,
                 "Number of sweeps between two estimates of these priors; 0: never");
  command.option("--smooth-evaluations", words.smoothing.evaluations,
                 "Maximum number of evaluations of the objective in one estimate");
  command.option(
      "--smooth-tolerance", words.smoothing.tolerance,
      "Stop an estimate when an iteration gains less than this fraction of the gain so far");
  command.group("Languages");
  command
      .option("--stage", call.stages,
              "Languages whose documents are added first, separated by commas; may be repeated, "
              "for those added next. Languages not listed are added last (lda, wordlda)")
      .repeats();
  command.option("--stage-sweeps", call.options.stages.sweeps,
                 "Number of sweeps before the next languages are added [the same for all stages]");
}

void add_watching(Command& command, TrainCall& call) {
  command.group("Evaluation");
  command.option("--held-out", call.held_out,
                 "Documents held out to report their perplexity: a fraction of the corpus (for "
                 "example 0.1), or a file; no setting is chosen by it");
  command.option("--watch-every", call.options.watch_every,
                 "Number of sweeps between two reports of the likelihoods; 0: only at the end");
  command.option("--particles", call.options.particles,
                 "Number of particles in the estimate of the held-out likelihood");
  command.option("--coherent-words", call.options.coherent_words,
                 "Number of words of each topic whose coherence is reported");
  command.group("Continuing a run");
  command.flag("--keep-chain", call.options.learner.keep_chain,
               "Store the topic of every word in the model (two bytes each), so that --start can "
               "continue from it");
  command.option("--start", call.start,
                 "Model trained with --keep-chain on the same documents, whose chain is continued "
                 "up to a total of --sweeps");
}

// Options of one kind of model, of one method, or of learned transformations alone.
void add_rules(Command& command) {
  command
      .those(
          {"sampler", "fixed-alpha", "beta-prior", "burn-in", "optimise-every", "optimise-until"})
      .only_with("kind", {"lda", "wordlda"})
      .only_with("method", {"gibbs"}, "cvb0 keeps its priors fixed");
  command.at("start").only_with("kind", {"lda", "wordlda"});
  command.at("tolerance").only_with("method", {"cvb0"}, "gibbs always runs all --sweeps");
  command.at("cycles").only_with("sampler", {"alias"});
  command.at("topics").only_with("kind", {"lda", "wordlda"},
                                 "use --class-topics and --shared-topics");
  command.those({"class-topics", "shared-topics", "kept-sweeps", "lag", "validation", "learn"})
      .only_with("kind", {"disclda"});
  command.those({"kept-sweeps", "lag"}).excludes("learn", "it keeps the topics of a round");
  command
      .those({"rounds", "gradient-steps", "rate", "decay", "contrast", "fixed-topics", "inference",
              "inference-burn-in", "inference-samples", "bridge", "bridge-to"})
      .needs("learn");
  command.those({"inference-burn-in", "inference-samples", "bridge", "bridge-to"})
      .only_with("inference", {"gibbs"});
  command
      .those({"word-graph", "dictionary", "synonyms", "word-vectors", "spelling", "company",
              "word-features", "lambda", "sigma", "tau", "choose-by", "smooth-first",
              "smooth-every", "smooth-evaluations", "smooth-tolerance"})
      .only_with("kind", {"wordlda"});
}

void add_train_options(Command& command, TrainCall& call) {
  command.short_help({"--format", "--min-documents", "--stop-words", "--kind", "--topics",
                      "--sweeps", "--class-topics", "--shared-topics", "--classifier",
                      "--dictionary", "--held-out"});
  add_corpus_options(command, call.corpus);
  add_method(command, call);
  add_classes(command, call);
  add_words(command, call);
  add_watching(command, call);
  command.group("");
  add_page_options(command, call.page);
  add_rules(command);
}

std::vector<double> spreads(const std::vector<std::string>& said, const char* option) {
  std::vector<double> values;
  for (const std::string& text : said) {
    std::vector<std::string_view> parts;
    split(text, ',', parts);
    for (const std::string_view part : parts) {
      const std::optional<double> value = part == "inf" ? kInfinity : parse_double(part);
      if (!value || !(*value > 0)) {
        throw UsageError(fmt::format("{} is {}: expected a number above 0", option, part));
      }
      values.push_back(*value);
    }
  }
  return values;
}

// What is said of related words and of stages, as training has it.
void complete_words(TrainCall& call) {
  TrainOptions& options = call.options;
  call.sources = call.relations.complete(call.corpus.source);
  if (!call.lambdas.empty()) options.word_lda.lambdas = spreads(call.lambdas, "--lambda");
  if (!call.sigmas.empty()) options.word_lda.sigmas = spreads(call.sigmas, "--sigma");
  for (const std::string& stage : call.stages) {
    std::vector<std::string_view> names;
    split(stage, ',', names);
    options.stages.languages.emplace_back(names.begin(), names.end());
  }
}

// What the flags of every run say, and which documents are held out.
void complete(TrainCall& call) {
  TrainOptions& options = call.options;
  options.learner.threads = call.flags.common.threads;
  options.learner.lda.seed = call.flags.options.seed;
  static_cast<CheckpointOptions&>(options) = call.flags.options.checkpointing();
  const std::optional<double> share = parse_double(call.held_out);
  if (share) {
    if (!(*share > 0 && *share < 1)) {
      throw UsageError(fmt::format(
          "--held-out is {}: expected a fraction above 0 and below 1, or a file", call.held_out));
    }
    options.held_out = *share;
    call.held_out.clear();
  }
  complete_words(call);
  if (options.kind != TopicKind::kDiscLda && !call.topics) {
    throw UsageError("--topics (the number of topics) is required");
  }
  if (options.kind == TopicKind::kWordLda && !call.sources.any()) {
    throw UsageError(
        "--kind wordlda requires a source of related words: --word-graph, --dictionary, "
        "--synonyms, --word-vectors, --spelling, --company or --word-features");
  }
  if (call.topics) options.learner.lda.topics = *call.topics;
  options.disclda.inference.seed = options.learner.lda.seed;
  options.check();
  require_readable(call.held_out);
  require_readable(call.start);
}

std::string training_page(const TrainCall& call, const Corpus& corpus, const Trained& trained,
                          const TrainEvents& events) {
  const report::TopicsPageOptions options = call.page.options(call.flags.common.threads);
  report::TopicsReport page =
      report::model_page(*trained.model, "Training of " + call.flags.model, options, events);
  report::add_training(trained.result, page);
  report::add_documents(*trained.model, corpus, options, events, page);
  return events.stop.stop_requested() ? "" : report::topics_report(page);
}

frame::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  complete(call);
  const int threads = call.flags.common.threads;
  const Stopwatch watch;
  std::optional<TopicModel> start;
  if (!call.start.empty()) start = TopicModel::read(call.start);
  const Corpus corpus = call.corpus.read(threads);
  events.phase(fmt::format("read {} documents, {} words, {} different words",
                           corpus.documents().size(), corpus.documents().num_tokens(),
                           corpus.words().size()));
  std::optional<Corpus> held_out;
  if (!call.held_out.empty()) {
    held_out = read_new_documents(call.corpus.source.files({call.held_out}),
                                  NameList(corpus.words(), "the corpus"), corpus.text(), threads);
  }
  std::optional<FoundRelations> found;
  if (call.options.kind == TopicKind::kWordLda) {
    events.phase("searching related words");
    found = find_relations(corpus, call.sources, threads);
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(corpus, held_out ? &*held_out : nullptr, call.options,
                          start ? &*start : nullptr, events, found ? &found->relations : nullptr);
  trained.result.seconds = {read_seconds, watch.seconds()};
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  frame::TrainingOutcome outcome;
  if (!call.flags.report.empty()) {
    outcome.page = training_page(call, corpus, trained, events);
    if (events.stop.stop_requested()) {
      trained.stages->keep();  // --resume has the chain, and makes the page
      return {true};
    }
  }
  trained.stages->discard();
  outcome.record = trained.result.record();
  if (found) outcome.notes = found->notes();
  for (std::string& note : trained.result.notes()) outcome.notes.push_back(std::move(note));
  outcome.warnings = trained.result.warnings();
  return outcome;
}

}  // namespace

void add_train(Command& topics) {
  frame::add_run<TrainCall>(
      topics,
      {"Train a topic model on documents without labels, or with labels that the topics "
       "distinguish.\n\n"
       "  trellis topics train notes.tsv --topics 20 --model m.trellis\n"
       "  trellis topics train folder/ --topics 100 --min-documents 5 --max-share 0.5 --held-out "
       "0.1 --model m.trellis\n"
       "  trellis topics train docword.nips.txt --vocabulary vocab.nips.txt --topics 50 --model "
       "m.trellis\n"
       "  trellis topics train news.tsv --kind disclda --class-topics 5 --shared-topics 10 "
       "--classifier svm --model m.trellis\n"
       "  trellis topics train speeches.tsv --kind wordlda --topics 50 --dictionary eng-fra.tsv "
       "--stage en --model m.trellis\n\n"
       "A topic is a distribution over words, a document a mixture of topics; both are estimated "
       "by sweeps that assign a topic to every word of every document. Priors are estimated as "
       "well.",
       "", "the topics and their words, a map of the documents, and curves of the sweeps"},
      add_train_options, run_train);
}

}  // namespace trellis::topics
