// What is known of sentence pairs beside their words: links that other aligners have found, each
// under a name (--external NAME=FILE, any format of links_format.h), and a tag for each word
// (--tags: two files, a line of tags for each sentence, separated by blanks as words are).
//
// They are read beside the text, pair by pair. Memory is that of one pair; of NAACL files, which
// tell links in any order, that of all their links.
//
// InputError tells the file, the line and what was expected: fewer lines than the text has, or
// more, links of words that there are not, a number of tags that is not that of the words.
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
  std::vector<Links> external;                        // by aligner, as ExtraFiles has them
  std::vector<std::string> source_tags, target_tags;  // one a word; empty: none are given
};

struct ExternalFile {
  std::string name;  // of the aligner
  std::string path;
  std::optional<LinksFormat> format;  // not given: recognised
};
// "NAME=FILE"; the name has no blank. Throws UsageError.
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
  // Throws UsageError where a name is given twice, where tags are given for one side, or a file is
  // standard input.
  explicit ExtraReader(const ExtraFiles& files);

  // What is known of the next pair of the text, which is this one.
  void read(const SentencePair& pair, PairExtras& extras);
  // After the last pair: throws InputError where there is more.
  void finish();

 private:
  void read_tags(InputFile& file, Index words, std::string_view side,
                 std::vector<std::string>& tags);

  std::vector<LinkStream> external_;
  std::vector<InputFile> tags_;           // the source's and the target's, or none
  std::vector<std::string_view> fields_;  // memory of read_tags()
  Index pairs_ = 0;
};

}  // namespace trellis::align
