// Labelled files as vectors: the training set, which defines the vocabulary, and held-out sets,
// which use it unchanged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/examples/example_reader.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/tasks/classify/column_scale.h"
#include "trellis/tasks/classify/features.h"

namespace trellis::classify {

// Features numbered 0 … n−1, with their names.
class Vocabulary {
 public:
  Index size() const { return table_.size(); }
  AttributeId find(std::uint64_t fingerprint) const { return table_.find(fingerprint); }
  // The feature must be new.
  void add(std::uint64_t fingerprint, std::string_view name);
  // The number of the feature; a new feature gets a number, and name() is called for its text.
  template <class Name>
  AttributeId intern(std::uint64_t fingerprint, const Name& name) {
    const AttributeId id = table_.find(fingerprint);
    if (id != kNoAttribute) return id;
    add(fingerprint, name());
    return static_cast<AttributeId>(size() - 1);
  }
  std::string_view name(AttributeId id) const {
    return std::string_view(names_).substr(name_ends_[id], name_ends_[id + 1] - name_ends_[id]);
  }
  const FingerprintTable& table() const { return table_; }
  std::span<const char> names() const { return names_; }
  std::span<const std::uint64_t> name_ends() const { return name_ends_; }

 private:
  FingerprintTable table_;
  std::string names_;
  std::vector<std::uint64_t> name_ends_ = {0};
};

// Sparse vectors one after another; labels unknown to the training set are kNoLabel.
struct Documents {
  std::vector<std::uint64_t> begin = {0};
  std::vector<AttributeId> ids;
  std::vector<float> values;
  std::vector<Label> labels;

  Index size() const { return labels.size(); }
  std::span<const AttributeId> attributes(Index i) const {
    return std::span(ids).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  std::span<const float> of(Index i) const {
    return std::span(values).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  void add(const FeatureVector& vector, Label label);
  std::uint64_t digest() const;  // of the whole content
};

// Options for turning files into vectors.
struct DataOptions {
  ReaderOptions reader;
  bool lowercase = true;
  Index ngrams = 1;
  std::uint64_t min_count = 1;  // features in fewer documents are dropped
  bool bias = true;
  // Default: log-tfidf and length 1 for text, unchanged values for LIBSVM.
  std::optional<Weighting> weighting;
  std::optional<bool> normalize;
  Scaling scaling = Scaling::kAuto;
  bool counts = false;  // default for text, too: unchanged counts
};

// The training set in memory.
struct ClassifyData {
  FeatureOptions features;
  std::uint64_t min_count = 1;
  TextColumns columns;              // for text
  std::vector<std::string> labels;  // in the order of bytes
  Vocabulary vocabulary;            // the bias first, if there is one
  AttributeId bias = kNoAttribute;
  std::vector<double> idf;  // empty unless the weighting uses it
  ColumnScale scale;
  Scaling scaling = Scaling::kNone;  // result of the choice: none, range or deviation
  Documents documents;
  struct Place {
    std::string file;
    Index line;
  };
  std::optional<Place> below_zero;  // the first document with a value below 0

  Vectorizer vectorizer() const { return {features, vocabulary.table().view(), idf, scale, bias}; }
};

// Throws InputError for invalid files, also for a single label. The first file determines the
// format and the columns, unless the options do.
ClassifyData read_training_set(std::vector<InputFile> files, const DataOptions& options,
                               int threads = 1);

// A labelled file as seen by a model of the training set.
struct HeldOutSet {
  Documents documents;
  std::vector<std::string> unseen_labels;  // in the file, unknown to training
};
HeldOutSet read_held_out(InputFile file, const ClassifyData& train);

}  // namespace trellis::classify
