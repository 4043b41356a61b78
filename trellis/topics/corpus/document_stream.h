// New documents in the words of a trained model, one at a time: memory does not grow with the
// files, and a document that is piped in is there as soon as its line is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/data/name_list.h"
#include "trellis/topics/corpus/count_numbering.h"
#include "trellis/topics/corpus/document_reader.h"
#include "trellis/topics/corpus/tokenizer.h"

namespace trellis::topics {

struct NewDocument {
  std::string id;  // empty: none; and so are the next two
  std::string label;
  std::string language;
  std::vector<std::uint32_t> words;  // those that the vocabulary has
  Index outside = 0;                 // words that it lacks
};

class DocumentStream {
 public:
  // `text` defines how words are found; both it and the vocabulary must outlive the stream. Throws
  // UsageError and InputError, as CorpusReader does.
  DocumentStream(const NameList& vocabulary, std::vector<std::string> paths, ReaderOptions reader,
                 const TextOptions& text);
  DocumentStream(const DocumentStream&) = delete;
  DocumentStream& operator=(const DocumentStream&) = delete;

  // Whether documents may have a language; known once one was read.
  bool has_languages() const { return reader_.has_languages(); }
  // The next document, or nothing at the end. Throws InputError.
  std::optional<NewDocument> read();

 private:
  struct Find {
    const NameList* vocabulary;
    std::uint32_t operator()(std::string_view word) const { return vocabulary->find(word); }
  };

  Find find_;
  CorpusReader reader_;
  Tokenizer tokenizer_;
  CountNumbering<Find> count_number_;
  SourceDocument source_;
};

}  // namespace trellis::topics
