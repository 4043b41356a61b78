#include "trellis/tasks/grammar/treebank_data.h"

#include <fmt/format.h>

#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"
#include "trellis/formats/brackets/bracket_reader.h"

namespace trellis::grammar {
namespace {

std::uint64_t digest_of(const ConstituencyTree& tree) {
  std::uint64_t digest = tree.nodes.size();
  for (const ConstituencyTree::Node& node : tree.nodes) {
    digest = combine(digest, fingerprint(node.label));
    digest = combine(digest, fingerprint(node.word, node.end));
  }
  return digest;
}

}  // namespace

Treebank read_treebanks(const std::vector<std::string>& paths, Index max_words) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) files.emplace_back(path);
  return read_treebanks(std::move(files), max_words);
}

Treebank read_treebanks(std::vector<InputFile> files, Index max_words) {
  Treebank treebank;
  for (InputFile& file : files) {
    BracketReader reader(std::move(file));
    if (treebank.file.empty()) treebank.file = reader.name();
    for (ConstituencyTree tree; reader.read(tree);) {
      if (max_words > 0 && tree.num_words() > max_words) {
        ++treebank.left_out;
        continue;
      }
      treebank.words += tree.num_words();
      treebank.digest = combine(treebank.digest, digest_of(tree));
      treebank.trees.push_back(std::move(tree));
    }
    treebank.only_traces += reader.num_only_traces();
  }
  if (treebank.trees.empty()) {
    throw InputError(
        treebank.file, 0,
        treebank.left_out == 0
            ? "expected trees, found none"
            : fmt::format("expected trees of at most {} words, found none", max_words));
  }
  return treebank;
}

}  // namespace trellis::grammar
