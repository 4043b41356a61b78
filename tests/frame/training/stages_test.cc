#include "trellis/frame/training/stages.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::testing {
namespace {

using Numbers = std::vector<double>;

// A stage of ten steps, each of which adds to what was there: it stops before step `until`.
struct Steps {
  int until = 10;
  int calls = 0;
  int steps = 0;

  Stages::Work work() {
    return [this](Checkpoint& result, Checkpoint& state) {
      ++calls;
      Numbers path = state.has("path") ? state.doubles("path") : Numbers{};
      while (path.size() < 10) {
        if (static_cast<int>(path.size()) >= until) {
          state.put("path", path);
          return false;
        }
        ++steps;
        path.push_back(static_cast<double>(path.size() * path.size()));
      }
      result.put("path", path);
      return true;
    };
  }
};

Numbers whole_path() {
  Numbers path;
  for (int k = 0; k < 10; ++k) path.push_back(k * k);
  return path;
}

class StagesTest : public ::testing::Test {
 protected:
  CheckpointOptions options(bool resume = false, double save_every = 300) const {
    CheckpointOptions options;
    options.checkpoint = path_;
    options.resume = resume;
    options.save_every = save_every;
    return options;
  }
  // Of a stage that is run here and now; empty where it is interrupted.
  static Numbers run(Stages& stages, const std::string& name, Steps& steps) {
    Checkpoint result;
    return stages.run(name, steps.work(), result) ? result.doubles("path") : Numbers{};
  }
  bool on_disk() const { return std::filesystem::exists(path_); }

  TemporaryDirectory directory_;
  std::string path_ = directory_.file("run.checkpoint");
};

TEST_F(StagesTest, AResultIsFoundOnceAndThenKnown) {
  Stages stages(options(), "id");
  Steps steps;
  EXPECT_EQ(run(stages, "a", steps), whole_path());
  EXPECT_EQ(run(stages, "a", steps), whole_path());
  EXPECT_EQ(steps.calls, 1);
  EXPECT_EQ(run(stages, "b", steps), whole_path());  // another stage
  EXPECT_EQ(steps.calls, 2);
  EXPECT_FALSE(stages.resumed());
  EXPECT_FALSE(on_disk());  // nothing was interrupted, and no time has passed
}

TEST_F(StagesTest, FinishedStagesAreRecalledAndTheInterruptedOneGoesOn) {
  {
    Stages stages(options(), "id");
    Steps first, second{4};
    EXPECT_EQ(run(stages, "path/0", first), whole_path());
    EXPECT_EQ(run(stages, "path/1", second), Numbers{});
    EXPECT_TRUE(on_disk());
  }
  {  // interrupted again, before it moves
    Stages stages(options(true), "id");
    EXPECT_TRUE(stages.resumed());
    Steps first, second{4};
    EXPECT_EQ(run(stages, "path/0", first), whole_path());
    EXPECT_EQ(first.calls, 0);
    EXPECT_EQ(run(stages, "path/1", second), Numbers{});
    EXPECT_EQ(second.steps, 0);
  }
  Stages stages(options(true), "id");
  Steps first, second, third;
  EXPECT_EQ(run(stages, "path/0", first), whole_path());
  EXPECT_EQ(run(stages, "path/1", second), whole_path());
  EXPECT_EQ(second.steps, 6);  // from where it was
  EXPECT_EQ(run(stages, "path/2", third), whole_path());
}

TEST_F(StagesTest, EverythingInACheckpointComesBack) {
  {
    Stages stages(options(), "id");
    Checkpoint result;
    ASSERT_TRUE(stages.run(
        "all kinds/of/entries",
        [](Checkpoint& found, Checkpoint&) {
          found.put("numbers", Numbers{1.5, -0.0, 1e-300});
          found.put_integers("numbers", std::array<std::uint64_t, 2>{1, ~std::uint64_t{0}});
          found.put_text("a/text", "with: colons\nand lines");
          found.put("empty", Numbers{});
          return true;
        },
        result));
    ASSERT_TRUE(stages.run(
        "nothing", [](Checkpoint&, Checkpoint&) { return true; }, result));
    EXPECT_FALSE(stages.run(
        "stopped", [](Checkpoint&, Checkpoint&) { return false; }, result));
  }
  Stages stages(options(true), "id");
  const Stages::Work never = [](Checkpoint&, Checkpoint&) -> bool {
    ADD_FAILURE() << "the stage is finished";
    return true;
  };
  Checkpoint result;
  ASSERT_TRUE(stages.run("all kinds/of/entries", never, result));
  EXPECT_EQ(result.doubles("numbers"), (Numbers{1.5, -0.0, 1e-300}));
  EXPECT_EQ(result.integers("numbers"), (std::vector<std::uint64_t>{1, ~std::uint64_t{0}}));
  EXPECT_EQ(result.text("a/text"), "with: colons\nand lines");
  EXPECT_EQ(result.doubles("empty"), Numbers{});
  Checkpoint nothing;
  EXPECT_TRUE(stages.run("nothing", never, nothing));
  EXPECT_TRUE(nothing.empty());
}

TEST_F(StagesTest, TheMessageNamesTheOptionsThatDiffer) {
  CheckpointOptions one = options();
  one.options_given = "\n--order 1\n--min-count 2";
  {
    Stages stages(one, "tag d=8");
    Steps steps{4};
    run(stages, "fit", steps);
  }
  one.resume = true;
  EXPECT_NO_THROW(Stages(one, "tag d=8"));
  one.options_given = "\n--order 2\n--min-count 2";
  try {
    Stages stages(one, "tag d=8");
    FAIL() << "the options differ";
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with("expected '--order 2', found '--order 1'"))
        << error.what();
  }
}

TEST_F(StagesTest, TheStateOfAnotherRunIsRefused) {
  {
    Stages stages(options(), "tag c=1");
    Steps steps{4};
    run(stages, "fit", steps);
  }
  try {
    Stages stages(options(true), "tag c=2");
    FAIL() << "the checkpoint belongs to another run";
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("tag c=1"), std::string::npos) << text;
    EXPECT_NE(text.find("tag c=2"), std::string::npos) << text;
    EXPECT_EQ(error.file(), path_);
  }
  EXPECT_NO_THROW(Stages(options(true), "tag c=1"));
  // Who does not ask for it does not read it.
  EXPECT_NO_THROW(Stages(options(false), "tag c=2"));
}

TEST_F(StagesTest, WhatIsNoCheckpointIsRefused) {
  directory_.make("run.checkpoint", "nonsense");
  EXPECT_THROW(Stages(options(true), "id"), InputError);
}

TEST_F(StagesTest, WithoutACheckpointARunStartsAfresh) {
  Stages stages(options(true), "id");
  EXPECT_FALSE(stages.resumed());
  Steps steps;
  EXPECT_EQ(run(stages, "fit", steps), whole_path());
}

TEST_F(StagesTest, WithoutAPathNothingIsWritten) {
  CheckpointOptions nowhere = options(false, 0);
  nowhere.checkpoint.clear();
  Stages stages(nowhere, "id");
  EXPECT_FALSE(stages.due());
  Steps steps{4};
  EXPECT_EQ(run(stages, "fit", steps), Numbers{});
  steps.until = 10;
  EXPECT_EQ(run(stages, "fit", steps), whole_path());  // from where it was, without a file
  EXPECT_EQ(steps.steps, 10);
  stages.discard();
  EXPECT_EQ(directory_.num_entries(), 0U);
}

TEST_F(StagesTest, AreSavedWhenItIsTime) {
  Stages never(options(false, 1e9), "id");
  Steps steps;
  run(never, "a", steps);
  EXPECT_FALSE(never.due());
  EXPECT_FALSE(on_disk());
  Stages always(options(false, 0), "id");
  EXPECT_TRUE(always.due());
  run(always, "a", steps);
  EXPECT_TRUE(on_disk());
  Stages again(options(true), "id");
  Steps known;
  EXPECT_EQ(run(again, "a", known), whole_path());
  EXPECT_EQ(known.calls, 0);
}

// A run that is killed, and not asked to stop, goes on from its last pause.
TEST_F(StagesTest, APausedStageGoesOnFromItsPause) {
  {
    Stages stages(options(), "id");
    Checkpoint state;
    state.put("path", Numbers{0, 1, 4});
    stages.pause("fit", state);
    EXPECT_TRUE(on_disk());
  }
  Stages stages(options(true), "id");
  Steps steps;
  EXPECT_EQ(run(stages, "fit", steps), whole_path());
  EXPECT_EQ(steps.steps, 7);
}

TEST_F(StagesTest, AnInterruptionThatLeavesNoStateKeepsTheOneBefore) {
  {
    Stages stages(options(), "id");
    Checkpoint state, result;
    state.put("path", Numbers{0, 1, 4});
    stages.pause("fit", state);
    EXPECT_FALSE(stages.run(
        "fit",
        [](Checkpoint&, Checkpoint& left) {
          left.clear();
          return false;
        },
        result));
  }
  Stages stages(options(true), "id");
  Steps steps;
  EXPECT_EQ(run(stages, "fit", steps), whole_path());
  EXPECT_EQ(steps.steps, 7);
}

TEST_F(StagesTest, WhatIsDroppedOfAResultIsGoneAndTheRestIsThere) {
  const Stages::Work two = [](Checkpoint& found, Checkpoint&) {
    found.put("w", Numbers{1, 2});
    found.put("summary", Numbers{3});
    return true;
  };
  const Stages::Work never = [](Checkpoint&, Checkpoint&) -> bool {
    ADD_FAILURE() << "the stage is finished";
    return true;
  };
  {
    Stages stages(options(), "id");
    Checkpoint result;
    stages.run("a", two, result);
    stages.drop("a", "w");
    stages.drop("a", "nonsense");
    stages.drop("nonsense", "w");
    stages.drop("a", "summary");  // the last one: the stage stays finished
    stages.run("b", two, result);
    stages.drop("b", "w");
    stages.run(
        "stop", [](Checkpoint&, Checkpoint&) { return false; }, result);
  }
  Stages stages(options(true), "id");
  Checkpoint a, b;
  ASSERT_TRUE(stages.run("a", never, a));
  EXPECT_TRUE(a.empty());
  ASSERT_TRUE(stages.run("b", never, b));
  EXPECT_FALSE(b.has("w"));
  EXPECT_EQ(b.doubles("summary"), Numbers{3});
}

TEST_F(StagesTest, DiscardRemovesTheFileOfThisRunAndOfNoOther) {
  directory_.make("run.checkpoint", "somebody else's");
  Stages idle(options(), "id");
  idle.discard();
  EXPECT_TRUE(on_disk());
  Stages stages(options(), "id");
  Steps steps{4};
  run(stages, "fit", steps);
  stages.discard();
  EXPECT_FALSE(on_disk());
  stages.discard();  // there is nothing any more
  run(stages, "fit", steps);
  EXPECT_TRUE(on_disk());
  Stages resumed(options(true), "id");
  resumed.discard();
  EXPECT_FALSE(on_disk());
}

TEST_F(StagesTest, ARunThatEndsBetweenTwoStagesKeepsWhatIsFinished) {
  {
    Stages stages(options(), "id");
    Steps steps;
    run(stages, "a", steps);
    stages.keep();
  }
  Stages stages(options(true), "id");
  Steps steps;
  EXPECT_EQ(run(stages, "a", steps), whole_path());
  EXPECT_EQ(steps.calls, 0);
}

TEST_F(StagesTest, AnErrorOfAStageIsTheCallers) {
  Stages stages(options(), "id");
  Checkpoint result;
  EXPECT_THROW(stages.run(
                   "fit", [](Checkpoint&, Checkpoint&) -> bool { throw UsageError("no"); }, result),
               UsageError);
  Steps steps;
  EXPECT_EQ(run(stages, "fit", steps), whole_path());
}

TEST_F(StagesTest, OfDifferentNamesRunSideBySide) {
  constexpr Index kStages = 40;
  const auto name = [](Index k) { return "fold/" + std::to_string(k); };
  {
    Stages stages(options(false, 0), "id");  // every stage saves
    std::atomic<Index> finished = 0;
    parallel_for(kStages, 2, [&](Index k, int) {
      Steps steps{k % 2 == 0 ? 10 : 5};
      Checkpoint result;
      if (stages.run(name(k), steps.work(), result)) ++finished;
      if (stages.due()) stages.pause(name(kStages + k), result);
      stages.drop(name(k), "nonsense");
    });
    EXPECT_EQ(finished, kStages / 2);
  }
  Stages stages(options(true), "id");
  for (Index k = 0; k < kStages; ++k) {
    Steps steps;
    EXPECT_EQ(run(stages, name(k), steps), whole_path());
    EXPECT_EQ(steps.steps, k % 2 == 0 ? 0 : 5);
  }
}

}  // namespace
}  // namespace trellis::testing
