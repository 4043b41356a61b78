#include "trellis/tasks/tag/templates/template_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace trellis::tag {
namespace {

struct MarkerStyle {
  std::string_view before;
  std::string_view after;
  Index distinct;  // number of distances with a number in the marker
};

MarkerStyle style_of(Boundary boundary) {
  switch (boundary) {
    case Boundary::kMark:
      return {"_B-", "_E+", Index{TemplateProgramBuilder::kMaxOffset}};
    case Boundary::kCrfpp:
      return {"_B-", "_B+", Index{TemplateProgramBuilder::kMaxOffset}};
    case Boundary::kWapiti:
      return {"_x-", "_x+", 4};
    case Boundary::kDrop:
      break;
  }
  return {"", "", 0};
}

void hash_texts(Attribute& attribute) {
  attribute.tail_hash = hash_text(attribute.tail);
  for (Piece& piece : attribute.pieces) piece.literal_hash = hash_text(piece.literal);
}

}  // namespace

Index TemplateProgramBuilder::add(const std::string& key, Expression expression) {
  const auto [known, is_new] = expressions_by_key_.try_emplace(key, program_.expressions.size());
  if (is_new) program_.expressions.push_back(std::move(expression));
  return known->second;
}

Index TemplateProgramBuilder::column(Index column) {
  Expression field;
  field.column = column;
  return add(fmt::format("column({})", column), std::move(field));
}

Index TemplateProgramBuilder::derive(std::string_view name, Index input, std::string_view arguments,
                                     Expression function) {
  function.input = input;
  function.column = expression(input).column;
  return add(fmt::format("{}({}{})", name, input, arguments), std::move(function));
}

std::shared_ptr<const re2::RE2> TemplateProgramBuilder::pattern(const std::string& text,
                                                                std::string& complaint) {
  const auto known = patterns_.find(text);
  if (known != patterns_.end()) return known->second;
  if (patterns_.size() == kMaxPatterns) {
    complaint = "a template may have " + std::to_string(kMaxPatterns) + " patterns";
    return nullptr;
  }
  auto compiled = compile_pattern(text, complaint);
  if (compiled != nullptr) patterns_.emplace(text, compiled);
  return compiled;
}

bool TemplateProgramBuilder::partial(Index e) const {
  for (; e != kNoIndex; e = expression(e).input) {
    if (is_partial(expression(e).function)) return true;
  }
  return false;
}

Piece TemplateProgramBuilder::piece(Index expression, Place place, Boundary boundary) {
  Piece piece;
  piece.expression = expression;
  piece.place = place;
  piece.markers = markers(expression, boundary);
  use(expression);
  if (place.pointer != kNoIndex) use(place.pointer);
  return piece;
}

Index TemplateProgramBuilder::markers(Index expression, Boundary boundary) {
  if (boundary != Boundary::kWapiti && partial(expression)) boundary = Boundary::kDrop;
  // Only Wapiti's markers depend on the expression.
  const Index user = boundary == Boundary::kWapiti ? expression : kNoIndex;
  const auto [known, is_new] =
      markers_by_use_.try_emplace(std::pair(user, boundary), program_.markers.size());
  if (!is_new) return known->second;
  Markers made;
  const MarkerStyle style = style_of(boundary);
  const auto add = [&](std::vector<Marker>& list, std::string_view start, Index distance) {
    const std::string number = distance <= style.distinct ? std::to_string(distance) : "#";
    const std::string text = value_outside(user, std::string(start) + number);
    list.push_back({text, hash_text(text)});
  };
  for (Index distance = 1; style.distinct > 0 && distance <= style.distinct + 1; ++distance) {
    add(made.before, style.before, distance);
    add(made.after, style.after, distance);
  }
  program_.markers.push_back(std::move(made));
  return known->second;
}

// Applies Wapiti's functions, which are all total, to a marker.
std::string TemplateProgramBuilder::value_outside(Index e, std::string_view marker) const {
  if (e == kNoIndex || expression(e).input == kNoIndex) return std::string(marker);
  std::string buffer;
  const std::string input = value_outside(expression(e).input, marker);
  const auto value = apply(expression(e), input, buffer);
  assert(value.has_value());
  return std::string(*value);
}

void TemplateProgramBuilder::add_node(Attribute attribute) {
  hash_texts(attribute);
  program_.node.push_back(std::move(attribute));
}

void TemplateProgramBuilder::add_edge(Attribute attribute) {
  if (attribute.pieces.empty()) {
    program_.plain_transitions = true;
    return;
  }
  hash_texts(attribute);
  program_.edge.push_back(std::move(attribute));
}

bool TemplateProgramBuilder::full() const {
  return program_.expressions.size() >= kMaxExpressions ||
         program_.node.size() + program_.edge.size() >= kMaxAttributes;
}

TemplateProgram TemplateProgramBuilder::finish() {
  assign_slots();
  for (std::vector<Attribute>* attributes : {&program_.node, &program_.edge}) {
    for (Attribute& attribute : *attributes) {
      for (Piece& piece : attribute.pieces) {
        piece.slot = program_.expressions[piece.expression].slot;
      }
    }
  }
  return std::move(program_);
}

// The expressions that attributes use, directly or as inputs: definitions may be unused.
std::vector<bool> TemplateProgramBuilder::live_expressions() const {
  std::vector<bool> live(program_.expressions.size());
  for (Index e = live.size(); e-- > 0;) {
    live[e] = live[e] || expression(e).slot != kNoIndex;
    if (live[e] && expression(e).input != kNoIndex) live[expression(e).input] = true;
  }
  return live;
}

// Group by group, so that the values of one column's expressions are adjacent.
void TemplateProgramBuilder::assign_slots() {
  const std::vector<bool> live = live_expressions();
  std::map<Index, ColumnGroup> groups;
  std::vector<Index> columnless;
  for (Index e = 0; e < program_.expressions.size(); ++e) {
    if (!live[e]) continue;
    const Expression& expression = program_.expressions[e];
    if (expression.column == kNoIndex) {
      columnless.push_back(e);
    } else {
      groups[expression.column].column = expression.column;
      groups[expression.column].expressions.push_back(e);
      program_.min_columns = std::max(program_.min_columns, expression.column + 1);
    }
    const Function function = expression.function;
    if (function == Function::kIn || function == Function::kFirst || function == Function::kLast) {
      program_.sentence_expressions.push_back(e);
    }
  }
  Index slot = 0;
  for (auto& [column, group] : groups) {
    group.first_slot = slot;
    for (const Index e : group.expressions) {
      if (program_.expressions[e].slot != kNoIndex) program_.expressions[e].slot = slot++;
    }
    group.end_slot = slot;
    program_.groups.push_back(std::move(group));
  }
  for (const Index e : columnless) program_.expressions[e].slot = slot++;
  program_.num_slots = slot;
}

}  // namespace trellis::tag
