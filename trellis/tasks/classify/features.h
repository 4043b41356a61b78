// From an example to the vector that is classified.
//
//   words (n-grams) or indices  →  counts  →  weighting  →  columns of one scale  →  length 1  →
//   a constant 1 (bias)
//
// Weightings of a feature that occurs c times in the document, n documents of the training set, df
// of which have it (Salton & Buckley 1988):
//
//   binary  1        count  c        log  1 + ln c        idf = 1 + ln (1 + n)/(1 + df)
//   tfidf   c · idf                  log-tfidf  (1 + ln c) · idf
//
// so that tfidf is what scikit-learn calls so, and log-tfidf what it calls sublinear. The idf is
// part of the model, and so is the scale of the columns (column_scale.h). Features that training
// has not seen are left out before the length is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/examples/example.h"
#include "trellis/problem/chain/attribute_rows.h"
#include "trellis/tasks/classify/column_scale.h"

namespace trellis::classify {

enum class Weighting { kBinary, kCount, kLog, kTfidf, kLogTfidf };
constexpr auto names_of(Weighting) {
  return Names{"weighting", "binary", "count", "log", "tfidf", "log-tfidf"};
}
bool uses_idf(Weighting weighting);

struct FeatureOptions {
  static constexpr Index kMaxNgrams = 8;

  InputFormat format = InputFormat::kText;
  bool lowercase = true;  // text
  Index ngrams = 1;       // text: up to so many words in a row, 1 … kMaxNgrams
  Weighting weighting = Weighting::kLogTfidf;
  bool normalize = true;  // to Euclidean length 1, but for the bias
  bool bias = true;
};

// The name of the constant feature. No word has parentheses, and no index.
inline constexpr std::string_view kBiasName = "(bias)";

// The features that occur in an example, by fingerprint. Text repeats what occurs twice.
class FeatureScanner {
 public:
  explicit FeatureScanner(const FeatureOptions& options) : options_(options) {}

  void scan(const Example& example);

  Index size() const { return fingerprints_.size(); }
  std::uint64_t fingerprint(Index k) const { return fingerprints_[k]; }
  float count(Index k) const { return counts_.empty() ? 1.0F : counts_[k]; }
  std::string name(Index k) const;  // the words, or the index

 private:
  void scan_text(std::string_view text);

  FeatureOptions options_;
  std::string lower_;
  std::string_view text_;
  std::vector<std::string_view> words_;
  std::vector<std::uint64_t> word_prints_;
  std::vector<std::uint64_t> fingerprints_;
  std::vector<float> counts_;
  std::vector<std::uint32_t> indices_;
};

// A sparse vector of attributes, ascending.
struct FeatureVector {
  std::vector<AttributeId> ids;
  std::vector<float> values;
};

// Sorts by attribute and adds up what is there twice.
void merge_counts(FeatureVector& counts);

// The weighting alone: a value for each count of the vector. `idf` has an entry for each attribute,
// or none. Returns false where the weighting does not know what to do with a count: log of less
// than 1.
bool weighted_values(const FeatureOptions& options, std::span<const double> idf,
                     const FeatureVector& vector, std::vector<double>& values);

// From counts to the vector that is classified; false as above. Attribute `bias`, if it is one (not
// kNoAttribute), is put in its place with the value 1.
bool weigh(const FeatureOptions& options, std::span<const double> idf, const ColumnScale& scale,
           AttributeId bias, FeatureVector& vector);

// 1 + ln (1 + n)/(1 + df)
double inverse_document_frequency(Index n, std::uint64_t df);

// An example as the vector that a model with a fixed vocabulary sees. Used alike for held-out data
// and for prediction, so that both see the same bits.
class Vectorizer {
 public:
  struct Scratch {
    explicit Scratch(const FeatureOptions& options) : scanner(options) {}
    FeatureScanner scanner;
    FeatureVector vector;
  };

  // What is viewed must outlive the object. `idf` is empty where the weighting has none.
  Vectorizer(const FeatureOptions& options, FingerprintView vocabulary, std::span<const double> idf,
             const ColumnScale& scale, AttributeId bias)
      : options_(options), vocabulary_(vocabulary), idf_(idf), scale_(&scale), bias_(bias) {}

  const FeatureOptions& options() const { return options_; }
  // Leaves the result in scratch.vector. `file` stands in messages; throws InputError where the
  // weighting cannot take a value.
  void vectorize(const Example& example, const std::string& file, Scratch& scratch) const;

 private:
  FeatureOptions options_;
  FingerprintView vocabulary_;
  std::span<const double> idf_;
  const ColumnScale* scale_;
  AttributeId bias_;
};

// For a value below 1 where the weighting takes logarithms.
[[noreturn]] void throw_no_logarithm(const std::string& file, Index line, Weighting weighting);

}  // namespace trellis::classify
