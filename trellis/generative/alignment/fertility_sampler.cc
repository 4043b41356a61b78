#include "trellis/generative/alignment/fertility_sampler.h"

#include <algorithm>

#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"

namespace trellis {

FertilityTable fertility_table(std::span<const double> counts, Index most, double prior) {
  FertilityTable table;
  table.most = most;
  const Index width = most + 1, words = counts.size() / width;
  std::vector<double> all(width, 1.0);  // once each: no fertility is ruled out
  for (Index x = 0; x < counts.size(); ++x) all[x % width] += counts[x];
  scale(1 / sum(all), all);
  table.rows.reserve((words + 1) * width);
  for (Index e = 0; e < words; ++e) {
    const std::span<const double> row = counts.subspan(e * width, width);
    const double total = sum(row) + prior;
    for (Index phi = 0; phi < width; ++phi) {
      table.rows.push_back(static_cast<float>((row[phi] + prior * all[phi]) / total));
    }
  }
  table.rows.insert(table.rows.end(), all.begin(), all.end());
  return table;
}

// One chain over the alignments of one pair. Positions are counted from 1: 0 is the start of walks
// and the position of words without a link, I + 1 the end of walks.
class FertilitySampler::Chain {
 public:
  Chain(const FertilitySampler& model, Lengths lengths, std::span<const WordId> words,
        Scratch& scratch)
      : model_(model), lengths_(lengths), words_(words), scratch_(scratch) {
    scratch.weights.resize(lengths.source + 1);
    scratch.ratios.resize(lengths.source);
    spread_jumps();
  }

  // Draws every word given the words before it.
  void start(Random& random) {
    scratch_.a.assign(lengths_.target, 0);
    scratch_.fertility.assign(lengths_.source, 0);
    for (Index i = 0; i < lengths_.source; ++i) weigh_fertility(i);
    Index previous = 0;
    for (Index j = 0; j < lengths_.target; ++j) {
      weigh_beginning(j, previous);
      link(j, draw(scratch_.weights, sum(scratch_.weights), random), previous);
    }
  }

  // Adds the distributions of the draws to `sums`.
  void sweep(Random& random, std::span<double> sums) {
    const std::vector<Index>& a = scratch_.a;
    std::vector<Index>& next = scratch_.next;
    next.assign(lengths_.target + 1, lengths_.source + 1);
    for (Index j = lengths_.target; j-- > 0;) next[j] = a[j] == 0 ? next[j + 1] : a[j];
    Index previous = 0;
    for (Index j = 0; j < lengths_.target; ++j) {
      if (a[j] != 0) {
        --scratch_.fertility[a[j] - 1];
        weigh_fertility(a[j] - 1);
      }
      weigh(j, previous, next[j + 1]);
      const std::vector<double>& weights = scratch_.weights;
      const double total = sum(weights);
      if (!sums.empty()) {
        axpy(1 / total, weights, sums.subspan(j * weights.size(), weights.size()));
      }
      link(j, draw(weights, total, random), previous);
    }
  }

  // Counts the current state.
  void count(double weight, FertilityCounts& counts) const {
    const Index most = model_.fertilities_.most;
    Index last = 0;
    const auto jump_to = [&](Index to) {
      counts.jumps[class_of(to, last)] += weight;
      last = to;
    };
    for (const Index to : scratch_.a) {
      if (to != 0) jump_to(to);
    }
    jump_to(lengths_.source + 1);
    for (Index i = 0; i < lengths_.source; ++i) {
      const Index cell = words_[i] * (most + 1) + std::min(scratch_.fertility[i], most);
      if (counts.alone) {
        counts.fertilities.add_alone(cell, weight);
      } else {
        counts.fertilities.add(cell, weight);
      }
    }
  }

  // log p(f, a | e) of the state.
  double log_joint(std::span<const double> log_t) const {
    const Index most = model_.fertilities_.most, width = lengths_.source + 1;
    const double something = portable_log(1 - model_.null_), nothing = portable_log(model_.null_);
    double value = 0;
    Index last = 0;
    for (Index j = 0; j < lengths_.target; ++j) {
      const Index to = scratch_.a[j];
      value += log_t[j * width + (to == 0 ? lengths_.source : to - 1)];
      value += to == 0 ? nothing : something + portable_log(jump(last, to));
      if (to != 0) last = to;
    }
    for (Index i = 0; i < lengths_.source; ++i) {
      const std::span<const float> r = model_.fertilities_.of(words_[i]);
      value += portable_log(static_cast<double>(r[std::min(scratch_.fertility[i], most)]));
    }
    return value + portable_log(jump(last, lengths_.source + 1));
  }

 private:
  // c of the distances −(I+1) … I+1, and in reverse order.
  void spread_jumps() {
    const Index far = lengths_.source + 1;
    scratch_.jump.resize(2 * far + 1);
    scratch_.reversed.resize(2 * far + 1);
    for (Index to = 0; to <= 2 * far; ++to) {
      scratch_.jump[to] = model_.jumps_[class_of(to, far)];
      scratch_.reversed[2 * far - to] = scratch_.jump[to];
    }
  }
  Index class_of(Index to, Index from) const {
    const auto reach = static_cast<std::ptrdiff_t>(model_.jumps_.size() / 2);
    const auto distance = static_cast<std::ptrdiff_t>(to) - static_cast<std::ptrdiff_t>(from);
    return static_cast<Index>(std::clamp(distance, -reach, reach) + reach);
  }
  double jump(Index from, Index to) const { return scratch_.jump[to + lengths_.source + 1 - from]; }

  // The factor of one more link for r, and 1 − p₀.
  void weigh_fertility(Index i) {
    const std::span<const float> r = model_.fertilities_.of(words_[i]);
    const Index most = r.size() - 1, now = std::min(scratch_.fertility[i], most);
    scratch_.ratios[i] =
        (1 - model_.null_) * static_cast<double>(r[std::min(now + 1, most)]) / r[now];
  }

  void weigh(Index j, Index previous, Index next) {
    const Index width = lengths_.source, far = width + 1;
    const double* t = scratch_.t.data() + j * (width + 1);
    const double* ratio = scratch_.ratios.data();
    const double* here = scratch_.jump.data() + (1 + far - previous);  // from previous to i + 1
    const double* on = scratch_.reversed.data() + (1 + far - next);    // from i + 1 to next
    double* weight = scratch_.weights.data();
    for (Index i = 0; i < width; ++i) weight[i] = t[i] * ratio[i] * (here[i] * on[i]);
    weight[width] = model_.null_ * t[width] * jump(previous, next);
  }
  void weigh_beginning(Index j, Index previous) {
    const Index width = lengths_.source, far = width + 1;
    const double* t = scratch_.t.data() + j * (width + 1);
    const double* ratio = scratch_.ratios.data();
    const double* here = scratch_.jump.data() + (1 + far - previous);
    double* weight = scratch_.weights.data();
    for (Index i = 0; i < width; ++i) weight[i] = t[i] * ratio[i] * here[i];
    weight[width] = model_.null_ * t[width];
  }

  void link(Index j, Index drawn, Index& previous) {
    scratch_.a[j] = drawn == lengths_.source ? 0 : drawn + 1;
    if (scratch_.a[j] == 0) return;
    ++scratch_.fertility[drawn];
    weigh_fertility(drawn);
    previous = scratch_.a[j];
  }

  const FertilitySampler& model_;
  Lengths lengths_;
  std::span<const WordId> words_;
  Scratch& scratch_;
};

double FertilitySampler::posteriors(Lengths lengths, std::span<const WordId> words,
                                    std::span<const double> log_t,
                                    const FertilitySampling& sampling, std::uint64_t key,
                                    Scratch& scratch, std::span<double> posterior,
                                    FertilityCounts* counts) const {
  scratch.t.resize(lengths.grid());
  scratch.shifts.resize(lengths.target);
  // The scale of a row does not matter.
  exp_rows(log_t.data(), lengths.target, lengths.source + 1, lengths.source + 1, scratch.t.data(),
           scratch.shifts.data());
  std::fill(posterior.begin(), posterior.end(), 0.0);
  Chain chain(*this, lengths, words, scratch);
  const double each = 1 / static_cast<double>(sampling.chains * sampling.sweeps);
  double log_joint = 0;
  for (Index c = 0; c < sampling.chains; ++c) {
    Random random(sampling.seed, key, c);
    chain.start(random);
    for (Index s = 0; s < sampling.burn_in; ++s) chain.sweep(random, {});
    for (Index s = 0; s < sampling.sweeps; ++s) {
      chain.sweep(random, posterior);
      if (counts != nullptr) chain.count(each, *counts);
    }
    log_joint += chain.log_joint(log_t);
  }
  scale(each, posterior);
  return log_joint / static_cast<double>(sampling.chains);
}

}  // namespace trellis
