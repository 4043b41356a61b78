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
#include "trellis/cli/training_command.h"
#include "trellis/tasks/topics/train.h"

namespace trellis::topics {
namespace {

using cli::Command;

struct TrainCall {
  cli::TrainingFlags flags;
  CorpusCall corpus;
  TrainOptions options;
  std::string held_out;  // a share, or a file
  std::string start;     // a model
  PageCall page;
};

void add_method(Command& command, TrainCall& call) {
  TrainOptions& options = call.options;
  LdaOptions& lda = options.learner.lda;
  LdaSchedule& schedule = options.learner.schedule;
  command.group("Topics");
  command.option("--kind", options.kind, "lda: latent Dirichlet allocation");
  command.option("--topics", lda.topics, "How many").between(1, 65534).shows("").required();
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
  const double read_seconds = watch.seconds();
  Trained trained = train(corpus, held_out ? &*held_out : nullptr, call.options,
                          start ? &*start : nullptr, events);
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
  outcome.json = trained.result.to_json();
  outcome.notes = trained.result.notes();
  outcome.warnings = trained.result.warnings();
  return outcome;
}

}  // namespace

void add_train(Command& topics) {
  cli::add_run<TrainCall>(
      topics,
      {"Find the topics of documents that nobody has sorted.\n\n"
       "  trellis topics train notes.tsv --topics 20 --model m.trellis\n"
       "  trellis topics train folder/ --topics 100 --min-documents 5 --max-share 0.5 --held-out "
       "0.1 --model m.trellis\n"
       "  trellis topics train docword.nips.txt --vocabulary vocab.nips.txt --topics 50 --model "
       "m.trellis\n\n"
       "A topic is a distribution over words, a document a mixture of topics; both are found by "
       "sweeps that give every word of every document a topic. Priors are made likely along the "
       "way.",
       "", "the topics and their words, a map of the documents, and how the sweeps went"},
      add_train_options, run_train);
}

}  // namespace trellis::topics
