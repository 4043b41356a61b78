// Reads word alignments one sentence pair at a time, while the caller reads the text. Formats
// (links_format.h) and error messages are those of link_reader.h. Memory is that of one pair; but a
// NAACL file may list pairs in any order, so all of its links are kept, 24 bytes each.
#pragma once

#include <memory>

#include "trellis/base/input_file.h"
#include "trellis/data/links.h"
#include "trellis/formats/links/link_reader.h"

namespace trellis::align {

class LinkStream {
 public:
  explicit LinkStream(InputFile file, const LinkReadingOptions& options = {});
  ~LinkStream();
  LinkStream(LinkStream&&) noexcept;
  LinkStream& operator=(LinkStream&&) noexcept;

  // The sure and possible links of the next pair, which has these lengths. Throws InputError.
  void read(PairLengths lengths, Links& links);
  // Call after the last pair: throws InputError if the file has more.
  void finish();

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

}  // namespace trellis::align
