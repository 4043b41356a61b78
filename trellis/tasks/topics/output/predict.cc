#include "trellis/tasks/topics/output/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/tasks/topics/output/csv.h"
#include "trellis/topics/corpus/document_stream.h"

namespace trellis::topics {
namespace {

std::string text_line(const NewDocument& document, std::span<const double> theta, Index top) {
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

std::string csv_line(const NewDocument& document, std::span<const double> theta) {
  std::string line = fmt::format("{},{},{}", csv_field(document.id), csv_field(document.label),
                                 document.words.size());
  for (const double share : theta) fmt::format_to(std::back_inserter(line), ",{:.8g}", share);
  return line + "\n";
}

std::string csv_header(Index topics) {
  std::string line = "id,label,words";
  for (Index k = 0; k < topics; ++k) line += fmt::format(",topic_{}", k);
  return line + "\n";
}

std::string libsvm_line(const NewDocument& document, std::span<const double> theta) {
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

std::string json_line(const NewDocument& document, std::span<const double> theta) {
  const nlohmann::json label =
      document.label.empty() ? nlohmann::json(nullptr) : nlohmann::json(document.label);
  return nlohmann::json({{"id", document.id},
                         {"label", label},
                         {"words", document.words.size()},
                         {"mixture", std::vector<double>(theta.begin(), theta.end())}})
             .dump() +
         "\n";
}

std::string line_of(const NewDocument& document, std::span<const double> theta,
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

// Takes documents one by one, and writes what was found of them in their order.
class MixtureWriter {
 public:
  MixtureWriter(const TopicModel& model, const PredictOptions& options, OutputFile& out)
      : model_(model), options_(options), out_(out), threads_(resolve_threads(options.threads)) {
    if (options.format == MixtureFormat::kCsv) out.write(csv_header(model.num_topics()));
  }

  void add(NewDocument document) {
    constexpr Index kBatch = 256;  // documents that are in memory
    if (document.id.empty()) document.id = std::to_string(counts_.documents + 1);
    ++counts_.documents;
    counts_.empty += document.words.empty() ? 1 : 0;
    counts_.words += document.words.size();
    counts_.unseen += document.outside;
    batch_.push_back(std::move(document));
    if (options_.at_once || batch_.size() == kBatch) flush();
  }

  void flush() {
    const Index first = counts_.documents - batch_.size();
    std::vector<std::string> lines(batch_.size());
    parallel_for(batch_.size(), threads_, [&](Index i, int) {
      std::vector<double> theta(model_.num_topics());
      infer(batch_[i], first + i, theta);
      lines[i] = line_of(batch_[i], theta, options_);
    });
    for (const std::string& line : lines) out_.write(line);
    batch_.clear();
  }

  const PredictCounts& counts() const { return counts_; }

 private:
  void infer(const NewDocument& document, Index number, std::span<double> theta) const {
    const KnownDocument known(model_.lda(), document.words);
    if (options_.inference == Inference::kGibbs) {
      infer_by_gibbs(known, options_.gibbs, Random(options_.gibbs.seed, number), theta);
    } else {
      infer_by_cvb0(known, options_.cvb0, theta);
    }
  }

  const TopicModel& model_;
  const PredictOptions& options_;
  OutputFile& out_;
  int threads_;
  std::vector<NewDocument> batch_;
  PredictCounts counts_;
};

NewDocument document_of(const Corpus& corpus, Index d) {
  NewDocument document;
  if (corpus.has_ids()) document.id = corpus.ids()[d];
  if (corpus.has_labels() && corpus.labels()[d] != kNoLabel) {
    document.label = corpus.label_names()[static_cast<Index>(corpus.labels()[d])];
  }
  const std::span<const std::uint32_t> words = corpus.documents()[d];
  document.words.assign(words.begin(), words.end());
  return document;
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
  if (corpus.words().size() != model.words().size()) {
    throw UsageError("these documents are not in the model's words");
  }
  MixtureWriter writer(model, options, out);
  for (Index d = 0; d < corpus.documents().size(); ++d) writer.add(document_of(corpus, d));
  writer.flush();
  PredictCounts counts = writer.counts();
  counts.unseen = corpus.tally().outside;
  return counts;
}

PredictCounts predict(const TopicModel& model, const CorpusFiles& files,
                      const PredictOptions& options, OutputFile& out) {
  if (files.is_corpus()) {
    return predict(model, read_new_documents(files, model.words(), model.text(), options.threads),
                   options, out);
  }
  DocumentStream stream(model.words(), files.paths, files.reader, model.text());
  MixtureWriter writer(model, options, out);
  try {
    while (std::optional<NewDocument> document = stream.read()) writer.add(*std::move(document));
  } catch (const InputError&) {
    writer.flush();
    throw;
  }
  writer.flush();
  return writer.counts();
}

}  // namespace trellis::topics
