#include "trellis/topics/coherence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/base/error.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis::topics {
namespace {

// Windows [begin, end), numbered over the whole corpus.
struct Stretch {
  std::uint64_t begin;
  std::uint64_t end;
};

// The windows of the corpus in which words of interest occur.
class WindowIndex {
 public:
  WindowIndex(Index num_words, std::span<const std::vector<std::uint32_t>> topics)
      : place_(num_words, kOfNoInterest) {
    for (const std::vector<std::uint32_t>& topic : topics) {
      for (const std::uint32_t word : topic) {
        if (place_[word] != kOfNoInterest) continue;
        place_[word] = static_cast<std::uint32_t>(stretches_.size());
        stretches_.emplace_back();
      }
    }
    inside_.resize(stretches_.size());
  }

  // Slides a window of at most `width` words over the document. `forgetful`: as gensim does.
  void add(std::span<const std::uint32_t> document, Index width, bool forgetful) {
    const Index first = std::min(width, document.size());
    for (const std::uint32_t word : document.first(first)) enter(word);
    ++num_windows_;
    for (Index next = first; next < document.size(); ++next) {
      leave(document[next - width], forgetful);
      enter(document[next]);
      ++num_windows_;
    }
    // The next document begins with nothing inside.
    for (const std::uint32_t word : document.last(first)) leave(word, true);
  }

  std::uint64_t num_windows() const { return num_windows_; }
  std::uint64_t count(std::uint32_t word) const {
    std::uint64_t windows = 0;
    for (const Stretch& stretch : of(word)) windows += stretch.end - stretch.begin;
    return windows;
  }
  std::uint64_t count_together(std::uint32_t a, std::uint32_t b) const {
    const std::vector<Stretch>& left = of(a);
    const std::vector<Stretch>& right = of(b);
    std::uint64_t windows = 0;
    for (Index i = 0, j = 0; i < left.size() && j < right.size();) {
      const std::uint64_t begin = std::max(left[i].begin, right[j].begin);
      const std::uint64_t end = std::min(left[i].end, right[j].end);
      if (begin < end) windows += end - begin;
      ++(left[i].end < right[j].end ? i : j);
    }
    return windows;
  }

 private:
  static constexpr std::uint32_t kOfNoInterest = ~std::uint32_t{0};

  const std::vector<Stretch>& of(std::uint32_t word) const { return stretches_[place_[word]]; }

  // The window that is numbered num_windows_ has the word.
  void enter(std::uint32_t word) {
    const std::uint32_t place = place_[word];
    if (place == kOfNoInterest || inside_[place]++ > 0) return;
    std::vector<Stretch>& stretches = stretches_[place];
    if (!stretches.empty() && stretches.back().end == num_windows_) return;  // it had just left
    stretches.push_back({num_windows_, kOpen});
  }
  // … has it no more.
  void leave(std::uint32_t word, bool forgetful) {
    const std::uint32_t place = place_[word];
    if (place == kOfNoInterest || inside_[place] == 0) return;
    inside_[place] = forgetful ? 0 : inside_[place] - 1;
    if (inside_[place] == 0) stretches_[place].back().end = num_windows_;
  }

  static constexpr std::uint64_t kOpen = std::numeric_limits<std::uint64_t>::max();

  std::vector<std::uint32_t> place_;             // of a word among those of interest
  std::vector<std::vector<Stretch>> stretches_;  // of these
  std::vector<Index> inside_;                    // how many of them the window has
  std::uint64_t num_windows_ = 0;
};

// The value of a pair from the shares of windows.
struct PairFormula {
  CoherenceMeasure measure;
  bool tomotopy;
  double epsilon;

  // P(a), P(b), P(a,b), a after b.
  double operator()(double a, double b, double both, bool same_word) const {
    if (measure == CoherenceMeasure::kUMass) return umass(b, both, same_word);
    if (tomotopy && same_word && measure == CoherenceMeasure::kNpmi) return 1;
    const double information = portable_log((both + epsilon) / (a * b + (tomotopy ? epsilon : 0)));
    if (measure == CoherenceMeasure::kUci) return information;
    return information / -portable_log(both + epsilon);
  }

 private:
  double umass(double b, double both, bool same_word) const {
    if (!tomotopy) return portable_log((both + epsilon) / b);
    return same_word ? 0 : portable_log(both / (b + epsilon) + epsilon);
  }
};

void check_coherence_options(const CoherenceOptions& options) {
  if (!(options.epsilon > 0) || !std::isfinite(options.epsilon)) {
    throw UsageError("the epsilon of coherence must be positive and finite");
  }
  if (options.window == 0) return;
  if (options.measure == CoherenceMeasure::kUMass) {
    throw UsageError("umass counts documents: it has no window");
  }
  if (options.convention == CoherenceConvention::kTomotopy) {
    throw UsageError("tomotopy's coherence is over documents here: it has no window");
  }
}

void check_topics(const Documents& documents, std::span<const std::vector<std::uint32_t>> topics) {
  for (const std::vector<std::uint32_t>& topic : topics) {
    for (const std::uint32_t word : topic) {
      if (word < documents.num_words) continue;
      throw UsageError(
          fmt::format("a topic has the word {}, the corpus has {}", word, documents.num_words));
    }
  }
}

double topic_coherence(const WindowIndex& index, const std::vector<std::uint32_t>& topic,
                       const PairFormula& value) {
  const auto num_windows = static_cast<double>(index.num_windows());
  std::vector<std::uint32_t> words;
  std::vector<double> shares;
  for (const std::uint32_t word : topic) {
    const std::uint64_t count = index.count(word);
    if (count == 0) continue;
    words.push_back(word);
    shares.push_back(static_cast<double>(count) / num_windows);
  }
  double sum = 0;
  for (Index a = 1; a < words.size(); ++a) {
    for (Index b = 0; b < a; ++b) {
      const auto together = static_cast<double>(index.count_together(words[a], words[b]));
      sum += value(shares[a], shares[b], together / num_windows, words[a] == words[b]);
    }
  }
  if (words.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  return sum / (static_cast<double>(words.size()) * static_cast<double>(words.size() - 1) / 2);
}

}  // namespace

std::vector<double> coherence(const Documents& documents,
                              std::span<const std::vector<std::uint32_t>> topics,
                              const CoherenceOptions& options) {
  check_coherence_options(options);
  check_topics(documents, topics);
  const Index whole = std::numeric_limits<Index>::max();
  const Index width = options.window == 0 ? whole : options.window;
  const bool forgetful = options.convention == CoherenceConvention::kGensim;
  WindowIndex index(documents.num_words, topics);
  for (Index d = 0; d < documents.size(); ++d) index.add(documents[d], width, forgetful);
  const PairFormula value{options.measure, options.convention == CoherenceConvention::kTomotopy,
                          options.epsilon};
  std::vector<double> values;
  for (const std::vector<std::uint32_t>& topic : topics) {
    values.push_back(topic_coherence(index, topic, value));
  }
  return values;
}

double mean_coherence(std::span<const double> topics) {
  double sum = 0;
  Index count = 0;
  for (const double value : topics) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace trellis::topics
