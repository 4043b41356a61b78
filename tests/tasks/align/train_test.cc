#include "trellis/tasks/align/train.h"

#include <gtest/gtest.h>

#include <stop_token>
#include <string>

#include "tests/base/temporary_directory.h"
#include "trellis/base/error.h"
#include "trellis/base/random.h"
#include "trellis/tasks/align/inspect.h"
#include "trellis/tasks/align/predict.h"

namespace trellis::align {
namespace {

using trellis::testing::TemporaryDirectory;

// A language and another one with the same words under other names, in which every pair of words
// has changed places; a particle here and there has no counterpart.
struct Text {
  std::string source, target, links;
};
Text make_text(Index pairs, std::uint64_t seed) {
  Random random(seed);
  Text text;
  for (Index k = 0; k < pairs; ++k) {
    const Index length = 3 + random.below(6);
    std::vector<Index> words(length);
    for (Index& word : words) word = random.below(40);
    std::string source, target, links;
    for (const Index word : words) source += "e" + std::to_string(word) + " ";
    Index j = 0;
    for (Index i = 0; i < length; ++i) {
      const Index at = i % 2 == 0 ? (i + 1 < length ? i + 1 : i) : i - 1;
      target += "F" + std::to_string(words[at]) + " ";
      links += std::to_string(at) + "-" + std::to_string(j++) + " ";
      if (random.below(5) == 0) {
        target += "ti ";
        ++j;
      }
    }
    text.source += source + "\n";
    text.target += target + "\n";
    text.links += links + "\n";
  }
  return text;
}

struct Files {
  explicit Files(Index pairs = 300) {
    const Text train = make_text(pairs, 1), held_out = make_text(40, 2);
    files.text = {folder.make("train.e", train.source), folder.make("train.f", train.target), {}};
    files.dev = BitextFiles{
        folder.make("dev.e", held_out.source), folder.make("dev.f", held_out.target), {}};
    files.dev_links = {folder.make("dev.links", held_out.links), {}};
  }
  TemporaryDirectory folder;
  TrainFiles files;
};

TEST(AlignTraining, EveryAlignerLearnsTheLexicon) {
  const Files data;
  for (const AlignerKind aligner :
       {AlignerKind::kDice, AlignerKind::kLlr, AlignerKind::kModel1, AlignerKind::kModel2,
        AlignerKind::kDiagonal, AlignerKind::kHmm, AlignerKind::kFertility, AlignerKind::kGibbs}) {
    TrainOptions options;
    options.aligner = aligner;
    const Trained trained = train_files(data.files, options);
    ASSERT_TRUE(trained.model);
    ASSERT_TRUE(trained.result.dev);
    EXPECT_LT(trained.result.dev->aer(), 0.12) << to_string(aligner);
    for (const Translation& t : strongest_translations(*trained.model, 20)) {
      EXPECT_EQ("f" + std::string(t.source.substr(1)), t.target) << to_string(aligner);
    }
  }
}

TEST(AlignTraining, ModelIsTheSameWhateverTheThreadsAndWhenReadBack) {
  const Files data;
  for (const AlignerKind aligner : {AlignerKind::kModel2, AlignerKind::kDiagonal, AlignerKind::kHmm,
                                    AlignerKind::kFertility, AlignerKind::kGibbs}) {
    TrainOptions options;
    options.aligner = aligner;
    options.threads = 1;
    const Trained one = train_files(data.files, options);
    options.threads = 3;
    const Trained three = train_files(data.files, options);
    const std::string bytes = one.model->to_bytes();
    EXPECT_EQ(bytes, three.model->to_bytes());
    const AlignModel back = AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
    EXPECT_EQ(back.to_bytes(), bytes);
    const LabelledPairs gold = read_labelled({*data.files.dev, data.files.dev_links, {}});
    const auto before = align_all(PairAligner(*one.model), gold, 1);
    const auto after = align_all(PairAligner(back), gold, 2);
    for (Index k = 0; k < before.size(); ++k) EXPECT_EQ(before[k].links, after[k].links);
  }
}

TEST(AlignTraining, ResumesToTheBytesOfAnUndisturbedRun) {
  const Files data;
  TrainOptions options;
  options.statistics = true;  // which are counted after the last iteration
  const std::string undisturbed = train_files(data.files, options).model->to_bytes();
  options.checkpoint = data.folder.file("checkpoint");
  const Index all = options.model1_iterations + options.iterations + options.fertility_iterations;
  for (const Index stop_after : {Index{1}, Index{4}, Index{7}, all - 1, all}) {
    std::stop_source stop;
    TrainEvents events;
    events.stop = stop.get_token();
    events.on_epoch = [&](const EpochRecord& record) {
      if (record.epoch == stop_after) stop.request_stop();
    };
    options.resume = false;
    const Trained broken = train_files(data.files, options, events);
    EXPECT_TRUE(broken.result.interrupted);
    EXPECT_FALSE(broken.model);
    options.resume = true;
    const Trained resumed = train_files(data.files, options);
    ASSERT_TRUE(resumed.model);
    EXPECT_EQ(resumed.model->to_bytes(), undisturbed);
    EXPECT_EQ(resumed.result.iterations.size(), all);
  }
}

TEST(AlignTraining, GoesOnFromAModel) {
  Files data(60);
  TrainOptions options;
  const Trained small = train_files(data.files, options);
  data.files.start = data.folder.file("small.trellis");
  small.model->write(data.files.start);
  const Text more = make_text(200, 3);
  data.files.text = {data.folder.make("more.e", more.source + "unheard\n"),
                     data.folder.make("more.f", more.target + "inouï\n"),
                     {}};
  const Trained larger = train_files(data.files, options);
  ASSERT_TRUE(larger.model);
  EXPECT_LE(larger.result.dev->aer(), small.result.dev->aer() + 0.02);
  EXPECT_NE(larger.model->words().source().find("unheard"), NameList::kNone);
}

// Pairs of words that only the first text has are not forgotten.
TEST(AlignTraining, MoreTextKeepsWhatItDoesNotSpeakOf) {
  TemporaryDirectory folder;
  std::string source, target;
  for (int k = 0; k < 20; ++k) {
    source += "old house\nold ship\nhouse\n";
    target += "vieille maison\nvieux navire\nmaison\n";
  }
  TrainFiles files{{folder.make("a.e", source), folder.make("a.f", target), {}}, {}, {}, ""};
  const Trained first = train_files(files, {});
  files.start = folder.file("first.trellis");
  first.model->write(files.start);
  files.text = {
      folder.make("b.e", "new tree\ntree\n"), folder.make("b.f", "nouvel arbre\narbre\n"), {}};
  const Trained second = train_files(files, {});
  const auto best = [](const AlignModel& model, const std::string& word) {
    const std::vector<Translation> found = strongest_translations(model, 1, word);
    return found.empty() ? std::string() : std::string(found.front().target);
  };
  EXPECT_EQ(best(*first.model, "ship"), "navire");
  EXPECT_EQ(best(*second.model, "ship"), "navire");
  EXPECT_EQ(best(*second.model, "tree"), "arbre");
}

// Of a model's words the new text may have but a few.
TEST(AlignTraining, MoreTextNeedNotHaveTheLastWords) {
  const TemporaryDirectory folder;
  TrainFiles files{
      {folder.make("a.e", "a b\nb a\nb d\n"), folder.make("a.f", "x y\ny x\ny z\n"), {}},
      {},
      {},
      ""};
  TrainOptions options;
  options.statistics = true;
  train_files(files, options).model->write(folder.file("first"));
  files.start = folder.file("first");
  files.text = {folder.make("b.e", "a b\n"), folder.make("b.f", "x y\n"), {}};
  const std::string bytes = train_files(files, options).model->to_bytes();
  const AlignModel read = AlignModel::from_bytes(std::as_bytes(std::span(bytes)), "m");
  EXPECT_EQ(read.words().source().size(), 3U);
  EXPECT_EQ(read.statistics()->source_counts[2], 0U);
}

TEST(AlignTraining, EmptySentencesAndNewWordsAreAligned) {
  const Files data;
  const Trained trained = train_files(data.files, {});
  const std::string source = data.folder.make("new.e", "e1 e2 e3 e4\n\ne5 brandnew e6\n");
  const std::string target = data.folder.make("new.f", "F2 F1 F4 F3\nF1\nF5 toutneuf F6\n");
  const LabelledPairs pairs = [&] {
    LabelledPairs read;
    BitextReader reader = BitextFiles{source, target, {}}.open();
    for (SentencePair pair; reader.read(pair);) {
      read.gold.pairs.push_back(std::move(pair));
      pair = SentencePair();
    }
    read.extras.resize(read.gold.pairs.size());
    return read;
  }();
  const auto found = align_all(PairAligner(*trained.model), pairs, 1);
  EXPECT_EQ(found[0].links.size(), 4u);
  EXPECT_TRUE(found[1].links.empty());
  bool known = false;
  for (const ScoredLink& one : found[2].links) known |= one.link == Link{0, 0};
  EXPECT_TRUE(known);
}

TEST(AlignModel, BrokenFilesAreRefused) {
  const Files data(30);
  TrainOptions options;
  options.reach = 3;
  std::string bytes = train_files(data.files, options).model->to_bytes();
  for (Index at = 0; at < bytes.size(); at += 97) {
    std::string cut = bytes.substr(0, at), changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x41);
    EXPECT_THROW(AlignModel::from_bytes(std::as_bytes(std::span(cut)), "m"), InputError);
    EXPECT_THROW(AlignModel::from_bytes(std::as_bytes(std::span(changed)), "m"), InputError);
  }
}

TEST(AlignTraining, RefusesWhatDoesNotGoTogether) {
  const Files data(5);
  TrainOptions options;
  options.null = 1;
  EXPECT_THROW(train_files(data.files, options), UsageError);
  DecodingOptions said;
  said.threshold = 0.3;
  said.combination = Combination::kIntersection;
  EXPECT_THROW(said.over({}), UsageError);
  said.decode = Decode::kPosterior;
  EXPECT_EQ(said.over({}).threshold, 0.3);
}

}  // namespace
}  // namespace trellis::align
