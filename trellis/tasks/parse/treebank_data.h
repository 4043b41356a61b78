// A treebank to learn from: its sentences, and the numbers of their tags and labels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/tasks/parse/features/sentence_atoms.h"

namespace trellis::parse {

struct ReadOptions {
  std::optional<TreebankFormat> format;
  bool one_root = false;  // sentences with several roots are refused
  Index max_words = 80;   // longer sentences are left out; 0: none are
};

struct Treebank {
  std::string file;  // the first one
  std::vector<Sentence> sentences;
  Index left_out = 0;       // too long
  Index words = 0;          // of those that were not
  bool single_root = true;  // all of them have one root
  std::uint64_t digest = 0;
};

// Throws InputError for what is wrong with the files: heads that are missing or no tree, empty tags
// or labels, no sentence.
Treebank read_treebanks(const std::vector<std::string>& paths, const ReadOptions& options);
Treebank read_treebank_to_learn(std::vector<InputFile> files, const ReadOptions& options);

// Coarse tags, the most frequent first, and labels in the order of their names.
NameList coarse_tags(std::span<const Sentence> sentences);
NameList labels_of(std::span<const Sentence> sentences);

// The numbers of a sentence's heads and labels; NameList::kNone for a label that is not known.
struct TrueArcs {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> labels;
};
TrueArcs true_arcs(const Sentence& sentence, const NameList& labels);

}  // namespace trellis::parse
