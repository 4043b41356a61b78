#include "trellis/tasks/topics/output/evaluate.h"

#include <fmt/format.h>

#include <cmath>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/topics/class_labels.h"
#include "trellis/topics/lda/held_out.h"

namespace trellis::topics {
namespace {

std::string coherence_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.4f}", value) : "none";
}

std::optional<ClassEvaluation> evaluate_classes(
    const TopicModel& model, const Corpus& corpus,
    const std::vector<DocumentInference::Found>& found) {
  const NameList& names = *model.class_names();
  const std::vector<Label> known = labels_of(corpus, names);
  ClassEvaluation result;
  double log_likelihood = 0;
  for (Index d = 0; d < corpus.labels().size(); ++d) {
    if (corpus.labels()[d] == kNoLabel) continue;
    result.scores.add(corpus.label_names()[static_cast<Index>(corpus.labels()[d])],
                      names[static_cast<Index>(*found[d].predicted)]);
    if (known[d] == kNoLabel) {
      ++result.unknown;
    } else if (model.classes() != nullptr) {
      log_likelihood += found[d].log_posterior[static_cast<Index>(known[d])];
    }
  }
  const Index judged = result.scores.num_examples();
  if (judged == 0) return std::nullopt;
  if (model.classes() != nullptr && judged > result.unknown) {
    result.log_likelihood = log_likelihood / static_cast<double>(judged - result.unknown);
  }
  return result;
}

// For documents of DiscLDA: by the collapsed filter, for any inference of classes.
HeldOut likelihood_by_classes(const std::vector<DocumentInference::Found>& filtered,
                              Index num_tokens) {
  HeldOut held_out;
  held_out.num_tokens = num_tokens;
  for (const DocumentInference::Found& one : filtered) {
    held_out.log_likelihood.push_back(*one.log_likelihood);
    held_out.total += *one.log_likelihood;
  }
  return held_out;
}

HeldOut likelihood_of(const TopicModel& model, const Documents& documents,
                      const std::vector<DocumentInference::Found>& read,
                      const EvaluateOptions& options) {
  if (model.classes() == nullptr) {
    const bool linear = options.estimator == Estimator::kParticleFilter;
    return held_out_likelihood(model.lda(), documents, {options.particles, linear, options.seed},
                               options.threads);
  }
  if (options.inference.method == Inference::kCvb0) {
    return likelihood_by_classes(read, documents.num_tokens());
  }
  return likelihood_by_classes(infer_documents(model, documents, {}, options.threads),
                               documents.num_tokens());
}

// The same as in `predict`; `read` has the results if documents were inferred already.
std::vector<double> mixtures_of(const TopicModel& model, const Documents& documents,
                                const std::vector<DocumentInference::Found>& read,
                                const EvaluateOptions& options) {
  if (read.empty()) return infer_mixtures(model, documents, options.inference, options.threads);
  std::vector<double> mixtures;
  mixtures.reserve(documents.size() * model.num_topics());
  for (const DocumentInference::Found& one : read) {
    mixtures.insert(mixtures.end(), one.mixture.begin(), one.mixture.end());
  }
  return mixtures;
}

}  // namespace

Evaluation evaluate(const TopicModel& model, const Corpus& corpus, const EvaluateOptions& options) {
  const Documents& documents = corpus.documents();
  if (documents.num_words != model.words().size()) {
    throw UsageError("these documents do not use the vocabulary of the model");
  }
  Evaluation found;
  found.documents = documents.size();
  found.empty = corpus.num_empty();
  found.tokens = documents.num_tokens();
  found.unseen = corpus.tally().outside;
  std::vector<DocumentInference::Found> read;
  if (model.class_names() != nullptr) {
    read = infer_documents(model, documents, options.inference, options.threads);
    found.classes = evaluate_classes(model, corpus, read);
  }
  if (options.agreement) {
    found.agreement =
        measure_languages(corpus, mixtures_of(model, documents, read, options), model.num_topics(),
                          *options.agreement, options.source, options.threads);
  }
  const HeldOut likelihood = likelihood_of(model, documents, read, options);
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

Value Evaluation::record() const {
  Value record = Value::record({{"documents", documents},
                                {"empty_documents", empty},
                                {"tokens", tokens},
                                {"unseen_tokens", unseen},
                                {"log_likelihood", log_likelihood},
                                {"perplexity", perplexity},
                                {"coherence_npmi", coherence_npmi},
                                {"coherence_umass", coherence_umass},
                                {"topic_npmi", topic_npmi},
                                {"topic_umass", topic_umass}});
  if (classes) {
    record["classes"] = classes->scores.record();
    record["classes"]["unknown"] = classes->unknown;
    record["classes"]["log_likelihood"] = classes->log_likelihood;
  }
  if (agreement) record["agreement"] = agreement->to_value();
  return record;
}

std::string ClassEvaluation::to_text() const {
  std::string text = fmt::format(
      "classes                {} of {} documents wrong: error {:.2f} %, macro F1 {:.2f}\n",
      scores.num_examples() - scores.num_correct(), scores.num_examples(), scores.error(),
      scores.macro_f1());
  if (std::isfinite(log_likelihood)) {
    text += fmt::format("log p(class | words)   {:.4f}\n", log_likelihood);
  }
  if (unknown > 0) {
    text += fmt::format(
        "{} documents have labels that the model does not know: they count as wrong\n", unknown);
  }
  return text;
}

std::string Evaluation::to_text() const {
  std::string text = fmt::format("{} documents, {} words", documents, tokens);
  if (unseen > 0) text += fmt::format("; {} words are unknown to the model and ignored", unseen);
  if (empty > 0) text += fmt::format("; {} documents have no word that the model knows", empty);
  text += fmt::format("\nlog-likelihood / word  {:.4f}\nperplexity             {:.2f}\n",
                      log_likelihood, perplexity);
  text += fmt::format("coherence (NPMI)       {}\ncoherence (UMass)      {}\n",
                      coherence_text(coherence_npmi), coherence_text(coherence_umass));
  if (classes) text += classes->to_text();
  if (agreement) text += agreement->to_text();
  return text;
}

}  // namespace trellis::topics
