#include "trellis/topics/corpus/corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/data/model_layout.h"

namespace trellis::topics {
namespace {

// Where a UsageError about the parts has no file to speak of.
constexpr std::string_view kInMemory = "the corpus";

NameView view_of(const NameColumn& names) {
  return {names.offsets, names.bytes, kInMemory};
}

void add_names(ModelWriter& writer, const std::string& section, const NameView& names) {
  writer.add_array(section + "/offsets", names.offsets());
  writer.add_array(section + "/bytes", names.bytes());
}

NameView read_names(const ModelReader& reader, const std::string& section) {
  return {reader.array<std::uint64_t>(section + "/offsets"), reader.array<char>(section + "/bytes"),
          reader.name()};
}

using Fault = std::optional<std::string>;

Fault fault_of(const Documents& documents) {
  const auto& begin = documents.begin;
  if (begin.empty() || begin.front() != 0 || begin.back() != documents.tokens.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    return "expected documents one after another, from the first token to the last";
  }
  if (documents.num_words >= NameList::kNone) return "expected fewer than 2^32 - 1 words";
  const auto unknown = [&](std::uint32_t word) { return word >= documents.num_words; };
  if (std::any_of(documents.tokens.begin(), documents.tokens.end(), unknown)) {
    return "expected every token to be a word of the vocabulary";
  }
  return std::nullopt;
}

Fault fault_of(const char* what, std::span<const Label> labels, const NameView& names,
               Index num_documents) {
  if (!labels.empty() && labels.size() != num_documents) {
    return std::string("expected as many ") + what + " as there are documents, or none";
  }
  const auto unknown = [&](Label label) {
    return label < kNoLabel || (label >= 0 && static_cast<Index>(label) >= names.size());
  };
  if (std::any_of(labels.begin(), labels.end(), unknown)) {
    return std::string("expected the ") + what + " to have a name";
  }
  return std::nullopt;
}

}  // namespace

Corpus::Corpus(CorpusParts parts) {
  const auto held = std::make_shared<const CorpusParts>(std::move(parts));
  owner_ = held;
  text_ = {held, &held->text};
  tally_ = held->tally;
  try {
    words_ = view_of(held->words);
    ids_ = view_of(held->ids);
    label_names_ = view_of(held->label_names);
    language_names_ = view_of(held->language_names);
    labels_ = held->labels;
    languages_ = held->languages;
    documents_ = {held->begin, held->tokens, words_.size()};
    check(kInMemory);
  } catch (const InputError& error) {
    throw UsageError(error.what());
  }
  count_empty();
}

void Corpus::check(std::string_view file) const {
  const Index size = documents_.size();
  Fault fault = fault_of(documents_);
  if (!fault && !ids_.empty() && ids_.size() != size) {
    fault = "expected as many ids as there are documents, or none";
  }
  if (!fault) fault = fault_of("labels", labels_, label_names_, size);
  if (!fault) fault = fault_of("languages", languages_, language_names_, size);
  if (fault) throw InputError(file, 0, *fault);
  for (const NameView* names : {&words_, &label_names_, &language_names_}) {
    const NameList distinct(*names, file);
  }
}

void Corpus::count_empty() {
  num_empty_ = 0;
  for (Index d = 0; d < documents_.size(); ++d) num_empty_ += documents_[d].empty() ? 1 : 0;
}

ModelWriter Corpus::writer() const {
  ModelWriter writer(std::string(kKind), kVersion);
  writer.add_json("meta", Value::record({{"text", text_->to_value()},
                                         {"left_out", tally_.left_out},
                                         {"outside", tally_.outside}}));
  writer.add_array("begin", documents_.begin);
  writer.add_array("tokens", documents_.tokens);
  add_names(writer, "words", words_);
  add_names(writer, "ids", ids_);
  add_names(writer, "label_names", label_names_);
  writer.add_array("labels", labels_);
  add_names(writer, "language_names", language_names_);
  writer.add_array("languages", languages_);
  add_names(writer, "stop_words", text_->stop_words.view());
  return writer;
}

Corpus Corpus::load(const ModelReader& reader) {
  reader.expect(kKind, kVersion);
  const Value meta = reader.json("meta");
  TextOptions text;
  Corpus corpus;
  try {
    text = TextOptions::from_value(meta.at("text"));
    corpus.tally_.left_out = meta.at("left_out").get<std::uint64_t>();
    corpus.tally_.outside = meta.at("outside").get<std::uint64_t>();
  } catch (const ValueError&) {
    throw InputError(reader.name(), 0, "the description of the corpus is incomplete or damaged");
  } catch (const UsageError& error) {
    throw InputError(reader.name(), 0, error.what());
  }
  text.stop_words = NameList(read_names(reader, "stop_words"), reader.name());
  corpus.owner_ = std::make_shared<const ModelReader>(reader);
  corpus.text_ = std::make_shared<const TextOptions>(std::move(text));
  corpus.words_ = read_names(reader, "words");
  corpus.ids_ = read_names(reader, "ids");
  corpus.label_names_ = read_names(reader, "label_names");
  corpus.labels_ = reader.array<Label>("labels");
  corpus.language_names_ = read_names(reader, "language_names");
  corpus.languages_ = reader.array<Label>("languages");
  corpus.documents_ = {reader.array<std::uint64_t>("begin"), reader.array<std::uint32_t>("tokens"),
                       corpus.words_.size()};
  corpus.check(reader.name());
  corpus.count_empty();
  return corpus;
}

Corpus Corpus::open(const std::string& path) {
  return load(ModelReader::open(path));
}

Corpus Corpus::from_bytes(std::span<const std::byte> bytes, const std::string& name) {
  return load(ModelReader::from_bytes(bytes, name));
}

bool is_corpus_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::string first(model_layout::kMagic.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  return file.good() && first == model_layout::kMagic;
}

}  // namespace trellis::topics
