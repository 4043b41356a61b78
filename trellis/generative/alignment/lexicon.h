// How words translate: log t(f | e) and log t(e | f) for the pairs of words that the support has,
// both directions side by side, and what the empty word generates. A pair that it does not have has
// the probability of a count of nothing, and of new words `floor`, so that no sentence is
// impossible and new words go where their neighbours send them.
//
// M-steps. With c the expected count of (e, f), C = Σ_f c, V the number of target words:
//
//   maximum likelihood    t = c/C
//   add-n                 t = (c + n)/(C + nV)
//   variational Bayes     t = exp(ψ(c + α) − ψ(C + αV))     Riley & Gildea (2012): a Dirichlet(α)
//                         prior, under which words that were seen a few times do not explain
//                         everything around them
//
// none of them below `floor`. Memory: 12 bytes an entry.
#pragma once

#include <span>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/generative/alignment/bitext.h"
#include "trellis/generative/alignment/fixed_counts.h"

namespace trellis {

enum class Smoothing { kNone, kAdd, kBayes };
constexpr auto names_of(Smoothing) {
  return Names{"smoothing", "none", "add", "bayes"};
}

// The arrays of a lexicon, wherever they lie.
struct LexiconView {
  std::span<const Index> row_begin;         // by source word, and the end
  std::span<const WordId> targets;          // by entry, ascending in a row
  std::span<const float> forward, reverse;  // log t(f | e), log t(e | f), by entry
  std::span<const float> null_forward;      // log t(f | nothing), by target word
  std::span<const float> null_reverse;      // log t(e | nothing), by source word
  std::span<const float> unseen_forward;    // log t(f | e) of pairs without an entry, by e
  std::span<const float> unseen_reverse;    // log t(e | f), likewise, by f
  float floor = 0;                          // log

  static constexpr Index kNone = static_cast<Index>(-1);
  Index find(WordId e, WordId f) const;  // the entry, kNone: there is none

  // The grids (position_model.h) of log t for a pair, which fill the beginning of the spans: row j
  // of the forward one has f_j given each e_i, and given nothing; the reverse one has a row for
  // each e_i.
  void grids(WordPair pair, std::span<double> forward_grid, std::span<double> reverse_grid) const;
  float null_forward_of(WordId f) const {
    return f < null_forward.size() ? null_forward[f] : floor;
  }
  float null_reverse_of(WordId e) const {
    return e < null_reverse.size() ? null_reverse[e] : floor;
  }
  float unseen_forward_of(WordId e) const {
    return e < unseen_forward.size() ? unseen_forward[e] : floor;
  }
  float unseen_reverse_of(WordId f) const {
    return f < unseen_reverse.size() ? unseen_reverse[f] : floor;
  }
};

// Expected counts, of both directions.
struct LexiconCounts {
  FixedCounts forward, reverse, null_forward, null_reverse;
  LexiconCounts() = default;
  LexiconCounts(Index entries, Index source_words, Index target_words)
      : forward(entries),
        reverse(entries),
        null_forward(target_words),
        null_reverse(source_words) {}
  void clear();
};

class Lexicon {
 public:
  struct Options {
    Smoothing smoothing = Smoothing::kBayes;
    double prior = 0;  // n, or α
    double floor = 1e-7;
    int threads = 1;
  };
  // Every word of a row is as likely as any other.
  Lexicon(std::vector<Index> row_begin, std::vector<WordId> targets, Index target_words,
          const Options& options);

  // With these values, all log t.
  Lexicon(std::vector<Index> row_begin, std::vector<WordId> targets, std::vector<float> forward,
          std::vector<float> reverse, std::vector<float> null_forward,
          std::vector<float> null_reverse, const Options& options);

  LexiconView view() const;
  Index size() const { return targets_.size(); }
  Index source_words() const { return row_begin_.size() - 1; }
  Index target_words() const { return null_forward_.size(); }
  const Options& options() const { return options_; }

  void update(const LexiconCounts& counts);
  // With a smoothing of its own.
  void update(const LexiconCounts& counts, Smoothing smoothing, double prior);
  // Other values for the same entries and words. Throws UsageError where there are more or fewer.
  void set(const LexiconView& values);
  // Takes the values of `other`, whose first words these are; other entries do not change.
  void take(const LexiconView& other);

 private:
  void forget_unseen();

  Options options_;
  std::vector<Index> row_begin_;
  std::vector<WordId> targets_;
  std::vector<float> forward_, reverse_, null_forward_, null_reverse_;
  std::vector<float> unseen_forward_, unseen_reverse_;
};

}  // namespace trellis
