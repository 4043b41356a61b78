// How the commands of `topics` are told where documents are, and what their words are.
#pragma once

#include <string>
#include <vector>

#include "trellis/frame/command.h"
#include "trellis/tasks/topics/corpus_files.h"

namespace trellis::topics {

// Documents, as they were written.
struct SourceCall {
  ReaderOptions reader;
  std::string columns;

  CorpusFiles files(std::vector<std::string> paths) const;  // throws UsageError
};

// Documents to learn words from.
struct CorpusCall {
  std::vector<std::string> paths;
  SourceCall source;
  TextOptions text;
  bool keep_case = false;
  std::vector<std::string> stop_words;  // lists by name or file; none said: english
  VocabularyOptions vocabulary;
  bool words_given = false;  // whether the call gives an option of words

  // Throws UsageError where something is said of the words of a corpus that has them already.
  Corpus read(int threads) const;
};

void add_source_options(frame::Command& command, SourceCall& call);
void add_corpus_options(frame::Command& command, CorpusCall& call);

}  // namespace trellis::topics
