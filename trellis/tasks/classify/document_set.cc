#include "trellis/tasks/classify/document_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::classify {
namespace {

constexpr Index kBatch = 512;

template <class T>
std::uint64_t digest_of(const std::vector<T>& values, std::uint64_t seed) {
  return fingerprint({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
                     seed);
}

// Reads files in batches: scans a batch in parallel, then numbers it in the order of the file.
class CountReader {
 public:
  CountReader(std::vector<InputFile> files, const DataOptions& options, int threads)
      : files_(std::move(files)),
        options_(options),
        reader_options_(options.reader),
        threads_(threads) {
    for (const InputFile& file : files_) names_.push_back(file.name());
  }

  ClassifyData read() {
    for (Index f = 0; f < files_.size(); ++f) read_file(f);
    if (set_.documents.size() == 0) {
      throw InputError(names_.front(), 0, "expected examples to learn from, found none");
    }
    sort_labels();
    choose_features();
    weigh_documents();
    return std::move(set_);
  }

 private:
  void read_file(Index f) {
    ExampleReader reader(std::move(files_[f]), reader_options_);
    std::vector<Example> batch(kBatch);
    Index count = 0;
    do {
      count = 0;
      while (count < kBatch && reader.read(batch[count])) ++count;
      if (count == 0) break;
      if (scanners_.empty()) accept_format(reader);
      parallel_for(count, threads_, [&](Index i, int) { scanners_[i].scan(batch[i]); });
      for (Index i = 0; i < count; ++i) add(batch[i], scanners_[i], f);
    } while (count == kBatch);
  }

  // All files must have the format and the columns of the first.
  void accept_format(const ExampleReader& reader) {
    FeatureOptions& features = set_.features;
    features.format = *reader.format();
    reader_options_.format = features.format;
    const bool text = features.format == InputFormat::kText;
    if (text) {
      set_.columns = *reader.columns();
      reader_options_.columns = set_.columns;
    }
    const bool plain = !text || options_.counts;
    features.lowercase = options_.lowercase;
    features.ngrams = options_.ngrams;
    features.bias = options_.bias;
    features.weighting =
        options_.weighting.value_or(plain ? Weighting::kCount : Weighting::kLogTfidf);
    features.normalize = options_.normalize.value_or(!plain);
    set_.min_count = options_.min_count;
    scanners_.assign(kBatch, FeatureScanner(features));
  }

  void add(const Example& example, const FeatureScanner& scanner, Index file) {
    counts_.ids.clear();
    counts_.values.clear();
    for (Index k = 0; k < scanner.size(); ++k) {
      counts_.ids.push_back(all_.intern(scanner.fingerprint(k), [&] { return scanner.name(k); }));
      counts_.values.push_back(scanner.count(k));
    }
    merge_counts(counts_);
    const auto next = static_cast<Label>(label_numbers_.size());
    const Label label = label_numbers_.emplace(example.label, next).first->second;
    set_.documents.add(counts_, label);
    places_.emplace_back(file, example.line);
  }

  void sort_labels() {
    std::vector<Label> sorted(label_numbers_.size());
    for (const auto& [name, number] : label_numbers_) {
      sorted[static_cast<Index>(number)] = static_cast<Label>(set_.labels.size());
      set_.labels.push_back(name);
    }
    for (Label& label : set_.documents.labels) label = sorted[static_cast<Index>(label)];
    if (set_.labels.size() > 1) return;
    throw InputError(names_.front(), 0, "expected at least two labels, found only",
                     set_.labels.front());
  }

  // Keeps the features that occur in enough documents, and renumbers them.
  void choose_features() {
    std::vector<std::uint64_t> frequency(all_.size(), 0);
    for (const AttributeId a : set_.documents.ids) ++frequency[a];
    if (options_.bias) {
      set_.bias = static_cast<AttributeId>(set_.vocabulary.size());
      set_.vocabulary.add(fingerprint(kBiasName), kBiasName);
      frequency_.push_back(set_.documents.size());
    }
    const std::vector<std::uint64_t> prints = all_.table().fingerprints();
    std::vector<AttributeId> new_ids(all_.size(), kNoAttribute);
    for (AttributeId a = 0; a < all_.size(); ++a) {
      if (frequency[a] < options_.min_count) continue;
      new_ids[a] = static_cast<AttributeId>(set_.vocabulary.size());
      set_.vocabulary.add(prints[a], all_.name(a));
      frequency_.push_back(frequency[a]);
    }
    if (set_.vocabulary.size() == 0) {
      throw InputError(names_.front(), 0, "no feature occurs in at least --min-count documents");
    }
    renumber(new_ids);
  }

  void renumber(const std::vector<AttributeId>& new_ids) {
    Documents& documents = set_.documents;
    Index kept = 0;
    Index read = 0;
    for (Index i = 0; i < documents.size(); ++i) {
      for (const Index last = documents.begin[i + 1]; read < last; ++read) {
        const AttributeId a = new_ids[documents.ids[read]];
        if (a == kNoAttribute) continue;
        documents.ids[kept] = a;  // ascending, as before
        documents.values[kept++] = documents.values[read];
      }
      documents.begin[i + 1] = kept;
    }
    documents.ids.resize(kept);
    documents.values.resize(kept);
  }

  // Turns counts into the vectors for the classifier.
  void weigh_documents() {
    if (uses_idf(set_.features.weighting)) {
      for (const std::uint64_t df : frequency_) {
        set_.idf.push_back(inverse_document_frequency(set_.documents.size(), df));
      }
    }
    choose_scale();
    Documents weighed;
    FeatureVector vector;
    for (Index i = 0; i < set_.documents.size(); ++i) {
      copy_counts(i, vector);
      const std::span<const float> counts = vector.values;
      const auto below = [](float count) { return count < 0; };
      if (!set_.below_zero && std::any_of(counts.begin(), counts.end(), below)) {
        set_.below_zero = {names_[places_[i].first], places_[i].second};
      }
      if (!weigh(set_.features, set_.idf, set_.scale, set_.bias, vector)) {
        throw_no_logarithm(names_[places_[i].first], places_[i].second, set_.features.weighting);
      }
      weighed.add(vector, set_.documents.labels[i]);
    }
    set_.documents = std::move(weighed);
  }

  void copy_counts(Index i, FeatureVector& vector) const {
    const auto ids = set_.documents.attributes(i);
    const auto counts = set_.documents.of(i);
    vector.ids.assign(ids.begin(), ids.end());
    vector.values.assign(counts.begin(), counts.end());
  }

  // Uses all documents, after weighting.
  void choose_scale() {
    const FeatureOptions& features = set_.features;
    const bool as_they_are = features.format == InputFormat::kLibsvm && !options_.counts &&
                             features.weighting == Weighting::kCount && !features.normalize;
    const bool automatic = options_.scaling == Scaling::kAuto;
    if (options_.scaling == Scaling::kNone || (automatic && !as_they_are)) return;
    ColumnSurvey survey(set_.vocabulary.size());
    FeatureVector vector;
    std::vector<double> values;
    for (Index i = 0; i < set_.documents.size(); ++i) {
      copy_counts(i, vector);
      // A value without a logarithm is reported where the document is weighted.
      if (!weighted_values(features, set_.idf, vector, values)) return;
      survey.add(vector.ids, values);
    }
    if (automatic && !survey.needs_scaling()) return;
    set_.scaling = automatic ? Scaling::kDeviation : options_.scaling;
    set_.scale = survey.scale(set_.scaling, set_.bias);
  }

  std::vector<InputFile> files_;
  const DataOptions& options_;
  ReaderOptions reader_options_;
  int threads_;
  std::vector<std::string> names_;  // of the files
  ClassifyData set_;
  Vocabulary all_;
  std::map<std::string, Label> label_numbers_;  // in the order of bytes
  std::vector<std::uint64_t> frequency_;        // number of documents with each feature
  std::vector<FeatureScanner> scanners_;
  FeatureVector counts_;
  std::vector<std::pair<Index, Index>> places_;  // file and line of each document
};

}  // namespace

void Vocabulary::add(std::uint64_t fingerprint, std::string_view name) {
  table_.insert(fingerprint);
  names_ += name;
  name_ends_.push_back(names_.size());
}

void Documents::add(const FeatureVector& vector, Label label) {
  ids.insert(ids.end(), vector.ids.begin(), vector.ids.end());
  values.insert(values.end(), vector.values.begin(), vector.values.end());
  begin.push_back(ids.size());
  labels.push_back(label);
}

std::uint64_t Documents::digest() const {
  return digest_of(labels, digest_of(values, digest_of(ids, digest_of(begin, 0))));
}

ClassifyData read_training_set(std::vector<InputFile> files, const DataOptions& options,
                               int threads) {
  if (files.empty()) throw UsageError("expected a file to learn from");
  if (options.ngrams < 1 || options.ngrams > FeatureOptions::kMaxNgrams) {
    throw UsageError(fmt::format("n-grams have 1 to {} words, not {}", FeatureOptions::kMaxNgrams,
                                 options.ngrams));
  }
  return CountReader(std::move(files), options, threads).read();
}

HeldOutSet read_held_out(InputFile file, const ClassifyData& train) {
  ReaderOptions reader;
  reader.format = train.features.format;
  if (reader.format == InputFormat::kText) reader.columns = train.columns;
  const std::vector<std::string>& labels = train.labels;
  const Vectorizer vectorizer = train.vectorizer();
  HeldOutSet held_out;
  ExampleReader examples(std::move(file), reader);
  Vectorizer::Scratch scratch(vectorizer.options());
  std::set<std::string> unseen;
  Example example;
  while (examples.read(example)) {
    vectorizer.vectorize(example, examples.name(), scratch);
    const auto found = std::lower_bound(labels.begin(), labels.end(), example.label);
    const bool known = found != labels.end() && *found == example.label;
    if (!known) unseen.insert(example.label);
    held_out.documents.add(scratch.vector,
                           known ? static_cast<Label>(found - labels.begin()) : kNoLabel);
  }
  if (held_out.documents.size() == 0) {
    throw InputError(examples.name(), 0, "expected examples to evaluate on, found none");
  }
  held_out.unseen_labels.assign(unseen.begin(), unseen.end());
  return held_out;
}

}  // namespace trellis::classify
