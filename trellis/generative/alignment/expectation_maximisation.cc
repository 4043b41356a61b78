#include "trellis/generative/alignment/expectation_maximisation.h"

#include <algorithm>

namespace trellis {

ExpectationMaximisation::ExpectationMaximisation(const Bitext& bitext, const LinkIndex& links,
                                                 Lexicon& lexicon, int threads)
    : bitext_(bitext),
      links_(links),
      lexicon_(lexicon),
      threads_(resolve_threads(threads)),
      counts_(lexicon.size(), lexicon.source_words(), lexicon.target_words()),
      workers_(static_cast<Index>(threads_)) {}

// One E-step: all that does not change from pair to pair.
class ExpectationMaximisation::Step {
 public:
  Step(ExpectationMaximisation& em, const PositionModel& forward, const PositionModel& reverse,
       bool agree)
      : em_(em),
        lexicon_(em.lexicon_.view()),
        forward_(forward),
        reverse_(reverse),
        agree_(agree),
        alone_(em.threads_ == 1),
        forward_cells_(forward.num_cells()),
        reverse_cells_(reverse.num_cells()) {}

  // Sums: the likelihoods, then those of the forward model, then those of the reverse one.
  Index num_sums() const { return 2 + forward_.num_sums() + reverse_.num_sums(); }

  void add(Index k, int worker, std::span<double> sums) {
    const WordPair pair = em_.bitext_[k];
    if (pair.source.empty() || pair.target.empty()) return;
    Worker& scratch = em_.workers_[static_cast<Index>(worker)];
    const Lengths forward{pair.source.size(), pair.target.size()};
    const Lengths reverse{pair.target.size(), pair.source.size()};
    fill(k, pair, scratch);
    sums[0] += forward_.sums(forward, scratch.forward);
    sums[1] += reverse_.sums(reverse, scratch.reverse);
    const std::span<double> rest = sums.subspan(2);
    forward_.count(forward, scratch.forward, rest.first(forward_.num_sums()), forward_cells_);
    reverse_.count(reverse, scratch.reverse, rest.subspan(forward_.num_sums()), reverse_cells_);
    count_links(k, pair, scratch);
  }
  const FixedCounts& forward_cells() const { return forward_cells_; }
  const FixedCounts& reverse_cells() const { return reverse_cells_; }

 private:
  // The grids of log t.
  void fill(Index k, WordPair pair, Worker& scratch) const {
    const Index sources = pair.source.size(), targets = pair.target.size();
    std::vector<double>&forward = scratch.forward.scores, &reverse = scratch.reverse.scores;
    forward.resize(forward_.num_scores({sources, targets}));
    reverse.resize(reverse_.num_scores({targets, sources}));
    std::fill_n(forward.begin(), targets * (sources + 1), lexicon_.floor);
    std::fill_n(reverse.begin(), sources * (targets + 1), lexicon_.floor);
    const Index token = em_.bitext_.target_begin(k);
    for (Index j = 0; j < targets; ++j) {
      const LinkIndex::Links links = em_.links_.at(token + j);
      for (Index x = 0; x < links.entries.size(); ++x) {
        const Index i = links.sources[x], entry = links.entries[x];
        forward[j * (sources + 1) + i] = lexicon_.forward[entry];
        reverse[i * (targets + 1) + j] = lexicon_.reverse[entry];
      }
      forward[j * (sources + 1) + sources] = lexicon_.null_forward[pair.target[j]];
    }
    for (Index i = 0; i < sources; ++i) {
      reverse[i * (targets + 1) + targets] = lexicon_.null_reverse[pair.source[i]];
    }
  }

  void count_links(Index k, WordPair pair, Worker& scratch) {
    const Index sources = pair.source.size(), targets = pair.target.size();
    const std::vector<double>&p = scratch.forward.marginals, &q = scratch.reverse.marginals;
    const Index token = em_.bitext_.target_begin(k);
    LexiconCounts& counts = em_.counts_;
    for (Index j = 0; j < targets; ++j) {
      const LinkIndex::Links links = em_.links_.at(token + j);
      for (Index x = 0; x < links.entries.size(); ++x) {
        const Index i = links.sources[x];
        const double forward = p[j * (sources + 1) + i], reverse = q[i * (targets + 1) + j];
        const double both = forward * reverse;
        add_to(counts.forward, links.entries[x], agree_ ? both : forward);
        add_to(counts.reverse, links.entries[x], agree_ ? both : reverse);
      }
      add_to(counts.null_forward, pair.target[j], p[j * (sources + 1) + sources]);
    }
    for (Index i = 0; i < sources; ++i) {
      add_to(counts.null_reverse, pair.source[i], q[i * (targets + 1) + targets]);
    }
  }
  void add_to(FixedCounts& counts, Index x, double p) const {
    if (alone_) {
      counts.add_alone(x, p);
    } else {
      counts.add(x, p);
    }
  }

  ExpectationMaximisation& em_;
  LexiconView lexicon_;
  const PositionModel& forward_;
  const PositionModel& reverse_;
  bool agree_, alone_;
  FixedCounts forward_cells_, reverse_cells_;
};

EmIteration ExpectationMaximisation::iterate(PositionModel& forward, PositionModel& reverse,
                                             bool agree) {
  counts_.clear();
  Step step(*this, forward, reverse, agree);
  std::vector<double> sums(step.num_sums());
  parallel_sum(bitext_.size(), threads_, sums,
               [&](Index begin, Index end, int worker, std::span<double> partial) {
                 for (Index k = begin; k < end; ++k) step.add(k, worker, partial);
                 return 0.0;
               });
  lexicon_.update(counts_);
  const std::span<const double> rest = std::span(sums).subspan(2);
  forward.update(rest.first(forward.num_sums()), step.forward_cells());
  reverse.update(rest.subspan(forward.num_sums()), step.reverse_cells());
  return {sums[0], sums[1]};
}

}  // namespace trellis
