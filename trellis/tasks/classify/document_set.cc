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

// Reads files in batches: a batch is scanned in parallel and numbered in the order of the file.
class CountReader {
 public:
  explicit CountReader(const TrainingSetOptions& options)
      : options_(options), reader_options_(options.reader) {}

  TrainingSet read() {
    for (Index f = 0; f < options_.files.size(); ++f) read_file(f);
    if (set_.documents.size() == 0) {
      throw InputError(options_.files.front(), 0, "there is no example to learn from");
    }
    sort_labels();
    choose_features();
    return std::move(set_);
  }

 private:
  void read_file(Index f) {
    ExampleReader reader(InputFile(options_.files[f]), reader_options_);
    std::vector<Example> batch(kBatch);
    Index count = 0;
    do {
      count = 0;
      while (count < kBatch && reader.read(batch[count])) ++count;
      if (count == 0) break;
      if (scanners_.empty()) accept_format(reader);
      parallel_for(count, options_.threads, [&](Index i, int) { scanners_[i].scan(batch[i]); });
      for (Index i = 0; i < count; ++i) add(batch[i], scanners_[i], f);
    } while (count == kBatch);
  }

  // Further files have the format and the columns of the first.
  void accept_format(const ExampleReader& reader) {
    set_.format = *reader.format();
    reader_options_.format = set_.format;
    if (set_.format == InputFormat::kText) {
      set_.columns = *reader.columns();
      reader_options_.columns = set_.columns;
    }
    FeatureOptions features;
    features.format = set_.format;
    features.lowercase = options_.lowercase;
    features.ngrams = options_.ngrams;
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
    set_.places.push_back({static_cast<std::uint32_t>(file), example.line});
  }

  void sort_labels() {
    std::vector<Label> sorted(label_numbers_.size());
    for (const auto& [name, number] : label_numbers_) {
      sorted[static_cast<Index>(number)] = static_cast<Label>(set_.labels.size());
      set_.labels.push_back(name);
    }
    for (Label& label : set_.documents.labels) label = sorted[static_cast<Index>(label)];
    if (set_.labels.size() > 1) return;
    throw InputError(options_.files.front(), 0, "expected two labels at least, found only",
                     set_.labels.front());
  }

  // Keeps the features of enough documents, and numbers them anew.
  void choose_features() {
    std::vector<std::uint64_t> frequency(all_.size(), 0);
    for (const AttributeId a : set_.documents.ids) ++frequency[a];
    if (options_.bias) {
      set_.bias = static_cast<AttributeId>(set_.vocabulary.size());
      set_.vocabulary.add(fingerprint(kBiasName), kBiasName);
      set_.document_frequency.push_back(set_.documents.size());
    }
    const std::vector<std::uint64_t> prints = all_.table().fingerprints();
    std::vector<AttributeId> new_ids(all_.size(), kNoAttribute);
    for (AttributeId a = 0; a < all_.size(); ++a) {
      if (frequency[a] < options_.min_count) continue;
      new_ids[a] = static_cast<AttributeId>(set_.vocabulary.size());
      set_.vocabulary.add(prints[a], all_.name(a));
      set_.document_frequency.push_back(frequency[a]);
    }
    if (set_.vocabulary.size() == 0) {
      throw InputError(options_.files.front(), 0, "no feature occurs in enough documents");
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

  const TrainingSetOptions& options_;
  ReaderOptions reader_options_;
  TrainingSet set_;
  Vocabulary all_;
  std::map<std::string, Label> label_numbers_;  // in the order of the bytes
  std::vector<FeatureScanner> scanners_;
  FeatureVector counts_;
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

TrainingSet read_training_set(const TrainingSetOptions& options) {
  return CountReader(options).read();
}

void weigh_documents(const FeatureOptions& features, const std::vector<std::string>& files,
                     TrainingSet& set) {
  if (uses_idf(features.weighting)) {
    for (const std::uint64_t df : set.document_frequency) {
      set.idf.push_back(inverse_document_frequency(set.documents.size(), df));
    }
  }
  Documents weighed;
  FeatureVector vector;
  for (Index i = 0; i < set.documents.size(); ++i) {
    const auto ids = set.documents.attributes(i);
    const auto counts = set.documents.of(i);
    vector.ids.assign(ids.begin(), ids.end());
    vector.values.assign(counts.begin(), counts.end());
    if (!weigh(features, set.idf, set.bias, vector)) {
      throw_no_logarithm(files[set.places[i].file], set.places[i].line, features.weighting);
    }
    weighed.add(vector, set.documents.labels[i]);
  }
  set.documents = std::move(weighed);
}

HeldOutSet read_held_out(const std::string& file, const ReaderOptions& reader,
                         const Vectorizer& vectorizer, const std::vector<std::string>& labels) {
  HeldOutSet held_out;
  ExampleReader examples(InputFile(file), reader);
  Vectorizer::Scratch scratch(vectorizer.options());
  std::set<std::string> unseen;
  Example example;
  while (examples.read(example)) {
    vectorizer.vectorize(example, file, scratch);
    const auto found = std::lower_bound(labels.begin(), labels.end(), example.label);
    const bool known = found != labels.end() && *found == example.label;
    if (!known) unseen.insert(example.label);
    held_out.documents.add(scratch.vector,
                           known ? static_cast<Label>(found - labels.begin()) : kNoLabel);
  }
  if (held_out.documents.size() == 0) {
    throw InputError(file, 0, "there is no example to evaluate on");
  }
  held_out.unseen_labels.assign(unseen.begin(), unseen.end());
  return held_out;
}

}  // namespace trellis::classify
