#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/base/error.h"
#include "trellis/tasks/topics/train.h"
#include "trellis/topics/lda/word_topics.h"

namespace trellis::topics {
namespace {

nlohmann::json disclda_json(const DiscLdaSettings& disclda) {
  nlohmann::json json = {{"class_topics", disclda.blocks.class_topics},
                         {"shared_topics", disclda.blocks.shared_topics},
                         {"transformation", disclda.learned ? "learned" : "blocks"},
                         {"validation", disclda.validation}};
  if (!disclda.learned) {
    json["kept_sweeps"] = disclda.samples;
    json["lag"] = disclda.lag;
    return json;
  }
  json["rounds"] = disclda.rounds;
  json["contrast"] = disclda.contrast;
  json["gradient_steps"] = disclda.gradient_steps;
  json["rate"] = disclda.rate;
  json["decay"] = disclda.decay;
  json["fixed_topics"] = disclda.fixed_topics;
  json["inference"] = to_string(disclda.inference.method);
  if (disclda.inference.method == Inference::kGibbs) {
    const ClassInferenceOptions by = disclda.inference.of_classes();
    json["inference_burn_in"] = by.burn_in;
    json["inference_samples"] = by.samples;
    json["bridge"] = to_string(by.bridge);
    json["bridge_to"] = to_string(by.bridge_to);
  }
  return json;
}

}  // namespace

nlohmann::json TrainOptions::to_json() const {
  nlohmann::json json = {{"kind", to_string(kind)},
                         {"method", to_string(learner.method)},
                         {"topics", learner.lda.topics},
                         {"alpha", learner.lda.alpha},
                         {"beta", learner.lda.beta},
                         {"seed", learner.lda.seed},
                         {"sweeps", sweeps}};
  if (held_out > 0) json["held_out"] = held_out;
  if (classifier != ClassifierKind::kNone) {
    json["classifier"] = to_string(classifier);
  }
  if (kind == TopicKind::kDiscLda) {
    json.erase("topics");
    json.update(disclda_json(disclda));
    return json;
  }
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
  if (kind == TopicKind::kWordLda) json.update(word_lda.to_json());
  if (stages.staged()) json["stages"] = stages.to_json();
  return json;
}

void TrainOptions::check_apart() const {
  if (kind == TopicKind::kDiscLda || learner.method != TopicMethod::kGibbs || learner.keep_chain ||
      learner.lda.sampler == LdaSampler::kAlias) {
    throw UsageError(
        "languages are kept apart by lda and wordlda, by gibbs, without --keep-chain and "
        "--sampler alias");
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
  if (kind == TopicKind::kWordLda) {
    if (learner.method != TopicMethod::kGibbs || learner.keep_chain) {
      throw UsageError("wordlda is trained by gibbs, and its chain is not kept");
    }
    word_lda.check();
  }
  if (stages.staged() && (kind == TopicKind::kDiscLda || learner.method != TopicMethod::kGibbs ||
                          learner.keep_chain)) {
    throw UsageError("--stage is for lda and wordlda by gibbs, without --keep-chain");
  }
  if (stages.sweeps && (!stages.staged() || *stages.sweeps < 1)) {
    throw UsageError("--stage-sweeps is 1 or more, and for --stage");
  }
  if (kind != TopicKind::kDiscLda) return;
  if (learner.method != TopicMethod::kGibbs || learner.keep_chain) {
    throw UsageError("disclda is trained by gibbs, and its chain is not kept");
  }
  disclda.blocks.check(2);
  disclda.check();
}

}  // namespace trellis::topics
