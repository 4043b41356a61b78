// The compiled form of a feature template: expressions, which are evaluated once per token, and
// attributes, which are composed of their values at one or more tokens.
//
// The text of an attribute is
//
//     head value_1 literal_2 value_2 … literal_n value_n tail
//
// where value_i is the value of an expression at some position of the sentence. The attribute holds
// at a token if all its values exist. In our language the head is "word[-1]|word[0]=" and the
// literals are "|"; lines of CRF++ and Wapiti contain head and literals explicitly.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/templates/template_functions.h"
#include "trellis/tasks/tag/templates/text_hash.h"

namespace trellis::tag {

// The position of an expression, relative to token t of T.
struct Place {
  enum class Anchor : std::uint8_t {
    kHere,     // t + offset
    kFirst,    // offset (0 is the first token)
    kLast,     // T + offset (−1 is the last token)
    kPointer,  // t + the value of the expression `pointer` at t
  };
  Anchor anchor = Anchor::kHere;
  std::int32_t offset = 0;
  Index pointer = kNoIndex;

  // Counted from the first token (1) or the last one (−1).
  static Place absolute(long long at) {
    return {at > 0 ? Anchor::kFirst : Anchor::kLast,
            static_cast<std::int32_t>(at > 0 ? at - 1 : at), kNoIndex};
  }
  static constexpr std::string_view kNoZero =
      "@1 is the first token and @-1 the last; there is no @0";
};

// The values of an expression outside the sentence, by the distance from its ends (1, 2, …; the
// last one is for all larger distances). Empty: no value, so that the attribute does not hold.
struct Marker {
  std::string text;
  TextHash hash;
};
struct Markers {
  std::vector<Marker> before;
  std::vector<Marker> after;
};

struct Piece {
  std::string literal;  // the text before the value; that of the first piece is the head
  TextHash literal_hash;
  Place place;
  Index expression = 0;
  Index slot = 0;
  Index markers = 0;
};

struct Attribute {
  std::string tail;
  TextHash tail_hash;
  std::vector<Piece> pieces;  // empty: the attribute `tail` holds everywhere
};

// The expressions that depend on one column, with inputs before their users; their values are in
// the slots [first_slot, end_slot) of a token's row.
struct ColumnGroup {
  Index column = 0;
  std::vector<Index> expressions;
  Index first_slot = 0;
  Index end_slot = 0;
};

struct TemplateProgram {
  std::vector<Expression> expressions;
  std::vector<ColumnGroup> groups;
  std::vector<Index> sentence_expressions;  // kIn, kFirst, kLast: require all tokens
  std::vector<Markers> markers;
  std::vector<Attribute> node;
  std::vector<Attribute> edge;
  bool plain_transitions = false;
  Index num_slots = 0;
  Index min_columns = 0;

  std::map<std::string, std::string> lists;  // phrases of every list, by path
};

// The values of expressions outside the sentence.
enum class Boundary {
  kDrop,    // none: attributes that extend beyond the ends do not hold
  kMark,    // _B-1, _B-2 … before, _E+1, _E+2 … after
  kCrfpp,   // _B-1 … and _B+1 …
  kWapiti,  // _x-1 … _x-4 _x-# and _x+1 … _x+4 _x+#, with functions applied
};

// Builds a program; equal expressions are shared.
class TemplateProgramBuilder {
 public:
  // Limits for untrusted templates.
  static constexpr Index kMaxExpressions = 4096;
  static constexpr Index kMaxAttributes = 16384;
  static constexpr Index kMaxPatterns = 256;
  static constexpr std::int32_t kMaxOffset = 255;
  static constexpr Index kMaxColumn = 65535;

  // Adds an expression, or returns the existing one with this key. The key must describe the
  // expression completely.
  Index add(const std::string& key, Expression expression);
  Index column(Index column);
  // Applies `function`, called `name`, to an earlier expression; `arguments` has the others.
  Index derive(std::string_view name, Index input, std::string_view arguments, Expression function);
  // A compiled pattern; null, with the reason in `complaint`, if it is invalid.
  std::shared_ptr<const re2::RE2> pattern(const std::string& text, std::string& complaint);

  const Expression& expression(Index e) const { return program_.expressions[e]; }
  // Whether the expression may have no value at some tokens.
  bool partial(Index e) const;

  // A piece without its literal. A partial expression has no markers outside the sentence (but
  // Wapiti's functions are still applied to the markers).
  Piece piece(Index expression, Place place, Boundary boundary);
  void add_node(Attribute attribute);
  void add_edge(Attribute attribute);  // without pieces: plain transitions
  // Whether the template exceeds the limits; check before adding each piece.
  bool full() const;

  std::map<std::string, std::string>& lists() { return program_.lists; }

  TemplateProgram finish();

 private:
  Index markers(Index expression, Boundary boundary);
  std::string value_outside(Index expression, std::string_view marker) const;
  void use(Index expression) { program_.expressions[expression].slot = 0; }
  std::vector<bool> live_expressions() const;
  void assign_slots();

  TemplateProgram program_;
  std::map<std::string, Index> expressions_by_key_;
  std::map<std::string, std::shared_ptr<const re2::RE2>> patterns_;
  std::map<std::pair<Index, Boundary>, Index> markers_by_use_;
};

}  // namespace trellis::tag
