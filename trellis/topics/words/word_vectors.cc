#include "trellis/topics/words/word_vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/data/name_list.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/corpus/source_text.h"
#include "trellis/topics/embedding/neighbours.h"
#include "trellis/topics/words/strongest_links.h"

namespace trellis::topics {
namespace {

constexpr std::string_view kFieldEnds = " \t";

// Takes the next field off the text, which has no blanks in front.
std::string_view take_field(std::string_view& text) {
  const std::string_view field = text.substr(0, text.find_first_of(kFieldEnds));
  text.remove_prefix(field.size());
  text.remove_prefix(std::min(text.find_first_not_of(kFieldEnds), text.size()));
  return field;
}

Index count_fields(std::string_view text) {
  Index count = 0;
  for (; !text.empty(); ++count) take_field(text);
  return count;
}

class WordVectorReader {
 public:
  WordVectorReader(InputFile file, WordFinder& words)
      : file_(std::move(file)), words_(words), rows_(words.vocabulary().size(), kNoRow) {}

  WordVectors read() {
    bool first = true;
    for (std::string_view line; file_.read_line(line);) {
      line = trim(line);
      if (line.empty()) continue;
      if (!first || !read_header(line)) read_vector(line);
      first = false;
    }
    if (num_words_ && *num_words_ != vectors_.tally.lines) {
      throw InputError(
          file_.name(), 0,
          fmt::format("expected vectors of {} words, as declared in the first line, found {}",
                      *num_words_, vectors_.tally.lines));
    }
    return std::move(vectors_);
  }

 private:
  static constexpr std::uint32_t kNoRow = NameList::kNone;

  // False if the line is not a header.
  bool read_header(std::string_view line) {
    if (count_fields(line) != 2) return false;
    std::string_view rest = line;
    const std::optional<long long> words = parse_integer(take_field(rest));
    const std::optional<long long> dimensions = parse_integer(rest);
    if (!words || !dimensions) return false;
    if (*words < 0 || *dimensions < 1) {
      refuse("expected the number of words and the number of values per word, found", line);
    }
    num_words_ = static_cast<Index>(*words);
    vectors_.dimensions = static_cast<Index>(*dimensions);
    return true;
  }

  void read_vector(std::string_view line) {
    std::string_view values = line;
    const std::string_view word = take_field(values);
    require_utf8(word, file_.name(), file_.line_number());
    const Index count = count_fields(values);
    if (vectors_.dimensions == 0) vectors_.dimensions = count;
    if (count == 0 || count != vectors_.dimensions) {
      refuse(fmt::format("expected a word and {} values separated by blanks, found {} values after",
                         std::max<Index>(vectors_.dimensions, 1), count),
             word);
    }
    ++vectors_.tally.lines;
    const FoundWord found = words_.find(word);
    vectors_.tally.count(found.kind);
    if (!found.is_word()) return;
    const bool exact = words_.vocabulary()[found.word] == word;
    const std::uint32_t row = rows_[found.word];
    if (row != kNoRow && (!exact || exact_[row])) {
      if (exact) refuse("expected each word once, found another line of", word);
      return;
    }
    parse_values(values);
    store(found.word, exact);
  }

  void parse_values(std::string_view fields) {
    row_values_.clear();
    while (!fields.empty()) {
      const std::string_view field = take_field(fields);
      const std::optional<double> number = parse_double(field);
      const auto value = static_cast<float>(number.value_or(kInfinity));
      if (!std::isfinite(value)) refuse("expected a value, a finite number, found", field);
      row_values_.push_back(static_cast<double>(value));
    }
    const double norm = std::sqrt(squared_norm(row_values_));
    if (!(norm > 0)) refuse("expected a non-zero value, found", "0");
    for (double& value : row_values_) value /= norm;
  }

  void store(std::uint32_t word, bool exact) {
    if (rows_[word] == kNoRow) {
      rows_[word] = static_cast<std::uint32_t>(vectors_.words.size());
      vectors_.words.push_back(word);
      exact_.push_back(false);
      vectors_.values.resize(vectors_.values.size() + vectors_.dimensions);
    }
    const std::uint32_t row = rows_[word];
    exact_[row] = exact;
    std::transform(row_values_.begin(), row_values_.end(),
                   vectors_.values.begin() + static_cast<std::ptrdiff_t>(row * vectors_.dimensions),
                   [](double value) { return static_cast<float>(value); });
  }

  [[noreturn]] void refuse(std::string_view message, std::string_view token) const {
    throw InputError(file_.name(), file_.line_number(), message, token);
  }

  InputFile file_;
  WordFinder& words_;
  WordVectors vectors_;
  std::optional<Index> num_words_;   // that the first line speaks of
  std::vector<std::uint32_t> rows_;  // of words of the vocabulary
  std::vector<bool> exact_;          // whether a row is of the vocabulary's own spelling
  std::vector<double> row_values_;
};

}  // namespace

void EmbeddingOptions::check() const {
  check_nearest(neighbours, min_cosine);
  require_edge_weight(weight);
}

WordVectors read_word_vectors(InputFile file, WordFinder& words) {
  return WordVectorReader(std::move(file), words).read();
}

LinkTally add_embedding_links(const WordVectors& vectors, const EmbeddingOptions& options,
                              int threads, WordGraphBuilder& graph) {
  options.check();
  LinkTally tally = vectors.tally;
  const Index n = vectors.words.size();
  if (n < 2) return tally;
  const Neighbours nearest = nearest_neighbours(vectors.values, vectors.dimensions,
                                                std::min(options.neighbours, n - 1), threads);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < nearest.per_point; ++j) {
      // For vectors of length 1: ‖x − y‖² = 2 − 2 cos.
      const double cosine = 1 - static_cast<double>(nearest.distances_of(i)[j]) / 2;
      if (cosine < options.min_cosine) break;  // the nearest come first
      graph.add(vectors.words[i], vectors.words[nearest.ids_of(i)[j]],
                options.weight * static_cast<float>(cosine));
      ++tally.links;
    }
  }
  return tally;
}

}  // namespace trellis::topics
