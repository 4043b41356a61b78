#include "trellis/tasks/parse/treebank_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/fingerprint_table.h"

namespace trellis::parse {
namespace {

void require_tags_and_labels(const Sentence& sentence, const std::string& file) {
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    const Word& word = sentence.word(m);
    const auto require = [&](const std::string& text, std::string_view what, int column) {
      if (!text.empty()) return;
      throw InputError(file, sentence.line_of(m),
                       fmt::format("expected {} in column {}, found none for", what, column),
                       fmt::format("{} {}", m, word.form));
    };
    require(word.coarse, "a coarse part of speech", 4);
    require(word.label, "a label", 8);
  }
}

std::uint64_t digest_of(const Sentence& sentence) {
  std::uint64_t digest = sentence.size();
  for (const Word& word : sentence.words) {
    for (const std::string* text :
         {&word.form, &word.lemma, &word.coarse, &word.fine, &word.features, &word.label}) {
      digest = combine(digest, fingerprint(*text));
    }
    digest = combine(digest, word.head);
  }
  return digest;
}

Index count_roots(const Sentence& sentence) {
  return static_cast<Index>(std::count_if(sentence.words.begin(), sentence.words.end(),
                                          [](const Word& word) { return word.head == 0; }));
}

}  // namespace

Treebank read_treebanks(const std::vector<std::string>& paths, const ReadOptions& options) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) files.emplace_back(path);
  return read_treebank_to_learn(std::move(files), options);
}

Treebank read_treebank_to_learn(std::vector<InputFile> files, const ReadOptions& options) {
  Treebank treebank;
  for (InputFile& file : files) {
    TreebankOptions reading;
    reading.format = options.format;
    reading.heads = options.one_root ? Heads::kOneRoot : Heads::kTree;
    TreebankReader reader(std::move(file), reading);
    if (treebank.file.empty()) treebank.file = reader.name();
    for (Sentence sentence; reader.read(sentence);) {
      require_tags_and_labels(sentence, reader.name());
      if (options.max_words > 0 && sentence.size() > options.max_words) {
        ++treebank.left_out;
        continue;
      }
      treebank.words += sentence.size();
      treebank.single_root = treebank.single_root && count_roots(sentence) == 1;
      treebank.digest = combine(treebank.digest, digest_of(sentence));
      treebank.sentences.push_back(std::move(sentence));
    }
  }
  if (treebank.sentences.empty()) {
    throw InputError(
        treebank.file, 0,
        treebank.left_out == 0
            ? "expected sentences, found none"
            : fmt::format("expected sentences of at most {} words, found none", options.max_words));
  }
  return treebank;
}

NameList coarse_tags(std::span<const Sentence> sentences) {
  std::map<std::string, Index> counts;
  for (const Sentence& sentence : sentences) {
    for (const Word& word : sentence.words) ++counts[word.coarse];
  }
  std::vector<std::pair<std::string, Index>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  NameList tags;
  for (const auto& [tag, count] : sorted) tags.add(tag);
  return tags;
}

NameList labels_of(std::span<const Sentence> sentences) {
  std::set<std::string> sorted;
  for (const Sentence& sentence : sentences) {
    for (const Word& word : sentence.words) sorted.insert(word.label);
  }
  NameList labels;
  for (const std::string& label : sorted) labels.add(label);
  return labels;
}

TrueArcs true_arcs(const Sentence& sentence, const NameList& labels) {
  TrueArcs arcs;
  for (const Word& word : sentence.words) {
    arcs.heads.push_back(word.head);
    arcs.labels.push_back(labels.find(word.label));
  }
  return arcs;
}

}  // namespace trellis::parse
