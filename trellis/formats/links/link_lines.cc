#include "trellis/formats/links/link_lines.h"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

#include "trellis/base/text.h"
#include "trellis/formats/links/words.h"

namespace trellis::align {
namespace {

using Fields = std::vector<std::string_view>;

void split_fields(std::string_view line, Fields& fields) {
  fields.clear();
  append_words(line, fields);
}

// Words from 1, and 0 for the empty one.
std::optional<std::uint32_t> parse_word_from_one(std::string_view text) {
  const auto number = parse_number(text);
  if (!number) return std::nullopt;
  return *number == 0 ? kNullWord : *number - 1;
}

class PharaohLines final : public LinkLines {
 public:
  explicit PharaohLines(LinkCollector& links) : links_(links) {}

  void read(std::string_view line, Index number) override {
    const Index pair = links_.begin_pair(number);
    split_fields(line, fields_);
    for (const std::string_view field : fields_) {
      const auto link = parse_pharaoh(field);
      if (!link) links_.refuse(number, "expected links as 0-0, 0?0 or 0-0-P, found", field);
      links_.add(pair, *link, {number, field, 0});
    }
  }
  void finish(Index) override {}

 private:
  LinkCollector& links_;
  Fields fields_;
};

// The mark and the confidence, in either order.
bool parse_naacl_notes(std::span<const std::string_view> notes, MarkedLink& link) {
  bool marked = false;
  for (const std::string_view note : notes) {
    if (note == "S" || note == "P") {
      if (std::exchange(marked, true)) return false;
      link.sure = note == "S";
    } else {
      if (link.probability) return false;
      link.probability = parse_probability(note);
      if (!link.probability) return false;
    }
  }
  return true;
}

std::optional<MarkedLink> parse_naacl_fields(std::span<const std::string_view> fields) {
  if (fields.size() < 3 || fields.size() > 5) return std::nullopt;
  const auto source = parse_word_from_one(fields[1]);
  const auto target = parse_word_from_one(fields[2]);
  if (!source || !target) return std::nullopt;
  MarkedLink link{{*source, *target}, true, {}};
  if (!parse_naacl_notes(fields.subspan(3), link)) return std::nullopt;
  return link;
}

class NaaclLines final : public LinkLines {
 public:
  explicit NaaclLines(LinkCollector& links) : links_(links) {}

  void read(std::string_view line, Index number) override {
    split_fields(line, fields_);
    if (fields_.empty()) return;
    const MarkedLink link = parse_naacl(fields_, line, number, links_);
    links_.add(links_.find_pair(fields_[0], number), link, {number, line, 1});
  }
  void finish(Index) override {}

 private:
  LinkCollector& links_;
  Fields fields_;
};

class GizaLines final : public LinkLines {
 public:
  explicit GizaLines(LinkCollector& links) : links_(links) {}

  void read(std::string_view line, Index number) override {
    split_fields(line, fields_);
    switch (next_) {
      case Next::kComment:
        if (fields_.empty()) return;
        read_comment(line, number);
        next_ = Next::kTarget;
        break;
      case Next::kTarget:
        require_count("target", fields_.size(), lengths_.target, number);
        next_ = Next::kSource;
        break;
      case Next::kSource:
        read_source(number);
        next_ = Next::kComment;
        break;
    }
  }

  void finish(Index last) override {
    if (next_ == Next::kComment) return;
    links_.refuse(last, fmt::format("expected three lines for each sentence pair, the file ends "
                                    "within those of pair {}",
                                    number_));
  }

 private:
  enum class Next { kComment, kTarget, kSource };

  // # Sentence pair (1) source length 2 target length 3 alignment score : 0.0123
  void read_comment(std::string_view line, Index line_number) {
    const auto is = [&](Index k, std::string_view word) { return fields_[k] == word; };
    std::string_view number = fields_.size() < 10 ? std::string_view() : fields_[3];
    if (number.size() > 2 && number.front() == '(' && number.back() == ')' && is(0, "#") &&
        is(1, "Sentence") && is(2, "pair") && is(4, "source") && is(5, "length") &&
        is(7, "target") && is(8, "length")) {
      const auto pair = parse_number(number.substr(1, number.size() - 2));
      const auto source = parse_number(fields_[6]);
      const auto target = parse_number(fields_[9]);
      if (pair && source && target) return begin(*pair, {*source, *target}, line_number);
    }
    links_.refuse(line_number,
                  "expected '# Sentence pair (1) source length 2 target length 3 …', "
                  "found",
                  line);
  }

  void begin(Index number, PairLengths lengths, Index line) {
    if (begun_ && number != number_ + 1) {
      links_.refuse(line, fmt::format("expected sentence pair {} to follow pair {}, found {}",
                                      number_ + 1, number_, number));
    }
    begun_ = true;
    number_ = number;
    lengths_ = lengths;
    pair_ = links_.begin_pair(line);
    links_.check_lengths(pair_, lengths, line);
  }

  void require_count(std::string_view side, Index found, Index expected, Index line) const {
    if (found == expected) return;
    links_.refuse(
        line,
        fmt::format("expected {} {} words, as declared in the first line of the pair, found {}",
                    expected, side, found));
  }

  // NULL ({ 3 }) that ({ 1 }) 's ({ 2 }): any text can be a word, but not the first.
  void read_source(Index line) {
    Index words = 0;
    for (Index k = 0; k < fields_.size(); ++words) {
      const std::string_view word = fields_[k++];
      if (words == 0 && word != "NULL") links_.refuse(line, "expected NULL first, found", word);
      if (k == fields_.size() || fields_[k] != "({") {
        links_.refuse(line, "expected '({' after the word", word);
      }
      for (++k; k < fields_.size() && fields_[k] != "})"; ++k) {
        add(words == 0 ? kNullWord : static_cast<std::uint32_t>(words - 1), fields_[k], line);
      }
      if (k++ == fields_.size()) links_.refuse(line, "expected '})' after the links of", word);
    }
    if (words == 0) links_.refuse(line, "expected NULL and the source words, found none");
    require_count("source", words - 1, lengths_.source, line);
  }

  void add(std::uint32_t source, std::string_view text, Index line) {
    const auto target = parse_number(text);
    if (!target || *target == 0 || *target > lengths_.target) {
      links_.refuse(
          line, fmt::format("expected a target word from 1 to {}, found", lengths_.target), text);
    }
    links_.add(pair_, {{source, *target - 1}, true, {}}, {line, text, 1});
  }

  LinkCollector& links_;
  Fields fields_;
  Next next_ = Next::kComment;
  bool begun_ = false;
  Index number_ = 0;  // as the file counts
  Index pair_ = 0;
  PairLengths lengths_;
};

}  // namespace

std::optional<double> parse_probability(std::string_view text) {
  const auto number = parse_double(text);
  if (!number || *number < 0 || *number > 1) return std::nullopt;
  return number;
}

std::optional<MarkedLink> parse_pharaoh(std::string_view text) {
  MarkedLink link;
  if (const Index colon = text.find(':'); colon != std::string_view::npos) {
    link.probability = parse_probability(text.substr(colon + 1));
    if (!link.probability) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (text.ends_with("-P") || text.ends_with("-S")) {
    if (text.find('?') != std::string_view::npos) return std::nullopt;
    link.sure = text.back() == 'S';
    text.remove_suffix(2);
  }
  const Index between = text.find_first_of("-?");
  if (between == std::string_view::npos) return std::nullopt;
  const auto source = parse_number(text.substr(0, between));
  const auto target = parse_number(text.substr(between + 1));
  if (!source || !target) return std::nullopt;
  if (text[between] == '?') link.sure = false;
  link.link = {*source, *target};
  return link;
}

MarkedLink parse_naacl(std::span<const std::string_view> fields, std::string_view line,
                       Index number, const LinkCollector& links) {
  const auto link = parse_naacl_fields(fields);
  if (!link) {
    links.refuse(number, "expected 'sentence source target [S|P] [confidence]', found", line);
  }
  return *link;
}

LinksFormat recognise_links(std::string_view line, Index number, const LinkCollector& links) {
  Fields fields;
  split_fields(line, fields);
  const std::string_view first = fields.empty() ? line : fields[0];
  if (first == "#" && fields.size() > 1 && fields[1] == "Sentence") return LinksFormat::kGiza;
  if (parse_number(first)) return LinksFormat::kNaacl;
  if (parse_pharaoh(first)) return LinksFormat::kPharaoh;
  links.refuse(
      number, "expected links as 0-0 (Pharaoh), 1 1 1 (NAACL) or # Sentence pair … (GIZA++), found",
      line);
}

std::unique_ptr<LinkLines> make_link_lines(LinksFormat format, LinkCollector& links) {
  switch (format) {
    case LinksFormat::kNaacl:
      return std::make_unique<NaaclLines>(links);
    case LinksFormat::kGiza:
      return std::make_unique<GizaLines>(links);
    case LinksFormat::kPharaoh:
      break;
  }
  return std::make_unique<PharaohLines>(links);
}

}  // namespace trellis::align
