// From an example to the vector for the classifier.
//
//   words (n-grams) or indices  →  counts  →  weighting  →  scaled columns  →  length 1  →
//   a constant 1 (bias)
//
// Weighting of a feature that occurs c times in a document and in df of the n training documents
// (Salton & Buckley 1988):
//
//   binary  1        count  c        log  1 + ln c        idf = 1 + ln (1 + n)/(1 + df)
//   tfidf   c · idf                  log-tfidf  (1 + ln c) · idf
//
// as in scikit-learn, where log-tfidf is called sublinear. The idf and the scale of the columns
// (column_scale.h) are part of the model. Features unknown to training are left out before the
// length is computed.
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
  Index ngrams = 1;       // text: maximum words in a row, 1 … kMaxNgrams
  Weighting weighting = Weighting::kLogTfidf;
  bool normalize = true;  // to Euclidean length 1, without the bias
  bool bias = true;
};

// The name of the constant feature. No word has parentheses, and no index has them.
inline constexpr std::string_view kBiasName = "(bias)";

// The features of an example, by fingerprint. Features of text repeat if they occur repeatedly.
class FeatureScanner {
 public:
  explicit FeatureScanner(const FeatureOptions& options) : options_(options) {}

  void scan(const Example& example);

  Index size() const { return fingerprints_.size(); }
  std::uint64_t fingerprint(Index k) const { return fingerprints_[k]; }
  float count(Index k) const { return counts_.empty() ? 1.0F : counts_[k]; }
  std::string name(Index k) const;  // words or index

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

// Sorts by attribute and sums repeated attributes.
void merge_counts(FeatureVector& counts);

// Applies only the weighting: one value for each count of the vector. `idf` has an entry for each
// attribute, or is empty. Returns false if the weighting does not accept a count: log of less than
// 1.
bool weighted_values(const FeatureOptions& options, std::span<const double> idf,
                     const FeatureVector& vector, std::vector<double>& values);

// From counts to the vector for the classifier; false as above. Inserts attribute `bias` with value
// 1, unless it is kNoAttribute.
bool weigh(const FeatureOptions& options, std::span<const double> idf, const ColumnScale& scale,
           AttributeId bias, FeatureVector& vector);

// 1 + ln (1 + n)/(1 + df)
double inverse_document_frequency(Index n, std::uint64_t df);

// Turns an example into the vector of a model with a fixed vocabulary. Held-out data and
// predictions both use it, so that both have the same bits.
class Vectorizer {
 public:
  struct Scratch {
    explicit Scratch(const FeatureOptions& options) : scanner(options) {}
    FeatureScanner scanner;
    FeatureVector vector;
  };

  // All views must outlive the object. `idf` is empty if the weighting has none.
  Vectorizer(const FeatureOptions& options, FingerprintView vocabulary, std::span<const double> idf,
             const ColumnScale& scale, AttributeId bias)
      : options_(options), vocabulary_(vocabulary), idf_(idf), scale_(&scale), bias_(bias) {}

  const FeatureOptions& options() const { return options_; }
  // Stores the result in scratch.vector. Messages name `file`; throws InputError if the weighting
  // does not accept a value.
  void vectorize(const Example& example, const std::string& file, Scratch& scratch) const;

 private:
  FeatureOptions options_;
  FingerprintView vocabulary_;
  std::span<const double> idf_;
  const ColumnScale* scale_;
  AttributeId bias_;
};

// The error for a value below 1 with a logarithmic weighting.
[[noreturn]] void throw_no_logarithm(const std::string& file, Index line, Weighting weighting);

}  // namespace trellis::classify
