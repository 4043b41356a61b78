#include "trellis/tasks/parse/arc_trainable.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/tasks/parse/model/small_lesson.h"
#include "tests/tasks/parse/small_treebank.h"

namespace trellis::parse {
namespace {

using parse::testing::Lesson;
using parse::testing::tiny_text;
using parse::testing::treebank_of;

// "cats sleep" with a cycle for its only arcs.
TEST(ArcTrainable, WordsOfASentenceWithoutATreeCountAsWrong) {
  for (const Index order : {1, 2}) {
    Lesson lesson(treebank_of(tiny_text()), order);
    const std::vector<DependencyArc> cycle = {{2, 1}, {1, 2}};
    const std::vector<ArcExample> dev = {lesson.examples[0], lesson.example(2, cycle)};
    const std::vector<Sentence> sentences = {lesson.treebank.sentences[0],
                                             lesson.treebank.sentences[2]};
    const ArcLesson arcs{lesson.treebank.sentences, lesson.examples, sentences, dev, lesson.labels,
                         lesson.weights()};
    ArcTrainableOptions options;
    options.shape = lesson.shape;
    options.threads = 1;
    const auto trainable = make_trainable(arcs, options);
    const std::vector<double> w(lesson.numbers.dimension(), 0.0);
    const std::vector<double> tally = trainable->whole().tally(w);
    EXPECT_EQ(tally[1], 3 + 2) << "order " << order;
  }
}

}  // namespace
}  // namespace trellis::parse
