#include "trellis/tasks/tag/page/span_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "trellis/base/text.h"
#include "trellis/pictures/markup/number.h"

namespace trellis::report {
namespace {

constexpr std::array<Verdict, 6> kVerdicts = {Verdict::kCorrect,       Verdict::kMissed,
                                              Verdict::kSpurious,      Verdict::kWrongType,
                                              Verdict::kWrongBoundary, Verdict::kBothWrong};

struct Appearance {
  std::string_view name;
  std::string_view symbol;
  std::string_view style;  // class in the style sheet
};

Appearance appearance(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMissed:
      return {"missed", "−", "missed"};
    case Verdict::kSpurious:
      return {"spurious", "+", "spurious"};
    case Verdict::kWrongType:
      return {"wrong type", "≠", "wrong"};
    case Verdict::kWrongBoundary:
      return {"wrong boundary", "↔", "wrong"};
    case Verdict::kBothWrong:
      return {"wrong boundary and type", "≠↔", "wrong"};
    case Verdict::kCorrect:
      break;
  }
  return {"correct", "", "correct"};
}

// The verdict on `span`, given the spans of the other side that overlap it.
Verdict judge(const tag::Span& span, std::span<const tag::Span> others, Verdict untouched) {
  Verdict verdict = untouched;
  for (const tag::Span& other : others) {
    if (other == span) return Verdict::kCorrect;
    if (other.begin == span.begin && other.end == span.end) return Verdict::kWrongType;
    if (other.type == span.type) {
      verdict = Verdict::kWrongBoundary;
    } else if (verdict == untouched) {
      verdict = Verdict::kBothWrong;
    }
  }
  return verdict;
}

// The verdicts on one side; a window of overlapping spans moves along the other side.
std::vector<Verdict> judge_all(std::span<const tag::Span> spans, std::span<const tag::Span> others,
                               Verdict untouched) {
  std::vector<Verdict> verdicts;
  Index begin = 0;
  for (const tag::Span& span : spans) {
    while (begin < others.size() && others[begin].end <= span.begin) ++begin;
    Index end = begin;
    while (end < others.size() && others[end].begin < span.end) ++end;
    verdicts.push_back(judge(span, others.subspan(begin, end - begin), untouched));
  }
  return verdicts;
}

std::vector<tag::Span> spans_of(const std::vector<std::string>& labels) {
  const std::vector<std::string_view> views(labels.begin(), labels.end());
  std::vector<tag::Span> spans;
  tag::find_spans(views, spans);
  return spans;
}

Html hidden(std::string_view unescaped) {
  return text_element("span", {{"class", "hidden"}}, unescaped);
}

Html symbol(std::string_view sign) {
  return text_element("span", {{"class", "symbol"}, {"aria-hidden", "true"}}, sign);
}

// The beginning of a span's line: symbol and type. If both sides have a line, the wrong side has
// the symbol. Screen readers read side and verdict in words.
Html span_label(std::string_view side, Verdict verdict, std::string_view type) {
  const Appearance look = appearance(verdict);
  Html out = hidden(fmt::format(" [{} {}: ", look.name, side));
  if (side == "predicted" || verdict == Verdict::kMissed) out += symbol(look.symbol);
  out += type.empty() ? hidden("span") : text(type);
  return element("bdi", out + hidden("] "));
}

// Widths of letters in tenths of a rem: small capitals of a label, letters of a word
// (underestimated rather than overestimated).
constexpr Index kLabelLetter = 5;
constexpr Index kWordLetter = 5;
constexpr Index kPadding = 3;

// One line of spans below the words, with a cell for each token.
class Track {
 public:
  Track(std::string_view side, std::span<const std::string> tokens)
      : side_(side), tokens_(tokens), cells_(tokens.size()) {}

  void draw(const tag::Span& span, Verdict verdict) {
    const bool mistake = verdict != Verdict::kCorrect;
    empty_ = false;
    for (Index t = span.begin; t < std::min(span.end, cells_.size()); ++t) {
      cells_[t].style = appearance(verdict).style;
      cells_[t].mistake = mistake;
      cells_[t].last = t + 1 == span.end;
    }
    if (span.begin >= cells_.size()) return;
    cells_[span.begin].label = span_label(side_, verdict, span.type);
    const Index letters = utf8_length(span.type) + utf8_length(appearance(verdict).symbol);
    cells_[span.begin].label_width = kLabelLetter * letters + kPadding;
  }

  bool empty() const { return empty_; }
  bool mistaken(Index t) const { return cells_[t].mistake; }

  Html cell(Index t) const {
    const Cell& cell = cells_[t];
    std::string style(side_);
    if (!cell.style.empty()) style.append(" ").append(cell.style);
    if (cell.last) style += " last";
    if (cell.label_width > 0 && cell.label_width <= room(t)) style += " free";
    return element("span", {{"class", style}}, cell.label);
  }

 private:
  struct Cell {
    std::string_view style;
    Html label;
    Index label_width = 0;  // 0: no label
    bool mistake = false;
    bool last = false;
  };

  // A label may extend below the next words up to the next label, and then does not widen the gap
  // between words.
  Index room(Index begin) const {
    Index width = 0;
    for (Index t = begin; t < cells_.size(); ++t) {
      if (t > begin && cells_[t].label_width > 0) break;
      width += kWordLetter * utf8_length(tokens_[t]) + kPadding;
    }
    return width;
  }

  std::string_view side_;
  std::span<const std::string> tokens_;
  std::vector<Cell> cells_;
  bool empty_ = true;
};

Html token(std::string_view word, bool mistaken, const Html& tracks) {
  return element("span", {{"class", mistaken ? "token mistaken" : "token"}},
                 text_element("span", {{"class", "word"}}, word) + tracks);
}

std::string plural(Index n, std::string_view noun) {
  return fmt::format("{} {}{}", format_count(n), noun, n == 1 ? "" : "s");
}

Html cut_note(Index left_out) {
  if (left_out == 0) return {};
  return text_element("span", {{"class", "cut"}},
                      fmt::format("… {}", plural(left_out, "more token")));
}

Html sentence_block(std::string_view source, std::string_view verdict, const Html& tokens) {
  const std::string caption =
      source.empty() ? std::string(verdict) : fmt::format("{} · {}", source, verdict);
  return element("figure", {{"class", "sentence"}},
                 text_element("figcaption", caption) +
                     element("p", {{"class", "tokens"}, {"dir", "auto"}}, tokens));
}

// "1 missed, 2 wrong type": over both sides; an overlapping pair counts once, by its gold span.
std::string mistakes_in_words(const SpanComparison& comparison) {
  std::vector<std::string> words;
  for (const Verdict verdict : kVerdicts) {
    if (verdict == Verdict::kCorrect) continue;
    const auto& side = verdict == Verdict::kSpurious ? comparison.predicted : comparison.gold;
    const auto n = std::count(side.begin(), side.end(), verdict);
    if (n > 0) words.push_back(fmt::format("{} {}", n, appearance(verdict).name));
  }
  return words.empty() ? "all correct" : fmt::format("{}", fmt::join(words, ", "));
}

Html tag_cell(std::string_view side, std::string_view label, bool correct) {
  Html out = hidden(fmt::format(" [{} {}: ", correct ? "correct" : "wrong", side));
  if (side == "predicted") out += symbol("≠");
  out += text(label) + hidden("] ");
  return element("span", {{"class", fmt::format("tag {}{}", side, correct ? "" : " mistake")}},
                 element("bdi", out));
}

Html legend_item(Verdict verdict, std::string_view side) {
  const Appearance look = appearance(verdict);
  const Html sample = element(
      "span", {{"class", fmt::format("{} {} last", side, look.style)}, {"aria-hidden", "true"}},
      (look.symbol.empty() ? Html() : symbol(look.symbol)) + text("TYPE"));
  return element("li", sample + text(look.name));
}

}  // namespace

std::string_view to_string(Verdict verdict) {
  return appearance(verdict).name;
}

SpanComparison compare_spans(std::span<const tag::Span> gold,
                             std::span<const tag::Span> predicted) {
  return {judge_all(gold, predicted, Verdict::kMissed),
          judge_all(predicted, gold, Verdict::kSpurious)};
}

Html span_sentence(const ExampleSentence& sentence) {
  const Index length = sentence.tokens.size();
  assert(sentence.gold.size() == length && sentence.predicted.size() == length);
  const std::vector<tag::Span> gold = spans_of(sentence.gold);
  const std::vector<tag::Span> predicted = spans_of(sentence.predicted);
  const SpanComparison comparison = compare_spans(gold, predicted);

  const Index shown = std::min(length, kMaxTokens);
  const auto tokens_shown = std::span(sentence.tokens).first(shown);
  Track upper("gold", tokens_shown), lower("predicted", tokens_shown);
  for (Index i = 0; i < gold.size(); ++i) upper.draw(gold[i], comparison.gold[i]);
  for (Index i = 0; i < predicted.size(); ++i) {
    const Verdict verdict = comparison.predicted[i];
    if (verdict != Verdict::kCorrect) lower.draw(predicted[i], verdict);
  }
  // No space for an empty lower track.
  const bool two_tracks = !lower.empty();
  Html tokens;
  for (Index t = 0; t < shown; ++t) {
    tokens += token(sentence.tokens[t], upper.mistaken(t) || lower.mistaken(t),
                    two_tracks ? upper.cell(t) + lower.cell(t) : upper.cell(t));
  }
  return sentence_block(sentence.source, mistakes_in_words(comparison),
                        tokens + cut_note(length - shown));
}

Html tagged_sentence(const ExampleSentence& sentence) {
  const Index length = sentence.tokens.size();
  assert(sentence.gold.size() == length && sentence.predicted.size() == length);
  const Index shown = std::min(length, kMaxTokens);
  Index mistakes = 0;
  Html tokens;
  for (Index t = 0; t < length; ++t) {
    const bool correct = sentence.gold[t] == sentence.predicted[t];
    if (!correct) ++mistakes;
    if (t >= shown) continue;
    Html tags = tag_cell("gold", sentence.gold[t], correct);
    if (!correct) tags += tag_cell("predicted", sentence.predicted[t], correct);
    tokens += token(sentence.tokens[t], !correct, tags);
  }
  const std::string verdict = mistakes == 0 ? "all correct" : plural(mistakes, "wrong tag");
  return sentence_block(sentence.source, verdict, tokens + cut_note(length - shown));
}

Html span_legend() {
  Html items;
  for (const Verdict verdict : kVerdicts) {
    const bool gold_alone = verdict == Verdict::kCorrect || verdict == Verdict::kMissed;
    items += legend_item(verdict, gold_alone ? "gold" : "predicted");
  }
  return element("ul", {{"class", "key"}}, items);
}

Html tag_legend() {
  const Html correct = tag_cell("gold", "TAG", true) + text("correct");
  const Html wrong =
      element("span", tag_cell("gold", "GOLD", false) + tag_cell("predicted", "PREDICTED", false)) +
      text("wrong");
  return element("ul", {{"class", "key"}}, element("li", correct) + element("li", wrong));
}

}  // namespace trellis::report
