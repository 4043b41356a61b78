// Labelled files as vectors: the training set, which chooses the vocabulary, and held-out sets,
// which take it as it is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/tasks/classify/example_reader.h"
#include "trellis/tasks/classify/features.h"
#include "trellis/tasks/classify/vectorizer.h"

namespace trellis::classify {

// Features numbered 0 … n−1, with their names.
class Vocabulary {
 public:
  Index size() const { return table_.size(); }
  AttributeId find(std::uint64_t fingerprint) const { return table_.find(fingerprint); }
  // The feature must be new.
  void add(std::uint64_t fingerprint, std::string_view name);
  // The number of the feature, given now if it is new; then name() is called for its text.
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

// Sparse vectors one after another; kNoLabel where the label is none of the training set's.
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
  std::uint64_t digest() const;  // of all that is in it
};

struct TrainingSetOptions {
  std::vector<std::string> files;
  ReaderOptions reader;
  bool lowercase = true;
  Index ngrams = 1;
  std::uint64_t min_count = 1;  // features in fewer documents are dropped
  bool bias = true;
  int threads = 1;
};

struct TrainingSet {
  InputFormat format = InputFormat::kText;
  TextColumns columns;
  std::vector<std::string> labels;  // sorted by their bytes
  Vocabulary vocabulary;            // the bias first, if there is one
  AttributeId bias = kNoAttribute;
  std::vector<std::uint64_t> document_frequency;
  std::vector<double> idf;  // empty unless the weighting has it
  Documents documents;      // counts, until weigh_documents()
  struct Place {
    std::uint32_t file;
    Index line;
  };
  std::vector<Place> places;  // of each document, for messages
};

// Counts, and the vocabulary. Throws InputError for what is wrong with the files; one label alone
// is.
TrainingSet read_training_set(const TrainingSetOptions& options);
// Turns counts into the vectors that are classified. To be called once.
void weigh_documents(const FeatureOptions& features, const std::vector<std::string>& files,
                     TrainingSet& set);

// A labelled file as a trained model sees it.
struct HeldOutSet {
  Documents documents;
  std::vector<std::string> unseen_labels;  // of the file, that training does not have
};
HeldOutSet read_held_out(const std::string& file, const ReaderOptions& reader,
                         const Vectorizer& vectorizer, const std::vector<std::string>& labels);

}  // namespace trellis::classify
