#include "trellis/tasks/topics/output/evaluate.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"
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

// Of the confusions: F1 of the classes that occur or are predicted.
double macro_f1(const ClassEvaluation& found) {
  const Index num_classes = found.names.size();
  double sum = 0;
  Index counted = 0;
  for (Index y = 0; y < num_classes; ++y) {
    Index true_ones = 0, predicted = 0;
    for (Index other = 0; other < num_classes; ++other) {
      true_ones += found.confusion[y * num_classes + other];
      predicted += found.confusion[other * num_classes + y];
    }
    if (true_ones + predicted == 0) continue;
    ++counted;
    sum += 2 * static_cast<double>(found.confusion[y * num_classes + y]) /
           static_cast<double>(true_ones + predicted);
  }
  return counted == 0 ? 0 : sum / static_cast<double>(counted);
}

std::optional<ClassEvaluation> evaluate_classes(
    const TopicModel& model, const Corpus& corpus,
    const std::vector<DocumentInference::Found>& found) {
  const NameList& names = *model.class_names();
  ClassEvaluation result;
  for (Index y = 0; y < names.size(); ++y) result.names.emplace_back(names[y]);
  result.confusion.assign(names.size() * names.size(), 0);
  Index wrong = 0;
  double log_likelihood = 0;
  for (Index d = 0; d < corpus.labels().size(); ++d) {
    if (corpus.labels()[d] == kNoLabel) continue;
    ++result.judged;
    const std::uint32_t y =
        names.find(corpus.label_names()[static_cast<Index>(corpus.labels()[d])]);
    const auto predicted = static_cast<Index>(*found[d].predicted);
    if (y == NameList::kNone || y != predicted) ++wrong;
    if (y == NameList::kNone) {
      ++result.unknown;
      continue;
    }
    ++result.confusion[y * names.size() + predicted];
    if (model.classes() != nullptr) log_likelihood += portable_log(found[d].posterior[y]);
  }
  if (result.judged == 0) return std::nullopt;
  result.error = static_cast<double>(wrong) / static_cast<double>(result.judged);
  result.macro_f1 = macro_f1(result);
  const Index known = result.judged - result.unknown;
  if (model.classes() != nullptr && known > 0) {
    result.log_likelihood = log_likelihood / static_cast<double>(known);
  }
  return result;
}

// Of documents by DiscLDA: by the collapsed filter, whatever classes are found by.
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
  std::vector<DocumentInference::Found> read;
  if (model.class_names() != nullptr) {
    read = infer_documents(model, documents, options.inference, options.threads);
    found.classes = evaluate_classes(model, corpus, read);
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

std::string Evaluation::to_json() const {
  nlohmann::json json = {{"documents", documents},
                         {"empty_documents", empty},
                         {"tokens", tokens},
                         {"unseen_tokens", unseen},
                         {"log_likelihood", log_likelihood},
                         {"perplexity", perplexity},
                         {"coherence_npmi", coherence_json(coherence_npmi)},
                         {"coherence_umass", coherence_json(coherence_umass)},
                         {"topic_npmi", coherences_json(topic_npmi)},
                         {"topic_umass", coherences_json(topic_umass)}};
  if (classes) {
    const Index num_classes = classes->names.size();
    nlohmann::json rows = nlohmann::json::array();
    for (Index y = 0; y < num_classes; ++y) {
      const auto row = classes->confusion.begin() + static_cast<std::ptrdiff_t>(y * num_classes);
      rows.push_back(std::vector<Index>(row, row + static_cast<std::ptrdiff_t>(num_classes)));
    }
    json["classes"] = {{"judged", classes->judged},
                       {"unknown", classes->unknown},
                       {"error", classes->error},
                       {"macro_f1", classes->macro_f1},
                       {"log_likelihood", coherence_json(classes->log_likelihood)},
                       {"names", classes->names},
                       {"confusion", rows}};
  }
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
  if (!classes) return text;
  text += fmt::format(
      "classes                {} of {} documents wrong: error {:.2f} %, macro F1 {:.2f}\n",
      std::llround(classes->error * static_cast<double>(classes->judged)), classes->judged,
      100 * classes->error, 100 * classes->macro_f1);
  if (std::isfinite(classes->log_likelihood)) {
    text += fmt::format("log p(class | words)   {:.4f}\n", classes->log_likelihood);
  }
  if (classes->unknown > 0) {
    text += fmt::format(
        "{} documents have labels that the model does not know, and are counted as wrong\n",
        classes->unknown);
  }
  return text;
}

}  // namespace trellis::topics
