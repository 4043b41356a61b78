#include "trellis/tasks/tables/hmm/sequence_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "small_sequences.h"
#include "trellis/base/error.h"
#include "trellis/data/value.h"
#include "trellis/tasks/tables/value_costs.h"

namespace trellis::hmm {
namespace {

using testing::model_from;
using testing::ring_model;

SequenceModel small_model() {
  return {ring_model(),
          {{"1", "2"}, "3"},
          "ring",
          generative::ring_costs(5),
          Value::record({{"estimator", "ml"}})};
}

TEST(SequenceModel, LoadsWhatItSaved) {
  const SequenceModel model = small_model();
  const std::string bytes = model.to_bytes();
  const SequenceModel loaded = model_from(bytes);
  EXPECT_EQ(loaded.to_bytes(), bytes);
  EXPECT_EQ(loaded.hmm().alphabet(), model.hmm().alphabet());
  EXPECT_TRUE(std::equal(loaded.hmm().theta().begin(), loaded.hmm().theta().end(),
                         model.hmm().theta().begin()));
  EXPECT_EQ(loaded.columns(), model.columns());
  EXPECT_EQ(loaded.loss(), "ring");
  EXPECT_EQ(loaded.costs().row(0)[3], 2);
}

TEST(SequenceModel, RefusesAFileThatIsCutOrChanged) {
  const std::string bytes = small_model().to_bytes();
  for (Index n = 0; n < bytes.size(); n += 7) {
    EXPECT_THROW(model_from(bytes.substr(0, n)), InputError) << n;
  }
  for (Index n = 0; n < bytes.size(); ++n) {
    std::string changed = bytes;
    changed[n] = static_cast<char>(changed[n] ^ 0x41);
    EXPECT_THROW(model_from(changed), InputError) << n;
  }
}

struct Hostile {
  Value meta =
      Value::record({{"columns", Value::record({{"channels", Value::list({"1"})}, {"state", "2"}})},
                     {"unknown", Value::list({false})},
                     {"loss", "hamming"},
                     {"training", Value()}});
  std::vector<std::uint64_t> state_offsets = {0, 1, 2}, value_offsets = {0, 1, 2};
  std::string states = "ab", values = "xy";
  std::vector<double> theta = std::vector<double>(10, std::log(0.5));
  std::vector<double> costs = {0, 1, 1, 0};

  std::string bytes() const {
    ModelWriter writer(std::string(SequenceModel::kKind.name), SequenceModel::kKind.newest);
    writer.add_json("meta", meta);
    writer.add_array<std::uint64_t>("states/offsets", state_offsets);
    writer.add_array<char>("states/bytes", states);
    writer.add_array<std::uint64_t>("channel/0/offsets", value_offsets);
    writer.add_array<char>("channel/0/bytes", values);
    writer.add_array<double>("theta", theta);
    writer.add_array<double>("costs", costs);
    return writer.to_bytes();
  }
};

TEST(SequenceModel, RefusesWhatDoesNotFitTogether) {
  EXPECT_NO_THROW(model_from(Hostile().bytes()));
  const std::vector<std::function<void(Hostile&)>> faults = {
      [](Hostile& h) { h.theta.pop_back(); },
      [](Hostile& h) { h.theta[3] = 0.1; },
      [](Hostile& h) { h.theta[3] = std::log(0.6); },
      [](Hostile& h) { h.theta[0] = std::nan(""); },
      [](Hostile& h) { h.theta[0] = INFINITY; },
      [](Hostile& h) { h.states = "aa"; },
      [](Hostile& h) { h.values = "xx"; },
      [](Hostile& h) { h.values = "x\xff"; },
      [](Hostile& h) { h.state_offsets = {0}; },
      [](Hostile& h) {
        h.value_offsets = {0, 2};
      },
      [](Hostile& h) { h.costs.pop_back(); },
      [](Hostile& h) { h.costs[0] = 1; },
      [](Hostile& h) { h.costs[1] = -1; },
      [](Hostile& h) { h.costs[1] = std::nan(""); },
      [](Hostile& h) { h.meta.erase("training"); },
      [](Hostile& h) { h.meta["unknown"] = Value::list(); },
      [](Hostile& h) { h.meta["unknown"] = "no"; },
      [](Hostile& h) {
        h.meta["columns"]["channels"] = Value::list({"1", "2"});
      },
      [](Hostile& h) { h.meta["columns"]["channels"] = Value::list(); },
      [](Hostile& h) { h.meta["loss"] = 3; },
  };
  for (Index k = 0; k < faults.size(); ++k) {
    Hostile hostile;
    faults[k](hostile);
    EXPECT_THROW(model_from(hostile.bytes()), InputError) << k;
  }
}

}  // namespace
}  // namespace trellis::hmm
