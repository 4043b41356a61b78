#include "trellis/topics/words/cooccurrence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/words/strongest_links.h"

namespace trellis::topics {
namespace {

// Which words a document has, each once, and which documents a word is in.
class Occurrences {
 public:
  explicit Occurrences(const Documents& documents) {
    constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
    if (documents.size() >= kNowhere) {
      throw UsageError(fmt::format("words are compared over fewer than {} documents", kNowhere));
    }
    std::vector<std::uint32_t> last(documents.num_words, kNowhere);  // document with the word
    document_begin_.resize(documents.num_words + 1);
    for (std::uint32_t d = 0; d < documents.size(); ++d) {
      for (const std::uint32_t word : documents[d]) {
        if (last[word] == d) continue;
        last[word] = d;
        words_.push_back(word);
        ++document_begin_[word + 1];
      }
      word_begin_.push_back(words_.size());
    }
    for (Index v = 0; v < documents.num_words; ++v) document_begin_[v + 1] += document_begin_[v];
    documents_.resize(words_.size());
    std::vector<std::uint64_t> next(document_begin_.begin(), document_begin_.end() - 1);
    for (std::uint32_t d = 0; d < documents.size(); ++d) {
      for (const std::uint32_t word : words_in(d)) documents_[next[word]++] = d;
    }
  }

  std::span<const std::uint32_t> words_in(Index document) const {
    return slice(words_, word_begin_, document);
  }
  std::span<const std::uint32_t> documents_with(Index word) const {
    return slice(documents_, document_begin_, word);
  }

 private:
  static std::span<const std::uint32_t> slice(const std::vector<std::uint32_t>& all,
                                              const std::vector<std::uint64_t>& begin, Index i) {
    return std::span(all).subspan(begin[i], begin[i + 1] - begin[i]);
  }

  std::vector<std::uint64_t> word_begin_ = {0};
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> document_begin_;
  std::vector<std::uint32_t> documents_;
};

// NPMI from numbers of documents, whose logarithms are looked up.
class MutualInformation {
 public:
  explicit MutualInformation(Index num_documents) : logs_(num_documents + 1) {
    for (Index n = 1; n <= num_documents; ++n) logs_[n] = portable_log(static_cast<double>(n));
  }

  // Requires 0 < together ≤ a, b, and not every document.
  double operator()(Index together, Index a, Index b) const {
    const double of_all = logs_.back();
    // The same bits for (a, b) as for (b, a).
    const double information = (logs_[together] + of_all) - (logs_[a] + logs_[b]);
    return std::min(1.0, information / (of_all - logs_[together]));
  }

 private:
  std::vector<double> logs_;
};

// How often one word occurs together with each of the others.
class TogetherCounts {
 public:
  explicit TogetherCounts(Index num_words) : counts_(num_words) {}

  // Calls put(other, documents) for the words that share a document with this one.
  template <class Put>
  void compute(const Occurrences& occurrences, std::uint32_t word, const Put& put) {
    others_.clear();
    for (const std::uint32_t document : occurrences.documents_with(word)) {
      for (const std::uint32_t other : occurrences.words_in(document)) {
        if (counts_[other]++ == 0) others_.push_back(other);
      }
    }
    for (const std::uint32_t other : others_) {
      if (other != word) put(other, counts_[other]);
      counts_[other] = 0;
    }
  }

 private:
  std::vector<std::uint32_t> counts_;  // 0 between calls
  std::vector<std::uint32_t> others_;
};

}  // namespace

void CooccurrenceOptions::check() const {
  check_nearest(neighbours, min_npmi);
  if (min_together == 0)
    throw UsageError("linked words must occur together in at least 1 document");
  require_edge_weight(weight);
}

LinkTally add_cooccurrence_links(const Documents& documents, const CooccurrenceOptions& options,
                                 int threads, WordGraphBuilder& graph) {
  options.check();
  require_same_vocabulary(documents.num_words, graph);
  const Occurrences occurrences(documents);
  const MutualInformation npmi(documents.size());
  const int workers = resolve_threads(threads);
  std::vector<TogetherCounts> counts(static_cast<Index>(workers),
                                     TogetherCounts(documents.num_words));
  const auto find = [&](std::uint32_t word, int worker, std::vector<WordGraph::Link>& found) {
    const Index with_word = occurrences.documents_with(word).size();
    if (with_word < options.min_together) return;
    counts[static_cast<Index>(worker)].compute(
        occurrences, word, [&](std::uint32_t other, Index together) {
          if (together < options.min_together || together == documents.size()) return;
          const double value = npmi(together, with_word, occurrences.documents_with(other).size());
          if (value < options.min_npmi) return;
          found.push_back({other, options.weight * static_cast<float>(value)});
        });
  };
  LinkTally tally;
  tally.links = add_strongest_links(options.neighbours, workers, find, graph);
  return tally;
}

}  // namespace trellis::topics
