#include "trellis/formats/columns/tag_scheme.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "trellis/base/error.h"

namespace trellis::tag {
namespace {

constexpr Tag kOutside{'O', {}};

bool inside_span(const Tag& tag) {
  return tag.position != 'O' && tag.position != 0;
}

bool ends_span(const Tag& tag) {
  return tag.position == 'E' || tag.position == 'S';
}

// Does a span begin at `next`, given that it is inside of one?
bool begins_span(const Tag& previous, const Tag& next) {
  return next.position == 'B' || next.position == 'S' || !inside_span(previous) ||
         ends_span(previous) || previous.type != next.type;
}

std::string_view prefixes(TagScheme scheme) {
  return scheme == TagScheme::kBioes ? "B-, I-, E-, S-" : "B-, I-";
}

// The position letter of token t of a span.
char position_in_span(const Span& span, Index t, bool touches_same_type, TagScheme scheme) {
  const bool first = t == span.begin;
  const bool last = t + 1 == span.end;
  switch (scheme) {
    case TagScheme::kIob1:
      return first && touches_same_type ? 'B' : 'I';
    case TagScheme::kIob2:
      return first ? 'B' : 'I';
    case TagScheme::kBioes:
      if (first) return last ? 'S' : 'B';
      return last ? 'E' : 'I';
    case TagScheme::kPlain:
      break;
  }
  assert(false && "plain labels have no spans");
  return 'O';
}

// A stranger's bytes must not break the line of a message or reprogram the terminal that shows it.
std::string printable(std::string_view label) {
  std::string out(label);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return out;
}

std::string describe_place(std::span<const std::string_view> labels, Index t) {
  if (t == 0) return printable(labels[0]) + " at the start of a sentence";
  const std::string previous = printable(labels[t - 1]);
  if (t == labels.size()) return previous + " at the end of a sentence";
  return printable(labels[t]) + " after " + previous;
}

std::optional<TagFault> find_stranger(std::span<const std::string_view> labels, TagScheme scheme) {
  for (Index t = 0; t < labels.size(); ++t) {
    if (labels[t].empty()) return TagFault{t, "expected a label, found an empty column"};
    if (!belongs_to(scheme, parse_tag(labels[t]))) {
      return TagFault{t, fmt::format("expected O or a label with {} ({}), found {}",
                                     prefixes(scheme), to_string(scheme), printable(labels[t]))};
    }
  }
  return std::nullopt;
}

}  // namespace

Tag parse_tag(std::string_view label) {
  if (label == "O") return kOutside;
  if (label.empty() || std::string_view("BIES").find(label[0]) == std::string_view::npos) {
    return {0, {}};
  }
  if (label.size() == 1) return {label[0], {}};
  if (label[1] != '-' || label.size() == 2) return {0, {}};
  return {label[0], label.substr(2)};
}

void find_spans(std::span<const std::string_view> labels, std::vector<Span>& spans) {
  spans.clear();
  Tag previous = kOutside;
  for (Index t = 0; t < labels.size(); ++t) {
    const Tag tag = parse_tag(labels[t]);
    if (inside_span(tag)) {
      if (begins_span(previous, tag)) spans.push_back({t, t, tag.type});
      spans.back().end = t + 1;
    }
    previous = tag;
  }
}

void write_spans(std::span<const Span> spans, Index length, TagScheme scheme,
                 std::vector<std::string>& labels) {
  labels.assign(length, "O");
  const Span* previous = nullptr;
  for (const Span& span : spans) {
    assert(span.begin < span.end && span.end <= length);
    assert(previous == nullptr || previous->end <= span.begin);
    const bool touches_same_type =
        previous != nullptr && previous->end == span.begin && previous->type == span.type;
    for (Index t = span.begin; t < span.end; ++t) {
      labels[t].assign(1, position_in_span(span, t, touches_same_type, scheme));
      if (!span.type.empty()) labels[t].append("-").append(span.type);
    }
    previous = &span;
  }
}

void convert_tags(std::span<const std::string_view> labels, TagScheme from, TagScheme to,
                  std::vector<std::string>& out) {
  if (from == to) {
    out.assign(labels.begin(), labels.end());
    return;
  }
  if (from == TagScheme::kPlain || to == TagScheme::kPlain) {
    throw UsageError(
        fmt::format("labels cannot be converted from {} to {}: plain labels have no "
                    "spans",
                    to_string(from), to_string(to)));
  }
  std::vector<Span> spans;
  find_spans(labels, spans);
  write_spans(spans, labels.size(), to, out);
}

bool belongs_to(TagScheme scheme, const Tag& tag) {
  switch (scheme) {
    case TagScheme::kPlain:
      return true;
    case TagScheme::kIob1:
    case TagScheme::kIob2:
      return tag.position != 0 && !ends_span(tag);
    case TagScheme::kBioes:
      return tag.position != 0;
  }
  return false;
}

bool may_follow(TagScheme scheme, const Tag& previous, const Tag& next) {
  const bool same_type = inside_span(previous) && previous.type == next.type;
  const bool open = previous.position == 'B' || previous.position == 'I';
  switch (scheme) {
    case TagScheme::kPlain:
      return true;
    case TagScheme::kIob1:
      return next.position != 'B' || same_type;
    case TagScheme::kIob2:
      return next.position != 'I' || same_type;
    case TagScheme::kBioes:
      // A span that is open is continued or ended, and only such a span is.
      if (next.position == 'I' || next.position == 'E') return open && same_type;
      return !open;
  }
  return false;
}

std::optional<TagFault> find_fault(std::span<const std::string_view> labels, TagScheme scheme) {
  if (std::optional<TagFault> stranger = find_stranger(labels, scheme)) return stranger;
  if (scheme == TagScheme::kPlain || labels.empty()) return std::nullopt;
  Tag previous = kOutside;
  for (Index t = 0; t <= labels.size(); ++t) {
    const Tag tag = t < labels.size() ? parse_tag(labels[t]) : kOutside;
    if (!may_follow(scheme, previous, tag)) {
      return TagFault{std::min(t, labels.size() - 1),
                      fmt::format("expected a legal {} sequence, found {}", to_string(scheme),
                                  describe_place(labels, t))};
    }
    previous = tag;
  }
  return std::nullopt;
}

std::optional<TagFault> read_tags(std::span<const std::string_view> written,
                                  const TagReading& reading, std::vector<std::string>& labels,
                                  Index& repaired) {
  std::optional<TagFault> fault = find_fault(written, reading.from);
  if (!fault) {
    convert_tags(written, reading.from, reading.to, labels);
    return std::nullopt;
  }
  if (reading.from == TagScheme::kPlain) return fault;
  std::optional<TagFault> stranger = find_stranger(written, TagScheme::kBioes);
  if (!reading.repair) {
    if (!stranger) fault->message += "; use --repair to read it as conlleval does";
    return fault;
  }
  if (stranger) return stranger;
  std::vector<Span> spans;
  std::vector<std::string> legal;
  find_spans(written, spans);
  write_spans(spans, written.size(), reading.from, legal);
  for (Index t = 0; t < written.size(); ++t) repaired += legal[t] != written[t];
  const std::vector<std::string_view> views(legal.begin(), legal.end());
  convert_tags(views, reading.from, reading.to, labels);
  return std::nullopt;
}

void SchemeDetector::add(std::span<const std::string_view> labels) {
  Tag previous = kOutside;
  for (const std::string_view label : labels) {
    const Tag tag = parse_tag(label);
    if (tag.position == 0) plain_ = true;
    if (ends_span(tag)) ends_ = true;
    if (!may_follow(TagScheme::kIob1, previous, tag)) ++iob1_faults_;
    if (!may_follow(TagScheme::kIob2, previous, tag)) ++iob2_faults_;
    previous = tag;
  }
}

TagScheme SchemeDetector::scheme() const {
  if (plain_) return TagScheme::kPlain;
  if (ends_) return TagScheme::kBioes;
  // A span that is the first of its sentence, or stands behind O, is a fault in one of the two.
  if (iob1_faults_ + iob2_faults_ == 0) return TagScheme::kPlain;
  return iob1_faults_ < iob2_faults_ ? TagScheme::kIob1 : TagScheme::kIob2;
}

}  // namespace trellis::tag
