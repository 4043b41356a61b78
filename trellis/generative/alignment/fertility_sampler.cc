#include "trellis/generative/alignment/fertility_sampler.h"

#include <algorithm>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

// One chain over the alignments of one pair. Positions are counted from 1: 0 is where walks begin,
// I + 1 where they end.
class FertilitySampler::Chain {
 public:
  Chain(const FertilitySampler& model, Lengths lengths, std::span<const WordId> words,
        std::span<const double> t)
      : model_(model), lengths_(lengths), words_(words), t_(t), weights_(lengths.source + 1) {
    jump_.resize(2 * lengths.source + 3);  // distances −(I+1) … I+1
    const auto reach = static_cast<std::ptrdiff_t>(model.jumps_.size() / 2);
    const auto far = static_cast<std::ptrdiff_t>(lengths.source + 1);
    for (std::ptrdiff_t d = -far; d <= far; ++d) {
      jump_[static_cast<Index>(d + far)] =
          model.jumps_[static_cast<Index>(std::clamp(d, -reach, reach) + reach)];
    }
  }

  // Every word alone, then drawn one after the other.
  void start() {
    a_.assign(lengths_.target, 0);
    fertility_.assign(lengths_.source, 0);
  }

  // Adds the distributions that links were drawn from.
  void sweep(Random& random, std::span<double> sums) {
    next_.assign(lengths_.target + 1, lengths_.source + 1);
    for (Index j = lengths_.target; j-- > 0;) next_[j] = a_[j] == 0 ? next_[j + 1] : a_[j];
    Index previous = 0;
    for (Index j = 0; j < lengths_.target; ++j) {
      if (a_[j] != 0) --fertility_[a_[j] - 1];
      weigh(j, previous, next_[j + 1]);
      if (!sums.empty()) {
        const double total = sum(weights_);
        axpy(1 / total, weights_, sums.subspan(j * weights_.size(), weights_.size()));
      }
      const Index drawn = draw(weights_, random);
      a_[j] = drawn == lengths_.source ? 0 : drawn + 1;
      if (a_[j] != 0) {
        ++fertility_[drawn];
        previous = a_[j];
      }
    }
  }

 private:
  double jump(Index from, Index to) const { return jump_[to + lengths_.source + 1 - from]; }

  void weigh(Index j, Index previous, Index next) {
    const double* t = t_.data() + j * weights_.size();
    for (Index i = 0; i < lengths_.source; ++i) {
      const std::span<const float> r = model_.fertilities_.of(words_[i]);
      const Index most = r.size() - 1, now = std::min<Index>(fertility_[i], most);
      const double ratio = static_cast<double>(r[std::min(now + 1, most)]) / r[now];
      weights_[i] = (1 - model_.null_) * t[i] * jump(previous, i + 1) * jump(i + 1, next) * ratio;
    }
    weights_[lengths_.source] = model_.null_ * t[lengths_.source] * jump(previous, next);
  }

  const FertilitySampler& model_;
  Lengths lengths_;
  std::span<const WordId> words_;
  std::span<const double> t_;
  std::vector<double> weights_, jump_;
  std::vector<Index> a_, fertility_, next_;
};

void FertilitySampler::posteriors(Lengths lengths, std::span<const WordId> words,
                                  std::span<const double> log_t, const FertilitySampling& sampling,
                                  std::uint64_t key, std::span<double> posterior) const {
  std::vector<double> t(lengths.grid());
  // A row may be scaled as one likes.
  std::vector<double> shifts(lengths.target);
  exp_rows(log_t.data(), lengths.target, lengths.source + 1, lengths.source + 1, t.data(),
           shifts.data());
  std::fill(posterior.begin(), posterior.end(), 0.0);
  Chain chain(*this, lengths, words, t);
  for (Index c = 0; c < sampling.chains; ++c) {
    Random random(sampling.seed, key, c);
    chain.start();
    for (Index s = 0; s < sampling.burn_in; ++s) chain.sweep(random, {});
    for (Index s = 0; s < sampling.sweeps; ++s) chain.sweep(random, posterior);
  }
  scale(1 / static_cast<double>(sampling.chains * sampling.sweeps), posterior);
}

}  // namespace trellis
