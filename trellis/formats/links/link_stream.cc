#include "trellis/formats/links/link_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/formats/links/link_collector.h"
#include "trellis/formats/links/link_lines.h"
#include "trellis/formats/links/words.h"

namespace trellis::align {
namespace {

// A link as a NAACL file states it.
struct NaaclLink {
  std::uint32_t sentence = 0;  // from 1
  Link link;
  Index line = 0;
};

std::string naacl_word(std::uint32_t word) {
  return std::to_string(word == kNullWord ? 0 : word + 1);
}
std::string to_string(const NaaclLink& one) {
  return fmt::format("{} {} {}", one.sentence, naacl_word(one.link.source),
                     naacl_word(one.link.target));
}

}  // namespace

class LinkStream::Source {
 public:
  Source(InputFile file, const LinkReadingOptions& options)
      : file_(std::move(file)), format_(options.format), links_(file_.name(), {}, options) {}

  void read(PairLengths lengths, Links& links) {
    begin();
    ++pairs_;
    lengths_ = lengths;
    links_.restart({&lengths_, 1});
    if (format_ == LinksFormat::kNaacl) {
      take_named();
    } else {
      read_lines();
    }
    links = std::move(links_.finish(true, number_).front().possible);
  }

  void finish() {
    begin();
    if (format_ == LinksFormat::kNaacl && next_named_ < named_.size()) {
      links_.refuse(named_[next_named_].line,
                    fmt::format("expected a sentence from 1 to {}, found", pairs_),
                    std::to_string(named_[next_named_].sentence));
    }
    for (std::string_view line; next_line(line);) {
      if (format_ == LinksFormat::kGiza && trim(line).empty()) continue;
      links_.refuse(number_,
                    fmt::format("expected links of {} sentence pairs, found more", pairs_));
    }
  }

 private:
  // Learns the format; of NAACL's all links are read.
  void begin() {
    if (lines_ != nullptr) return;
    if (!format_) recognise();
    lines_ = make_link_lines(*format_, links_);
    if (format_ == LinksFormat::kNaacl) read_named();
  }

  void recognise() {
    for (std::string_view line; file_.read_line(line); ++blank_) {
      if (trim(line).empty()) continue;
      format_ = recognise_links(line, file_.line_number(), links_);
      first_ = line;
      return;
    }
    format_ = LinksFormat::kPharaoh;
  }

  // Those that were read to learn the format come again.
  bool next_line(std::string_view& line) {
    if (number_ < blank_) {
      ++number_;
      line = {};
      return true;
    }
    if (first_) {
      held_ = *std::exchange(first_, std::nullopt);
      line = held_;
    } else if (!file_.read_line(line)) {
      return false;
    }
    number_ = file_.line_number();
    return true;
  }

  void read_lines() {
    std::string_view line;
    while (links_.num_pairs() == 0) {
      if (!next_line(line)) {
        links_.refuse(number_, fmt::format("expected links of sentence pair {}, found the end of "
                                           "the file",
                                           pairs_));
      }
      lines_->read(line, number_);
    }
    const int more = format_ == LinksFormat::kGiza ? 2 : 0;  // lines that belong to the pair
    for (int k = 0; k < more; ++k) {
      if (!next_line(line)) return lines_->finish(number_);  // throws: it is too early
      lines_->read(line, number_);
    }
  }

  void read_named() {
    std::vector<std::string_view> fields;
    for (std::string_view line; next_line(line);) {
      fields.clear();
      append_words(line, fields);
      if (fields.empty()) continue;
      const MarkedLink marked = parse_naacl(fields, line, number_, links_);
      const auto sentence = parse_number(fields[0]);
      if (!sentence || *sentence == 0) {
        links_.refuse(number_, "expected a sentence number of at least 1, found", fields[0]);
      }
      named_.push_back({*sentence, marked.link, number_});
    }
    std::stable_sort(named_.begin(), named_.end(), [](const NaaclLink& a, const NaaclLink& b) {
      return a.sentence < b.sentence;
    });
  }

  void take_named() {
    const Index pair = links_.begin_pair(0);
    for (; next_named_ < named_.size() && named_[next_named_].sentence == pairs_; ++next_named_) {
      const NaaclLink& one = named_[next_named_];
      links_.add(pair, {one.link, true, {}}, {one.line, to_string(one), 1});
    }
  }

  InputFile file_;
  std::optional<LinksFormat> format_;
  LinkCollector links_;  // of one pair
  std::unique_ptr<LinkLines> lines_;
  PairLengths lengths_;
  Index pairs_ = 0;                   // read
  Index number_ = 0;                  // of the line that was handed out
  Index blank_ = 0;                   // lines before the first that is not
  std::optional<std::string> first_;  // which was read to learn the format
  std::string held_;
  std::vector<NaaclLink> named_;  // by sentence
  Index next_named_ = 0;
};

LinkStream::LinkStream(InputFile file, const LinkReadingOptions& options)
    : source_(std::make_unique<Source>(std::move(file), options)) {}
LinkStream::~LinkStream() = default;
LinkStream::LinkStream(LinkStream&&) noexcept = default;
LinkStream& LinkStream::operator=(LinkStream&&) noexcept = default;

void LinkStream::read(PairLengths lengths, Links& links) {
  source_->read(lengths, links);
}

void LinkStream::finish() {
  source_->finish();
}

}  // namespace trellis::align
