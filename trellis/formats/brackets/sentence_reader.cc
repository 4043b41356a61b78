#include "trellis/formats/brackets/sentence_reader.h"

#include <utility>

#include <fmt/format.h>

#include "trellis/base/error.h"
#include "trellis/formats/brackets/bracket_writer.h"

namespace trellis::grammar {
namespace {

void split_tokens(std::string_view line, std::vector<std::string>& tokens) {
  Index begin = 0;
  for (Index i = 0; i <= line.size(); ++i) {
    if (i < line.size() && !is_white(line[i])) continue;
    if (i > begin) tokens.push_back(escape_brackets(line.substr(begin, i - begin)));
    begin = i + 1;
  }
}

}  // namespace

SentenceReader::SentenceReader(InputFile file, const SentenceOptions& options)
    : options_(options), text_(std::move(file)) {}

bool SentenceReader::read(Sentence& sentence) {
  sentence = {};
  if (!trees_) {
    if (!text_.skip_white()) return false;
    if (!options_.format) {
      options_.format = text_.peek() == '(' ? SentenceFormat::kTrees : SentenceFormat::kTokens;
    }
    if (options_.format == SentenceFormat::kTrees) {
      trees_.emplace(std::move(text_));
    }
  }
  if (trees_) {
    ConstituencyTree tree;
    if (!trees_->read(tree)) return false;
    sentence.words = tree.words();
    sentence.line = tree.line;
    return true;
  }
  sentence.line = text_.line_number();
  split_tokens(text_.take_line(), sentence.words);
  if (sentence.words.size() > BracketReader::kMaxWords) {
    throw InputError(text_.name(), sentence.line,
                     fmt::format("expected a sentence of at most {} words, found {}",
                                 BracketReader::kMaxWords, sentence.words.size()));
  }
  return true;
}

}  // namespace trellis::grammar
