#include "trellis/data/fingerprint_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <unordered_map>

#include "trellis/base/error.h"
#include "trellis/base/random.h"

namespace trellis {
namespace {

// Model files contain these values: they never change.
TEST(Fingerprint, ValuesAreFrozen) {
  EXPECT_EQ(fingerprint(""), 0x2d06800538d394c2u);  // XXH3's own test vector
  EXPECT_EQ(fingerprint("w[-1]=the"), 0x24c245dadfed78d8u);
  EXPECT_EQ(fingerprint("w[-1]=the", 7), 0xd32fb67586ba7bc4u);
  EXPECT_EQ(fingerprint(std::string(1000, 'x')), 0xc0a4877b962cba82u);
  EXPECT_EQ(combine(1, 2), 0x536f79f322f139f8u);
  static_assert(combine(1, 2) != combine(2, 1));
}

TEST(Combine, SmallNumbersDoNotCollide) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 300; ++a) {
    for (std::uint64_t b = 0; b < 300; ++b) seen.insert(combine(a, b));
  }
  EXPECT_EQ(seen.size(), 90000u);
}

TEST(Combine, EveryInputBitFlipsHalfOfTheOutput) {
  for (unsigned bit = 0; bit < 128; ++bit) {
    int flips = 0;
    Random random(1, bit);
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t a = random.next(), b = random.next();
      const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
      flips +=
          std::popcount(combine(a, b) ^ (bit < 64 ? combine(a ^ mask, b) : combine(a, b ^ mask)));
    }
    EXPECT_NEAR(flips, 16000, 1000) << bit;
  }
}

TEST(FingerprintTable, NumbersInTheOrderOfInsertion) {
  FingerprintTable table;
  EXPECT_EQ(table.find(5), FingerprintTable::kNone);
  EXPECT_EQ(table.find(0), FingerprintTable::kNone);
  for (const std::uint64_t fp : {5, 0, 1, 7}) {
    const std::uint32_t expected = static_cast<std::uint32_t>(table.size());
    EXPECT_TRUE(table.insert(fp).inserted);
    EXPECT_EQ(table.find(fp), expected);
    EXPECT_FALSE(table.insert(fp).inserted);
    EXPECT_EQ(table.insert(fp).id, expected);
  }
  EXPECT_EQ(table.size(), 4u);
  table.clear();
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.find(5), FingerprintTable::kNone);
}

TEST(FingerprintTable, EqualsAMap) {
  rc::check([](const std::vector<std::uint16_t>& keys) {
    FingerprintTable table;
    std::unordered_map<std::uint64_t, std::uint32_t> map;
    for (const std::uint16_t key : keys) {
      const auto [id, inserted] = table.insert(key);
      const auto entry = map.emplace(key, static_cast<std::uint32_t>(map.size()));
      RC_ASSERT(id == entry.first->second);
      RC_ASSERT(inserted == entry.second);
    }
    RC_ASSERT(table.size() == map.size());
    for (std::uint64_t key = 0; key < 65536; key += 37) {
      const auto found = map.find(key);
      RC_ASSERT(table.find(key) == (found == map.end() ? FingerprintTable::kNone : found->second));
    }
  });
}

TEST(FingerprintTable, GrowsToManyEntriesAtALoadOfAtMostSeventyPercent) {
  FingerprintTable table;
  const Index n = 200000;
  for (Index i = 0; i < n; ++i) {
    table.insert(Random(2, i).next());
    ASSERT_LE(static_cast<double>(table.size()), 0.7 * static_cast<double>(table.keys().size()));
  }
  const std::vector<std::uint64_t> all = table.fingerprints();
  for (Index i = 0; i < n; ++i) {
    ASSERT_EQ(table.find(Random(2, i).next()), i);
    ASSERT_EQ(all[i], Random(2, i).next());
  }
  FingerprintTable reserved;
  reserved.reserve(n);
  const Index slots = reserved.keys().size();
  for (Index i = 0; i < n; ++i) reserved.insert(Random(2, i).next());
  EXPECT_EQ(reserved.keys().size(), slots);
}

TEST(FingerprintView, FindsWhatTheTableHolds) {
  FingerprintTable table;
  for (std::uint64_t fp = 0; fp < 3000; fp += 3) table.insert(fp);
  const FingerprintView view(table.keys(), table.ids(), table.size(), "model");
  for (std::uint64_t fp = 0; fp < 3000; ++fp) {
    view.prefetch(fp);
    EXPECT_EQ(view.find(fp), table.find(fp));
  }
}

TEST(FingerprintView, EmptyViewsFindNothing) {
  EXPECT_EQ(FingerprintView().find(0), FingerprintView::kNone);
  EXPECT_EQ(FingerprintView().find(~std::uint64_t{0}), FingerprintView::kNone);
  EXPECT_EQ(FingerprintView({}, {}, 0, "model").find(3), FingerprintView::kNone);
}

TEST(FingerprintView, RefusesIllFormedTables) {
  const std::vector<std::uint64_t> keys{1, 0, 3, 0};
  const std::vector<std::uint32_t> ids{0, 9, 1, 9};
  const std::span<const std::uint64_t> k(keys);
  const std::span<const std::uint32_t> i(ids);
  EXPECT_NO_THROW(FingerprintView(k, i, 2, "model"));
  EXPECT_THROW(FingerprintView(k, i, 1, "model"), InputError) << "an id out of range";
  EXPECT_THROW(FingerprintView(k, i.first(2), 2, "model"), InputError);
  EXPECT_THROW(FingerprintView(k.first(3), i.first(3), 2, "model"), InputError);
  EXPECT_THROW(FingerprintView(k.first(1), i.first(1), 2, "model"), InputError);
}

TEST(FingerprintView, LookupsInAFullTableEnd) {
  std::vector<std::uint64_t> keys(64);
  for (Index i = 0; i < keys.size(); ++i) keys[i] = i + 1;
  const std::vector<std::uint32_t> ids(64, 0);
  const FingerprintView view(keys, ids, 1, "model");
  for (std::uint64_t fp = 0; fp < 1000; ++fp) {
    EXPECT_EQ(view.find(fp), fp >= 1 && fp <= 64 ? 0 : FingerprintView::kNone);
  }
}

}  // namespace
}  // namespace trellis
