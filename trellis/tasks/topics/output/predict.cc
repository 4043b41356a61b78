#include "trellis/tasks/topics/output/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/data/json.h"
#include "trellis/tasks/topics/output/csv.h"
#include "trellis/topics/corpus/document_stream.h"

namespace trellis::topics {
namespace {

using Found = DocumentInference::Found;

// Formats the lines of a document.
class LineMaker {
 public:
  LineMaker(const TopicModel& model, const PredictOptions& options)
      : model_(model), options_(options), names_(model.class_names()) {}

  // Whether lines contain the document's language; set before the first line.
  void set_languages(bool languages) { languages_ = languages; }

  // Precedes the first line; may be empty.
  std::string header() const {
    if (options_.format != MixtureFormat::kCsv) return "";
    std::string line = languages_ ? "id,language,label,words" : "id,label,words";
    if (names_ != nullptr) line += ",predicted";
    if (model_.classes() != nullptr) {
      const NameList& names = model_.classes()->names();
      for (Index y = 0; y < names.size(); ++y) {
        line += fmt::format(",{}", csv_field(fmt::format("p_{}", names[y])));
      }
    }
    for (Index k = 0; k < model_.num_topics(); ++k) line += fmt::format(",topic_{}", k);
    return line + "\n";
  }

  std::string line(const NewDocument& document, const Found& found) const {
    switch (options_.format) {
      case MixtureFormat::kCsv:
        return csv_line(document, found);
      case MixtureFormat::kLibsvm:
        return libsvm_line(document, found);
      case MixtureFormat::kJson:
        return json_line(document, found);
      case MixtureFormat::kText:
        break;
    }
    return text_line(document, found);
  }

 private:
  std::string_view predicted(const Found& found) const {
    return (*names_)[static_cast<Index>(*found.predicted)];
  }

  std::string text_line(const NewDocument& document, const Found& found) const {
    const std::vector<double>& theta = found.mixture;
    std::vector<Index> order(theta.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto middle =
        order.begin() + static_cast<std::ptrdiff_t>(std::min(options_.top, order.size()));
    std::partial_sort(order.begin(), middle, order.end(), [&](Index a, Index b) {
      return theta[a] != theta[b] ? theta[a] > theta[b] : a < b;
    });
    std::string line = document.id;
    if (languages_) line += '\t' + document.language;
    if (names_ != nullptr) line += fmt::format("\t{}", predicted(found));
    char separator = '\t';
    for (auto k = order.begin(); k != middle; ++k) {
      line += fmt::format("{}{}:{:.4f}", separator, *k, theta[*k]);
      separator = ' ';
    }
    return line + "\n";
  }

  std::string csv_line(const NewDocument& document, const Found& found) const {
    std::string line = csv_field(document.id);
    if (languages_) line += ',' + csv_field(document.language);
    line += fmt::format(",{},{}", csv_field(document.label), document.words.size());
    if (names_ != nullptr) line += fmt::format(",{}", csv_field(predicted(found)));
    for (const double p : found.posterior) line += fmt::format(",{:.8g}", p);
    for (const double share : found.mixture) {
      fmt::format_to(std::back_inserter(line), ",{:.8g}", share);
    }
    return line + "\n";
  }

  static std::string libsvm_line(const NewDocument& document, const Found& found) {
    if (document.label.find_first_of(" \t#:") != std::string_view::npos) {
      throw InputError("document " + document.id, 0,
                       "expected a label without blanks, ':' and '#' for a LIBSVM file, found",
                       document.label);
    }
    std::string line(document.label.empty() ? "0" : document.label);
    for (Index k = 0; k < found.mixture.size(); ++k) {
      fmt::format_to(std::back_inserter(line), " {}:{:.8g}", k + 1, found.mixture[k]);
    }
    return line + "\n";
  }

  std::string json_line(const NewDocument& document, const Found& found) const {
    const auto known = [](const std::string& name) { return name.empty() ? Value() : Value(name); };
    Value record = Value::record({{"id", document.id},
                                  {"label", known(document.label)},
                                  {"words", document.words.size()},
                                  {"mixture", found.mixture}});
    if (languages_) record["language"] = known(document.language);
    if (names_ != nullptr) record["predicted"] = predicted(found);
    if (model_.classes() != nullptr) {
      const NameList& names = model_.classes()->names();
      for (Index y = 0; y < names.size(); ++y) {
        record["classes"][names[y]] = found.posterior[y];
      }
    }
    return to_json(record) + "\n";
  }

  const TopicModel& model_;
  const PredictOptions& options_;
  const NameList* names_;  // of classes; null: no prediction
  bool languages_ = false;
};

// Takes documents one by one, and writes their results in order.
class MixtureWriter {
 public:
  MixtureWriter(const TopicModel& model, const PredictOptions& options, OutputFile& out)
      : inference_(model, options.inference),
        lines_(model, options),
        at_once_(options.at_once),
        out_(out),
        threads_(resolve_threads(options.threads)),
        own_(static_cast<Index>(threads_)) {}

  // `languages`: documents may have a language; the first document decides for all.
  void add(NewDocument document, bool languages) {
    constexpr Index kBatch = 256;  // documents in memory
    if (counts_.documents == 0) lines_.set_languages(languages);
    if (document.id.empty()) document.id = std::to_string(counts_.documents + 1);
    ++counts_.documents;
    counts_.empty += document.words.empty() ? 1 : 0;
    counts_.words += document.words.size();
    counts_.unseen += document.outside;
    batch_.push_back(std::move(document));
    if (at_once_ || batch_.size() == kBatch) flush();
  }

  void flush() {
    const Index first = counts_.documents - batch_.size();
    if (!begun_) out_.write(lines_.header());
    begun_ = true;
    std::vector<std::string> lines(batch_.size());
    parallel_for(batch_.size(), threads_, [&](Index i, int worker) {
      auto& [scratch, found] = own_[static_cast<Index>(worker)];
      inference_.read(batch_[i].words, first + i, scratch, found);
      lines[i] = lines_.line(batch_[i], found);
    });
    for (const std::string& line : lines) out_.write(line);
    batch_.clear();
  }

  const PredictCounts& counts() const { return counts_; }

 private:
  struct Own {  // of one thread
    DocumentInference::Scratch scratch;
    Found found;
  };

  DocumentInference inference_;
  LineMaker lines_;
  bool at_once_;
  OutputFile& out_;
  int threads_;
  std::vector<Own> own_;
  std::vector<NewDocument> batch_;
  bool begun_ = false;  // the header is written
  PredictCounts counts_;
};

NewDocument document_of(const Corpus& corpus, Index d) {
  NewDocument document;
  if (corpus.has_ids()) document.id = corpus.ids()[d];
  if (corpus.has_labels() && corpus.labels()[d] != kNoLabel) {
    document.label = corpus.label_names()[static_cast<Index>(corpus.labels()[d])];
  }
  if (corpus.has_languages() && corpus.languages()[d] != kNoLabel) {
    document.language = corpus.language_names()[static_cast<Index>(corpus.languages()[d])];
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
        "{} of {} documents have no word that the model knows: they get the mean of all mixtures",
        empty, documents);
  }
  if (unseen > 0) {
    text += fmt::format("{}{} words are unknown to the model and ignored", text.empty() ? "" : "; ",
                        unseen);
  }
  return text;
}

PredictCounts predict(const TopicModel& model, const Corpus& corpus, const PredictOptions& options,
                      OutputFile& out) {
  if (corpus.words().size() != model.words().size()) {
    throw UsageError("these documents do not use the vocabulary of the model");
  }
  MixtureWriter writer(model, options, out);
  for (Index d = 0; d < corpus.documents().size(); ++d) {
    writer.add(document_of(corpus, d), corpus.has_languages());
  }
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
    while (std::optional<NewDocument> document = stream.read()) {
      writer.add(*std::move(document), stream.has_languages());
    }
  } catch (const InputError&) {
    writer.flush();
    throw;
  }
  writer.flush();
  return writer.counts();
}

}  // namespace trellis::topics
