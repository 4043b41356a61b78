// Any bytes are trees that are written and read back as they were, over lines too, and that EVALB
// finds to be themselves, or an InputError. The first byte chooses whether EVALB puts quotation
// marks back. EVALB's own reading of the bytes ends whatever they are.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/error.h"
#include "trellis/formats/brackets/bracket_reader.h"
#include "trellis/formats/brackets/bracket_writer.h"
#include "trellis/formats/brackets/sentence_reader.h"
#include "trellis/scorers/evalb.h"

namespace {

using namespace trellis;
using namespace trellis::grammar;

void require(bool condition) {
  if (!condition) std::abort();
}

EvalbParameters parameters_of(std::uint8_t choice) {
  EvalbParameters parameters = EvalbParameters::collins();
  if ((choice & 4) != 0) parameters.quotes = {"``", "''", "POS", "NN"};
  return parameters;
}

// Each node's span is that of its children, one after the other, and a leaf is a word.
void check(const ConstituencyTree& tree) {
  const auto& nodes = tree.nodes;
  require(!nodes.empty() && nodes[0].label == kRootLabel && nodes[0].end == nodes.size());
  require(nodes[0].begin_word == 0 && !nodes[0].is_preterminal());
  for (Index i = 0; i < nodes.size(); ++i) {
    require(!nodes[i].label.empty() && i < nodes[i].end);
    if (nodes[i].is_preterminal()) {
      require(nodes[i].end == i + 1 && nodes[i].end_word == nodes[i].begin_word + 1);
      continue;
    }
    require(nodes[i].end > i + 1);
    std::uint32_t at = nodes[i].begin_word;
    Index child = i + 1;
    for (; child < nodes[i].end; child = nodes[child].end) {
      require(nodes[child].begin_word == at);
      at = nodes[child].end_word;
    }
    require(child == nodes[i].end && at == nodes[i].end_word);
  }
}

void read_as_trees(std::string_view bytes) {
  const auto trees = read_trees(InputFile::from_bytes(bytes, "fuzz"));
  std::string lines;
  std::string indented;
  Evalb evalb;
  for (const ConstituencyTree& tree : trees) {
    check(tree);
    append_brackets(tree, lines);
    append_indented_brackets(tree, indented);
    const SentenceScore& score = evalb.add(tree, tree).score;
    require(score.is_complete() && score.crossing == 0 && score.right_tags == score.words);
  }
  require(evalb.faults().empty());
  require(read_trees(InputFile::from_bytes(lines, "lines")) == trees);
  require(read_trees(InputFile::from_bytes(indented, "indented")) == trees);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Evalb evalb(parameters_of(data[0]));
  evalb.add(bytes, bytes.substr(bytes.size() / 2));
  require(evalb.table().size() > 0);
  try {
    SentenceReader sentences(InputFile::from_bytes(bytes, "sentences"));
    for (Sentence sentence; sentences.read(sentence);) require(!sentence.words.empty());
  } catch (const InputError&) {
  }
  try {
    read_as_trees(bytes);
  } catch (const InputError&) {
  }
  return 0;
}
