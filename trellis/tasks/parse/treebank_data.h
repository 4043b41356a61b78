// A treebank for training: its sentences, and the numbers of their tags and labels.
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
  bool one_root = false;  // refuse sentences with several roots
  Index max_words = 80;   // longer sentences are left out; 0: no limit
};

struct Treebank {
  std::string file;  // the first one
  std::vector<Sentence> sentences;
  Index left_out = 0;       // sentences that are too long
  Index words = 0;          // in the sentences used
  bool single_root = true;  // every sentence used has one root
  std::uint64_t digest = 0;
};

// Throws InputError for invalid files: missing heads or heads that form no tree, empty tags or
// labels, no sentences.
Treebank read_treebanks(const std::vector<std::string>& paths, const ReadOptions& options);
Treebank read_treebank_to_learn(std::vector<InputFile> files, const ReadOptions& options);

// Coarse tags, most frequent first, and labels in the order of their names.
NameList coarse_tags(std::span<const Sentence> sentences);
NameList labels_of(std::span<const Sentence> sentences);

// The numbers of a sentence's heads and labels; NameList::kNone for an unknown label.
struct TrueArcs {
  std::vector<std::uint32_t> heads;
  std::vector<std::uint32_t> labels;
};
TrueArcs true_arcs(const Sentence& sentence, const NameList& labels);

}  // namespace trellis::parse
