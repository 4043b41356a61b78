#include "trellis/generative/alignment/fertility_sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alignment_enumeration.h"

namespace trellis {
namespace {

using namespace testing;

TEST(FertilitySampler, PosteriorsEqualEnumeration) {
  Random random(1);
  const std::vector<double> jumps = {0.1, 0.2, 0.15, 0.4, 0.15};
  FertilityTable table;
  table.most = 2;
  for (Index x = 0; x < 4 * 3; ++x)
    table.rows.push_back(static_cast<float>(random.uniform() + 0.1));
  const FertilitySampler sampler(jumps, table, 0.2);
  const auto jump = [&](Label d) { return jumps[static_cast<Index>(std::clamp(d, -2, 2) + 2)]; };
  for (const Lengths lengths : {Lengths{3, 3}, Lengths{1, 4}, Lengths{4, 2}}) {
    const std::vector<WordId> words = {2, 0, kUnknownWord, 1};
    std::vector<double> t(lengths.grid()), log_t;
    for (double& value : t) value = random.uniform() + 0.05;
    for (const double value : t) log_t.push_back(std::log(value));
    const Prior prior = [&](Lengths, const Alignment& a) {
      double product = 1;
      Label last = -1;
      std::vector<Index> fertility(lengths.source, 0);
      for (const Label i : a) {
        product *= i == kNoLabel ? 0.2 : 0.8 * jump(i - last);
        if (i == kNoLabel) continue;
        last = i;
        ++fertility[static_cast<Index>(i)];
      }
      for (Index i = 0; i < lengths.source; ++i) {
        product *= static_cast<double>(table.of(words[i])[std::min<Index>(fertility[i], 2)]);
      }
      return product * jump(static_cast<Label>(lengths.source) - last);
    };
    const Enumerated expected = enumerate(lengths, prior, t);
    FertilitySampler::Scratch scratch;
    std::vector<double> found(lengths.grid());
    sampler.posteriors(lengths, std::span(words).first(lengths.source), log_t, {20, 50, 2000, 1}, 7,
                       scratch, found);
    for (Index x = 0; x < found.size(); ++x) EXPECT_NEAR(found[x], expected.posteriors[x], 0.015);
    std::vector<double> again(lengths.grid());
    sampler.posteriors(lengths, std::span(words).first(lengths.source), log_t, {20, 50, 2000, 1}, 7,
                       scratch, again);
    EXPECT_EQ(found, again);
  }
}

}  // namespace
}  // namespace trellis
