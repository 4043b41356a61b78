#include "trellis/generative/alignment/fertility_maximisation.h"

#include "trellis/base/parallel.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

FertilityParameters::FertilityParameters(std::span<const double> c, Index words)
    : jumps(c.begin(), c.end()) {
  fertilities.most = FertilityTraining::kMostFertile;
  fertilities.rows.assign((words + 1) * (fertilities.most + 1),
                          1 / static_cast<float>(fertilities.most + 1));
}

FertilityMaximisation::FertilityMaximisation(const Bitext& bitext, Lexicon& lexicon,
                                             const FertilityTraining& training)
    : bitext_(bitext),
      lexicon_(lexicon),
      training_(training),
      index_(lexicon.view().row_begin, lexicon.view().targets),
      threads_(resolve_threads(training.threads)),
      counts_(lexicon.size(), lexicon.source_words(), lexicon.target_words()),
      workers_(static_cast<Index>(threads_)) {}

// One E-step: all that does not change from pair to pair.
class FertilityMaximisation::Step {
 public:
  Step(FertilityMaximisation& em, const FertilityParameters& forward,
       const FertilityParameters& reverse, bool agree, std::uint64_t number)
      : em_(em),
        lexicon_(em.lexicon_.view()),
        forward_(forward.jumps, forward.fertilities, em.training_.null),
        reverse_(reverse.jumps, reverse.fertilities, em.training_.null),
        jumps_(forward.jumps.size()),
        how_{agree, em.threads_ == 1},
        sampling_(em.training_.sampling),
        forward_fertilities_(forward.fertilities.words() * (forward.fertilities.most + 1)),
        reverse_fertilities_(reverse.fertilities.words() * (reverse.fertilities.most + 1)) {
    sampling_.seed = 2 * (sampling_.seed * 0x100000001B3u + number);
  }

  // Sums: log p of both directions, jumps of the forward one, those of the reverse one.
  Index num_sums() const { return 2 + 2 * jumps_; }

  void add(Index k, int worker, std::span<double> sums) {
    const WordPair pair = em_.bitext_[k];
    if (pair.cells() == 0) return;
    Worker& mine = em_.workers_[static_cast<Index>(worker)];
    const Lengths forward{pair.source.size(), pair.target.size()};
    const Lengths reverse{pair.target.size(), pair.source.size()};
    for (std::vector<double>* grid : {&mine.forward_t, &mine.forward}) grid->resize(forward.grid());
    for (std::vector<double>* grid : {&mine.reverse_t, &mine.reverse}) grid->resize(reverse.grid());
    mine.cells.fill(pair, em_.index_, lexicon_, mine.forward_t, mine.reverse_t);
    FertilityCounts counts{sums.subspan(2, jumps_), forward_fertilities_, how_.alone};
    sums[0] += forward_.posteriors(forward, pair.source, mine.forward_t, sampling_, k, mine.scratch,
                                   mine.forward, &counts);
    FertilitySampling others = sampling_;
    ++others.seed;
    FertilityCounts reverse_counts{sums.subspan(2 + jumps_, jumps_), reverse_fertilities_,
                                   how_.alone};
    sums[1] += reverse_.posteriors(reverse, pair.target, mine.reverse_t, others, k, mine.scratch,
                                   mine.reverse, &reverse_counts);
    mine.cells.count(pair, mine.forward, mine.reverse, how_, em_.counts_);
  }

  // The M-step of both directions, without the lexicon.
  void update(std::span<const double> sums, FertilityParameters& forward,
              FertilityParameters& reverse) const {
    update(sums.subspan(2, jumps_), forward_fertilities_, forward);
    update(sums.subspan(2 + jumps_, jumps_), reverse_fertilities_, reverse);
  }

 private:
  void update(std::span<const double> jumps, const FixedCounts& fertilities,
              FertilityParameters& parameters) const {
    for (Index b = 0; b < jumps_; ++b) {
      parameters.jumps[b] = jumps[b] + em_.training_.jump_prior;
    }
    scale(1 / sum(parameters.jumps), parameters.jumps);
    std::vector<double> counts(fertilities.size());
    for (Index x = 0; x < counts.size(); ++x) counts[x] = fertilities[x];
    parameters.fertilities =
        fertility_table(counts, parameters.fertilities.most, em_.training_.fertility_prior);
  }

  FertilityMaximisation& em_;
  LexiconView lexicon_;
  FertilitySampler forward_, reverse_;
  Index jumps_;  // classes
  LinkCounting how_;
  FertilitySampling sampling_;
  FixedCounts forward_fertilities_, reverse_fertilities_;
};

EmIteration FertilityMaximisation::iterate(FertilityParameters& forward,
                                           FertilityParameters& reverse, bool agree,
                                           std::uint64_t number) {
  counts_.clear();
  Step step(*this, forward, reverse, agree, number);
  std::vector<double> sums(step.num_sums());
  parallel_sum(bitext_.size(), threads_, sums,
               [&](Index begin, Index end, int worker, std::span<double> partial) {
                 for (Index k = begin; k < end; ++k) step.add(k, worker, partial);
                 return 0.0;
               });
  lexicon_.update(counts_);
  step.update(sums, forward, reverse);
  return {sums[0], sums[1]};
}

}  // namespace trellis
