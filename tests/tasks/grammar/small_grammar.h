// Small treebanks and models for the tests of grammars.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/base/temporary_directory.h"
#include "trellis/base/input_file.h"
#include "trellis/tasks/grammar/model/grammar_model.h"
#include "trellis/tasks/grammar/train.h"
#include "trellis/tasks/grammar/treebank_data.h"

namespace trellis::grammar::testing {

inline std::string kitchen(const std::string& part) {
  return std::string(TRELLIS_SOURCE_DIR) + "/data/kitchen/" + part + ".mrg";
}

inline Treebank treebank_of(std::string_view text, Index max_words = 0) {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, "tiny.mrg"));
  return read_treebanks(std::move(files), max_words);
}

// Attachment is ambiguous, chains stand over single words, and NP stands above NP.
inline constexpr std::string_view kTiny =
    "(S (NP (NNS dogs)) (VP (VBP chase) (NP (NNS cats))))\n"
    "(S (NP (PRP they)) (VP (VBP see) (NP (NNS dogs)) (PP (IN with) (NP (NNS tails)))))\n"
    "(S (NP (PRP they)) (VP (VBP see) (NP (NP (NNS cats)) (PP (IN with) (NP (NNS tails))))))\n"
    "(S (NP (NNS dogs)) (VP (VBP chase) (NP (NNS dogs)) (PP (IN with) (NP (NP (NNS cats)) (PP (IN "
    "with) (NP (NNS tails)))))))\n"
    "(S (VP (VB run)))\n"
    "(NP (NP (NNS dogs)) (PP (IN with) (NP (NNS tails))))\n";

// So often that all words are known well, and have the tags that they were seen with.
inline Treebank often_tiny() {
  std::string text;
  for (int k = 0; k < 20; ++k) text += kTiny;
  return treebank_of(text);
}

inline TrainOptions quick() {
  TrainOptions options;
  options.training.threads = 1;
  options.training.learner.epochs = 4;
  options.jackknife = 2;
  return options;
}

// Words have the tags that they were seen with.
inline TrainOptions untagged() {
  TrainOptions options = quick();
  options.tagger = false;
  options.jackknife.reset();
  return options;
}

inline TrainOptions generative() {
  TrainOptions options;
  options.training.threads = 1;
  options.generative = true;
  return options;
}

inline std::string bytes_of(const GrammarModel& model) {
  trellis::testing::TemporaryDirectory folder;
  model.write(folder.file("m"));
  return read_file(folder.file("m"));
}

}  // namespace trellis::grammar::testing
