// Small treebanks for the tests of the parser.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/tasks/parse/treebank_data.h"

namespace trellis::parse::testing {

inline std::string garden(const std::string& part) {
  return std::string(TRELLIS_SOURCE_DIR) + "/data/garden/" + part + ".conllu";
}

// The first sentences of a part of data/garden; 0: all.
inline Treebank garden_treebank(const std::string& part, Index count = 0) {
  Treebank treebank = read_treebanks({garden(part)}, {});
  if (count > 0 && treebank.sentences.size() > count) treebank.sentences.resize(count);
  return treebank;
}

inline Treebank treebank_of(std::string_view text, const ReadOptions& options = {}) {
  std::vector<InputFile> files;
  files.push_back(InputFile::from_bytes(text, "tiny.conllu"));
  return read_treebank_to_learn(std::move(files), options);
}

// A word's line; its lemma is its form.
inline std::string line(int id, const std::string& form, const std::string& tag, int head,
                        const std::string& label, const std::string& morph = "_") {
  return std::to_string(id) + "\t" + form + "\t" + form + "\t" + tag + "\t" + tag + "\t" + morph +
         "\t" + std::to_string(head) + "\t" + label + "\t_\t_\n";
}

// "dogs chase cats", "old dogs sleep", "cats sleep", and one with crossing arcs.
inline std::string tiny_text() {
  return line(1, "dogs", "NOUN", 2, "nsubj", "Number=Plur") + line(2, "chase", "VERB", 0, "root") +
         line(3, "cats", "NOUN", 2, "obj", "Number=Plur") + "\n" +
         line(1, "old", "ADJ", 2, "amod") + line(2, "dogs", "NOUN", 3, "nsubj", "Number=Plur") +
         line(3, "sleep", "VERB", 0, "root") + "\n" +
         line(1, "cats", "NOUN", 2, "nsubj", "Number=Plur") + line(2, "sleep", "VERB", 0, "root") +
         "\n" + line(1, "dogs", "NOUN", 3, "obj") + line(2, "old", "ADJ", 4, "amod") +
         line(3, "chase", "VERB", 0, "root") + line(4, "cats", "NOUN", 3, "nsubj") + "\n";
}

}  // namespace trellis::parse::testing
