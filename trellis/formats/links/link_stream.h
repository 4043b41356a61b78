// Reading the links of a file beside the text that they belong to, a sentence pair at a time: the
// formats and complaints of link_reader.h, in the memory of one pair. NAACL's format may tell the
// links of any pair anywhere, so that all of them are held, 24 bytes each.
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
