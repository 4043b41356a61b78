#include "trellis/tasks/tag/templates/template_values.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

#include "trellis/base/text.h"

namespace trellis::tag {
namespace {

// With fewer expressions per column, computing them is faster than a cache.
constexpr Index kWorthRemembering = 4;
// Larger offsets are equivalent: no sentence is so long.
constexpr long long kFarthest = 1LL << 40;

TextHash hash_of(char position) {
  return hash_text(std::string_view(&position, 1));
}

// Stores an offset in place of a hash, in two's complement.
TextHash parse_offset(std::string_view text) {
  const auto offset = parse_integer(text);
  if (!offset) return TextHash::none();
  return {static_cast<std::uint64_t>(std::clamp(*offset, -kFarthest, kFarthest)), 1};
}

}  // namespace

void TemplateEvaluator::use(const std::shared_ptr<const TemplateProgram>& program) {
  if (program_ == program) return;
  program_ = program;
  texts_.assign(program->expressions.size(), std::nullopt);
  buffers_.resize(program->expressions.size());
  caches_.clear();
  for (const ColumnGroup& group : program->groups) {
    const bool remember = group.expressions.size() >= kWorthRemembering;
    caches_.emplace_back(remember ? group.end_slot - group.first_slot : 0);
  }
}

void TemplateEvaluator::evaluate(const std::shared_ptr<const TemplateProgram>& program,
                                 const Sentence& sentence, TemplateValues& values) {
  use(program);
  const Index num_tokens = sentence.num_tokens();
  values.resize(num_tokens, program->num_slots);
  for (Index g = 0; g < program->groups.size(); ++g) {
    const ColumnGroup& group = program->groups[g];
    WordCache& cache = caches_[g];
    for (Index t = 0; t < num_tokens; ++t) {
      const std::string_view field = sentence.field(t, group.column);
      TextHash* row = values.row(t);
      if (cache.width() == 0) {
        evaluate_token(*program, group, field, row);
      } else if (const TextHash* known = cache.find(field)) {
        std::copy_n(known, cache.width(), row + group.first_slot);
      } else {
        evaluate_token(*program, group, field, row);
        cache.insert(field, row + group.first_slot);
      }
    }
  }
  for (const Index e : program->sentence_expressions) {
    evaluate_sentence(program->expressions[e], values);
  }
}

void TemplateEvaluator::evaluate_token(const TemplateProgram& program, const ColumnGroup& group,
                                       std::string_view field, TextHash* row) {
  for (const Index e : group.expressions) {
    const Expression& expression = program.expressions[e];
    if (expression.function == Function::kColumn) {
      texts_[e] = field;
    } else if (!texts_[expression.input]) {
      texts_[e] = std::nullopt;
    } else if (expression.function == Function::kIn || expression.function == Function::kOffset) {
      row[expression.slot] = word_or_offset(expression, *texts_[expression.input]);
      continue;
    } else {
      texts_[e] = apply(expression, *texts_[expression.input], buffers_[e]);
    }
    if (expression.slot == kNoIndex) continue;
    row[expression.slot] = texts_[e] ? hash_text(*texts_[e]) : TextHash::none();
  }
}

// The first half of kIn: stores the number of the word in the list in place of a hash.
TextHash TemplateEvaluator::word_or_offset(const Expression& expression, std::string_view text) {
  if (expression.function == Function::kOffset) return parse_offset(text);
  return {expression.list->word(text), 1};
}

void TemplateEvaluator::evaluate_sentence(const Expression& expression, TemplateValues& values) {
  const Index num_tokens = values.num_tokens();
  if (expression.function == Function::kIn) return find_phrases(expression, values);
  const Index holds = expression.function == Function::kFirst ? 0 : num_tokens - 1;
  for (Index t = 0; t < num_tokens; ++t) {
    values.row(t)[expression.slot] = t == holds ? TextHash{} : TextHash::none();
  }
}

// The second half of kIn.
void TemplateEvaluator::find_phrases(const Expression& expression, TemplateValues& values) {
  const Index num_tokens = values.num_tokens();
  words_.resize(num_tokens);
  positions_.resize(num_tokens);
  for (Index t = 0; t < num_tokens; ++t) {
    const TextHash& word = values.row(t)[expression.slot];
    words_[t] = word.present() ? static_cast<std::uint32_t>(word.hash) : Gazetteer::kNoWord;
  }
  expression.list->find(words_, positions_);
  for (Index t = 0; t < num_tokens; ++t) {
    const char position = positions_[t];
    values.row(t)[expression.slot] = position == 0 ? TextHash::none() : hash_of(position);
  }
}

std::string TemplateEvaluator::text_at(const TemplateProgram& program, const Sentence& sentence,
                                       const TemplateValues& values, const Piece& piece, Index t) {
  const std::int64_t at = position(program, values, piece.place, t);
  if (at < 0 || static_cast<Index>(at) >= values.num_tokens()) {
    return outside(program.markers[piece.markers], at, values.num_tokens())->text;
  }
  const Expression& expression = program.expressions[piece.expression];
  if (is_test(expression.function)) return "";
  if (expression.function == Function::kIn) {
    for (const char letter : {'B', 'I', 'L', 'U'}) {
      if (value_at(program, values, piece, t) == hash_of(letter)) return std::string(1, letter);
    }
  }
  return text_of(program, piece.expression,
                 sentence.field(static_cast<Index>(at), expression.column));
}

std::string TemplateEvaluator::text_of(const TemplateProgram& program, Index e,
                                       std::string_view field) {
  const Expression& expression = program.expressions[e];
  if (expression.function == Function::kColumn) return std::string(field);
  const std::string input = text_of(program, expression.input, field);
  std::string buffer;
  const auto text = apply(expression, input, buffer);  // may be a view into the input
  assert(text.has_value());
  return std::string(*text);
}

}  // namespace trellis::tag
