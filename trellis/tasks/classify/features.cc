#include "trellis/tasks/classify/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/base/words.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::classify {
namespace {

// Seeds that separate n-grams of words from indices.
constexpr std::uint64_t kIndexSeed = 0x696E646578;

double weighted(Weighting weighting, double count) {
  switch (weighting) {
    case Weighting::kBinary:
      return 1;
    case Weighting::kCount:
    case Weighting::kTfidf:
      return count;
    case Weighting::kLog:
    case Weighting::kLogTfidf:
      return count == 1 ? 1 : 1 + portable_log(count);
  }
  return count;
}

}  // namespace

bool uses_idf(Weighting weighting) {
  return weighting == Weighting::kTfidf || weighting == Weighting::kLogTfidf;
}

void FeatureScanner::scan(const Example& example) {
  fingerprints_.clear();
  counts_.clear();
  indices_.clear();
  if (options_.format == InputFormat::kText) return scan_text(example.text);
  for (const IndexedValue& entry : example.values) {
    fingerprints_.push_back(combine(kIndexSeed, entry.index));
    counts_.push_back(entry.value);
    indices_.push_back(entry.index);
  }
}

void FeatureScanner::scan_text(std::string_view text) {
  text_ = text;
  if (options_.lowercase) {
    to_lower(text, lower_);
    text_ = lower_;
  }
  words_.clear();
  split_words(text_, words_);
  word_prints_.clear();
  for (const std::string_view word : words_) word_prints_.push_back(trellis::fingerprint(word));
  // Position k is the n-gram of length n that begins at word i: all words first, then all pairs, …
  fingerprints_ = word_prints_;
  std::vector<std::uint64_t> grams = word_prints_;
  for (Index n = 2; n <= options_.ngrams && n <= words_.size(); ++n) {
    for (Index i = 0; i + n <= words_.size(); ++i) {
      grams[i] = combine(grams[i], word_prints_[i + n - 1]);
      fingerprints_.push_back(grams[i]);
    }
  }
}

std::string FeatureScanner::name(Index k) const {
  if (options_.format == InputFormat::kLibsvm) return std::to_string(indices_[k]);
  Index n = 1;
  Index first = k;
  while (first + n > words_.size()) {
    first -= words_.size() - n + 1;
    ++n;
  }
  std::string text(words_[first]);
  for (Index i = first + 1; i < first + n; ++i) text.append(" ").append(words_[i]);
  return text;
}

void merge_counts(FeatureVector& counts) {
  std::vector<std::pair<AttributeId, float>> entries;
  entries.reserve(counts.ids.size());
  for (Index k = 0; k < counts.ids.size(); ++k)
    entries.emplace_back(counts.ids[k], counts.values[k]);
  std::sort(entries.begin(), entries.end());
  counts.ids.clear();
  counts.values.clear();
  for (const auto& [id, count] : entries) {
    if (!counts.ids.empty() && counts.ids.back() == id) {
      counts.values.back() += count;
    } else {
      counts.ids.push_back(id);
      counts.values.push_back(count);
    }
  }
}

bool weighted_values(const FeatureOptions& options, std::span<const double> idf,
                     const FeatureVector& vector, std::vector<double>& values) {
  const bool logarithm =
      options.weighting == Weighting::kLog || options.weighting == Weighting::kLogTfidf;
  values.clear();
  for (Index k = 0; k < vector.ids.size(); ++k) {
    const double count = static_cast<double>(vector.values[k]);
    if (logarithm && count < 1) return false;
    values.push_back(weighted(options.weighting, count));
    if (!idf.empty()) values.back() *= idf[vector.ids[k]];
  }
  return true;
}

bool weigh(const FeatureOptions& options, std::span<const double> idf, const ColumnScale& scale,
           AttributeId bias, FeatureVector& vector) {
  std::vector<double> values;
  if (!weighted_values(options, idf, vector, values)) return false;
  scale.apply(vector.ids, values);
  const double length = options.normalize ? std::sqrt(squared_norm(values)) : 1;
  const double to_length = length > 0 ? 1 / length : 1;
  vector.values.resize(values.size());
  for (Index k = 0; k < values.size(); ++k) {
    vector.values[k] = static_cast<float>(values[k] * to_length);
  }
  if (bias != kNoAttribute) {
    const auto place = std::lower_bound(vector.ids.begin(), vector.ids.end(), bias);
    vector.values.insert(vector.values.begin() + (place - vector.ids.begin()), 1.0F);
    vector.ids.insert(place, bias);
  }
  return true;
}

double inverse_document_frequency(Index n, std::uint64_t df) {
  return 1 + portable_log((1 + static_cast<double>(n)) / (1 + static_cast<double>(df)));
}

void Vectorizer::vectorize(const Example& example, const std::string& file,
                           Scratch& scratch) const {
  FeatureScanner& scanner = scratch.scanner;
  FeatureVector& vector = scratch.vector;
  scanner.scan(example);
  vector.ids.clear();
  vector.values.clear();
  for (Index k = 0; k < scanner.size(); ++k) {
    const AttributeId id = vocabulary_.find(scanner.fingerprint(k));
    if (id == kNoAttribute || id == bias_) continue;
    vector.ids.push_back(id);
    vector.values.push_back(scanner.count(k));
  }
  merge_counts(vector);
  if (!weigh(options_, idf_, *scale_, bias_, vector)) {
    throw_no_logarithm(file, example.line, options_.weighting);
  }
}

void throw_no_logarithm(const std::string& file, Index line, Weighting weighting) {
  throw InputError(file, line,
                   fmt::format("expected counts of at least 1, since the weighting {} uses their "
                               "logarithm, found a smaller value",
                               to_string(weighting)));
}

}  // namespace trellis::classify
