#include "trellis/formats/treebank/head_check.h"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::parse {
namespace {

// A word as in messages: "3 saw".
std::string named(const Sentence& sentence, std::uint32_t m) {
  return fmt::format("{} {}", m, sentence.word(m).form);
}

void check_each(const Sentence& sentence, Heads heads, const std::string& file) {
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    const std::uint32_t head = sentence.word(m).head;
    if (head == kNoHead) {
      if (heads == Heads::kOptional) continue;
      throw InputError(file, sentence.line_of(m), "expected a head in column 7, found none for",
                       named(sentence, m));
    }
    if (head > sentence.size()) {
      throw InputError(
          file, sentence.line_of(m),
          fmt::format("expected a head from 0 to {} (the last word of the sentence), found",
                      sentence.size()),
          std::to_string(head));
    }
  }
}

[[noreturn]] void refuse_cycle(const Sentence& sentence, std::uint32_t first,
                               const std::string& file) {
  std::string cycle = named(sentence, first);
  std::uint32_t m = first;
  do {
    m = sentence.word(m).head;
    cycle += " → " + named(sentence, m);
  } while (m != first);
  throw InputError(file, sentence.line_of(first),
                   "expected a tree, found a cycle of words and their heads:", cycle);
}

// Walks from each word towards the root until it meets a word of an earlier walk, which reaches the
// root. A word of the same walk closes a cycle.
void check_cycles(const Sentence& sentence, const std::string& file) {
  std::vector<std::uint32_t> walk_of(sentence.size() + 1, 0);  // the word that a walk set out from
  for (std::uint32_t start = 1; start <= sentence.size(); ++start) {
    std::uint32_t m = start;
    while (m != 0 && walk_of[m] == 0) {
      walk_of[m] = start;
      m = sentence.word(m).head;
    }
    if (m != 0 && walk_of[m] == start) refuse_cycle(sentence, m, file);
  }
}

void check_roots(const Sentence& sentence, const std::string& file) {
  std::string roots;
  Index count = 0;
  Index second = 0;  // its line
  for (std::uint32_t m = 1; m <= sentence.size(); ++m) {
    if (sentence.word(m).head != 0) continue;
    if (++count == 2) second = sentence.line_of(m);
    if (count > 1) roots += ", ";
    roots += named(sentence, m);
  }
  if (count <= 1) return;
  throw InputError(file, second, fmt::format("expected one word with head 0, found {}:", count),
                   roots);
}

}  // namespace

void check_heads(const Sentence& sentence, Heads heads, const std::string& file) {
  check_each(sentence, heads, file);
  if (heads >= Heads::kTree) check_cycles(sentence, file);
  if (heads >= Heads::kOneRoot) check_roots(sentence, file);
}

}  // namespace trellis::parse
