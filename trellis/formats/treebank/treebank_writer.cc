#include "trellis/formats/treebank/treebank_writer.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace trellis::parse {
namespace {

constexpr Index kFewestColumns = 8;  // that have a place for heads and labels

std::string_view column(const std::string& text) {
  return text.empty() ? std::string_view("_") : text;
}

void append_number(std::uint32_t number, std::string& out) {
  const fmt::format_int digits(number);
  out.append(digits.data(), digits.size());
}

}  // namespace

TreebankWriter::TreebankWriter(TreebankFormat format, Index columns)
    : format_(format),
      columns_(format == TreebankFormat::kConllu ? kTreebankColumns
                                                 : std::max(columns, kFewestColumns)) {}

void TreebankWriter::append(const Sentence& sentence, std::string& out) const {
  for (const std::string& comment : sentence.comments) {
    out += comment;
    out += '\n';
  }
  const bool conllu = format_ == TreebankFormat::kConllu;
  auto multiword = sentence.multiwords.begin();
  auto node = sentence.empty_nodes.begin();
  for (std::uint32_t m = 0; m <= sentence.size(); ++m) {
    if (m > 0) append_word(sentence, m, out);
    if (!conllu) continue;
    for (; node != sentence.empty_nodes.end() && node->after == m; ++node) {
      fmt::format_to(std::back_inserter(out), "{}.{}\t{}\n", m, node->number, node->columns);
    }
    if (multiword != sentence.multiwords.end() && multiword->first == m + 1) {
      fmt::format_to(std::back_inserter(out), "{}-{}\t{}\t{}\n", multiword->first, multiword->last,
                     multiword->form, multiword->columns);
      ++multiword;
    }
  }
  out += '\n';
}

void TreebankWriter::append_word(const Sentence& sentence, std::uint32_t m,
                                 std::string& out) const {
  const Word& word = sentence.word(m);
  const auto put = [&out](std::string_view text) {
    out += '\t';
    out += text;
  };
  append_number(m, out);
  for (const std::string* text :
       {&word.form, &word.lemma, &word.coarse, &word.fine, &word.features}) {
    put(column(*text));
  }
  put(word.head == kNoHead ? "_" : "");
  if (word.head != kNoHead) append_number(word.head, out);
  put(column(word.label));
  if (columns_ == kTreebankColumns) {
    put(column(word.ninth));
    put(column(word.tenth));
  }
  out += '\n';
}

}  // namespace trellis::parse
