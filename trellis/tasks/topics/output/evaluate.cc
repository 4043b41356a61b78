#include "trellis/tasks/topics/output/evaluate.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/base/error.h"
#include "trellis/topics/lda/held_out.h"

namespace trellis::topics {
namespace {

nlohmann::json coherence_json(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

nlohmann::json coherences_json(const std::vector<double>& values) {
  nlohmann::json json = nlohmann::json::array();
  for (const double value : values) json.push_back(coherence_json(value));
  return json;
}

std::string coherence_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : "none";
}

}  // namespace

Evaluation evaluate(const TopicModel& model, const Corpus& corpus, const EvaluateOptions& options) {
  const Documents& documents = corpus.documents();
  if (documents.num_words != model.words().size()) {
    throw UsageError("these documents are not in the model's words");
  }
  Evaluation found;
  found.documents = documents.size();
  found.empty = corpus.num_empty();
  found.tokens = documents.num_tokens();
  found.unseen = corpus.tally().outside;
  const bool linear = options.estimator == Estimator::kParticleFilter;
  const HeldOut likelihood = held_out_likelihood(
      model.lda(), documents, {options.particles, linear, options.seed}, options.threads);
  found.log_likelihood = likelihood.per_token();
  found.perplexity = likelihood.perplexity();
  const auto tops = model.top_words(options.coherent_words);
  CoherenceOptions coherent;
  coherent.convention = options.convention;
  found.topic_npmi = coherence(documents, tops, coherent);
  found.coherence_npmi = mean_coherence(found.topic_npmi);
  coherent.measure = CoherenceMeasure::kUMass;
  found.topic_umass = coherence(documents, tops, coherent);
  found.coherence_umass = mean_coherence(found.topic_umass);
  return found;
}

std::string Evaluation::to_json() const {
  const nlohmann::json json = {{"documents", documents},
                               {"empty_documents", empty},
                               {"tokens", tokens},
                               {"unseen_tokens", unseen},
                               {"log_likelihood", log_likelihood},
                               {"perplexity", perplexity},
                               {"coherence_npmi", coherence_json(coherence_npmi)},
                               {"coherence_umass", coherence_json(coherence_umass)},
                               {"topic_npmi", coherences_json(topic_npmi)},
                               {"topic_umass", coherences_json(topic_umass)}};
  return json.dump() + "\n";
}

std::string Evaluation::to_text() const {
  std::string text = fmt::format("{} documents, {} words", documents, tokens);
  if (unseen > 0) text += fmt::format("; {} words are new to the model, and left out", unseen);
  if (empty > 0) text += fmt::format("; {} documents have no word that it knows", empty);
  text += fmt::format("\nlog-likelihood a word  {:.4f}\nperplexity             {:.2f}\n",
                      log_likelihood, perplexity);
  text += fmt::format("coherence (NPMI)       {}\ncoherence (UMass)      {}\n",
                      coherence_text(coherence_npmi), coherence_text(coherence_umass));
  return text;
}

}  // namespace trellis::topics
