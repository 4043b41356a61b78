// An example as the vector that a model with a fixed vocabulary sees. Used alike for held-out data
// and for prediction, so that both see the same bits.
#pragma once

#include <span>
#include <string>

#include "trellis/data/fingerprint_table.h"
#include "trellis/tasks/classify/example.h"
#include "trellis/tasks/classify/features.h"

namespace trellis::classify {

class Vectorizer {
 public:
  struct Scratch {
    explicit Scratch(const FeatureOptions& options) : scanner(options) {}
    FeatureScanner scanner;
    FeatureVector vector;
  };

  // What is viewed must outlive the object. `idf` is empty where the weighting has none.
  Vectorizer(const FeatureOptions& options, FingerprintView vocabulary, std::span<const double> idf,
             AttributeId bias)
      : options_(options), vocabulary_(vocabulary), idf_(idf), bias_(bias) {}

  const FeatureOptions& options() const { return options_; }
  // Leaves the result in scratch.vector. `file` stands in messages; throws InputError where the
  // weighting cannot take a value.
  void vectorize(const Example& example, const std::string& file, Scratch& scratch) const;

 private:
  FeatureOptions options_;
  FingerprintView vocabulary_;
  std::span<const double> idf_;
  AttributeId bias_;
};

// For a value below 1 where the weighting takes logarithms.
[[noreturn]] void throw_no_logarithm(const std::string& file, Index line, Weighting weighting);

}  // namespace trellis::classify
