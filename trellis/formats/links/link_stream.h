// Reader of word alignments that returns the links of one sentence pair at a time, while the caller
// reads the text. Formats (links_format.h) and error messages are those of link_reader.h. Memory is
// that of one pair; NAACL's format may give the links of any pair anywhere, so that all of its
// links are kept, 24 bytes each.
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

  // The links of the next pair, sure and possible ones, which has so many words. Throws InputError.
  void read(PairLengths lengths, Links& links);
  // After the last pair: throws InputError where the file goes on.
  void finish();

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

}  // namespace trellis::align
