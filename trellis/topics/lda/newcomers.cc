#include "trellis/topics/lda/newcomers.h"

#include <limits>

#include "trellis/base/parallel.h"
#include "trellis/base/random.h"
#include "trellis/solve/draw.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/topics/lda/lda_model.h"

namespace trellis::topics {
namespace {

constexpr Index kSweeps = 30;
// Streams of random numbers are numbered by documents here, and by cells in the sweep itself.
constexpr std::uint64_t kItems = std::uint64_t{1} << 40;

class Reader {
 public:
  explicit Reader(const LdaChain& chain) : chain_(chain), model_(chain), known_(chain.num_words()) {
    for (Index w = 0; w < known_.size(); ++w) {
      known_[w] = !model_.entries(w).empty() || !model_.prior().row(w).empty();
    }
  }

  void read(std::span<const std::uint32_t> document, Index d, std::span<std::uint16_t> z) const {
    std::vector<std::uint32_t> words;
    std::vector<Index> places, others;
    for (Index i = 0; i < document.size(); ++i) {
      if (known_[document[i]]) {
        words.push_back(document[i]);
        places.push_back(i);
      } else {
        others.push_back(i);
      }
    }
    const KnownDocument read(model_, words);
    Random random(chain_.options().seed, kItems + d, chain_.num_sweeps());
    std::vector<double> counted(chain_.alpha().begin(), chain_.alpha().end()),
        weights(counted.size());
    for (Index sweep = 0; sweep < kSweeps; ++sweep) {
      for (Index i = 0; i < words.size(); ++i) {
        std::uint16_t& k = z[places[i]];
        if (sweep > 0) counted[k] -= 1;
        const std::span<const double> phi = read.probabilities(i);
        for (Index t = 0; t < weights.size(); ++t) weights[t] = phi[t] * counted[t];
        k = static_cast<std::uint16_t>(draw(weights, sum(weights), random));
        counted[k] += 1;
      }
    }
    const double total = sum(counted);
    for (const Index i : others) {
      z[i] = static_cast<std::uint16_t>(draw(counted, total, random));
    }
  }

 private:
  const LdaChain& chain_;
  LdaModel model_;
  std::vector<bool> known_;
};

}  // namespace

std::vector<std::uint16_t> topics_of_newcomers(const LdaChain& chain, const Documents& documents,
                                               std::span<const std::uint8_t> entering,
                                               int threads) {
  std::vector<std::uint16_t> topics(documents.num_tokens(), kNoTopic);
  const Reader reader(chain);
  parallel_for(documents.size(), resolve_threads(threads), [&](Index d, int) {
    if (entering[d] == 0) return;
    reader.read(
        documents[d], d,
        std::span(topics).subspan(documents.begin[d] - documents.begin[0], documents[d].size()));
  });
  return topics;
}

}  // namespace trellis::topics
