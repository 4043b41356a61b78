#include "trellis/tasks/align/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/frame/training/result.h"
#include "trellis/generative/alignment/independent_positions.h"
#include "trellis/generative/alignment/jump_positions.h"
#include "trellis/solve/vectors/vector_kernels.h"
#include "trellis/tasks/align/supervised/weight_names.h"

namespace trellis::align {
namespace {

constexpr int kShownJumps = 5;
constexpr Index kHeldEntries = Index{1} << 16;  // on top of the strongest, while reading

Translation translation(const AlignModel& model, Index e, Index x) {
  const LexiconView& lexicon = model.aligner().lexicon();
  return {model.words().source()[e], model.words().target()[lexicon.targets[x]],
          portable_exp(lexicon.forward[x]), portable_exp(lexicon.reverse[x])};
}

template <class Item, class Strength>
void keep_strongest(std::vector<Item>& items, Index top, const Strength& strength) {
  const auto stronger = [&](const Item& a, const Item& b) { return strength(a) > strength(b); };
  std::stable_sort(items.begin(), items.end(), stronger);
  if (items.size() > top) items.resize(top);
}

Index total(std::span<const std::uint32_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), Index{0});
}

Value positions_record(const PositionModel& model) {
  Value record = Value::record({{"positions", to_string(model.kind())}});
  if (const auto* diagonal = dynamic_cast<const DiagonalPositions*>(&model)) {
    record["tension"] = diagonal->tension();
  }
  for (const JumpShare& one : jump_shares(model, kShownJumps)) {
    record["jumps"].push_back(Value::list({one.distance, one.probability}));
  }
  return record;
}

Value links_record(const SupervisedAligner& aligner, Index top) {
  const LinkWeights& learned = aligner.learned();
  Value record = Value::record({{"model", learned.shape.name()},
                                {"fertility", learned.shape.most_links},
                                {"quadratic", learned.shape.quadratic},
                                {"offset", learned.offset},
                                {"externals", learned.features.externals},
                                {"tags", learned.features.tagged()},
                                {"weights", Value::list()}});
  for (const NamedWeight& one : largest_weights(aligner, top)) {
    record["weights"].push_back(Value::record({{"feature", one.name}, {"weight", one.weight}}));
  }
  return record;
}

std::string links_text(const SupervisedAligner& aligner, Index top) {
  std::string text = "\n   weight  feature\n";
  for (const NamedWeight& one : largest_weights(aligner, top)) {
    text += fmt::format("{:+9.4f}  {}\n", one.weight, one.name);
  }
  return text;
}

}  // namespace

std::vector<Translation> strongest_translations(const AlignModel& model, Index top,
                                                const std::string& word) {
  const LexiconView& lexicon = model.aligner().lexicon();
  std::vector<Translation> found;
  if (word.empty()) {
    const auto strength = [](const Translation& t) { return t.forward * t.reverse; };
    for (Index e = 0; e + 1 < lexicon.row_begin.size(); ++e) {
      for (Index x = lexicon.row_begin[e]; x < lexicon.row_begin[e + 1]; ++x) {
        found.push_back(translation(model, e, x));
      }
      if (found.size() >= top + kHeldEntries) keep_strongest(found, top, strength);
    }
    keep_strongest(found, top, strength);
    return found;
  }
  std::string known = word;
  if (model.words().lowercase()) to_lower(word, known);
  const std::uint32_t e = model.words().source().find(known);
  const std::uint32_t f = model.words().target().find(known);
  if (e == NameList::kNone && f == NameList::kNone) {
    throw UsageError(fmt::format("the model does not know the word '{}'", word));
  }
  std::vector<Translation> backward;
  for (Index s = 0; s + 1 < lexicon.row_begin.size(); ++s) {
    for (Index x = lexicon.row_begin[s]; x < lexicon.row_begin[s + 1]; ++x) {
      if (s == e) found.push_back(translation(model, s, x));
      if (lexicon.targets[x] == f) backward.push_back(translation(model, s, x));
    }
  }
  keep_strongest(found, top, [](const Translation& t) { return t.forward; });
  keep_strongest(backward, top, [](const Translation& t) { return t.reverse; });
  found.insert(found.end(), backward.begin(), backward.end());
  return found;
}

std::vector<Alone> strongest_alone(const AlignModel& model, Index top, bool source) {
  const LexiconView& lexicon = model.aligner().lexicon();
  const std::span<const float> logs = source ? lexicon.null_reverse : lexicon.null_forward;
  const NameList& names = source ? model.words().source() : model.words().target();
  std::vector<Alone> found;
  for (Index w = 0; w < logs.size(); ++w) found.push_back({names[w], portable_exp(logs[w])});
  keep_strongest(found, top, [](const Alone& one) { return one.probability; });
  return found;
}

std::vector<Fertile> most_fertile(const AlignModel& model, Index top, bool source) {
  std::vector<Fertile> found;
  const Fertilities* fertilities = model.aligner().fertilities();
  if (fertilities == nullptr) return found;
  const FertilityTable& table = source ? fertilities->forward : fertilities->reverse;
  const NameList& names = source ? model.words().source() : model.words().target();
  for (Index w = 0; w < names.size(); ++w) {
    const std::span<const float> r = table.of(static_cast<WordId>(w));
    Fertile one{names[w], 0, r[0], r[1]};
    for (Index phi = 1; phi < r.size(); ++phi) one.mean += static_cast<double>(phi) * r[phi];
    found.push_back(one);
  }
  keep_strongest(found, top, [](const Fertile& one) { return one.mean; });
  return found;
}

std::vector<JumpShare> jump_shares(const PositionModel& model, int within) {
  std::vector<JumpShare> shares;
  const auto* jumps = dynamic_cast<const JumpPositions*>(&model);
  if (jumps == nullptr) return shares;
  const auto reach = static_cast<int>(jumps->options().reach);
  double total = 0;
  for (int d = -std::min(within, reach); d <= std::min(within, reach); ++d) {
    const int jump_class = d + reach;
    shares.push_back({d, jumps->weights()[static_cast<Index>(jump_class)]});
    total += shares.back().probability;
  }
  for (JumpShare& share : shares) share.probability /= total;
  return shares;
}

std::string describe(const PositionModel& model) {
  if (const auto* diagonal = dynamic_cast<const DiagonalPositions*>(&model)) {
    return fmt::format("diagonal, tension {:.3g}, nothing {:.3g}", diagonal->tension(),
                       diagonal->null());
  }
  if (const auto* jumps = dynamic_cast<const JumpPositions*>(&model)) {
    std::string text = fmt::format("jumps, nothing {:.3g}:", jumps->options().null);
    for (const JumpShare& one : jump_shares(model, kShownJumps)) {
      text += fmt::format(" {:+d} {:.3f}", one.distance, one.probability);
    }
    return text;
  }
  const auto& independent = dynamic_cast<const IndependentPositions&>(model);
  return fmt::format("{}, nothing {:.3g}", to_string(model.kind()), independent.null());
}

std::string describe(const Decoding& decoding) {
  const std::string_view combination = to_string(decoding.combination);
  if (decoding.combination == Combination::kProduct) {
    return fmt::format("{}, threshold {:.4g}", combination, decoding.threshold);
  }
  std::string text = fmt::format("{}, {}", combination, to_string(decoding.decode));
  if (decoding.has_threshold()) text += fmt::format(", threshold {:.4g}", decoding.threshold);
  return text;
}

std::string describe(const LinkWeights& learned) {
  std::string text = learned.shape.name();
  if (learned.shape.most_links > 1) text += fmt::format(", {} links", learned.shape.most_links);
  return text + fmt::format(", offset {:+.3g}", learned.offset);
}

std::string describe(const TextStatistics& statistics) {
  return fmt::format(
      "{} and {} tokens, {} and {} pairs of consecutive words (that occur at least {} times)",
      total(statistics.source_counts), total(statistics.target_counts), statistics.source.size(),
      statistics.target.size(), statistics.frequent);
}

Value inspect_record(const AlignModel& model, Index top, const std::string& word) {
  const Decoding& decoding = model.decoding();
  Value record = Value::record({{"source_words", model.words().source().size()},
                                {"target_words", model.words().target().size()},
                                {"entries", model.aligner().lexicon().targets.size()},
                                {"lowercase", model.words().lowercase()},
                                {"forward", positions_record(model.aligner().forward())},
                                {"reverse", positions_record(model.aligner().reverse())},
                                {"combination", to_string(decoding.combination)},
                                {"decode", to_string(decoding.decode)},
                                {"threshold", decoding.threshold},
                                {"training", model.training()},
                                {"lexicon", Value::list()}});
  for (const Translation& t : strongest_translations(model, top, word)) {
    record["lexicon"].push_back(Value::record({{"source", t.source},
                                               {"target", t.target},
                                               {"forward", t.forward},
                                               {"reverse", t.reverse}}));
  }
  if (const TextStatistics* statistics = model.statistics()) {
    record["statistics"] = Value::record({{"frequent", statistics->frequent},
                                          {"source_tokens", total(statistics->source_counts)},
                                          {"target_tokens", total(statistics->target_counts)},
                                          {"source_bigrams", statistics->source.size()},
                                          {"target_bigrams", statistics->target.size()}});
  }
  if (model.links() != nullptr) record["links"] = links_record(SupervisedAligner(model), top);
  for (const bool source : {true, false}) {
    for (const Fertile& one : most_fertile(model, top, source)) {
      record["fertilities"][source ? "source" : "target"].push_back(Value::record(
          {{"word", one.word}, {"mean", one.mean}, {"none", one.none}, {"one", one.one}}));
    }
  }
  return record;
}

std::string inspect_text(const AlignModel& model, const std::string& name, Index top,
                         const std::string& word) {
  std::string text = fmt::format("{}: {} source and {} target words, {} word pairs\n", name,
                                 model.words().source().size(), model.words().target().size(),
                                 model.aligner().lexicon().targets.size());
  text += provenance_text(model.training());
  text += "forward   " + describe(model.aligner().forward()) + "\n";
  text += "reverse   " + describe(model.aligner().reverse()) + "\n";
  const LinkWeights* learned = model.links();
  text +=
      "links     " + (learned != nullptr ? describe(*learned) : describe(model.decoding())) + "\n";
  if (model.statistics() != nullptr) text += "text      " + describe(*model.statistics()) + "\n";
  if (learned != nullptr && word.empty()) text += links_text(SupervisedAligner(model), top);
  text += "\nsource -> target          t(target|source)  t(source|target)\n";
  for (const Translation& t : strongest_translations(model, top, word)) {
    text +=
        fmt::format("{:>20} {:<20} {:8.4f} {:8.4f}\n", t.source, t.target, t.forward, t.reverse);
  }
  if (!word.empty()) return text;
  for (const bool source : {false, true}) {
    text += source ? "\nsource words aligned to nothing:" : "\ntarget words aligned to nothing:";
    for (const Alone& one : strongest_alone(model, top, source)) {
      text += fmt::format(" {} {:.3f}", one.word, one.probability);
    }
  }
  for (const bool source : {true, false}) {
    if (model.aligner().fertilities() == nullptr) break;
    text += source ? "\n\nsource words and their numbers of links:"
                   : "\ntarget words and their numbers of links:";
    for (const Fertile& one : most_fertile(model, top, source)) {
      text += fmt::format(" {} {:.2f}", one.word, one.mean);
    }
  }
  return text + "\n";
}

}  // namespace trellis::align
