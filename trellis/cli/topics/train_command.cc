#include "trellis/cli/topics/train_command.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "trellis/base/error.h"
#include "trellis/base/input_file.h"
#include "trellis/base/stopwatch.h"
#include "trellis/base/text.h"
#include "trellis/cli/topics/corpus_call.h"
#include "trellis/cli/topics/page_call.h"
#include "trellis/cli/topics/relations_call.h"
#include "trellis/cli/training_command.h"
#include "trellis/tasks/topics/train.h"

namespace trellis::topics {
namespace {

using cli::Command;

struct TrainCall {
  cli::TrainingFlags flags;
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
  command.option("--kind", options.kind,
                 "lda: latent Dirichlet allocation, which needs no labels\n"
                 "disclda: of labelled documents; keeps what tells the classes apart\n"
                 "wordlda: lda in which words that are related, in one language or several, share "
                 "their topics");
  command.option("--topics", call.topics, "How many (lda, wordlda)").between(1, 65534);
  command.option("--method", options.learner.method,
                 "gibbs: collapsed Gibbs sampling\n"
                 "cvb0: collapsed variational Bayes, its deterministic twin; for few topics, as "
                 "its memory is that of all words of all documents times topics");
  command.option("--sweeps", options.sweeps,
                 "Over all words; of cvb0 the most, if --tolerance is not reached before");
  command.option("--alpha", lda.alpha, "Prior of each topic in a document, to begin with");
  command.option("--beta", lda.beta, "Prior of each word in a topic, to begin with");
  command.unsetting_flag("--fixed-alpha", schedule.optimise_alpha,
                         "Leave alpha as it is; else each topic gets the one that is likeliest");
  command.option("--beta-prior", schedule.beta,
                 "fixed: as it is; symmetric: the likeliest value for all words; per-word: for "
                 "each word");
  command.option("--burn-in", schedule.first, "Sweeps before priors are looked at");
  command.option("--optimise-every", schedule.every, "Sweeps between looks at priors; 0: never");
  command.option("--optimise-until", schedule.last, "Sweep after which they are held");
  command.option("--sampler", lda.sampler,
                 "dense: all topics of a word; sparse: those that it has; alias: "
                 "Metropolis-Hastings steps, for thousands of topics; auto: by the number of "
                 "topics, dense or sparse. They draw from one distribution");
  command.option("--cycles", lda.cycles, "Of proposals for each word (alias)");
  command.option("--tolerance", options.learner.tolerance,
                 "Change of a word's topics in a sweep that ends the run (cvb0)");
}

void add_classes(Command& command, TrainCall& call) {
  DiscLdaSettings& disclda = call.options.disclda;
  command.group("Classes");
  command.option("--class-topics", disclda.blocks.class_topics,
                 "Topics that each class has for itself (disclda)");
  command.option("--shared-topics", disclda.blocks.shared_topics,
                 "Topics that all classes share (disclda)");
  command.option("--kept-sweeps", disclda.samples,
                 "Sweeps whose topics are kept: predictions are means over them (disclda)");
  command.option("--lag", disclda.lag, "Sweeps between two of these");
  command.option("--classifier", call.options.classifier,
                 "svm: a linear classifier of documents by their mixtures is trained along, its C "
                 "chosen by cross-validation, and predicts their classes (lda, disclda)");
  command.option("--validation", disclda.validation,
                 "Share of the documents on which probabilities of classes are calibrated and the "
                 "round of --learn is chosen (disclda). Without --learn, a chain of the other "
                 "documents is trained first; 0: no calibration");
  command.flag("--learn", disclda.learned,
               "Learn what a class does to a mixture, from blocks on, so that classes are told "
               "apart (disclda); for few classes and topics");
  command.option("--rounds", disclda.rounds, "Of learning; the best of them is kept");
  command.option("--gradient-steps", disclda.gradient_steps, "Of a round");
  command.option("--rate", disclda.rate, "Of a gradient step, on the mean over documents");
  command.option("--decay", disclda.decay, "Step t has the rate over 1 + decay t");
  command.option("--contrast", disclda.contrast, "Of the smoothed blocks that it starts from");
  command.flag("--fixed-topics", disclda.fixed_topics, "Rounds leave the topics as they are");
  command.option("--inference", disclda.inference.method,
                 "Of classes while it learns: cvb0: the collapsed filter, whose gradients are "
                 "exact; mean-field; gibbs: chains and bridges");
  command.option("--inference-burn-in", disclda.inference.burn_in,
                 "Sweeps of such a chain that are not counted [50]");
  command.option("--inference-samples", disclda.inference.samples, "Sweeps that are [200]")
      .between(1, 1e9);
  command.option("--bridge", disclda.inference.bridge, "As for predict");
  command.option("--bridge-to", disclda.inference.bridge_to, "As for predict");
}

void add_words(Command& command, TrainCall& call) {
  add_relations_options(command, call.relations);
  WordLdaSettings& words = call.options.word_lda;
  command.group("Smoothing (wordlda)");
  command
      .option("--lambda", call.lambdas,
              "How far the priors of linked words may be apart, in logarithms; of several values "
              "the one is chosen by which documents are likeliest that were not learned from [0.5]")
      .repeats();
  command
      .option("--sigma", call.sigmas,
              "How far a word's prior in a topic may be from its usual one; inf: as far as it "
              "likes; of several values one is chosen likewise [5]")
      .repeats();
  command.option("--tau", words.smoothing.tau, "The same for weights of features");
  command.option("--choose-by", words.validation,
                 "Share of the documents that values are chosen by");
  command.option("--smooth-first", words.schedule.first,
                 "Sweep after which priors of related words are looked at");
  command.option("--smooth-every", words.schedule.every, "Sweeps between two looks; 0: never");
  command.option("--smooth-evaluations", words.smoothing.evaluations,
                 "Of the objective at most, at a look");
  command.option("--smooth-tolerance", words.smoothing.tolerance,
                 "A look ends where an iterate gains a smaller share of what was gained before");
  command.group("Languages");
  command
      .option("--stage", call.stages,
              "Languages whose documents enter first, with commas between them; said again, those "
              "that enter next. Those that are not named come last (lda, wordlda)")
      .repeats();
  command.option("--stage-sweeps", call.options.stages.sweeps,
                 "Sweeps before the next enter [all stages have the same]");
}

void add_watching(Command& command, TrainCall& call) {
  command.group("Judging");
  command.option("--held-out", call.held_out,
                 "Documents to judge by: a share of the corpus, as 0.1, or a file; their "
                 "perplexity is followed, and nothing is chosen by it");
  command.option("--watch-every", call.options.watch_every,
                 "Sweeps between looks at the likelihoods; 0: at the end alone");
  command.option("--particles", call.options.particles, "Of the estimate of held-out likelihood");
  command.option("--coherent-words", call.options.coherent_words,
                 "Words of each topic whose coherence is told");
  command.group("Going on");
  command.flag("--keep-chain", call.options.learner.keep_chain,
               "Keep the topic of every word in the model, two bytes each, so that --start can go "
               "on from there");
  command.option("--start", call.start,
                 "Model trained with --keep-chain on the same documents: its chain is gone on with "
                 "up to --sweeps in all");
}

void add_train_options(Command& command, TrainCall& call) {
  add_corpus_options(command, call.corpus);
  add_method(command, call);
  add_classes(command, call);
  add_words(command, call);
  add_watching(command, call);
  command.group("");
  add_page_options(command, call.page);
}

// What is of one method alone, and said of another.
void refuse_other_methods(const LearnerSettings& said) {
  const LearnerSettings standard;
  const LdaSchedule& schedule = said.schedule;
  const bool optimises =
      schedule.optimise_alpha != standard.schedule.optimise_alpha ||
      schedule.beta != standard.schedule.beta || schedule.first != standard.schedule.first ||
      schedule.every != standard.schedule.every || schedule.last != standard.schedule.last;
  const bool cvb0 = said.method == TopicMethod::kCvb0;
  if (cvb0 && (optimises || said.lda.sampler != standard.lda.sampler)) {
    throw UsageError(
        "--sampler, --fixed-alpha, --beta-prior, --burn-in and --optimise-… are for gibbs: cvb0 "
        "leaves its priors as they are");
  }
  if (!cvb0 && said.tolerance != standard.tolerance) {
    throw UsageError("--tolerance is for cvb0: gibbs does all its --sweeps");
  }
  if (said.lda.sampler != LdaSampler::kAlias && said.lda.cycles != standard.lda.cycles) {
    throw UsageError("--cycles is for --sampler alias");
  }
}

// What is of learning T alone, and said without it.
void refuse_unlearned(const DiscLdaSettings& said) {
  const DiscLdaSettings standard;
  const InferenceOptions &by = said.inference, &usual = standard.inference;
  const bool sampled =
      by.burn_in || by.samples || by.bridge != usual.bridge || by.bridge_to != usual.bridge_to;
  if (sampled && by.method != Inference::kGibbs) {
    throw UsageError("--inference-… and --bridge… are for --inference gibbs");
  }
  if (said.learned) {
    if (said.samples != standard.samples || said.lag != standard.lag) {
      throw UsageError(
          "--kept-sweeps and --lag are for blocks: --learn keeps the topics of a round");
    }
    return;
  }
  if (said.rounds != standard.rounds || said.gradient_steps != standard.gradient_steps ||
      said.rate != standard.rate || said.decay != standard.decay ||
      said.contrast != standard.contrast || said.fixed_topics || by.method != usual.method) {
    throw UsageError(
        "--rounds, --gradient-steps, --rate, --decay, --contrast, --fixed-topics and --inference "
        "are for --learn");
  }
}

// What is of related words alone, and said without them.
void refuse_unrelated(const TrainCall& call) {
  const WordLdaSettings &said = call.options.word_lda, standard;
  if (call.sources.any()) {
    throw UsageError(
        "--word-graph, --dictionary and what else is said of related words are for --kind wordlda");
  }
  if (!call.lambdas.empty() || !call.sigmas.empty() ||
      said.smoothing.tau != standard.smoothing.tau ||
      said.smoothing.evaluations != standard.smoothing.evaluations ||
      said.smoothing.tolerance != standard.smoothing.tolerance ||
      said.validation != standard.validation || said.schedule.first != standard.schedule.first ||
      said.schedule.every != standard.schedule.every) {
    throw UsageError("--lambda, --sigma, --tau, --choose-by and --smooth-… are for --kind wordlda");
  }
}

// What is of one kind of model alone, and said of another.
void refuse_other_kinds(const TrainCall& call) {
  const TrainOptions& said = call.options;
  const DiscLdaSettings standard;
  if (said.kind == TopicKind::kDiscLda) {
    if (call.topics) {
      throw UsageError(
          "--topics is for lda: disclda has --class-topics for each class and --shared-topics");
    }
    const LearnerSettings usual;
    const LdaSchedule &schedule = said.learner.schedule, &other = usual.schedule;
    if (said.learner.lda.sampler != usual.lda.sampler || schedule.first != other.first ||
        schedule.optimise_alpha != other.optimise_alpha || schedule.beta != other.beta ||
        schedule.every != other.every || schedule.last != other.last || !call.start.empty()) {
      throw UsageError(
          "--sampler, --fixed-alpha, --beta-prior, --burn-in, --optimise-… and --start are for "
          "lda");
    }
    refuse_unlearned(said.disclda);
    refuse_unrelated(call);
    return;
  }
  if (said.kind != TopicKind::kWordLda) refuse_unrelated(call);
  if (!call.topics) throw UsageError("--topics is required: how many topics there are to be");
  const DiscLdaSettings& disclda = said.disclda;
  if (disclda.learned || disclda.blocks.class_topics != standard.blocks.class_topics ||
      disclda.blocks.shared_topics != standard.blocks.shared_topics ||
      disclda.samples != standard.samples || disclda.lag != standard.lag ||
      disclda.validation != standard.validation) {
    throw UsageError(
        "--class-topics, --shared-topics, --kept-sweeps, --lag, --validation and --learn are for "
        "--kind disclda");
  }
  refuse_unlearned(disclda);
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
  options.checkpoint = call.flags.options.checkpoint;
  options.save_every = call.flags.options.save_every;
  options.resume = call.flags.options.resume;
  const std::optional<double> share = parse_double(call.held_out);
  if (share) {
    if (!(*share > 0 && *share < 1)) {
      throw UsageError(fmt::format(
          "--held-out is {}: expected a share above 0 and below 1, or a file", call.held_out));
    }
    options.held_out = *share;
    call.held_out.clear();
  }
  complete_words(call);
  refuse_other_kinds(call);
  if (options.kind == TopicKind::kWordLda && !call.sources.any()) {
    throw UsageError(
        "wordlda needs to know which words are related: --word-graph, --dictionary, --synonyms, "
        "--word-vectors, --spelling, --company or --word-features");
  }
  if (call.topics) options.learner.lda.topics = *call.topics;
  options.disclda.inference.seed = options.learner.lda.seed;
  options.check();
  refuse_other_methods(options.learner);
  call.page.check(call.flags.report);
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

cli::TrainingOutcome run_train(TrainCall& call, const TrainEvents& events) {
  complete(call);
  const int threads = call.flags.common.threads;
  const Stopwatch watch;
  std::optional<TopicModel> start;
  if (!call.start.empty()) start = TopicModel::read(call.start);
  const Corpus corpus = call.corpus.read(threads);
  events.phase(fmt::format("read {} documents, {} words, {} different", corpus.documents().size(),
                           corpus.documents().num_tokens(), corpus.words().size()));
  std::optional<Corpus> held_out;
  if (!call.held_out.empty()) {
    held_out = read_new_documents(call.corpus.source.files({call.held_out}),
                                  NameList(corpus.words(), "the corpus"), corpus.text(), threads);
  }
  std::optional<FoundRelations> found;
  if (call.options.kind == TopicKind::kWordLda) {
    events.phase("looking for related words");
    found = find_relations(corpus, call.sources, threads);
  }
  const double read_seconds = watch.seconds();
  Trained trained = train(corpus, held_out ? &*held_out : nullptr, call.options,
                          start ? &*start : nullptr, events, found ? &found->relations : nullptr);
  trained.result.seconds = {read_seconds, watch.seconds()};
  if (!trained.model) return {true};
  trained.model->write(call.flags.model);
  cli::TrainingOutcome outcome;
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
  cli::add_run<TrainCall>(
      topics,
      {"Find the topics of documents that nobody has sorted, or of documents with labels those "
       "that tell the labels apart.\n\n"
       "  trellis topics train notes.tsv --topics 20 --model m.trellis\n"
       "  trellis topics train folder/ --topics 100 --min-documents 5 --max-share 0.5 --held-out "
       "0.1 --model m.trellis\n"
       "  trellis topics train docword.nips.txt --vocabulary vocab.nips.txt --topics 50 --model "
       "m.trellis\n"
       "  trellis topics train news.tsv --kind disclda --class-topics 5 --shared-topics 10 "
       "--classifier svm --model m.trellis\n"
       "  trellis topics train speeches.tsv --kind wordlda --topics 50 --dictionary eng-fra.tsv "
       "--stage en --model m.trellis\n\n"
       "A topic is a distribution over words, a document a mixture of topics; both are found by "
       "sweeps that give every word of every document a topic. Priors are made likely along the "
       "way.",
       "", "the topics and their words, a map of the documents, and how the sweeps went"},
      add_train_options, run_train);
}

}  // namespace trellis::topics
