// Symmetrisation: by hand, against a twin that is the published pseudo code word for word, and by
// what holds for all inputs.
#include "trellis/generative/alignment/symmetrise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis::symmetrise_test {
namespace {

constexpr std::array kMethods = {
    Symmetrisation::kForward,          Symmetrisation::kReverse,
    Symmetrisation::kIntersection,     Symmetrisation::kUnion,
    Symmetrisation::kGrowDiag,         Symmetrisation::kGrowDiagFinal,
    Symmetrisation::kGrowDiagFinalAnd,
};

// Koehn et al. (2005), on plain sets of (e, f) with e the target word and f the source word.
class PublishedTwin {
 public:
  using Points = std::set<std::pair<int, int>>;

  PublishedTwin(const Links& forward, const Links& reverse, int num_source, int num_target)
      : e2f_(points(forward)), f2e_(points(reverse)), fn_(num_source), en_(num_target) {
    for (const auto& point : e2f_) {
      if (f2e_.count(point) > 0) alignment_.insert(point);
    }
  }

  Links run(Symmetrisation method) {
    grow_diag();
    if (method != Symmetrisation::kGrowDiag) {
      const bool both = method == Symmetrisation::kGrowDiagFinalAnd;
      finish(e2f_, both);
      finish(f2e_, both);
    }
    Links links;
    for (const auto& [e, f] : alignment_) {
      links.push_back({static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(e)});
    }
    sort_links(links);
    return links;
  }

 private:
  static Points points(const Links& links) {
    Points out;
    for (const Link link : links) {
      out.emplace(static_cast<int>(link.target), static_cast<int>(link.source));
    }
    return out;
  }
  bool e_aligned(int e) const {
    return std::any_of(alignment_.begin(), alignment_.end(),
                       [&](const auto& point) { return point.first == e; });
  }
  bool f_aligned(int f) const {
    return std::any_of(alignment_.begin(), alignment_.end(),
                       [&](const auto& point) { return point.second == f; });
  }

  void grow_diag() {
    const std::vector<std::pair<int, int>> neighboring = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                                          {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    std::size_t before = 0;
    do {
      before = alignment_.size();
      for (int e = 0; e < en_; ++e) {
        for (int f = 0; f < fn_; ++f) {
          if (alignment_.count({e, f}) == 0) continue;
          for (const auto& [de, df] : neighboring) {
            const std::pair<int, int> point(e + de, f + df);
            if ((!e_aligned(point.first) || !f_aligned(point.second)) &&
                (e2f_.count(point) > 0 || f2e_.count(point) > 0)) {
              alignment_.insert(point);
            }
          }
        }
      }
    } while (alignment_.size() > before);
  }

  void finish(const Points& a, bool both) {
    for (int e = 0; e < en_; ++e) {
      for (int f = 0; f < fn_; ++f) {
        const bool free = both ? !e_aligned(e) && !f_aligned(f) : !e_aligned(e) || !f_aligned(f);
        if (free && a.count({e, f}) > 0) alignment_.insert({e, f});
      }
    }
  }

  Points e2f_, f2e_, alignment_;
  int fn_, en_;
};

struct SymmetriseInput {
  Index num_source = 0;
  Index num_target = 0;
  Links forward;
  Links reverse;

  Links with(Symmetrisation method) const {
    return symmetrise(forward, reverse, num_source, num_target, method);
  }
};

// Half of them one-way alignments as aligners make them, half of them any sets.
SymmetriseInput random_input(std::uint64_t trial) {
  Random random(11, trial);
  SymmetriseInput in{random.below(8), random.below(8), {}, {}};
  const bool one_way = random.below(2) == 0;
  const double density = random.uniform() * 0.6;
  for (std::uint32_t s = 0; s < in.num_source; ++s) {
    for (std::uint32_t t = 0; t < in.num_target; ++t) {
      if (one_way) continue;
      if (random.uniform() < density) in.forward.push_back({s, t});
      if (random.uniform() < density) in.reverse.push_back({s, t});
    }
  }
  if (one_way && in.num_source > 0 && in.num_target > 0) {
    for (std::uint32_t t = 0; t < in.num_target; ++t) {
      const auto s = static_cast<std::uint32_t>(random.below(in.num_source + 1));
      if (s < in.num_source) in.forward.push_back({s, t});
    }
    for (std::uint32_t s = 0; s < in.num_source; ++s) {
      const auto t = static_cast<std::uint32_t>(random.below(in.num_target + 1));
      if (t < in.num_target) in.reverse.push_back({s, t});
    }
    sort_links(in.forward);
    sort_links(in.reverse);
  }
  return in;
}

bool within(const Links& a, const Links& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

TEST(Symmetrise, ByHand) {
  // Forward and reverse agree on 0-0 and 3-3; 1-0 and 1-1 touch what is there, 4-6 does not.
  const SymmetriseInput in{5, 7, {{0, 0}, {1, 1}, {3, 3}, {4, 6}}, {{0, 0}, {1, 0}, {3, 3}}};
  EXPECT_EQ(in.with(Symmetrisation::kIntersection), (Links{{0, 0}, {3, 3}}));
  EXPECT_EQ(in.with(Symmetrisation::kUnion), (Links{{0, 0}, {1, 0}, {1, 1}, {3, 3}, {4, 6}}));
  // 1-0 is asked before 1-1, which is then still good for target word 1.
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiag), (Links{{0, 0}, {1, 0}, {1, 1}, {3, 3}}));
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiagFinal), in.with(Symmetrisation::kUnion));
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiagFinalAnd), in.with(Symmetrisation::kUnion));
}

TEST(Symmetrise, EqualsThePublishedPseudoCode) {
  for (std::uint64_t trial = 0; trial < 6000; ++trial) {
    const SymmetriseInput in = random_input(trial);
    for (const Symmetrisation method : {Symmetrisation::kGrowDiag, Symmetrisation::kGrowDiagFinal,
                                        Symmetrisation::kGrowDiagFinalAnd}) {
      PublishedTwin twin(in.forward, in.reverse, static_cast<int>(in.num_source),
                         static_cast<int>(in.num_target));
      ASSERT_EQ(in.with(method), twin.run(method)) << "trial " << trial << " " << to_string(method);
    }
  }
}

TEST(Symmetrise, SetsLieWithinEachOther) {
  for (std::uint64_t trial = 0; trial < 6000; ++trial) {
    const SymmetriseInput in = random_input(trial);
    const Links all = in.with(Symmetrisation::kUnion);
    const Links grown = in.with(Symmetrisation::kGrowDiag);
    ASSERT_TRUE(within(in.with(Symmetrisation::kIntersection), grown)) << trial;
    for (const Symmetrisation method :
         {Symmetrisation::kGrowDiagFinal, Symmetrisation::kGrowDiagFinalAnd}) {
      ASSERT_TRUE(within(grown, in.with(method))) << trial;
      ASSERT_TRUE(within(in.with(method), all)) << trial;
    }
    for (const Symmetrisation method : kMethods) {
      const Links links = in.with(method);
      ASSERT_TRUE(std::is_sorted(links.begin(), links.end()));
      ASSERT_EQ(std::adjacent_find(links.begin(), links.end()), links.end());
    }
  }
}

std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>> words_with_links(const Links& links) {
  std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>> words;
  for (const Link link : links) {
    words.first.insert(link.source);
    words.second.insert(link.target);
  }
  return words;
}

TEST(Symmetrise, FinalLinksEachWordThatHasALinkAtAll) {
  for (std::uint64_t trial = 0; trial < 3000; ++trial) {
    const SymmetriseInput in = random_input(trial);
    ASSERT_EQ(words_with_links(in.with(Symmetrisation::kGrowDiagFinal)),
              words_with_links(in.with(Symmetrisation::kUnion)))
        << trial;
    // And FINAL-AND leaves no link both of whose words are free.
    const auto words = words_with_links(in.with(Symmetrisation::kGrowDiagFinalAnd));
    for (const Link link : in.with(Symmetrisation::kUnion)) {
      ASSERT_TRUE(words.first.count(link.source) + words.second.count(link.target) > 0) << trial;
    }
  }
}

// 0-0 and 2-2 are agreed upon, and no other link is next to them or to one that is.
TEST(Symmetrise, FinalAndMayFindWhatFinalDoesNot) {
  const SymmetriseInput in{7, 7, {{0, 0}, {0, 6}, {2, 2}, {6, 2}}, {{0, 0}, {2, 2}, {6, 6}}};
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiag), (Links{{0, 0}, {2, 2}}));
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiagFinal), (Links{{0, 0}, {0, 6}, {2, 2}, {6, 2}}));
  EXPECT_EQ(in.with(Symmetrisation::kGrowDiagFinalAnd), (Links{{0, 0}, {2, 2}, {6, 6}}));
}

TEST(Symmetrise, LeavesAloneWhatBothAgreeOn) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const SymmetriseInput in = random_input(trial);
    for (const Symmetrisation method : kMethods) {
      EXPECT_EQ(symmetrise(in.forward, in.forward, in.num_source, in.num_target, method),
                in.forward);
    }
  }
}

TEST(Symmetrise, KnowsItsMethodsByName) {
  for (const Symmetrisation method : kMethods) {
    EXPECT_EQ(parse_named<Symmetrisation>(to_string(method)), method);
  }
  EXPECT_EQ(to_string(Symmetrisation::kGrowDiagFinalAnd), "grow-diag-final-and");
  EXPECT_THROW(parse_named<Symmetrisation>("refined"), UsageError);
}

}  // namespace
}  // namespace trellis::symmetrise_test
