#include "trellis/tasks/grammar/model/grammar_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <ranges>
#include <utility>

#include "trellis/base/error.h"

namespace trellis::grammar {
namespace {

// No weight and no score is beyond this, so that sums over trees stay numbers.
constexpr double kLargestScore = 1e6;
// What unary circles of the coarse grammar may add up to.
constexpr double kLargestChainWeight = 1e9;
constexpr Index kLargestOrder = 100;
constexpr double kMostTokens = 1e15;

constexpr Range kScores{-kLargestScore, kLargestScore};
constexpr Range kShares{0, 1};

void require(bool holds, const char* otherwise) {
  if (!holds) throw UsageError(otherwise);
}

// As a file has a symbol, and a unary rule.
struct StoredSymbol {
  std::uint32_t kind = 0, label = 0, coarse = 0, plain = 0;
};
struct StoredUnary {
  std::uint32_t parent = 0, child = 0;
};

struct StoredCoarseRules {
  std::vector<BinaryTreebankRule> binary;
  std::vector<StoredUnary> unary;
  std::vector<double> binary_weights, unary_weights;

  StoredCoarseRules() = default;
  explicit StoredCoarseRules(const CoarseRules& rules) {
    for (const BinaryRule& rule : rules.binary) {
      binary.push_back({rule.parent, rule.left, rule.right});
      binary_weights.push_back(rule.weight);
    }
    for (const UnaryRule& rule : rules.unary) {
      unary.push_back({rule.parent, rule.child});
      unary_weights.push_back(rule.weight);
    }
  }

  void describe(ModelArchive& a) {
    a.array("coarse.binary", binary, {}, "parent, left and right symbol");
    a.array("coarse.binary.weights", binary_weights, {.size = binary.size(), .in = kShares},
            "their probabilities");
    a.array("coarse.unary", unary, {}, "parent and child");
    a.array("coarse.unary.weights", unary_weights, {.size = unary.size(), .in = kShares},
            "their probabilities");
  }

  CoarseRules rules() const {
    CoarseRules rules;
    for (Index r = 0; r < binary.size(); ++r) {
      const auto& [parent, left, right] = binary[r];
      rules.binary.push_back({parent, left, right, binary_weights[r]});
    }
    for (Index r = 0; r < unary.size(); ++r) {
      rules.unary.push_back({unary[r].parent, unary[r].child, unary_weights[r]});
    }
    return rules;
  }
};

// The levels of a word model, one behind another.
struct StoredWords {
  std::vector<std::uint32_t> levels;  // numbers of names
  std::vector<char> names;
  std::vector<std::uint64_t> name_ends = {0}, begin = {0};
  std::vector<TagCounts::Entry> entries;
  std::vector<std::uint64_t> tag_counts;

  StoredWords() = default;
  explicit StoredWords(const WordModel& words)
      : tag_counts(words.tag_counts().begin(), words.tag_counts().end()) {
    for (const TagCounts& level : words.levels()) {
      levels.push_back(static_cast<std::uint32_t>(level.names.size()));
      const std::uint64_t behind_names = names.size(), behind_entries = entries.size();
      names.insert(names.end(), level.names.bytes().begin(), level.names.bytes().end());
      for (const std::uint64_t end : level.names.offsets().subspan(1)) {
        name_ends.push_back(behind_names + end);
      }
      for (const std::uint64_t end : std::span(level.begin).subspan(1)) {
        begin.push_back(behind_entries + end);
      }
      entries.insert(entries.end(), level.entries.begin(), level.entries.end());
    }
  }

  void describe(ModelArchive& a, Index num_tags) {
    a.array("words.names", names, {}, "words and forms of words, level by level");
    a.array("words.name_ends", name_ends, {}, "where each name begins, and the end");
    a.array("words.levels", levels, {.size = WordModel::kLevels}, "number of names of each level");
    a.lists("words.begin", begin, "words.entries", entries, name_ends.size() - 1, {},
            "by name: tags, ascending, and how often it has them");
    a.array("words.tag_counts", tag_counts, {.size = num_tags, .in = Range{1, kMostTokens}},
            "by tag: how often it occurs");
  }

  WordModel model(const std::string& file) const {
    constexpr auto kDamaged = "the model's counts of words are damaged";
    const NameView view(name_ends, names, file);
    std::vector<TagCounts> all;
    Index name = 0;
    for (const std::uint32_t size : levels) {
      require(size <= view.size() - name, kDamaged);
      TagCounts& level = all.emplace_back();
      for (const Index end = name + size; name < end; ++name) {
        require(level.names.add(view[name]) == level.names.size() - 1, kDamaged);
        require(begin[name] < begin[name + 1], kDamaged);
        for (Index k = begin[name]; k < begin[name + 1]; ++k) {
          require(entries[k].tag < tag_counts.size() && entries[k].count > 0, kDamaged);
          require(k == begin[name] || entries[k].tag > entries[k - 1].tag, kDamaged);
          level.entries.push_back(entries[k]);
        }
        level.begin.push_back(level.entries.size());
      }
    }
    require(name == view.size(), kDamaged);
    return {std::move(all), tag_counts};
  }
};

struct GrammarFile {
  TreebankGrammarParts treebank;
  std::vector<StoredSymbol> symbols;
  FilterOptions filter;
  double generative_weight = 1, tagger_weight = 0;
  Value training;
  StoredCoarseRules coarse;
  GenerativeScores generative;
  StoredWords words;
  std::optional<tagging::WordTagger> tagger;
  std::span<const WeightSlot> weights;

  void describe(ModelArchive& a);
  void describe_meta(ModelArchive& a);
};

void GrammarFile::describe_meta(ModelArchive& a) {
  const Range orders{0, kLargestOrder};
  a.number("vertical", treebank.orders.vertical, orders, "labels of ancestors in a symbol");
  a.number("horizontal", treebank.orders.horizontal, orders, "labels of siblings in a symbol");
  a.value("prune", filter.prune, "whether the coarse grammar filters edges");
  a.number("prune_below", filter.prune_below, kShares, "probability of a coarse symbol");
  a.number("prune_rules_below", filter.prune_rules_below, kShares, "probability of a rule");
  a.number("prune_tags_below", filter.prune_tags_below, kShares, "probability of a tag");
  a.number("generative_weight", generative_weight, kScores, "of generative scores");
  a.number("tagger_weight", tagger_weight, kScores, "of the tagger's scores");
  a.value("training", training, "how the model was made");
}

void GrammarFile::describe(ModelArchive& a) {
  describe_meta(a);
  a.name_list("names.names", "names.name_ends", treebank.names, "of symbols");
  a.name_list("labels.names", "labels.name_ends", treebank.labels, "of brackets");
  a.name_list("tags.names", "tags.name_ends", treebank.tags, "parts of speech");
  a.name_list("coarse.names", "coarse.name_ends", treebank.coarse_names, "of coarse symbols");
  a.name_list("plain.names", "plain.name_ends", treebank.plain_names,
              "of symbols without ancestors");
  a.name_list("chains.names", "chains.name_ends", treebank.chains,
              "of chains: the labels between, with spaces");
  a.require(treebank.coarse_names.size() <= kMostCoarseSymbols,
            "the model has too many coarse symbols");
  a.array("symbols", symbols, {},
          "kind (0 tag, 1 bracket, 2 rest of one), label, coarse and plain symbol");
  a.array("rules.binary", treebank.binary, {}, "parent, left and right symbol");
  a.array("rules.chain", treebank.unary, {}, "parent, child and chain");
  coarse.describe(a);
  a.array("generative.binary", generative.binary, {.size = treebank.binary.size(), .in = kScores},
          "logarithms of frequencies, by binary rule");
  a.array("generative.chain", generative.chain, {.size = treebank.unary.size(), .in = kScores},
          "by chain rule");
  a.array("generative.pass", generative.pass, {.size = symbols.size(), .in = kScores},
          "by symbol: that it takes no chain");
  words.describe(a, treebank.tags.size());
  tagging::WordTagger::describe(a, "tagger", tagger);
  a.require(tagger || tagger_weight == 0, "the model has a weight for a tagger, but no tagger");
  a.array("weights", weights, {}, "by the fingerprints of features; a generative grammar has none");
}

WeightTable table_of(const GrammarModelParts& parts) {
  const auto matters = [](double weight) { return static_cast<float>(weight) != 0; };
  if (parts.numbers == nullptr) return WeightTable(0);
  const std::vector<std::uint64_t> fingerprints = parts.numbers->fingerprints();
  const std::span<const double> w = parts.weights.subspan(SpanNumbers::kScores);
  WeightTable table(static_cast<Index>(std::ranges::count_if(w, matters)));
  for (Index k = 0; k < w.size(); ++k) {
    if (matters(w[k])) {
      table.insert(fingerprints[k], std::bit_cast<std::uint32_t>(static_cast<float>(w[k])));
    }
  }
  return table;
}

ParsingGrammar grammar_of(GrammarFile& file, const std::string& name) {
  for (const StoredSymbol& symbol : file.symbols) {
    require(symbol.kind <= static_cast<std::uint32_t>(SymbolKind::kRest),
            "a symbol of the model has an unknown kind");
    file.treebank.symbols.push_back(
        {static_cast<SymbolKind>(symbol.kind), symbol.label, symbol.coarse, symbol.plain});
  }
  ParsingGrammar grammar(TreebankGrammar(std::move(file.treebank)), file.coarse.rules(),
                         std::move(file.generative), file.words.model(name));
  for (const UnaryRule& chain : grammar.coarse().chains()) {
    require(chain.weight <= kLargestChainWeight, "the unary rules of the model form a cycle");
  }
  return grammar;
}

}  // namespace

ModelSchema GrammarModel::schema() {
  GrammarFile file;
  return ModelArchive::schema(kKind, [&](ModelArchive& a) { file.describe(a); });
}

GrammarModel GrammarModel::read(const std::string& path) {
  return GrammarModel(ModelReader::open(path));
}

GrammarModel GrammarModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return GrammarModel(ModelReader::from_bytes(bytes, name));
}

GrammarModel GrammarModel::from_parts(const GrammarModelParts& parts) {
  const WeightTable weights = table_of(parts);
  const ParsingGrammar& grammar = *parts.grammar;
  GrammarFile file;
  file.treebank = grammar.treebank().parts();
  for (const Symbol& symbol : file.treebank.symbols) {
    file.symbols.push_back(
        {static_cast<std::uint32_t>(symbol.kind), symbol.label, symbol.coarse, symbol.plain});
  }
  file.filter = parts.filter;
  if (parts.numbers != nullptr) {
    file.generative_weight = parts.weights[SpanNumbers::kGenerative];
    file.tagger_weight = parts.weights[SpanNumbers::kTagger];
  }
  file.training = parts.training;
  file.coarse = StoredCoarseRules(grammar.coarse_rules());
  file.generative = grammar.generative();
  file.words = StoredWords(grammar.words());
  if (parts.tagger != nullptr) file.tagger = parts.tagger->word_tagger();
  file.weights = weights.slots();
  const std::string bytes =
      ModelArchive::to_bytes(kKind, [&](ModelArchive& a) { file.describe(a); });
  return from_bytes(std::as_bytes(std::span(bytes)), "<memory>");
}

GrammarModel::GrammarModel(ModelReader reader) : reader_(std::move(reader)) {
  ModelArchive::read(kKind, reader_, [&](ModelArchive& a) {
    GrammarFile file;
    file.describe(a);
    grammar_.emplace(grammar_of(file, name()));
    filter_ = file.filter;
    if (file.tagger) tagger_.emplace(*file.tagger, grammar_->treebank().tags());
    generative_weight_ = file.generative_weight;
    tagger_weight_ = file.tagger_weight;
    training_ = file.training;
    read_weights(file.weights);
  });
}

void GrammarModel::read_weights(std::span<const WeightSlot> slots) {
  weights_ = WeightView(slots, reader_.name());
  for (const WeightSlot& slot : slots) {
    if (slot.check == 0) continue;
    require(std::abs(std::bit_cast<float>(slot.value)) <= static_cast<float>(kLargestScore),
            "a weight of the model is not a number in the valid range");
    ++num_weights_;
  }
}

}  // namespace trellis::grammar
