#include "trellis/tasks/parse/features/arc_sums.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/tasks/parse/small_treebank.h"
#include "trellis/tasks/parse/features/arc_pair_sums.h"

namespace trellis::parse {
namespace {

template <TemplateTable kTable>
void expect_same_fingerprints(const SentenceAtoms& atoms) {
  ArcSums<kTable> sums;
  sums.assign(atoms);
  ArcFeatures features(atoms);
  for (Index m = 1; m <= atoms.words(); ++m) {
    features.set_modifier(m);
    for (Index h = 0; h <= atoms.words(); ++h) {
      if (h == m) continue;
      features.set_head(h);
      std::vector<std::uint64_t> expected, made(ArcSums<kTable>::kSize);
      features.each<kTable>([&](std::uint64_t fp) { expected.push_back(fp); });
      sums.write(h, m,
                 {atoms.distance(h, m), atoms.between(h, m), atoms.shared(h, m), atoms.clash(h, m)},
                 made.data());
      EXPECT_EQ(made, expected) << h << " -> " << m;
    }
  }
}

TEST(ArcSums, FingerprintsAreThoseOfArcFeatures) {
  const Treebank treebank = testing::garden_treebank("dev", 10);
  SentenceAtoms atoms;
  for (const Sentence& sentence : treebank.sentences) {
    atoms.assign(sentence, TagNumbers());
    expect_same_fingerprints<TemplateTable::kArc>(atoms);
    expect_same_fingerprints<TemplateTable::kMid>(atoms);
    expect_same_fingerprints<TemplateTable::kPair>(atoms);
    expect_same_fingerprints<TemplateTable::kModifier>(atoms);
    expect_same_fingerprints<TemplateTable::kHead>(atoms);
    expect_same_fingerprints<TemplateTable::kFilter>(atoms);
    expect_same_fingerprints<TemplateTable::kWordFilter>(atoms);
  }
}

TEST(ArcPairSums, FingerprintsAreThoseOfArcPairFeatures) {
  const Treebank treebank = testing::garden_treebank("dev", 10);
  SentenceAtoms atoms;
  ArcPairSums sums;
  for (const Sentence& sentence : treebank.sentences) {
    atoms.assign(sentence, TagNumbers());
    sums.assign(atoms);
    std::vector<DependencyArc> arcs;
    for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
      for (std::uint32_t h = 0; h <= sentence.size(); ++h) {
        if (h != m) arcs.push_back({h, m});
      }
    }
    const ArcPairGraph graph(DependencyArcs(sentence.size(), arcs), Roots::kAny, Crossing::kAllowed,
                             {});
    ArcPairFeatures features(atoms);
    for (const ArcPair& pair : graph.pairs()) {
      std::vector<std::uint64_t> expected, made(kMostPairFeatures);
      features.each(pair, [&](std::uint64_t fp) { expected.push_back(fp); });
      made.resize(sums.write(pair, made.data()));
      ASSERT_EQ(made, expected) << pair.head << " " << pair.first << " " << pair.second;
    }
  }
}

}  // namespace
}  // namespace trellis::parse
