#include "trellis/tasks/topics/train.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "trellis/base/error.h"
#include "trellis/base/stopwatch.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/tasks/topics/document_split.h"
#include "trellis/tasks/topics/top_words.h"
#include "trellis/topics/coherence.h"
#include "trellis/topics/lda/held_out.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

// All that the bits of the model depend on, beside the documents.
nlohmann::json settings_json(const TrainOptions& options) {
  const LearnerSettings& learner = options.learner;
  nlohmann::json json = {{"kind", to_string(options.kind)}, {"method", to_string(learner.method)},
                         {"topics", learner.lda.topics},    {"alpha", learner.lda.alpha},
                         {"beta", learner.lda.beta},        {"seed", learner.lda.seed},
                         {"sweeps", options.sweeps}};
  if (options.held_out > 0) json["held_out"] = options.held_out;
  if (learner.method == TopicMethod::kCvb0) {
    json["tolerance"] = learner.tolerance;
    return json;
  }
  const LdaSchedule& schedule = learner.schedule;
  json["sampler"] = to_string(learner.lda.sampler);
  if (learner.lda.sampler == LdaSampler::kAlias) json["cycles"] = learner.lda.cycles;
  json["optimise_alpha"] = schedule.optimise_alpha;
  json["beta_prior"] = to_string(schedule.beta);
  json["burn_in"] = schedule.first;
  json["optimise_every"] = schedule.every;
  json["optimise_until"] = schedule.last;
  return json;
}

// One run over documents that are settled.
class Run {
 public:
  Run(const Corpus& corpus, const Documents& documents, const Documents& held_out,
      const TrainOptions& options, const TopicModel* start, const TrainEvents& events)
      : corpus_(corpus),
        documents_(documents),
        held_out_(held_out),
        options_(options),
        start_(start),
        events_(events),
        digest_(digest_of(documents, corpus.words())) {}

  Trained train() {
    check_start();
    Trained trained;
    describe(trained.result);
    const auto stages = std::make_shared<Stages>(
        StagesOptions{options_.checkpoint, options_.resume, options_.save_every, events_.stop},
        identity());
    trained.stages = stages;
    if (options_.resume && !stages->resumed()) {
      events_.phase(fmt::format("there is no checkpoint {}: starting afresh", options_.checkpoint));
    }
    const auto learner = make_learner(documents_, digest_, options_.learner, start_);
    if (!run_sweeps(*stages, *learner, trained.result)) return trained;
    trained.result.sweeps = learner->num_sweeps();
    trained.result.converged = learner->converged();
    trained.model.emplace(options_.kind, NameList(corpus_.words(), "the corpus"), corpus_.text(),
                          learner->model(), options_.learner.method == TopicMethod::kCvb0,
                          provenance(trained.result), learner->chain());
    judge_topics(*trained.model, trained.result);
    return trained;
  }

 private:
  void check_start() const {
    if (start_ == nullptr) return;
    const KeptChain* chain = start_->chain();
    if (chain == nullptr) {
      throw UsageError(fmt::format(
          "{} has no chain to go on with: it was trained without --keep-chain", start_->name()));
    }
    if (start_->num_topics() != options_.learner.lda.topics) {
      throw UsageError(fmt::format("the chain of {} has {} topics, not {}", start_->name(),
                                   start_->num_topics(), options_.learner.lda.topics));
    }
    if (chain->documents != digest_ || chain->topics.size() != documents_.num_tokens()) {
      throw UsageError(fmt::format(
          "the chain of {} is one of other documents, of other words in them, or of others held "
          "out",
          start_->name()));
    }
    if (chain->sweeps >= options_.sweeps) {
      throw UsageError(
          fmt::format("the chain of {} has done {} sweeps already: --sweeps is how "
                      "many there are to be in all",
                      start_->name(), chain->sweeps));
    }
  }

  void describe(TrainResult& result) const {
    result.kind = options_.kind;
    result.method = options_.learner.method;
    result.topics = options_.learner.lda.topics;
    result.documents = documents_.size();
    result.tokens = documents_.num_tokens();
    result.words = documents_.num_words;
    for (Index d = 0; d < documents_.size(); ++d) result.empty += documents_[d].empty() ? 1 : 0;
    result.held_out_documents = held_out_.size();
    result.held_out_tokens = held_out_.num_tokens();
    result.tally = corpus_.tally();
  }

  std::string identity() const {
    std::uint64_t digest = digest_;
    if (held_out_.size() > 0) digest = combine(digest, digest_of(held_out_, corpus_.words()));
    nlohmann::json settings = settings_json(options_);
    settings["watch_every"] = options_.watch_every;
    settings["particles"] = options_.particles;
    settings["coherent_words"] = options_.coherent_words;
    if (start_ != nullptr) digest = combine(digest, fingerprint(start_->to_bytes()));
    return fmt::format("topics digest={:016x} {}", digest, settings.dump());
  }

  // False: interrupted.
  bool run_sweeps(Stages& stages, TopicLearner& learner, TrainResult& result) {
    bool known = true;
    Checkpoint end;
    const bool finished = stages.run(
        "sweeps",
        [&](Checkpoint& done, Checkpoint& state) {
          known = false;
          if (!state.empty()) {
            restore(state, learner, result);
          } else {
            learner.start();
          }
          while (learner.num_sweeps() < options_.sweeps && !learner.converged()) {
            if (stages.stop_requested()) {
              save(learner, result, state);
              return false;
            }
            learner.sweep();
            tell(learner, result);
            if (stages.due()) {
              save(learner, result, state);
              stages.pause("sweeps", state);
            }
          }
          save(learner, result, done);
          return true;
        },
        end);
    // What was finished before is not done again.
    if (finished && known) restore(end, learner, result);
    return finished;
  }

  void tell(const TopicLearner& learner, TrainResult& result) {
    const Index sweep = learner.num_sweeps();
    const bool last = sweep == options_.sweeps || learner.converged();
    if (!last && (options_.watch_every == 0 || sweep % options_.watch_every != 0)) {
      if (events_.on_progress) {
        events_.on_progress(fmt::format("sweep {} of {}", sweep, options_.sweeps));
      }
      return;
    }
    Look look{sweep, learner.loss()};
    if (held_out_.size() > 0) {
      LeftToRightOptions estimate{options_.particles, true, options_.learner.lda.seed};
      look.perplexity =
          held_out_likelihood(learner.model(), held_out_, estimate, options_.learner.threads)
              .perplexity();
    }
    look.coherence =
        mean_coherence(coherence(documents_, top_words(learner.model(), options_.coherent_words)));
    look.seconds = seconds_before_ + watch_.seconds();
    add(look, result);
  }

  void add(const Look& look, TrainResult& result) const {
    result.looks.push_back(look);
    if (!events_.on_epoch) return;
    EpochRecord record;
    record.epoch = look.sweep;
    record.loss = look.loss;
    record.dev = look.perplexity;
    record.passes = 1;
    record.seconds = look.seconds;
    events_.on_epoch(record);
  }

  void save(const TopicLearner& learner, const TrainResult& result, Checkpoint& state) const {
    learner.save(state);
    std::vector<double> numbers;
    for (const Look& look : result.looks) {
      numbers.insert(numbers.end(), {static_cast<double>(look.sweep), look.loss, look.perplexity,
                                     look.seconds, look.coherence});
    }
    state.put("looks", numbers);
    const double seconds[] = {seconds_before_ + watch_.seconds()};
    state.put("seconds", seconds);
  }
  void restore(const Checkpoint& state, TopicLearner& learner, TrainResult& result) {
    learner.restore(state);
    double seconds[1];
    state.get("seconds", seconds);
    seconds_before_ = seconds[0];
    const std::vector<double>& numbers = state.doubles("looks");
    for (Index x = 0; x + 5 <= numbers.size(); x += 5) {
      add({static_cast<Index>(numbers[x]), numbers[x + 1], numbers[x + 2], numbers[x + 3],
           numbers[x + 4]},
          result);
    }
  }

  // Nothing that differs between a run and one that went on from a part of it.
  nlohmann::json provenance(const TrainResult& result) const {
    nlohmann::json json = settings_json(options_);
    json["sweeps"] = result.sweeps;
    json["documents"] = result.documents;
    json["tokens"] = result.tokens;
    if (result.method == TopicMethod::kGibbs) json["log_likelihood"] = -result.looks.back().loss;
    if (result.held_out_documents > 0) json["perplexity"] = result.looks.back().perplexity;
    return json;
  }

  void judge_topics(const TopicModel& model, TrainResult& result) const {
    const auto tops = model.top_words(options_.coherent_words);
    CoherenceOptions options;
    result.topic_npmi = coherence(documents_, tops, options);
    result.coherence_npmi = mean_coherence(result.topic_npmi);
    options.measure = CoherenceMeasure::kUMass;
    result.coherence_umass = mean_coherence(coherence(documents_, tops, options));
  }

  const Corpus& corpus_;
  const Documents& documents_;
  const Documents& held_out_;
  const TrainOptions& options_;
  const TopicModel* start_;
  const TrainEvents& events_;
  std::uint64_t digest_;
  Stopwatch watch_;
  double seconds_before_ = 0;
};

}  // namespace

void TrainOptions::check() const {
  const auto is_prior = [](double value) { return std::isfinite(value) && value > 0; };
  const LdaOptions& lda = learner.lda;
  if (lda.topics < 1 || lda.topics > WordTopics::kMostTopics) {
    throw UsageError(
        fmt::format("--topics is {}: expected 1 to {}", lda.topics, WordTopics::kMostTopics));
  }
  if (!is_prior(lda.alpha) || !is_prior(lda.beta)) {
    throw UsageError("--alpha and --beta are numbers above 0");
  }
  if (sweeps < 1) throw UsageError("--sweeps is 1 or more");
  if (particles < 1) throw UsageError("--particles is 1 or more");
  if (lda.cycles < 1) throw UsageError("--cycles is 1 or more");
  if (!(held_out >= 0 && held_out < 1))
    throw UsageError("a share to hold out is 0 or more, below 1");
  if (!(learner.tolerance >= 0)) throw UsageError("--tolerance is 0 or more");
  if (learner.method == TopicMethod::kCvb0 && learner.keep_chain) {
    throw UsageError("cvb0 has no chain to keep");
  }
}

Trained train(const Corpus& corpus, const Corpus* held_out, const TrainOptions& options,
              const TopicModel* start, const TrainEvents& events) {
  options.check();
  if (held_out != nullptr && options.held_out > 0) {
    throw UsageError("what is held out is a share or other documents, not both");
  }
  if (start != nullptr && options.learner.method != TopicMethod::kGibbs) {
    throw UsageError("a chain is gone on with by gibbs alone");
  }
  const Index topics = options.learner.lda.topics;
  if (topics > corpus.words().size()) {
    throw UsageError(fmt::format("{} topics are more than the vocabulary has words: {}", topics,
                                 corpus.words().size()));
  }
  const DocumentSplit split(corpus.documents(), options.held_out, options.learner.lda.seed);
  const Documents watched = held_out != nullptr ? held_out->documents() : split.held_out();
  if (split.kept().num_tokens() == 0) throw UsageError("there is no word to train on");
  return Run(corpus, split.kept(), watched, options, start, events).train();
}

}  // namespace trellis::topics
