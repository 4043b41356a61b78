#include "trellis/tasks/topics/output/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/topics/output/csv.h"

namespace trellis::topics {
namespace {

struct NamedDocument {
  std::string id;
  std::string_view label;  // empty: none
  Index words = 0;
};

NamedDocument named(const Corpus& corpus, Index d) {
  NamedDocument document;
  if (corpus.has_ids()) document.id = corpus.ids()[d];
  if (document.id.empty()) document.id = std::to_string(d + 1);
  if (corpus.has_labels() && corpus.labels()[d] != kNoLabel) {
    document.label = corpus.label_names()[static_cast<Index>(corpus.labels()[d])];
  }
  document.words = corpus.documents()[d].size();
  return document;
}

void infer(const TopicModel& model, const Corpus& corpus, Index d, const PredictOptions& options,
           std::span<double> theta) {
  const KnownDocument document(model.lda(), corpus.documents()[d]);
  if (options.inference == Inference::kGibbs) {
    infer_by_gibbs(document, options.gibbs, Random(options.gibbs.seed, d), theta);
  } else {
    infer_by_cvb0(document, options.cvb0, theta);
  }
}

std::string text_line(const NamedDocument& document, std::span<const double> theta, Index top) {
  std::vector<Index> order(theta.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(top, order.size()));
  std::partial_sort(order.begin(), middle, order.end(), [&](Index a, Index b) {
    return theta[a] != theta[b] ? theta[a] > theta[b] : a < b;
  });
  std::string line = document.id;
  char separator = '\t';
  for (auto k = order.begin(); k != middle; ++k) {
    line += fmt::format("{}{}:{:.4f}", separator, *k, theta[*k]);
    separator = ' ';
  }
  return line + "\n";
}

std::string csv_line(const NamedDocument& document, std::span<const double> theta) {
  std::string line =
      fmt::format("{},{},{}", csv_field(document.id), csv_field(document.label), document.words);
  for (const double share : theta) fmt::format_to(std::back_inserter(line), ",{:.8g}", share);
  return line + "\n";
}

std::string csv_header(Index topics) {
  std::string line = "id,label,words";
  for (Index k = 0; k < topics; ++k) line += fmt::format(",topic_{}", k);
  return line + "\n";
}

std::string libsvm_line(const NamedDocument& document, std::span<const double> theta) {
  if (document.label.find_first_of(" \t#:") != std::string_view::npos) {
    throw InputError("document " + document.id, 0,
                     "expected a label without blanks, ':' and '#', as LIBSVM files have them, "
                     "found",
                     document.label);
  }
  std::string line(document.label.empty() ? "0" : document.label);
  for (Index k = 0; k < theta.size(); ++k) {
    fmt::format_to(std::back_inserter(line), " {}:{:.8g}", k + 1, theta[k]);
  }
  return line + "\n";
}

std::string json_line(const NamedDocument& document, std::span<const double> theta) {
  const nlohmann::json label =
      document.label.empty() ? nlohmann::json(nullptr) : nlohmann::json(document.label);
  return nlohmann::json({{"id", document.id},
                         {"label", label},
                         {"words", document.words},
                         {"mixture", std::vector<double>(theta.begin(), theta.end())}})
             .dump() +
         "\n";
}

std::string line_of(const NamedDocument& document, std::span<const double> theta,
                    const PredictOptions& options) {
  switch (options.format) {
    case MixtureFormat::kCsv:
      return csv_line(document, theta);
    case MixtureFormat::kLibsvm:
      return libsvm_line(document, theta);
    case MixtureFormat::kJson:
      return json_line(document, theta);
    case MixtureFormat::kText:
      break;
  }
  return text_line(document, theta, options.top);
}

}  // namespace

std::string PredictCounts::to_text() const {
  std::string text;
  if (empty > 0) {
    text = fmt::format(
        "{} of {} documents have no word that the model knows: theirs is the mean of all mixtures",
        empty, documents);
  }
  if (unseen > 0) {
    text += fmt::format("{}{} words are new to the model, and left out", text.empty() ? "" : "; ",
                        unseen);
  }
  return text;
}

PredictCounts predict(const TopicModel& model, const Corpus& corpus, const PredictOptions& options,
                      OutputFile& out) {
  const Documents& documents = corpus.documents();
  if (documents.num_words != model.words().size()) {
    throw UsageError("these documents are not in the model's words");
  }
  constexpr Index kBatch = 256;  // mixtures that are in memory
  const int threads = resolve_threads(options.threads);
  std::vector<std::string> lines(kBatch);
  if (options.format == MixtureFormat::kCsv) out.write(csv_header(model.num_topics()));
  for (Index first = 0; first < documents.size(); first += kBatch) {
    const Index count = std::min(kBatch, documents.size() - first);
    parallel_for(count, threads, [&](Index i, int) {
      std::vector<double> theta(model.num_topics());
      infer(model, corpus, first + i, options, theta);
      lines[i] = line_of(named(corpus, first + i), theta, options);
    });
    for (Index i = 0; i < count; ++i) out.write(lines[i]);
  }
  return {documents.size(), corpus.num_empty(), documents.num_tokens(), corpus.tally().outside};
}

}  // namespace trellis::topics
