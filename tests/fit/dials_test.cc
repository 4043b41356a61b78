#include "trellis/fit/dials.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <variant>

#include "tests/fit/choices.h"
#include "trellis/base/error.h"

namespace trellis::testing {
namespace {

using enum LearnerKind;

// Some values of a dial, as the command line has them.
std::vector<std::string> samples(const Dial& dial) {
  switch (dial.member.index()) {
    case 0:
      return {"0.25", "1e-05", "0.1", "3", "12345.678"};
    case 1:
      return {"1", "7", "1000000"};
    case 2:
      return {"true", "false"};
    default:
      return {dial.words.begin(), dial.words.end()};
  }
}

TEST(Dials, EachHasANameOfItsOwnAndALineOfHelp) {
  std::set<std::string_view> names;
  for (const Dial& one : dials()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.help.empty()) << one.name;
    EXPECT_EQ(&dial(one.name), &one);
    EXPECT_FALSE(one.learners.empty()) << one.name;
    // A row of text is one of words, and no other is.
    EXPECT_EQ(one.member.index() == 3, !one.words.empty()) << one.name;
  }
}

TEST(Dials, AreWhatTheyAreCalledInTheOptions) {
  LearnerOptions o;
  o.c = 1, o.lambda = 2, o.l1 = 3, o.radius = 4, o.gap = 5, o.epsilon = 6, o.delta = 7, o.eta = 8,
  o.step_scale = 9;
  o.epochs = 10, o.patience = 11, o.gap_every = 12, o.warm_up = 13, o.voters = 14, o.k = 15,
  o.cache = 16, o.draws = 17;
  o.l1_ball = true, o.certify = false, o.average = true;
  o.dual = "stored", o.geometry = "entropic", o.rescale = "slack", o.steps = "plain";
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"c", "1"},          {"lambda", "2"},          {"l1", "3"},          {"radius", "4"},
      {"gap", "5"},        {"epsilon", "6"},         {"delta", "7"},       {"eta", "8"},
      {"step-scale", "9"}, {"epochs", "10"},         {"patience", "11"},   {"gap-every", "12"},
      {"warm-up", "13"},   {"voters", "14"},         {"k", "15"},          {"cache", "16"},
      {"draws", "17"},     {"l1-ball", "true"},      {"certify", "false"}, {"average", "true"},
      {"dual", "stored"},  {"geometry", "entropic"}, {"rescale", "slack"}, {"steps", "plain"}};
  EXPECT_EQ(dials().size(), expected.size());
  for (const auto& [name, text] : expected) EXPECT_EQ(dial(name).text(o), text) << name;
}

TEST(Dials, SettingOnePrintsItsValueAndSaysNoOther) {
  for (const Dial& one : dials()) {
    for (const std::string& text : samples(one)) {
      LearnerOptions options;
      EXPECT_EQ(one.text(options), "");
      one.set(options, text);
      EXPECT_EQ(one.text(options), text) << one.name;
      for (const Dial& other : dials()) {
        EXPECT_EQ(other.said(options), other.name == one.name) << one.name << ", " << other.name;
      }
    }
  }
}

RC_GTEST_PROP(Dials, EveryNumberIsReadBackFromItsTextToTheSameBits, ()) {
  const auto bits = *rc::gen::arbitrary<std::uint64_t>();
  const double value = std::abs(std::bit_cast<double>(bits));
  RC_PRE(std::isfinite(value) && value > 0);
  for (const Dial& one : dials()) {
    if (one.member.index() != 0) continue;
    LearnerOptions options, again;
    one.set(options, value);
    RC_ASSERT(one.number(options) == value);
    one.set(again, one.text(options));
    RC_ASSERT(one.number(again) == value);
  }
}

TEST(Dials, WholeNumbersAreSetByNumbersToo) {
  LearnerOptions options;
  dial("epochs").set(options, 30.0);
  EXPECT_EQ(options.epochs, Index{30});
  EXPECT_EQ(dial("epochs").number(options), 30);
  for (const double bad : {2.5, -1.0, 1e30, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(dial("epochs").set(options, bad), UsageError) << bad;
  }
}

TEST(Dials, RefuseWhatIsNoValueOfThem) {
  const auto refuses = [](const Dial& one, const std::string& text) {
    LearnerOptions options;
    const std::string sentence = refusal_by([&] { one.set(options, text); });
    EXPECT_TRUE(contains(sentence, "--" + std::string(one.name))) << one.name << " " << text;
    EXPECT_TRUE(contains(sentence, "'" + text + "'")) << sentence;
    EXPECT_TRUE(contains(sentence, "expected")) << sentence;
  };
  for (const Dial& one : dials()) {
    refuses(one, "");
    refuses(one, "nonsense");
    if (one.numeric()) {
      for (const char* text : {"-1", "1x", "nan", "inf", "1,2", " 1"}) refuses(one, text);
      if (one.above_zero) refuses(one, "0");
    }
    if (one.member.index() == 1) refuses(one, "0.5");
    if (one.member.index() == 2) refuses(one, "1");
  }
}

TEST(Dials, ZeroIsAValueWhereItMeansNone) {
  for (const Dial& one : dials()) {
    if (!one.numeric() || one.above_zero) continue;
    LearnerOptions options;
    one.set(options, "0");
    EXPECT_EQ(one.number(options), 0) << one.name;
  }
}

TEST(Dials, ValuesThatWereNotReadAreCheckedAsWell) {
  LearnerOptions options;
  options.c = -1;
  EXPECT_THROW(dial("c").check(options), UsageError);
  options.c = std::numeric_limits<double>::infinity();
  EXPECT_THROW(dial("c").check(options), UsageError);
  options.c = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(dial("c").check(options), UsageError);
  options.dual = "nonsense";
  EXPECT_THROW(dial("dual").check(options), UsageError);
  EXPECT_THROW(chosen(options), UsageError);
  EXPECT_NO_THROW(dial("lambda").check(options));  // not said
}

TEST(Dials, AWordThatIsNoneIsRefusedWithThoseThatAre) {
  LearnerOptions options;
  EXPECT_TRUE(contains(refusal_by([&] { dial("dual").set(options, "kept"); }), "online, stored"));
  EXPECT_TRUE(contains(refusal_by([&] { dial("nonsense"); }), "'nonsense'"));
}

TEST(Dials, ALearnerRefusesAForeignDialWithTheLearnersThatHaveIt) {
  for (const LearnerKind learner : LearnerSet::all().list()) {
    for (const Dial& one : dials()) {
      LearnerOptions said = saying(learner);
      one.set(said, samples(one).front());
      const std::string foreign =
          "--" + std::string(one.name) + " cannot be combined with the learner " +
          std::string(to_string(learner)) + ": it requires " + one.learners.names("or");
      EXPECT_EQ(refusal_of(said) == foreign, !one.learners.has(learner))
          << to_string(learner) << " " << one.name << ": " << refusal_of(said);
    }
  }
}

TEST(Dials, AChoiceHasAValueForEveryDialOfItsLearnerAndForNoOther) {
  for (const LearnerKind learner : LearnerSet::all().list()) {
    const LearnerChoice choice = chosen(saying(learner));
    for (const Dial& one : dials()) {
      // λ and the radius stand instead of C, and margins are rescaled where nothing is said.
      const bool other = one.name == "lambda" || one.name == "radius" || one.name == "rescale";
      EXPECT_EQ(one.said(choice.values), one.learners.has(learner) && !other)
          << to_string(learner) << " " << one.name;
      EXPECT_NO_THROW(one.check(choice.values));
    }
  }
}

// A checkpoint of one of them must not serve another.
TEST(Dials, DescriptionsOfChoicesThatDifferInAnyDialDiffer) {
  std::set<std::string> seen;
  Index choices = 0;
  const auto add = [&](const LearnerChoice& choice) {
    ++choices;
    EXPECT_TRUE(seen.insert(choice.description()).second) << choice.description();
  };
  for (const LearnerKind learner : LearnerSet::all().list()) {
    const LearnerChoice standard = chosen(saying(learner));
    add(standard);
    for (const Dial& one : dials()) {
      if (!one.learners.has(learner)) continue;
      LearnerChoice other = standard;
      if (one.numeric()) {
        const double value = one.said(standard.values) ? one.number(standard.values) : 1;
        one.set(other.values, value + 1);
        add(other);
      } else {
        for (const std::string& text : samples(one)) {
          if (text == one.text(standard.values)) continue;
          one.set(other.values, text);
          add(other);
        }
      }
    }
    LearnerChoice other = standard;
    other.loss.gamma = 0.5;
    add(other);
    other.loss = {0.5, 0.5};
    add(other);
    other = standard;
    other.partial = true;
    add(other);
  }
  EXPECT_EQ(seen.size(), choices);
}

TEST(Dials, DescriptionsSeeTheLastBitOfANumber) {
  LearnerOptions said = saying(kDca, "svm");
  said.c = 0.1;
  const std::string here = chosen(said).description();
  said.c = std::nextafter(0.1, 1);
  EXPECT_NE(here, chosen(said).description());
  said.c = 0.1;
  said.beta = 0.3;
  const std::string smooth = chosen(said).description();
  said.beta = std::nextafter(0.3, 1);
  EXPECT_NE(smooth, chosen(said).description());
}

TEST(LearnerNames, AreReadBackAndDescribed) {
  std::set<std::string_view> names;
  for (const LearnerKind learner : LearnerSet::all().list()) {
    EXPECT_EQ(parse_learner(to_string(learner)), learner);
    EXPECT_FALSE(describe(learner).empty());
    names.insert(to_string(learner));
  }
  EXPECT_EQ(names.size(), kNumLearners);
  const std::string sentence = refusal_by([] { parse_learner("svm"); });
  EXPECT_TRUE(contains(sentence, "'svm'"));
  for (const std::string_view name : names) EXPECT_TRUE(contains(sentence, name));
}

TEST(LearnerSets, HaveWhatWasPutIn) {
  constexpr LearnerSet some = {kDca, kMira, kSgd};
  static_assert(some.has(kDca) && some.has(kMira) && some.has(kSgd) && !some.has(kQp));
  static_assert(!some.but({kMira}).has(kMira) && some.but({kMira}).has(kDca));
  static_assert(LearnerSet{}.empty() && !some.empty());
  static_assert((some & LearnerSet{kMira, kQp}).has(kMira));
  static_assert(!(some & LearnerSet{kMira, kQp}).has(kQp));
  EXPECT_EQ(some.names(), "dca, sgd and mira");
  EXPECT_EQ(LearnerSet{kQp}.names(), "qp");
  EXPECT_EQ(LearnerSet{}.names(), "");
  EXPECT_EQ(LearnerSet::all().list().size(), kNumLearners);
}

}  // namespace
}  // namespace trellis::testing
