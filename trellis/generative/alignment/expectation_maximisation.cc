#include "trellis/generative/alignment/expectation_maximisation.h"

#include <algorithm>

namespace trellis {

ExpectationMaximisation::ExpectationMaximisation(const Bitext& bitext, Lexicon& lexicon,
                                                 int threads)
    : bitext_(bitext),
      lexicon_(lexicon),
      index_(lexicon.view().row_begin, lexicon.view().targets),
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
        how_{agree, em.threads_ == 1},
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
    scratch.forward.scores.resize(forward_.num_scores(forward));
    scratch.reverse.scores.resize(reverse_.num_scores(reverse));
    scratch.cells.fill(pair, em_.index_, lexicon_, scratch.forward.scores, scratch.reverse.scores);
    sums[0] += forward_.sums(forward, scratch.forward);
    sums[1] += reverse_.sums(reverse, scratch.reverse);
    const std::span<double> rest = sums.subspan(2);
    forward_.count(forward, scratch.forward, rest.first(forward_.num_sums()), forward_cells_);
    reverse_.count(reverse, scratch.reverse, rest.subspan(forward_.num_sums()), reverse_cells_);
    scratch.cells.count(pair, scratch.forward.marginals, scratch.reverse.marginals, how_,
                        em_.counts_);
  }
  const FixedCounts& forward_cells() const { return forward_cells_; }
  const FixedCounts& reverse_cells() const { return reverse_cells_; }

 private:
  ExpectationMaximisation& em_;
  LexiconView lexicon_;
  const PositionModel& forward_;
  const PositionModel& reverse_;
  LinkCounting how_;
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
