#include "trellis/scorers/ud_score.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "trellis/formats/treebank/treebank_reader.h"
#include "trellis/scorers/ud_alignment.h"

namespace trellis::parse {
namespace {

using UdWord = UdTreebank::Word;
using Spans = std::vector<UdTreebank::Span>;

UdCounts count_spans(const Spans& gold, const Spans& system) {
  UdCounts counts{gold.size(), system.size(), 0, 0};
  auto g = gold.begin();
  auto s = system.begin();
  while (g != gold.end() && s != system.end()) {
    if (g->begin != s->begin) {
      ++(g->begin < s->begin ? g : s);
    } else {
      counts.correct += g->end == s->end ? 1 : 0;
      ++g;
      ++s;
    }
  }
  return counts;
}

// Compares aligned words of the two treebanks.
class Comparison {
 public:
  Comparison(const UdTreebank& gold, const UdTreebank& system)
      : gold_(gold.words()),
        system_(system.words()),
        pairs_(align_words(gold, system)),
        gold_of_(system_.size(), kNotAligned) {
    for (const AlignedWords& pair : pairs_) gold_of_[pair.system] = pair.gold;
  }

  // `counts(word)`: whether a word is scored; `agree(gold, system)`: for aligned words.
  template <class Asked, class Agree>
  UdCounts count(Asked asked, Agree agree) const {
    UdCounts counts;
    counts.gold = static_cast<Index>(std::count_if(gold_.begin(), gold_.end(), asked));
    counts.system = static_cast<Index>(std::count_if(system_.begin(), system_.end(), asked));
    for (const AlignedWords& pair : pairs_) {
      const UdWord& gold = gold_[pair.gold];
      if (!asked(gold)) continue;
      ++counts.aligned;
      counts.correct += agree(gold, system_[pair.system]) ? 1 : 0;
    }
    return counts;
  }

  bool same_head(const UdWord& gold, const UdWord& system) const {
    if (gold.head == UdTreebank::kRoot || system.head == UdTreebank::kRoot) {
      return gold.head == system.head;
    }
    return gold_of_[system.head] == gold.head;
  }
  bool same_arc(const UdWord& gold, const UdWord& system) const {
    return same_head(gold, system) && gold.label == system.label;
  }
  bool same_function_words(const UdWord& gold, const UdWord& system) const {
    return std::equal(
        gold.function_words.begin(), gold.function_words.end(), system.function_words.begin(),
        system.function_words.end(), [&](Index g, Index s) {
          return gold_of_[s] == g && gold_[g].label == system_[s].label &&
                 gold_[g].upos == system_[s].upos && gold_[g].features == system_[s].features;
        });
  }

 private:
  static constexpr Index kNotAligned = ~Index{0};

  const std::vector<UdWord>& gold_;
  const std::vector<UdWord>& system_;
  std::vector<AlignedWords> pairs_;
  std::vector<Index> gold_of_;  // by word of the system
};

bool same_lemma(const UdWord& gold, const UdWord& system) {
  return gold.lemma.empty() || gold.lemma == system.lemma;
}

UdTreebank read_ud(InputFile file) {
  TreebankOptions options;
  options.format = TreebankFormat::kConllu;
  options.heads = Heads::kOneRoot;
  UdTreebank treebank(file.name());
  TreebankReader reader(std::move(file), options);
  for (Sentence sentence; reader.read(sentence);) treebank.add(sentence);
  return treebank;
}

}  // namespace

UdScore ud_score(const UdTreebank& gold, const UdTreebank& system) {
  const Comparison compare(gold, system);
  const auto any = [](const UdWord&) { return true; };
  const auto content = [](const UdWord& word) { return word.content; };
  UdScore score;
  const auto count = [&](UdMeasure measure, auto asked, auto agree) {
    score.measures[static_cast<Index>(measure)] = compare.count(asked, agree);
  };
  score.measures[static_cast<Index>(UdMeasure::kTokens)] =
      count_spans(gold.tokens(), system.tokens());
  score.measures[static_cast<Index>(UdMeasure::kSentences)] =
      count_spans(gold.sentences(), system.sentences());
  using Word = UdWord;
  count(UdMeasure::kWords, any, [](const Word&, const Word&) { return true; });
  count(UdMeasure::kUpos, any, [](const Word& g, const Word& s) { return g.upos == s.upos; });
  count(UdMeasure::kXpos, any, [](const Word& g, const Word& s) { return g.xpos == s.xpos; });
  count(UdMeasure::kFeatures, any,
        [](const Word& g, const Word& s) { return g.features == s.features; });
  count(UdMeasure::kAllTags, any, [](const Word& g, const Word& s) {
    return g.upos == s.upos && g.xpos == s.xpos && g.features == s.features;
  });
  count(UdMeasure::kLemmas, any, same_lemma);
  count(UdMeasure::kUas, any,
        [&](const Word& g, const Word& s) { return compare.same_head(g, s); });
  const auto same_arc = [&](const Word& g, const Word& s) { return compare.same_arc(g, s); };
  count(UdMeasure::kLas, any, same_arc);
  count(UdMeasure::kClas, content, same_arc);
  count(UdMeasure::kMlas, content, [&](const Word& g, const Word& s) {
    return compare.same_arc(g, s) && g.upos == s.upos && g.features == s.features &&
           compare.same_function_words(g, s);
  });
  count(UdMeasure::kBlex, content,
        [&](const Word& g, const Word& s) { return compare.same_arc(g, s) && same_lemma(g, s); });
  return score;
}

UdScore ud_score(InputFile gold, InputFile system) {
  return ud_score(read_ud(std::move(gold)), read_ud(std::move(system)));
}

std::string UdScore::official() const {
  const auto f1 = [&](UdMeasure measure) { return 100 * (*this)[measure].f1(); };
  return fmt::format("LAS F1 Score: {:.2f}\nMLAS Score: {:.2f}\nBLEX Score: {:.2f}\n",
                     f1(UdMeasure::kLas), f1(UdMeasure::kMlas), f1(UdMeasure::kBlex));
}

std::string UdScore::table() const {
  std::string out =
      "Metric     | Precision |    Recall |  F1 Score | AligndAcc\n"
      "-----------+-----------+-----------+-----------+-----------\n";
  for (Index i = 0; i < kUdMeasures; ++i) {
    const auto measure = static_cast<UdMeasure>(i);
    const UdCounts& c = measures[i];
    fmt::format_to(std::back_inserter(out), "{:11}|{:10.2f} |{:10.2f} |{:10.2f} |",
                   to_string(measure), 100 * c.precision(), 100 * c.recall(), 100 * c.f1());
    if (measure > UdMeasure::kWords) {
      fmt::format_to(std::back_inserter(out), "{:10.2f}", 100 * c.aligned_accuracy());
    }
    out += '\n';
  }
  return out;
}

std::string UdScore::count_table() const {
  std::string out =
      "Metric     | Correct   |      Gold | Predicted | Aligned\n"
      "-----------+-----------+-----------+-----------+-----------\n";
  for (Index i = 0; i < kUdMeasures; ++i) {
    const auto measure = static_cast<UdMeasure>(i);
    const UdCounts& c = measures[i];
    // The script shows no 0 but that of Words.
    const bool shown =
        measure >= UdMeasure::kWords && (c.aligned > 0 || measure == UdMeasure::kWords);
    fmt::format_to(std::back_inserter(out), "{:11}|{:10} |{:10} |{:10} |{:>10}\n",
                   to_string(measure), c.correct, c.gold, c.system,
                   shown ? std::to_string(c.aligned) : "");
  }
  return out;
}

}  // namespace trellis::parse
