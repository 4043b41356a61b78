// Tag schemes: how spans of tokens, such as chunks and named entities, are written as one label per
// token in the files of the CoNLL shared tasks. This has the schemes in use, conversions between
// them, and the detection of the scheme of a file.
//
//   IOB1    I-X, and B-X only where a span of type X follows another at once
//           (Ramshaw & Marcus 1995; CoNLL-2003)
//   IOB2    B-X begins every span, I-X continues it (Ratnaparkhi 1998; CoNLL-2000)
//   BIOES   B-X begins, I-X continues and E-X ends a span; S-X is a span of one token
//           (also called IOBES)
//   plain   labels without spans, such as parts of speech; nothing is read into them
//
// O stands outside of every span. The type may contain hyphens (B-geo-loc) and may be missing
// altogether (B, I, O); "B-" with nothing behind the hyphen belongs to no scheme. See Tjong Kim
// Sang & Veenstra (1999) for the representations and what may follow what.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/names.h"
#include "trellis/base/types.h"

namespace trellis::tag {

enum class TagScheme { kPlain, kIob1, kIob2, kBioes };
constexpr auto names_of(TagScheme) {
  return Names{"tag scheme", "plain", "iob1", "iob2", "bioes"};
}

// A label taken apart: position is one of O B I E S, or 0 where the label belongs to no scheme.
struct Tag {
  char position;
  std::string_view type;
};
Tag parse_tag(std::string_view label);

// Tokens [begin, end) with their type. The type is a view into a label.
struct Span {
  Index begin;
  Index end;
  std::string_view type;

  friend bool operator==(const Span&, const Span&) = default;
};

// The spans of a sentence, in order. Legal sequences of the three schemes have their standard
// meaning; others are read as by conlleval: a span begins at B and S, at I and E after the end of a
// span or another type, and ends after E and S, before O, and before the next one begins. Labels of
// no scheme are outside.
void find_spans(std::span<const std::string_view> labels, std::vector<Span>& spans);

// The labels of `length` tokens with these spans: disjoint and in order. `scheme` is not plain.
void write_spans(std::span<const Span> spans, Index length, TagScheme scheme,
                 std::vector<std::string>& labels);

// The same spans in another scheme. Where the schemes are equal, the labels themselves. Throws
// UsageError if one of two different schemes is plain.
void convert_tags(std::span<const std::string_view> labels, TagScheme from, TagScheme to,
                  std::vector<std::string>& out);

// What is wrong with a sequence first: the token, and the message of an InputError, which names the
// labels concerned.
struct TagFault {
  Index token;
  std::string message;
};
std::optional<TagFault> find_fault(std::span<const std::string_view> labels, TagScheme scheme);

// How the labels of a file become those of a model.
struct TagReading {
  TagScheme from = TagScheme::kPlain;
  TagScheme to = TagScheme::kPlain;
  // Illegal sequences are read as find_spans does, instead of being refused. Labels that belong to
  // no scheme, and empty ones, are refused all the same.
  bool repair = false;
};

// The labels of a sentence as the model wants them; or, if they are not as `reading` expects, what
// is wrong with them: an InputError in the making, for which the caller knows the line, and which
// names --repair where that helps. Adds the
// number of labels that had to be repaired (as labels of `from`) to `repaired`. Throws UsageError
// as convert_tags does.
std::optional<TagFault> read_tags(std::span<const std::string_view> written,
                                  const TagReading& reading, std::vector<std::string>& labels,
                                  Index& repaired);

// Which scheme a corpus is written in. A label of no scheme makes it plain, E or S make it BIOES.
// A span that begins after O with I is a fault in IOB2, with B in IOB1; the scheme with fewer
// faults is taken, so that find_fault then shows the odd one out.
class SchemeDetector {
 public:
  void add(std::span<const std::string_view> labels);  // of one sentence
  TagScheme scheme() const;                            // plain where there was no span at all

 private:
  bool plain_ = false;
  bool ends_ = false;  // E or S was seen
  Index iob1_faults_ = 0;
  Index iob2_faults_ = 0;
};

// Whether the scheme has such a label: O, or one of its positions. Plain has all labels.
bool belongs_to(TagScheme scheme, const Tag& tag);
// May `next` stand behind `previous`? The sentence begins and ends as if O stood there.
bool may_follow(TagScheme scheme, const Tag& previous, const Tag& next);

}  // namespace trellis::tag
