#include "trellis/scorers/conlleval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace trellis::tag {
namespace {

// The rules of conlleval apply to tags of one letter only.
char letter(std::string_view tag) {
  return tag.size() == 1 ? tag.front() : '\0';
}

// kEnds: for the tag of a chunk's last token, the next tags that end the chunk. kStarts: for the
// tag of a chunk's first token, the previous tags that do not belong to the chunk.
struct Rule {
  char tag;
  std::string_view conlleval;  // by ChunkRules
  std::string_view bioes;
};
constexpr Rule kEnds[] = {
    {'B', "BO", "BOS"}, {'I', "BO", "BOS"}, {'E', "IOE", "BIOES"}, {'S', "", "BIOES"}};
constexpr Rule kStarts[] = {
    {'B', "BIO", "BIOES"}, {'I', "OE", "OES"}, {'E', "OE", "OES"}, {'S', "", "BIOES"}};

bool is_boundary(std::span<const Rule> rules, ChunkRules variant, std::string_view tag,
                 std::string_view neighbour, bool types_differ) {
  const char at = letter(tag);
  if (at == '[' || at == ']') return true;  // chunks of one token
  if (at != 'O' && at != '.' && types_differ) return true;
  for (const Rule& rule : rules) {
    if (rule.tag != at) continue;
    const bool bioes = variant == ChunkRules::kConllevalBioes;
    return (bioes ? rule.bioes : rule.conlleval).find(letter(neighbour)) != std::string_view::npos;
  }
  return false;
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
  return is_boundary(kEnds, rules_, previous.tag, next.tag, previous.type != next.type);
}

bool SpanMetrics::starts(const Chunk& previous, const Chunk& next) const {
  return is_boundary(kStarts, rules_, next.tag, previous.tag, previous.type != next.type);
}

MatchCounts& SpanMetrics::counts(std::string_view type) {
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
                      std::span<const std::string_view> predicted, bool ended) {
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
  if (ended) step(last_gold, outside, last_found, outside);
  last_type_ = ended ? std::string_view() : last_gold.type;
}

double SpanMetrics::accuracy() const {
  return percent(correct_tokens_, tokens_);
}

// A chunk that its sentence's end did not close (its tag is not one of BIOES and it has no type, or
// no empty line followed) counts as correct at the end of the input.
MatchCounts SpanMetrics::overall() const {
  MatchCounts all = overall_;
  all.correct += in_correct_;
  return all;
}

std::vector<LabelCounts> SpanMetrics::by_type() const {
  std::vector<LabelCounts> list;
  for (const auto& entry : types_) {
    if (entry.second.gold + entry.second.found == 0) continue;
    list.push_back({entry.first, entry.second});
    if (entry.first == last_type_) list.back().counts.correct += in_correct_;
  }
  return list;
}

// The script drops a second occurrence of a name only if the name is true in Perl.
std::vector<LabelCounts> SpanMetrics::printed_types() const {
  std::vector<LabelCounts> types = by_type();
  if (!types.empty() && types.front().label.empty() && types.front().counts.gold > 0 &&
      types.front().counts.found > 0) {
    types.insert(types.begin(), LabelCounts(types.front()));
  }
  return types;
}

std::string SpanMetrics::conlleval() const {
  const MatchCounts all = overall();
  std::string text =
      fmt::format("processed {} tokens with {} phrases; found: {} phrases; correct: {}.\n", tokens_,
                  all.gold, all.found, all.correct);
  if (tokens_ > 0) {
    text += fmt::format("accuracy: {}%; {}\n", format_percent(accuracy()), format_figures(all));
  }
  for (const LabelCounts& type : printed_types()) {
    text += format_counts(type.label, type.counts) + "\n";
  }
  return text;
}

std::string SpanMetrics::conlleval_latex() const {
  const auto row = [](std::string name, const MatchCounts& counts) {
    name.resize(std::max(name.size(), Index{7}), ' ');
    return fmt::format("{} &  {}\\% & {}\\% & {} \\\\", name, format_percent(counts.precision()),
                       format_percent(counts.recall()), format_percent(counts.f1()));
  };
  std::string text = "        & Precision &  Recall  & F$_{\\beta=1} \\\\\\hline";
  for (const LabelCounts& type : printed_types()) text += "\n" + row(type.label, type.counts);
  return text + "\\hline\n" + row("Overall", overall()) + "\\hline\n";
}

}  // namespace trellis::tag
