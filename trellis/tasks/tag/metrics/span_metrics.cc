#include "trellis/tasks/tag/metrics/span_metrics.h"

#include <cassert>

#include <fmt/format.h>

namespace trellis::tag {
namespace {

bool one_of(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

// The rules of conlleval ask for tags of one letter only.
char letter(std::string_view tag) {
  return tag.size() == 1 ? tag.front() : '\0';
}

}  // namespace

SpanMetrics::Chunk SpanMetrics::split(std::string_view label) {
  const Index hyphen = label.find('-');
  if (hyphen == std::string_view::npos) return {label, {}};
  const std::string_view type = label.substr(hyphen + 1);
  // The string "0" is false in Perl, and conlleval keeps a type only if it is true.
  return {label.substr(0, hyphen), type == "0" ? std::string_view() : type};
}

bool SpanMetrics::ends(const Chunk& previous, const Chunk& next) const {
  const bool bioes = rules_ == ChunkRules::kConllevalBioes;
  const char from = letter(previous.tag);
  const char to = letter(next.tag);
  if (from != 'O' && from != '.' && previous.type != next.type) return true;
  switch (from) {
    case '[':
    case ']':
      return true;  // chunks of one token
    case 'B':
    case 'I':
      return one_of(to, bioes ? "BOS" : "BO");
    case 'E':
      return one_of(to, bioes ? "BIOES" : "IOE");
    case 'S':
      return bioes && one_of(to, "BIOES");
    default:
      return false;
  }
}

bool SpanMetrics::starts(const Chunk& previous, const Chunk& next) const {
  const bool bioes = rules_ == ChunkRules::kConllevalBioes;
  const char from = letter(previous.tag);
  const char to = letter(next.tag);
  if (to != 'O' && to != '.' && previous.type != next.type) return true;
  switch (to) {
    case '[':
    case ']':
      return true;
    case 'B':
      return one_of(from, bioes ? "BIOES" : "BIO");
    case 'I':
    case 'E':
      return one_of(from, bioes ? "OES" : "OE");
    case 'S':
      return bioes && one_of(from, "BIOES");
    default:
      return false;
  }
}

SpanCounts& SpanMetrics::counts(std::string_view type) {
  const auto found = types_.find(type);
  return found != types_.end() ? found->second
                               : types_.try_emplace(std::string(type)).first->second;
}

void SpanMetrics::step(const Chunk& last_gold, const Chunk& gold, const Chunk& last_found,
                       const Chunk& found) {
  if (in_correct_) {
    const bool gold_ends = ends(last_gold, gold);
    const bool found_ends = ends(last_found, found);
    if (gold_ends && found_ends && last_gold.type == last_found.type) {
      in_correct_ = false;
      ++overall_.correct;
      ++counts(last_gold.type).correct;
    } else if (gold_ends != found_ends || gold.type != found.type) {
      in_correct_ = false;
    }
  }
  const bool gold_starts = starts(last_gold, gold);
  const bool found_starts = starts(last_found, found);
  if (gold_starts && found_starts && gold.type == found.type) in_correct_ = true;
  if (gold_starts) {
    ++overall_.gold;
    ++counts(gold.type).gold;
  }
  if (found_starts) {
    ++overall_.found;
    ++counts(found.type).found;
  }
}

void SpanMetrics::add(std::span<const std::string_view> gold,
                      std::span<const std::string_view> predicted) {
  assert(gold.size() == predicted.size());
  const Chunk outside{"O", {}};
  Chunk last_gold = outside;
  Chunk last_found = outside;
  for (Index t = 0; t < gold.size(); ++t) {
    const Chunk now_gold = split(gold[t]);
    const Chunk now_found = split(predicted[t]);
    step(last_gold, now_gold, last_found, now_found);
    correct_tokens_ += now_gold.tag == now_found.tag && now_gold.type == now_found.type;
    last_gold = now_gold;
    last_found = now_found;
  }
  tokens_ += gold.size();
  step(last_gold, outside, last_found, outside);
}

double SpanMetrics::accuracy() const {
  return percent(correct_tokens_, tokens_);
}

// A chunk that the end of its sentence did not end (its tag is none of BIOES and it has no type)
// counts as correct at the end of the input.
SpanCounts SpanMetrics::overall() const {
  SpanCounts all = overall_;
  all.correct += in_correct_;
  return all;
}

std::vector<TypeCounts> SpanMetrics::by_type() const {
  std::vector<TypeCounts> list;
  for (const auto& entry : types_) {
    if (entry.second.gold + entry.second.found == 0) continue;
    list.push_back({entry.first, entry.second});
    if (entry.first.empty()) list.back().counts.correct += in_correct_;
  }
  return list;
}

std::string SpanMetrics::conlleval() const {
  const SpanCounts all = overall();
  std::string text =
      fmt::format("processed {} tokens with {} phrases; found: {} phrases; correct: {}.\n", tokens_,
                  all.gold, all.found, all.correct);
  if (tokens_ > 0) {
    text += "accuracy: " + format_percent(accuracy()) +
            "%; precision: " + format_percent(all.precision()) +
            "%; recall: " + format_percent(all.recall()) + "%; FB1: " + format_percent(all.f1()) +
            "\n";
  }
  for (const TypeCounts& type : by_type()) {
    const std::string line = format_counts(type.type, type.counts) + "\n";
    text += line;
    // The script drops a second occurrence of a name only if the name is true in Perl.
    if (type.type.empty() && type.counts.gold > 0 && type.counts.found > 0) text += line;
  }
  return text;
}

}  // namespace trellis::tag
