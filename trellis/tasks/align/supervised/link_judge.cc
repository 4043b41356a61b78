#include "trellis/tasks/align/supervised/link_judge.h"

#include <array>
#include <cmath>

#include "trellis/base/parallel.h"
#include "trellis/tasks/align/supervised/link_decoder.h"

namespace trellis::align {
namespace {

constexpr Index kNumbers = 4;  // per offset in a tally

}  // namespace

std::vector<double> standard_offsets() {
  std::vector<double> offsets = {0};
  for (const double size : {0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    offsets.insert(offsets.end(), {-size, size});
  }
  return offsets;
}

std::vector<double> LinkJudge::tally(std::span<const LinkExample> examples,
                                     std::span<const Index> chosen, std::span<const double> w,
                                     int threads) const {
  struct Worker {
    LinkDecoder::Scratch scratch;
    RankedLinks found;
    std::vector<double> sum;
  };
  std::vector<Worker> workers(static_cast<Index>(resolve_threads(threads)));
  for (Worker& worker : workers) worker.sum.assign(kNumbers * offsets_.size(), 0.0);
  parallel_for(chosen.empty() ? examples.size() : chosen.size(), threads, [&](Index k, int who) {
    Worker& worker = workers[static_cast<Index>(who)];
    const LinkExample& example = examples[chosen.empty() ? k : chosen[k]];
    for (Index o = 0; o < offsets_.size(); ++o) {
      LinkDecoder(shape_, w, offsets_[o], search_limit_)
          .decode(example.parts, worker.scratch, worker.found);
      const AlignmentCounts counts = count_links(worker.found.links, example.gold);
      const std::array<Index, kNumbers> numbers = {counts.found, counts.sure, counts.found_sure,
                                                   counts.found_possible};
      for (Index n = 0; n < kNumbers; ++n) {
        worker.sum[kNumbers * o + n] += static_cast<double>(numbers[n]);
      }
    }
  });
  std::vector<double> sum = workers.front().sum;  // whole numbers: the same in any order
  for (Index who = 1; who < workers.size(); ++who) {
    for (Index x = 0; x < sum.size(); ++x) sum[x] += workers[who].sum[x];
  }
  return sum;
}

AlignmentCounts LinkJudge::counts(std::span<const double> tally, Index offset) const {
  const auto number = [&](Index n) { return static_cast<Index>(tally[kNumbers * offset + n]); };
  AlignmentCounts counts;
  counts.found = number(0);
  counts.sure = number(1);
  counts.found_sure = number(2);
  counts.found_possible = number(3);
  return counts;
}

Index LinkJudge::best(std::span<const double> tally) const {
  Index best = 0;
  for (Index o = 1; o < offsets_.size(); ++o) {
    const double gain = counts(tally, best).aer() - counts(tally, o).aer();
    if (gain > 0 || (gain == 0 && std::abs(offsets_[o]) < std::abs(offsets_[best]))) best = o;
  }
  return best;
}

}  // namespace trellis::align
