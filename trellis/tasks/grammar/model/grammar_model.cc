#include "trellis/tasks/grammar/model/grammar_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
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
constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 50;

// As a file has a symbol, and a unary rule.
struct StoredSymbol {
  std::uint32_t kind = 0, label = 0, coarse = 0, plain = 0;
};
struct StoredUnary {
  std::uint32_t parent = 0, child = 0;
};

// What a file has of a grammar that memory has otherwise; must live until the file is written.
struct StoredGrammar {
  TreebankGrammarParts treebank;
  std::vector<StoredSymbol> symbols;
  std::vector<BinaryTreebankRule> coarse_binary;
  std::vector<StoredUnary> coarse_unary;
  std::vector<double> coarse_binary_weights, coarse_unary_weights;

  explicit StoredGrammar(const ParsingGrammar& grammar) : treebank(grammar.treebank().parts()) {
    for (const Symbol& symbol : treebank.symbols) {
      symbols.push_back(
          {static_cast<std::uint32_t>(symbol.kind), symbol.label, symbol.coarse, symbol.plain});
    }
    for (const BinaryRule& rule : grammar.coarse_rules().binary) {
      coarse_binary.push_back({rule.parent, rule.left, rule.right});
      coarse_binary_weights.push_back(rule.weight);
    }
    for (const UnaryRule& rule : grammar.coarse_rules().unary) {
      coarse_unary.push_back({rule.parent, rule.child});
      coarse_unary_weights.push_back(rule.weight);
    }
  }

  void add_to(ModelWriter& writer) const {
    const auto add_names = [&](const std::string& kind, const NameList& names) {
      writer.add_array<char>(kind + ".names", names.bytes());
      writer.add_array<std::uint64_t>(kind + ".name_ends", names.offsets());
    };
    add_names("names", treebank.names);
    add_names("labels", treebank.labels);
    add_names("tags", treebank.tags);
    add_names("coarse", treebank.coarse_names);
    add_names("plain", treebank.plain_names);
    add_names("chains", treebank.chains);
    writer.add_array<StoredSymbol>("symbols", symbols);
    writer.add_array<BinaryTreebankRule>("rules.binary", treebank.binary);
    writer.add_array<ChainRule>("rules.chain", treebank.unary);
    writer.add_array<BinaryTreebankRule>("coarse.binary", coarse_binary);
    writer.add_array<double>("coarse.binary.weights", coarse_binary_weights);
    writer.add_array<StoredUnary>("coarse.unary", coarse_unary);
    writer.add_array<double>("coarse.unary.weights", coarse_unary_weights);
  }
};

// The levels of a word model, one behind another.
struct StoredWords {
  std::vector<std::uint32_t> levels;  // numbers of names
  std::vector<char> names;
  std::vector<std::uint64_t> name_ends = {0}, begin = {0};
  std::vector<TagCounts::Entry> entries;

  explicit StoredWords(const WordModel& words) {
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

  void add_to(ModelWriter& writer) const {
    writer.add_array<char>("words.names", names);
    writer.add_array<std::uint64_t>("words.name_ends", name_ends);
    writer.add_array<std::uint32_t>("words.levels", levels);
    writer.add_array<std::uint64_t>("words.begin", begin);
    writer.add_array<TagCounts::Entry>("words.entries", entries);
  }
};

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

Value grammar_meta_of(const GrammarModelParts& parts) {
  const MarkovOrders& orders = parts.grammar->treebank().orders();
  Value meta;
  meta["vertical"] = orders.vertical;
  meta["horizontal"] = orders.horizontal;
  meta["prune"] = parts.filter.prune;
  meta["prune_below"] = parts.filter.prune_below;
  meta["prune_rules_below"] = parts.filter.prune_rules_below;
  meta["prune_tags_below"] = parts.filter.prune_tags_below;
  const bool learned = parts.numbers != nullptr;
  meta["generative_weight"] = learned ? parts.weights[SpanNumbers::kGenerative] : 1;
  meta["tagger_weight"] = learned ? parts.weights[SpanNumbers::kTagger] : 0;
  meta["training"] = parts.training;
  return meta;
}

}  // namespace

GrammarModel GrammarModel::read(const std::string& path) {
  return GrammarModel(ModelReader::open(path));
}

GrammarModel GrammarModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return GrammarModel(ModelReader::from_bytes(bytes, name));
}

GrammarModel GrammarModel::from_parts(const GrammarModelParts& parts) {
  const StoredGrammar grammar(*parts.grammar);
  const StoredWords words(parts.grammar->words());
  const WeightTable weights = table_of(parts);
  const GenerativeScores& generative = parts.grammar->generative();
  ModelWriter writer(std::string(kGrammarModelKind), kGrammarModelVersion);
  writer.add_json("meta", grammar_meta_of(parts));
  grammar.add_to(writer);
  writer.add_array<double>("generative.binary", generative.binary);
  writer.add_array<double>("generative.chain", generative.chain);
  writer.add_array<double>("generative.pass", generative.pass);
  words.add_to(writer);
  writer.add_array<std::uint64_t>("words.tag_counts", parts.grammar->words().tag_counts());
  if (parts.tagger != nullptr) parts.tagger->add_to(writer);
  writer.add_array<WeightSlot>("weights", weights.slots());
  const std::string bytes = writer.to_bytes();
  return from_bytes(std::as_bytes(std::span(bytes)), "<memory>");
}

GrammarModel::GrammarModel(ModelReader reader) : reader_(std::move(reader)) {
  reader_.expect(kGrammarModelKind, kGrammarModelVersion);
  TreebankGrammarParts parts;
  read_meta(parts);
  read_grammar(std::move(parts));
  tagger_ = GrammarTagger::read(reader_, grammar_->treebank().tags());
  if (!tagger_ && tagger_weight_ != 0) refuse("the model has a weight for a tagger, but no tagger");
  read_weights();
}

void GrammarModel::refuse(const std::string& why) const {
  throw InputError(reader_.name(), 0, why);
}

NameView GrammarModel::name_view(const std::string& kind) const {
  return {reader_.array<std::uint64_t>(kind + ".name_ends"), reader_.array<char>(kind + ".names"),
          reader_.name()};
}

void GrammarModel::read_meta(TreebankGrammarParts& parts) {
  const Value meta = reader_.json("meta");
  const auto order = [&](const char* key) {
    if (!meta.at(key).is_count() || meta.at(key).get<Index>() > kLargestOrder) {
      refuse(fmt::format("the model's {} order is not a number from 0 to {}", key, kLargestOrder));
    }
    return meta.at(key).get<Index>();
  };
  const auto share = [&](const char* key) {
    const auto number = meta.at(key).get<double>();
    if (!(number >= 0 && number <= 1))
      refuse(fmt::format("the model's {} is not between 0 and 1", key));
    return number;
  };
  try {
    parts.orders = {order("vertical"), order("horizontal")};
    filter_.prune = meta.at("prune").get<bool>();
    filter_.prune_below = share("prune_below");
    filter_.prune_rules_below = share("prune_rules_below");
    filter_.prune_tags_below = share("prune_tags_below");
    generative_weight_ = meta.at("generative_weight").get<double>();
    tagger_weight_ = meta.at("tagger_weight").get<double>();
    training_ = meta.at("training");
  } catch (const ValueError&) {
    refuse("the model's description is incomplete or damaged");
  }
  for (const double weight : {generative_weight_, tagger_weight_}) {
    if (!(std::abs(weight) <= kLargestScore)) {
      refuse(
          "the weight of the model's generative grammar or tagger is not a number in the valid "
          "range");
    }
  }
}

void GrammarModel::read_grammar(TreebankGrammarParts parts) {
  parts.names = read_names("names");
  parts.labels = read_names("labels");
  parts.tags = read_names("tags");
  parts.coarse_names = read_names("coarse");
  parts.plain_names = read_names("plain");
  parts.chains = read_names("chains");
  if (parts.coarse_names.size() > kMostCoarseSymbols) {
    refuse(fmt::format("the model has {} coarse symbols, more than {}", parts.coarse_names.size(),
                       kMostCoarseSymbols));
  }
  for (const StoredSymbol& symbol : reader_.array<StoredSymbol>("symbols")) {
    if (symbol.kind > static_cast<std::uint32_t>(SymbolKind::kRest)) {
      refuse("a symbol of the model has an unknown kind");
    }
    parts.symbols.push_back(
        {static_cast<SymbolKind>(symbol.kind), symbol.label, symbol.coarse, symbol.plain});
  }
  const auto binary = reader_.array<BinaryTreebankRule>("rules.binary");
  const auto chains = reader_.array<ChainRule>("rules.chain");
  parts.binary.assign(binary.begin(), binary.end());
  parts.unary.assign(chains.begin(), chains.end());
  try {
    TreebankGrammar treebank(std::move(parts));
    GenerativeScores generative = read_generative(treebank);
    WordModel words = read_words(treebank.tags().size());
    grammar_.emplace(std::move(treebank), read_coarse_rules(), std::move(generative),
                     std::move(words));
  } catch (const UsageError& error) {
    refuse(error.what());
  }
  for (const UnaryRule& chain : grammar_->coarse().chains()) {
    if (!(chain.weight <= kLargestChainWeight)) {
      refuse("the unary rules of the model form a cycle");
    }
  }
}

CoarseRules GrammarModel::read_coarse_rules() const {
  const auto binary = reader_.array<BinaryTreebankRule>("coarse.binary");
  const auto unary = reader_.array<StoredUnary>("coarse.unary");
  const auto binary_weights = reader_.array<double>("coarse.binary.weights", binary.size());
  const auto unary_weights = reader_.array<double>("coarse.unary.weights", unary.size());
  const auto share = [&](double weight) {
    if (!(weight >= 0 && weight <= 1)) refuse("a rule of the model has no probability");
    return weight;
  };
  CoarseRules rules;
  for (Index r = 0; r < binary.size(); ++r) {
    const auto& [parent, left, right] = binary[r];
    rules.binary.push_back({parent, left, right, share(binary_weights[r])});
  }
  for (Index r = 0; r < unary.size(); ++r) {
    rules.unary.push_back({unary[r].parent, unary[r].child, share(unary_weights[r])});
  }
  return rules;
}

GenerativeScores GrammarModel::read_generative(const TreebankGrammar& treebank) const {
  const auto scores = [&](const char* section, Index size) {
    const auto read = reader_.array<double>(section, size);
    if (!std::ranges::all_of(read, [](double s) { return std::abs(s) <= kLargestScore; })) {
      refuse("the probability of a rule is not a number in the valid range");
    }
    return std::vector<double>(read.begin(), read.end());
  };
  return {scores("generative.binary", treebank.binary().size()),
          scores("generative.chain", treebank.unary().size()),
          scores("generative.pass", treebank.num_symbols())};
}

WordModel GrammarModel::read_words(Index num_tags) const {
  const auto damaged = [&](bool is) {
    if (is) refuse("the model's counts of words are damaged");
  };
  const NameView names = name_view("words");
  const auto sizes = reader_.array<std::uint32_t>("words.levels", WordModel::kLevels);
  const auto begin = reader_.array<std::uint64_t>("words.begin", names.size() + 1);
  const auto entries = reader_.array<TagCounts::Entry>("words.entries");
  damaged(begin.front() != 0 || begin.back() != entries.size() || !std::ranges::is_sorted(begin));
  std::vector<TagCounts> levels;
  Index name = 0;
  for (const std::uint32_t size : sizes) {
    damaged(size > names.size() - name);
    TagCounts& level = levels.emplace_back();
    for (const Index end = name + size; name < end; ++name) {
      damaged(level.names.find(names[name]) != NameList::kNone || begin[name] == begin[name + 1]);
      level.names.add(names[name]);
      for (Index k = begin[name]; k < begin[name + 1]; ++k) {
        damaged(entries[k].tag >= num_tags || entries[k].count == 0 ||
                (k > begin[name] && entries[k].tag <= entries[k - 1].tag));
        level.entries.push_back(entries[k]);
      }
      level.begin.push_back(level.entries.size());
    }
  }
  damaged(name != names.size());
  const auto counts = reader_.array<std::uint64_t>("words.tag_counts", num_tags);
  damaged(!std::ranges::all_of(counts, [](std::uint64_t c) { return c > 0 && c < kMostTokens; }));
  return {std::move(levels), {counts.begin(), counts.end()}};
}

void GrammarModel::read_weights() {
  const auto slots = reader_.array<WeightSlot>("weights");
  weights_ = WeightView(slots, reader_.name());
  for (const WeightSlot& slot : slots) {
    if (slot.check == 0) continue;
    if (!(std::abs(std::bit_cast<float>(slot.value)) <= static_cast<float>(kLargestScore))) {
      refuse("a weight of the model is not a number in the valid range");
    }
    ++num_weights_;
  }
}

}  // namespace trellis::grammar
