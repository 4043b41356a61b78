#include "trellis/learn/frame/trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "trellis/base/error.h"

namespace trellis {
namespace {

// Every field of every record has a value of its own.
std::vector<EpochRecord> some_epochs() {
  std::vector<EpochRecord> records(3);
  for (Index k = 0; k < records.size(); ++k) {
    EpochRecord& r = records[k];
    Index n = 100 * k;
    for (Index* count : {&r.epoch, &r.updates, &r.weights_touched, &r.passes, &r.negative_losses,
                         &r.inference.calls, &r.inference.unconverged}) {
      *count = ++n;
    }
    for (double* number : {&r.objective, &r.bound, &r.missed, &r.loss, &r.dev, &r.seconds,
                           &r.inference.largest_residual, &r.inference.residual_sum}) {
      *number = 0.5 + static_cast<double>(++n);
    }
  }
  records[1].dev = kUnknown;
  return records;
}

TEST(Epochs, EachFieldComesBackByItsName) {
  const std::vector<EpochRecord> records = some_epochs();
  Checkpoint checkpoint;
  put_epochs(records, "e", checkpoint);
  EXPECT_EQ(checkpoint.doubles("e/objective")[2], records[2].objective);
  EXPECT_EQ(checkpoint.integers("e/weights_touched")[1], records[1].weights_touched);
  const std::vector<EpochRecord> found = get_epochs("e", checkpoint);
  ASSERT_EQ(found.size(), records.size());
  for (Index k = 0; k < found.size(); ++k) {
    const EpochRecord &a = found[k], &b = records[k];
    EXPECT_EQ(a.epoch, b.epoch);
    EXPECT_EQ(a.updates, b.updates);
    EXPECT_EQ(a.weights_touched, b.weights_touched);
    EXPECT_EQ(a.passes, b.passes);
    EXPECT_EQ(a.negative_losses, b.negative_losses);
    EXPECT_EQ(a.inference.calls, b.inference.calls);
    EXPECT_EQ(a.inference.unconverged, b.inference.unconverged);
    EXPECT_EQ(a.objective, b.objective);
    EXPECT_EQ(a.bound, b.bound);
    EXPECT_EQ(a.missed, b.missed);
    EXPECT_EQ(a.loss, b.loss);
    EXPECT_EQ(a.seconds, b.seconds);
    EXPECT_EQ(a.inference.largest_residual, b.inference.largest_residual);
    EXPECT_EQ(a.inference.residual_sum, b.inference.residual_sum);
    EXPECT_TRUE(a.dev == b.dev || (std::isnan(a.dev) && std::isnan(b.dev)));
  }
}

TEST(Epochs, MissingOtherAndUnequalArraysAreRefusedByName) {
  const auto refuses = [](const std::string& name, const auto& damage) {
    Checkpoint checkpoint;
    put_epochs(some_epochs(), "e", checkpoint);
    damage(checkpoint);
    try {
      get_epochs("e", checkpoint);
      FAIL() << name;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
    }
  };
  const std::vector<double> two(2);
  const std::vector<std::uint64_t> four(4);
  refuses("e/bound", [&](Checkpoint& c) { c.put("e/bound", two); });
  refuses("e/calls", [&](Checkpoint& c) { c.put_integers("e/calls", four); });
  refuses("e/speed", [&](Checkpoint& c) { c.put("e/speed", two); });
  refuses("e/speed", [&](Checkpoint& c) { c.put_text("e/speed", "high"); });
  refuses("e/epoch", [&](Checkpoint& c) { c.clear(); });
  refuses("e/objective", [&](Checkpoint& c) {
    c.clear();
    c.put_integers("e/epoch", four);
  });
}

}  // namespace
}  // namespace trellis
