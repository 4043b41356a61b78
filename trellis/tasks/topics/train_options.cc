#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/tasks/topics/train.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

Value disclda_record(const DiscLdaSettings& disclda) {
  Value record = Value::record({{"class_topics", disclda.blocks.class_topics},
                                {"shared_topics", disclda.blocks.shared_topics},
                                {"transformation", disclda.learned ? "learned" : "blocks"},
                                {"validation", disclda.validation}});
  if (!disclda.learned) {
    record["kept_sweeps"] = disclda.samples;
    record["lag"] = disclda.lag;
    return record;
  }
  record["rounds"] = disclda.rounds;
  record["contrast"] = disclda.contrast;
  record["gradient_steps"] = disclda.gradient_steps;
  record["rate"] = disclda.rate;
  record["decay"] = disclda.decay;
  record["fixed_topics"] = disclda.fixed_topics;
  record["inference"] = to_string(disclda.inference.method);
  if (disclda.inference.method == Inference::kGibbs) {
    const ClassInferenceOptions by = disclda.inference.of_classes();
    record["inference_burn_in"] = by.burn_in;
    record["inference_samples"] = by.samples;
    record["bridge"] = to_string(by.bridge);
    record["bridge_to"] = to_string(by.bridge_to);
  }
  return record;
}

}  // namespace

Value TrainOptions::record() const {
  Value record = Value::record({{"kind", to_string(kind)},
                                {"method", to_string(learner.method)},
                                {"topics", learner.lda.topics},
                                {"alpha", learner.lda.alpha},
                                {"beta", learner.lda.beta},
                                {"seed", learner.lda.seed},
                                {"sweeps", sweeps}});
  if (held_out > 0) record["held_out"] = held_out;
  if (classifier != ClassifierKind::kNone) {
    record["classifier"] = to_string(classifier);
  }
  if (kind == TopicKind::kDiscLda) {
    record.erase("topics");
    record.update(disclda_record(disclda));
    return record;
  }
  if (learner.method == TopicMethod::kCvb0) {
    record["tolerance"] = learner.tolerance;
    return record;
  }
  const LdaSchedule& schedule = learner.schedule;
  record["sampler"] = to_string(learner.lda.sampler);
  if (learner.lda.sampler == LdaSampler::kAlias) record["cycles"] = learner.lda.cycles;
  record["optimise_alpha"] = schedule.optimise_alpha;
  record["beta_prior"] = to_string(schedule.beta);
  record["burn_in"] = schedule.first;
  record["optimise_every"] = schedule.every;
  record["optimise_until"] = schedule.last;
  if (kind == TopicKind::kWordLda) record.update(word_lda.record());
  if (stages.staged()) record["stages"] = stages.record();
  return record;
}

void TrainOptions::check_apart() const {
  if (kind == TopicKind::kDiscLda || learner.method != TopicMethod::kGibbs || learner.keep_chain ||
      learner.lda.sampler == LdaSampler::kAlias) {
    throw UsageError(
        "--languages-apart requires --kind lda or wordlda and --method gibbs: it cannot be "
        "combined with --keep-chain or --sampler alias");
  }
}

void TrainOptions::check() const {
  const auto is_prior = [](double value) { return std::isfinite(value) && value > 0; };
  const LdaOptions& lda = learner.lda;
  if (lda.topics < 1 || lda.topics > WordTopics::kMostTopics) {
    throw UsageError(
        fmt::format("--topics is {}: expected 1 to {}", lda.topics, WordTopics::kMostTopics));
  }
  if (!is_prior(lda.alpha) || !is_prior(lda.beta)) {
    throw UsageError("--alpha and --beta must be numbers above 0");
  }
  if (sweeps < 1) throw UsageError("--sweeps must be 1 or more");
  if (particles < 1) throw UsageError("--particles must be 1 or more");
  if (lda.cycles < 1) throw UsageError("--cycles must be 1 or more");
  if (!(held_out >= 0 && held_out < 1))
    throw UsageError("the fraction to hold out must be at least 0 and below 1");
  if (!(learner.tolerance >= 0)) throw UsageError("--tolerance must be 0 or more");
  if (learner.method == TopicMethod::kCvb0 && learner.keep_chain) {
    throw UsageError("--keep-chain requires --method gibbs");
  }
  if (kind == TopicKind::kWordLda) {
    if (learner.method != TopicMethod::kGibbs || learner.keep_chain) {
      throw UsageError(
          "--kind wordlda requires --method gibbs and cannot be combined with --keep-chain");
    }
    word_lda.check();
  }
  if (stages.staged() && (kind == TopicKind::kDiscLda || learner.method != TopicMethod::kGibbs ||
                          learner.keep_chain)) {
    throw UsageError(
        "--stage requires --kind lda or wordlda and --method gibbs: it cannot be combined with "
        "--keep-chain");
  }
  if (stages.sweeps && (!stages.staged() || *stages.sweeps < 1)) {
    throw UsageError("--stage-sweeps must be 1 or more and requires --stage");
  }
  if (kind != TopicKind::kDiscLda) return;
  if (learner.method != TopicMethod::kGibbs || learner.keep_chain) {
    throw UsageError(
        "--kind disclda requires --method gibbs and cannot be combined with --keep-chain");
  }
  disclda.blocks.check(2);
  disclda.check();
}

}  // namespace trellis::topics
