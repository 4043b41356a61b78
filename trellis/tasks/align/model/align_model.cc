#include "trellis/tasks/align/model/align_model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/align/model/position_sections.h"
#include "trellis/tasks/align/model/statistics_sections.h"
#include "trellis/tasks/linear_model.h"

namespace trellis::align {
namespace {

constexpr float kLeastLog = -1000;
constexpr float kNearly = 0.01F;  // in logs

bool is_log_probability(float p) {
  return p >= kLeastLog && p <= 0.001F;
}

std::vector<float> read_logs(const ModelReader& reader, const std::string& name, Index size) {
  const std::span<const float> logs = reader.array<float>(name, size);
  if (!std::all_of(logs.begin(), logs.end(), is_log_probability)) {
    throw UsageError("section '" + name + "' has a value that is not a log-probability");
  }
  return {logs.begin(), logs.end()};
}

LexiconArrays read_lexicon(const ModelReader& reader, const Value& meta, Index sources,
                           Index targets) {
  LexiconArrays lexicon;
  lexicon.floor = meta.at("floor").get<float>();
  if (!is_log_probability(lexicon.floor)) throw UsageError("the floor is not a probability");
  const auto rows = reader.array<std::uint64_t>("lexicon/rows", sources + 1);
  const auto words = reader.array<std::uint32_t>("lexicon/targets");
  const bool rising =
      rows.front() == 0 && rows.back() == words.size() && std::is_sorted(rows.begin(), rows.end());
  if (!rising) throw UsageError("the rows of the lexicon are not contiguous");
  for (Index e = 0; e < sources; ++e) {
    for (Index x = rows[e]; x < rows[e + 1]; ++x) {
      if (words[x] >= targets || (x > rows[e] && words[x] <= words[x - 1])) {
        throw UsageError("a row of the lexicon has an invalid word");
      }
    }
  }
  lexicon.row_begin.assign(rows.begin(), rows.end());
  lexicon.targets.assign(words.begin(), words.end());
  lexicon.forward = read_logs(reader, "lexicon/forward", words.size());
  lexicon.reverse = read_logs(reader, "lexicon/reverse", words.size());
  lexicon.null_forward = read_logs(reader, "lexicon/null_forward", targets);
  lexicon.null_reverse = read_logs(reader, "lexicon/null_reverse", sources);
  lexicon.unseen_forward = read_logs(reader, "lexicon/unseen_forward", sources);
  lexicon.unseen_reverse = read_logs(reader, "lexicon/unseen_reverse", targets);
  return lexicon;
}

NameList read_words(const ModelReader& reader, const std::string& prefix) {
  return {NameView(reader.array<std::uint64_t>(prefix + "/offsets"),
                   reader.array<char>(prefix + "/bytes"), reader.name()),
          reader.name()};
}

// More than any chain draws; and of sweeps, over all chains, no more work than a stranger may
// cause.
constexpr Index kMostFertile = 255, kMostSweeps = 1000;

FertilityTable read_fertility(const ModelReader& reader, const std::string& name, Index most,
                              Index words) {
  const std::span<const float> rows = reader.array<float>(name, (words + 1) * (most + 1));
  if (!std::all_of(rows.begin(), rows.end(), [](float r) { return r > 1e-30F && r <= 1; })) {
    throw UsageError("section '" + name + "' has a value that is not a probability");
  }
  return {most, {rows.begin(), rows.end()}};
}

std::shared_ptr<const Fertilities> read_fertilities(const Value& meta, const ModelReader& reader,
                                                    const Vocabularies& words,
                                                    const PositionModel& forward,
                                                    const PositionModel& reverse) {
  if (!meta.contains("fertilities")) return nullptr;
  const Value& said = meta.at("fertilities");
  const auto most = said.at("most").get<Index>();
  FertilitySampling sampling;
  sampling.chains = said.at("chains").get<Index>();
  sampling.burn_in = said.at("burn_in").get<Index>();
  sampling.sweeps = said.at("sweeps").get<Index>();
  sampling.seed = said.at("seed").get<std::uint64_t>();
  const bool jumps = forward.kind() == Positions::kJumps && reverse.kind() == Positions::kJumps;
  const bool bounded =
      std::max({sampling.chains, sampling.burn_in, sampling.sweeps}) <= kMostSweeps &&
      sampling.chains * (sampling.burn_in + sampling.sweeps) <= kMostSweeps;
  if (!jumps || most < 1 || most > kMostFertile || sampling.chains < 1 || sampling.sweeps < 1 ||
      !bounded) {
    throw UsageError("the fertilities do not fit the model");
  }
  return std::make_shared<Fertilities>(Fertilities{
      read_fertility(reader, "forward/fertilities", most, words.source().size()),
      read_fertility(reader, "reverse/fertilities", most, words.target().size()), sampling});
}

Decoding read_decoding(const Value& meta) {
  Decoding decoding;
  decoding.combination = parse_named<Combination>(meta.at("combination").get<std::string>());
  decoding.decode = parse_named<Decode>(meta.at("decode").get<std::string>());
  decoding.threshold = meta.at("threshold").get<double>();
  if (!(decoding.threshold >= 0 && decoding.threshold <= 1)) {
    throw UsageError("the threshold is not a probability");
  }
  return decoding;
}

// number(word) for each word, in lower case where that is wanted.
template <class Number>
void number_words(std::span<const std::string_view> words, bool lowercase, std::vector<WordId>& ids,
                  const Number& number) {
  ids.clear();
  std::string lower;
  for (const std::string_view word : words) {
    if (lowercase) to_lower(word, lower);
    ids.push_back(number(lowercase ? std::string_view(lower) : word));
  }
}

}  // namespace

LexiconArrays LexiconArrays::compact(const LexiconView& lexicon, const LexiconView* before) {
  LexiconArrays kept;
  kept.floor = lexicon.floor;
  kept.row_begin.push_back(0);
  const auto keep = [&](const LexiconView& from, Index x) {
    kept.targets.push_back(from.targets[x]);
    kept.forward.push_back(from.forward[x]);
    kept.reverse.push_back(from.reverse[x]);
  };
  for (Index e = 0; e + 1 < lexicon.row_begin.size(); ++e) {
    const bool had = before != nullptr && e + 1 < before->row_begin.size();
    Index old = had ? before->row_begin[e] : 0;
    const Index old_end = had ? before->row_begin[e + 1] : 0;
    for (Index x = lexicon.row_begin[e]; x < lexicon.row_begin[e + 1]; ++x) {
      const WordId f = lexicon.targets[x];
      while (old < old_end && before->targets[old] < f) keep(*before, old++);
      if (old < old_end && before->targets[old] == f) ++old;
      if (lexicon.forward[x] > lexicon.unseen_forward[e] + kNearly ||
          lexicon.reverse[x] > lexicon.unseen_reverse[f] + kNearly) {
        keep(lexicon, x);
      }
    }
    while (old < old_end) keep(*before, old++);
    kept.row_begin.push_back(kept.targets.size());
  }
  kept.null_forward.assign(lexicon.null_forward.begin(), lexicon.null_forward.end());
  kept.null_reverse.assign(lexicon.null_reverse.begin(), lexicon.null_reverse.end());
  kept.unseen_forward.assign(lexicon.unseen_forward.begin(), lexicon.unseen_forward.end());
  kept.unseen_reverse.assign(lexicon.unseen_reverse.begin(), lexicon.unseen_reverse.end());
  return kept;
}

void Vocabularies::add(std::span<const std::string_view> source,
                       std::span<const std::string_view> target, std::vector<WordId>& source_ids,
                       std::vector<WordId>& target_ids) {
  number_words(source, lowercase_, source_ids,
               [&](std::string_view word) { return source_.add(word); });
  number_words(target, lowercase_, target_ids,
               [&](std::string_view word) { return target_.add(word); });
}

void Vocabularies::find(std::span<const std::string_view> source,
                        std::span<const std::string_view> target, std::vector<WordId>& source_ids,
                        std::vector<WordId>& target_ids) const {
  static_assert(NameList::kNone == kUnknownWord);
  number_words(source, lowercase_, source_ids,
               [&](std::string_view word) { return source_.find(word); });
  number_words(target, lowercase_, target_ids,
               [&](std::string_view word) { return target_.find(word); });
}

AlignModel::AlignModel(Vocabularies words, LexiconArrays lexicon,
                       std::shared_ptr<const PositionModel> forward,
                       std::shared_ptr<const PositionModel> reverse,
                       std::shared_ptr<const Fertilities> fertilities, const Decoding& decoding,
                       const Value& training, std::shared_ptr<const TextStatistics> statistics)
    : words_(std::make_shared<const Vocabularies>(std::move(words))),
      lexicon_(std::make_shared<const LexiconArrays>(std::move(lexicon))),
      aligner_(lexicon_->view(), std::move(forward), std::move(reverse), std::move(fertilities)),
      decoding_(decoding),
      training_(share(training)),
      statistics_(std::move(statistics)) {
  if (statistics_ == nullptr) return;
  check(*statistics_, words_->source().size(), words_->target().size(), lexicon_->targets.size());
}

AlignModel AlignModel::with_links(LinkWeights learned, const Value& training) const {
  AlignModel model = *this;
  model.links_ = std::make_shared<const LinkWeights>(std::move(learned));
  model.training_ = share(training);
  return model;
}

AlignModel AlignModel::read(const std::string& path) {
  return load(ModelReader::open(path));
}

AlignModel AlignModel::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

AlignModel AlignModel::load(const ModelReader& reader) {
  std::optional<AlignModel> model;
  read_meta(reader, kKind, kVersion, [&](const Value& meta) {
    Vocabularies words(read_words(reader, "source"), read_words(reader, "target"),
                       meta.at("lowercase").get<bool>());
    LexiconArrays lexicon =
        read_lexicon(reader, meta, words.source().size(), words.target().size());
    auto forward = read_positions(meta.at("forward"), "forward", reader);
    auto reverse = read_positions(meta.at("reverse"), "reverse", reader);
    auto fertilities = read_fertilities(meta, reader, words, *forward, *reverse);
    model.emplace(
        std::move(words), std::move(lexicon), std::move(forward), std::move(reverse),
        std::move(fertilities), read_decoding(meta.at("decoding")), meta.at("training"),
        meta.contains("statistics") ? read_statistics(meta.at("statistics"), reader) : nullptr);
    model->name_ = reader.name();
    if (meta.contains("links")) {
      if (model->statistics_ == nullptr)
        throw UsageError("the model was trained with links, but has no statistics of the text");
      model->links_ =
          std::make_shared<const LinkWeights>(read_link_weights(meta.at("links"), reader));
    }
  });
  return *std::move(model);
}

void AlignModel::write(const std::string& path) const {
  std::vector<std::uint32_t> forward, reverse;
  writer(forward, reverse).write(path);
}

std::string AlignModel::to_bytes() const {
  std::vector<std::uint32_t> forward, reverse;
  return writer(forward, reverse).to_bytes();
}

ModelWriter AlignModel::writer(std::vector<std::uint32_t>& forward_lengths,
                               std::vector<std::uint32_t>& reverse_lengths) const {
  ModelWriter writer(std::string(kKind),
                     statistics_ == nullptr && links_ == nullptr ? kPlainVersion : kVersion);
  const LexiconArrays& lexicon = *lexicon_;
  writer.add_array<std::uint64_t>("source/offsets", words_->source().offsets());
  writer.add_array<char>("source/bytes", words_->source().bytes());
  writer.add_array<std::uint64_t>("target/offsets", words_->target().offsets());
  writer.add_array<char>("target/bytes", words_->target().bytes());
  writer.add_array<Index>("lexicon/rows", lexicon.row_begin);
  writer.add_array<WordId>("lexicon/targets", lexicon.targets);
  writer.add_array<float>("lexicon/forward", lexicon.forward);
  writer.add_array<float>("lexicon/reverse", lexicon.reverse);
  writer.add_array<float>("lexicon/null_forward", lexicon.null_forward);
  writer.add_array<float>("lexicon/null_reverse", lexicon.null_reverse);
  writer.add_array<float>("lexicon/unseen_forward", lexicon.unseen_forward);
  writer.add_array<float>("lexicon/unseen_reverse", lexicon.unseen_reverse);
  Value meta =
      Value::record({{"lowercase", words_->lowercase()},
                     {"floor", lexicon.floor},
                     {"decoding", Value::record({{"combination", to_string(decoding_.combination)},
                                                 {"decode", to_string(decoding_.decode)},
                                                 {"threshold", decoding_.threshold}})},
                     {"training", *training_}});
  meta["forward"] = write_positions(aligner_.forward(), "forward", writer, forward_lengths);
  meta["reverse"] = write_positions(aligner_.reverse(), "reverse", writer, reverse_lengths);
  if (const Fertilities* fertilities = aligner_.fertilities()) {
    meta["fertilities"] = Value::record({{"most", fertilities->forward.most},
                                         {"chains", fertilities->sampling.chains},
                                         {"burn_in", fertilities->sampling.burn_in},
                                         {"sweeps", fertilities->sampling.sweeps},
                                         {"seed", fertilities->sampling.seed}});
    writer.add_array<float>("forward/fertilities", fertilities->forward.rows);
    writer.add_array<float>("reverse/fertilities", fertilities->reverse.rows);
  }
  if (statistics_ != nullptr) meta["statistics"] = write_statistics(*statistics_, writer);
  if (links_ != nullptr) meta["links"] = write_link_weights(*links_, writer);
  writer.add_json("meta", meta);
  return writer;
}

}  // namespace trellis::align
