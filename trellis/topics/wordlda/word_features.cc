#include "trellis/topics/wordlda/word_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/topics/corpus/word_lines.h"

namespace trellis::topics {
namespace {

bool by_feature(const WordFeatures::Value& a, const WordFeatures::Value& b) {
  return a.feature < b.feature;
}

// The lines of a file of features, as rows.
class WordFeatureReader {
 public:
  WordFeatureReader(InputFile file, WordFinder& words)
      : lines_(std::move(file)), words_(words), rows_(words.vocabulary().size()) {}

  ReadWordFeatures read() {
    for (std::string_view line; lines_.read(line);) read_line(line);
    tally_.lines = lines_.num_read();
    std::vector<std::uint64_t> begin = {0};
    std::vector<WordFeatures::Value> values;
    for (const std::vector<WordFeatures::Value>& row : rows_) {
      values.insert(values.end(), row.begin(), row.end());
      begin.push_back(values.size());
    }
    return {WordFeatures(std::move(begin), std::move(values), std::move(names_)), tally_};
  }

 private:
  void read_line(std::string_view line) {
    split(line, '\t', fields_);
    if (fields_.size() != 2 || trim(fields_[0]).empty() || trim(fields_[1]).empty()) {
      lines_.refuse("expected a word, a tab, and features separated by blanks, found", line);
    }
    const FoundWord found = words_.find(fields_[0]);
    if (!found.is_word()) {
      ++tally_.outside;
      return;
    }
    std::vector<WordFeatures::Value>& row = rows_[found.word];
    if (!row.empty()) lines_.refuse("expected each word once, found another line of", fields_[0]);
    split_columns(fields_[1], features_);
    for (const std::string_view feature : features_) row.push_back(parse_feature(feature));
    std::sort(row.begin(), row.end(), by_feature);
    const auto twice = std::adjacent_find(row.begin(), row.end(), [](const auto& a, const auto& b) {
      return a.feature == b.feature;
    });
    if (twice != row.end()) {
      lines_.refuse("expected each feature of a word once, found another", names_[twice->feature]);
    }
  }

  WordFeatures::Value parse_feature(std::string_view text) {
    const Index colon = text.rfind(':');
    if (colon == std::string_view::npos) return {names_.add(text), 1.0F};
    const std::optional<double> number = parse_double(text.substr(colon + 1));
    const auto value = static_cast<float>(number.value_or(kInfinity));
    if (colon == 0 || !std::isfinite(value)) {
      lines_.refuse("expected a feature's name, or a name, a colon and a finite number, found",
                    text);
    }
    return {names_.add(text.substr(0, colon)), value};
  }

  WordLines lines_;
  WordFinder& words_;
  std::vector<std::vector<WordFeatures::Value>> rows_;
  NameList names_;
  WordFeatureTally tally_;
  std::vector<std::string_view> fields_;
  std::vector<std::string_view> features_;
};

}  // namespace

WordFeatures::WordFeatures(Index num_words) : begin_(num_words + 1) {}

WordFeatures::WordFeatures(std::vector<std::uint64_t> begin, std::vector<Value> values,
                           NameList names)
    : begin_(std::move(begin)), values_(std::move(values)), names_(std::move(names)) {
  if (begin_.empty() || begin_.front() != 0 || begin_.back() != values_.size() ||
      !std::is_sorted(begin_.begin(), begin_.end())) {
    throw UsageError("the rows of words' features must follow one another");
  }
  for (Index word = 0; word < num_words(); ++word) {
    const std::span<const Value> row = (*this)[word];
    for (Index i = 0; i < row.size(); ++i) {
      if (row[i].feature >= names_.size() || (i > 0 && row[i - 1].feature >= row[i].feature)) {
        throw UsageError(fmt::format("the features of word {} must be ascending and below {}", word,
                                     names_.size()));
      }
      if (!std::isfinite(row[i].value)) {
        throw UsageError(fmt::format("the features of word {} must be finite", word));
      }
    }
  }
}

ReadWordFeatures read_word_features(InputFile file, WordFinder& words) {
  return WordFeatureReader(std::move(file), words).read();
}

}  // namespace trellis::topics
