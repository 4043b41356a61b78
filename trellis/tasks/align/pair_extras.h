// Additional data of sentence pairs: links found by other aligners, each under a name (--external
// NAME=FILE, any format of links_format.h), and a tag for each word (--tags: two files, each with a
// line of tags for every sentence, separated by blanks like words).
//
// The files are read together with the text, pair by pair. Memory is that of one pair; NAACL files,
// which have links in any order, need that of all their links.
//
// An InputError names the file, the line and what was expected: fewer or more lines than the text,
// links of words that do not exist, a number of tags that differs from the number of words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/links.h"
#include "trellis/formats/links/bitext_reader.h"
#include "trellis/formats/links/link_stream.h"
#include "trellis/formats/links/links_format.h"

namespace trellis::align {

struct PairExtras {
  std::vector<Links> external;                        // by aligner, in the order of ExtraFiles
  std::vector<std::string> source_tags, target_tags;  // one per word; empty: no tags
};

struct ExternalFile {
  std::string name;  // of the aligner
  std::string path;
  std::optional<LinksFormat> format;  // empty: recognised
};
// Parses "NAME=FILE"; the name must not contain blanks. Throws UsageError.
ExternalFile parse_external(std::string_view text);

struct ExtraFiles {
  std::vector<ExternalFile> external;
  std::string source_tags, target_tags;  // both or neither

  bool has_tags() const { return !source_tags.empty(); }
  std::vector<std::string> names() const;  // of the aligners
  std::vector<std::string> paths() const;  // of all files
};

class ExtraReader {
 public:
  // Throws UsageError if a name is given twice, only one side has tags, or a file is standard
  // input.
  explicit ExtraReader(const ExtraFiles& files);

  // Reads the data of the next pair of the text, which must be `pair`.
  void read(const SentencePair& pair, PairExtras& extras);
  // Call after the last pair. Throws InputError if there is more.
  void finish();

 private:
  void read_tags(InputFile& file, Index words, std::string_view side,
                 std::vector<std::string>& tags);

  std::vector<LinkStream> external_;
  std::vector<InputFile> tags_;           // source and target, or empty
  std::vector<std::string_view> fields_;  // scratch of read_tags()
  Index pairs_ = 0;
};

}  // namespace trellis::align
