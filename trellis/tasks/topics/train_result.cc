#include <fmt/format.h>

#include <cmath>

#include "trellis/tasks/topics/train.h"

namespace trellis::topics {
namespace {

Value look_record(const Look& look, const char* counted, bool classes) {
  Value record = Value::record({{counted, look.sweep},
                                {"perplexity", look.held_out.perplexity},
                                {"coherence_npmi", look.coherence},
                                {"seconds", look.seconds}});
  if (classes) record["error"] = 100 * look.held_out.error;
  return record;
}

Value word_lda_record(const TrainResult& result) {
  Value record = Value::record({{"links", result.links},
                                {"related_words", result.related_words},
                                {"word_features", result.word_features},
                                {"lambda", result.lambda},
                                {"sigma", result.sigma},
                                {"smoothing_seconds", result.smoothing_seconds},
                                {"trials", Value::list()}});
  for (const SmoothingTrial& trial : result.trials) {
    record["trials"].push_back(Value::record(
        {{"lambda", trial.lambda}, {"sigma", trial.sigma}, {"perplexity", trial.perplexity}}));
  }
  return record;
}

}  // namespace

Value TrainResult::record() const {
  const Look* last = looks.empty() ? nullptr : &looks.back();
  const bool chain = method == TopicMethod::kGibbs;
  Value record = Value::record({{"kind", to_string(kind)},
                                {"method", to_string(method)},
                                {"topics", topics},
                                {"documents", documents},
                                {"empty_documents", empty},
                                {"tokens", tokens},
                                {"words", words},
                                {"left_out", tally.left_out},
                                {"outside", tally.outside},
                                {"held_out_documents", held_out_documents},
                                {"held_out_tokens", held_out_tokens},
                                {"sweeps", sweeps},
                                {"objective", nullptr},
                                {"bound", nullptr},
                                {"gap", nullptr},
                                {"epochs", sweeps},
                                {"log_likelihood", nullptr},
                                {"perplexity", nullptr},
                                {"coherence_npmi", coherence_npmi},
                                {"coherence_umass", coherence_umass},
                                {"seconds", seconds.total - seconds.read},
                                {"read_seconds", seconds.read},
                                {"total_seconds", seconds.total}});
  if (last != nullptr) {
    if (chain) {
      record["objective"] = last->loss;
      record["log_likelihood"] = -last->loss;
    }
    record["perplexity"] = (rounds.empty() ? *last : rounds.back()).held_out.perplexity;
  }
  if (kind == TopicKind::kWordLda) record.update(word_lda_record(*this));
  if (stages > 0) record["stages"] = stages;
  if (classes > 0) {
    record["classes"] = classes;
    if (kind == TopicKind::kDiscLda) record["correlation"] = correlation;
    record["unseen_classes"] = unseen_classes;
    record["unlabelled"] = unlabelled;
    record["error"] = 100 * error;
    record["classifier_error"] = 100 * classifier_error;
  }
  if (!chain) record["converged"] = converged;
  record["looks"] = Value::list();
  for (const Look& look : looks) {
    Value one = look_record(look, "sweep", classes > 0);
    one[chain ? "log_likelihood" : "change"] = chain ? -look.loss : look.loss;
    record["looks"].push_back(one);
  }
  if (!rounds.empty()) record["rounds"] = Value::list();
  for (const Look& look : rounds) {
    Value one = look_record(look, "round", true);
    one["log_likelihood_of_labels"] = -look.loss;
    record["rounds"].push_back(one);
  }
  return record;
}

std::vector<std::string> TrainResult::notes() const {
  std::vector<std::string> notes;
  if (!looks.empty()) {
    const Look& last = looks.back();
    std::string text = fmt::format("{} topics by {} after {} sweeps, {:.1f} s: ", topics,
                                   to_string(method), sweeps, seconds.total);
    text += method == TopicMethod::kGibbs
                ? fmt::format("log-likelihood {:.4f} per word", -last.loss)
                : fmt::format("{}, change {:.2g} per word",
                              converged ? "converged" : "not converged", last.loss);
    const Judgement& judged = (rounds.empty() ? last : rounds.back()).held_out;
    if (std::isfinite(judged.perplexity)) {
      text += fmt::format("; perplexity {:.1f} of {} held-out documents", judged.perplexity,
                          held_out_documents);
    }
    notes.push_back(text);
  }
  if (kind == TopicKind::kWordLda) {
    notes.push_back(fmt::format("{} related words, by {} links and {} features", related_words,
                                links, word_features));
  }
  if (!trials.empty()) {
    std::string text = fmt::format("chose lambda {} and sigma {}:", lambda, sigma);
    for (const SmoothingTrial& trial : trials) {
      text += fmt::format(" {}/{} perplexity {:.1f};", trial.lambda, trial.sigma, trial.perplexity);
    }
    text.pop_back();
    notes.push_back(text);
  }
  if (!rounds.empty()) {
    notes.push_back(
        fmt::format("{} rounds of learning the transformations of the classes", rounds.size()));
  }
  if (kind == TopicKind::kDiscLda) {
    notes.push_back(fmt::format(
        "correlation of the words of a document {:.4g}, for class probabilities", correlation));
  }
  if (std::isfinite(error)) {
    notes.push_back(fmt::format("held-out documents: {:.2f} % have a wrong class", 100 * error));
  }
  if (std::isfinite(classifier_error)) {
    notes.push_back(fmt::format("held-out documents: {:.2f} % have a wrong class by the classifier",
                                100 * classifier_error));
  }
  if (std::isfinite(coherence_npmi)) {
    notes.push_back(
        fmt::format("coherence {:.4f} (NPMI), {:.4f} (UMass)", coherence_npmi, coherence_umass));
  }
  return notes;
}

std::vector<std::string> TrainResult::warnings() const {
  std::vector<std::string> warnings;
  if (empty > 0) {
    warnings.push_back(fmt::format(
        "{} of {} documents have no word of the vocabulary and are not used", empty, documents));
  }
  if (kind == TopicKind::kWordLda && related_words == 0) {
    warnings.emplace_back(
        "no words of the corpus are linked or have features: the model is the same as lda");
  }
  for (const std::string& name : unseen_classes) {
    warnings.push_back(
        fmt::format("class '{}' has no training documents: its topics stay at the prior", name));
  }
  if (unlabelled > 0) {
    warnings.push_back(fmt::format(
        "{} held-out documents have no label of the training set: their classes are not evaluated",
        unlabelled));
  }
  if (method == TopicMethod::kCvb0 && !converged) {
    warnings.push_back(fmt::format(
        "stopped after {} sweeps before the tolerance was reached: use a larger --sweeps", sweeps));
  }
  return warnings;
}

}  // namespace trellis::topics
