#include "trellis/tasks/tag/training_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/pipeline.h"
#include "trellis/base/text.h"
#include "trellis/data/name_list.h"
#include "trellis/frame/training/folds.h"
#include "trellis/structure/sequences/chain.h"
#include "trellis/structure/sequences/chain_scratch.h"

namespace trellis::tag {
namespace {

constexpr Index kBatch = 512;  // sequences for parallel feature extraction

// The label texts of the files, numbered, for each token. They allow a single conversion when the
// scheme is known, and messages with the line of a wrong label.
class RawLabels {
 public:
  void add(std::span<const std::string_view> labels, Index file, const TagSequence& sequence) {
    begin_.push_back(numbers_.size());
    file_.push_back(file);
    first_line_.push_back(sequence.line(0));
    for (Index t = 0; t < labels.size(); ++t) {
      lines_.push_back(static_cast<std::uint32_t>(sequence.line(t) - sequence.line(0)));
      numbers_.push_back(names_.add(labels[t]));
    }
  }

  Index num_sequences() const { return begin_.size(); }
  Index file(Index i) const { return file_[i]; }
  Index line(Index i, Index t) const { return first_line_[i] + lines_[begin_[i] + t]; }
  void texts(Index i, std::vector<std::string_view>& labels) const {
    labels.clear();
    const Index end = i + 1 < begin_.size() ? begin_[i + 1] : numbers_.size();
    for (Index k = begin_[i]; k < end; ++k) labels.push_back(names_[numbers_[k]]);
  }

 private:
  NameList names_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> lines_;  // by token, relative to the start of its sequence
  std::vector<Index> begin_;
  std::vector<Index> file_;
  std::vector<Index> first_line_;
};

// Whether a line without a token, before or after (`behind`) the tokens of a sequence, begins a
// document.
bool marks_document(const TagSequence& sequence, bool behind) {
  if (sequence.format != InputFormat::kColumns) return false;
  bool seen_token = false;
  for (Index i = 0; i < sequence.lines.size(); ++i) {
    const auto [text, token] = sequence.lines[i];
    if (token != SourceLines::kNoToken) {
      seen_token = true;
    } else if (seen_token == behind &&
               (text.starts_with("# newdoc") || text.starts_with("-DOCSTART-"))) {
      return true;
    }
  }
  return false;
}

class Builder {
 public:
  Builder(std::vector<SequenceReader> files, const FeatureTemplate& features,
          const TrainingSetOptions& options)
      : inputs_(std::move(files)),
        features_(features),
        options_(options),
        pipeline_(kBatch, options.threads) {
    for (const SequenceReader& file : inputs_) files_.push_back(file.name());
    set_.file = files_.empty() ? "<none>" : files_.front();
    set_.options = options;
    set_.nodes = AttributeIndex(options.hash_bits);
    set_.edges = AttributeIndex(options.hash_bits);
    extracted_.resize(pipeline_.batch_size());
    scratch_.resize(static_cast<Index>(pipeline_.num_workers()));
  }

  TrainingSet build(const std::vector<std::string>& known_labels) {
    for (Index f = 0; f < inputs_.size(); ++f) read_file(f);
    if (raw_.num_sequences() == 0) {
      throw InputError(set_.file, 0, "expected sequences to train on, found none");
    }
    if (options_.format == InputFormat::kItems && !any_item_) {
      throw InputError(files_.front(), 1,
                       "expected items after the label, separated by tabs, found none in the whole "
                       "file (column files require --format columns)");
    }
    choose_schemes();
    for (const std::string& label : known_labels) labels_.add(label);
    number_labels();
    return std::move(set_);
  }

 private:
  void read_file(Index f) {
    pipeline_.run(
        [&](TagSequence& sequence) {
          if (!inputs_[f].read(sequence)) return false;
          check_columns(f, sequence);
          return true;
        },
        [&](const TagSequence& sequence, Index slot, int worker) {
          extract(sequence, features_, scratch_[static_cast<Index>(worker)], extracted_[slot]);
        },
        [&](const TagSequence& sequence, Index slot) { store(f, sequence, extracted_[slot]); });
  }

  void check_columns(Index f, const TagSequence& sequence) {
    if (sequence.format == InputFormat::kItems) return;
    const Index columns = sequence.columns.num_columns();
    if (set_.num_columns == 0) {
      set_.num_columns = columns;
      require_columns(sequence, features_, options_.label_column, files_[f]);
    } else if (columns != set_.num_columns) {
      throw InputError(files_[f], sequence.columns.first_line(),
                       fmt::format("expected {} columns, as in {}, found {}", set_.num_columns,
                                   files_.front(), columns));
    }
  }

  void store(Index f, const TagSequence& sequence, const SentenceAttributes& attributes) {
    AttributeNames names(sequence, features_, scratch_.front());
    intern(attributes.node, set_.nodes, [&](Index t, Index k) { return names.node(t, k); });
    node_store_.add(attributes.node.begin, ids_, attributes.node.values);
    if (features_.has_edge_attributes()) {
      intern(attributes.edge, set_.edges, [&](Index t, Index k) { return names.edge(t, k); });
      edge_store_.add(attributes.edge.begin, ids_, attributes.edge.values);
    }
    any_item_ = any_item_ || !attributes.node.fingerprints.empty();
    weights_.push_back(sequence.weight());
    sequence.labels(options_.label_column, texts_);
    raw_.add(texts_, f, sequence);
    if (options_.partial) set_.places.push_back({files_[f], sequence.line(0)});
    if (document_ended_ || marks_document(sequence, false)) {
      set_.documents.push_back(weights_.size() - 1);
    }
    document_ended_ = marks_document(sequence, true);
    set_.digest = combine(set_.digest, digest(attributes, texts_));
    set_.digest = combine(set_.digest, std::bit_cast<std::uint64_t>(sequence.weight()));
  }

  template <class Name>
  void intern(const AttributeList& list, AttributeIndex& index, const Name& name) {
    ids_.clear();
    for (Index t = 0; t + 1 < list.begin.size(); ++t) {
      for (Index k = list.begin[t]; k < list.begin[t + 1]; ++k) {
        ids_.push_back(
            index.intern(list.fingerprints[k], [&] { return name(t, k - list.begin[t]); }));
      }
    }
  }

  void choose_schemes() {
    set_.file_scheme = options_.file_scheme ? *options_.file_scheme : detect_scheme();
    set_.model_scheme = options_.model_scheme.value_or(set_.file_scheme);
    if (set_.model_scheme == TagScheme::kIob1) set_.model_scheme = TagScheme::kIob2;
    if ((set_.file_scheme == TagScheme::kPlain) != (set_.model_scheme == TagScheme::kPlain)) {
      if (options_.file_scheme)
        throw UsageError(
            "labels cannot be converted between the plain scheme and a scheme with spans");
      // The model's scheme decides if there are no spans, or labels only look like spans.
      set_.file_scheme = set_.model_scheme;
    }
    if (options_.partial && set_.model_scheme != set_.file_scheme) {
      throw UsageError("partially labelled data cannot be converted to another tag scheme");
    }
  }

  TagScheme detect_scheme() {
    SchemeDetector detector;
    for (Index i = 0; i < raw_.num_sequences(); ++i) {
      raw_.texts(i, texts_);
      if (!has_partial()) detector.add(texts_);
    }
    return detector.scheme();
  }

  // Whether texts_ contain an unknown or ambiguous label.
  bool has_partial() const {
    return options_.partial &&
           std::any_of(texts_.begin(), texts_.end(), [](std::string_view label) {
             return label == "?" || label.find('|') != std::string_view::npos;
           });
  }

  void number_labels() {
    std::vector<std::vector<Label>> numbered(raw_.num_sequences());
    std::vector<std::vector<std::vector<Label>>> sets(options_.partial ? raw_.num_sequences() : 0);
    std::vector<std::string> converted;
    for (Index i = 0; i < raw_.num_sequences(); ++i) {
      raw_.texts(i, texts_);
      if (has_partial()) {
        number_partial(i, numbered[i], sets[i]);
        continue;
      }
      convert(i, converted);
      for (const std::string& label : converted) numbered[i].push_back(number(label));
    }
    for (Index j = 0; j < labels_.size(); ++j) set_.labels.emplace_back(labels_[j]);
    set_.examples = std::make_unique<ChainExamples>(labels_.size());
    set_.examples->nodes() = std::move(node_store_);
    set_.examples->edges() = std::move(edge_store_);
    for (Index i = 0; i < numbered.size(); ++i) {
      std::vector<std::uint8_t> truth;
      if (options_.partial && !sets[i].empty()) truth = flags(sets[i]);
      set_.examples->add(std::move(numbered[i]), std::move(truth), weights_[i]);
    }
  }

  // Converts texts_ to labels of the model's scheme.
  void convert(Index i, std::vector<std::string>& converted) {
    const TagReading reading{set_.file_scheme, set_.model_scheme, options_.repair};
    const std::optional<TagFault> fault =
        read_tags(texts_, reading, converted, set_.repaired_labels);
    if (fault) throw InputError(files_[raw_.file(i)], raw_.line(i, fault->token), fault->message);
  }

  // Converts texts_ to labels, and to the possible labels of each token (empty: any).
  void number_partial(Index i, std::vector<Label>& labels,
                      std::vector<std::vector<Label>>& possible) {
    std::vector<std::string_view> names;
    possible.resize(texts_.size());
    for (Index t = 0; t < texts_.size(); ++t) {
      if (texts_[t] == "?") {
        labels.push_back(kNoLabel);
        continue;
      }
      split(texts_[t], '|', names);
      for (const std::string_view name : names) {
        if (name.empty() || name == "?") {
          throw InputError(files_[raw_.file(i)], raw_.line(i, t),
                           "expected labels separated by '|'", texts_[t]);
        }
        possible[t].push_back(number(name));
      }
      labels.push_back(possible[t].size() == 1 ? possible[t].front() : kNoLabel);
    }
  }

  std::vector<std::uint8_t> flags(const std::vector<std::vector<Label>>& possible) const {
    const Index n = set_.labels.size();
    std::vector<std::uint8_t> truth(possible.size() * n, 0);
    for (Index t = 0; t < possible.size(); ++t) {
      if (possible[t].empty())
        std::fill_n(truth.begin() + static_cast<std::ptrdiff_t>(t * n), n, std::uint8_t{1});
      for (const Label label : possible[t]) truth[t * n + static_cast<Index>(label)] = 1;
    }
    return truth;
  }

  Label number(std::string_view label) { return static_cast<Label>(labels_.add(label)); }

  std::vector<SequenceReader> inputs_;
  std::vector<std::string> files_;  // their names
  const FeatureTemplate& features_;
  TrainingSetOptions options_;
  TrainingSet set_;
  RawLabels raw_;
  AttributeStore node_store_;
  AttributeStore edge_store_;
  std::vector<double> weights_;
  bool any_item_ = false;
  bool document_ended_ = false;  // by a line after the last sequence
  NameList labels_;              // labels of the model, by number
  // Reused for all sequences.
  Pipeline<TagSequence> pipeline_;
  std::vector<SentenceAttributes> extracted_;
  std::vector<FeatureTemplate::Scratch> scratch_;
  std::vector<AttributeId> ids_;
  std::vector<std::string_view> texts_;
};

}  // namespace

TrainingSet read_training_set(std::vector<SequenceReader> files, const FeatureTemplate& features,
                              const TrainingSetOptions& options,
                              const std::vector<std::string>& known_labels) {
  return Builder(std::move(files), features, options).build(known_labels);
}

TrainingSet read_training_set(std::vector<InputFile> files, const FeatureTemplate& features,
                              const TrainingSetOptions& options,
                              const std::vector<std::string>& known_labels) {
  return read_training_set(sequences_of(std::move(files), options), features, options,
                           known_labels);
}

std::vector<SequenceReader> sequences_of(std::vector<InputFile> files,
                                         const TrainingSetOptions& options) {
  std::vector<SequenceReader> readers;
  for (InputFile& file : files) {
    readers.emplace_back(std::move(file), options.format, options.comments);
  }
  return readers;
}

std::vector<InputFile> open_files(const std::vector<std::string>& paths) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) files.emplace_back(path);
  return files;
}

std::vector<Index> sequences_of_fold(const TrainingSet& set, Index k, Index folds,
                                     std::uint64_t seed) {
  const Index n = set.examples->num_examples();
  if (set.documents.size() < folds) return deal_folds(n, folds, seed)[k];
  std::vector<Index> begin = set.documents;
  begin.front() = 0;  // the text before the first mark belongs to it
  begin.push_back(n);
  std::vector<Index> sequences;
  const std::vector<std::vector<Index>> dealt = deal_folds(set.documents.size(), folds, seed);
  for (const Index document : dealt[k]) {
    for (Index i = begin[document]; i < begin[document + 1]; ++i) sequences.push_back(i);
  }
  return sequences;
}

void apply_kernel(const Kernel& kernel, const KernelTrainingOptions& options, TrainingSet& set) {
  KernelTraining training(kernel, options, set.nodes.size(), set.labels.size(),
                          set.examples->nodes());
  set.kernel = std::make_unique<KernelPart>(KernelPart{std::move(set.nodes), std::move(training)});
  set.nodes = AttributeIndex();
  for (Index p = 0; p < set.kernel->training.pivots().size(); ++p) {
    set.nodes.intern(pivot_fingerprint(p), [&] { return pivot_name(p); });
  }
}

HeldOutSentences read_held_out(InputFile file, const FeatureTemplate& features,
                               const TrainingSet& set) {
  SequenceReader reader(std::move(file), set.options.format, set.options.comments);
  HeldOutSentences read;
  read.file = reader.name();
  FeatureTemplate::Scratch scratch;
  TagSequence sequence;
  std::vector<std::string_view> labels;
  while (reader.read(sequence)) {
    if (sequence.format == InputFormat::kColumns &&
        sequence.columns.num_columns() != set.num_columns) {
      throw InputError(read.file, sequence.line(0),
                       fmt::format("expected {} columns, as in the training set, found {}",
                                   set.num_columns, sequence.columns.num_columns()));
    }
    extract(sequence, features, scratch, read.attributes.emplace_back());
    sequence.labels(set.options.label_column, labels);
    read.gold.emplace_back(labels.begin(), labels.end());
    read.first_lines.push_back(sequence.line(0));
    read.digest = combine(read.digest, digest(read.attributes.back(), labels));
  }
  if (read.gold.empty())
    throw InputError(read.file, 0, "expected sequences to evaluate on, found none");
  return read;
}

HeldOut::HeldOut(const HeldOutSentences& sentences, const TrainingSet& set,
                 std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids)
    : sentences_(&sentences), set_(&set) {
  const auto resolve = [](const AttributeList& list, const AttributeIndex& index,
                          std::span<const AttributeId> row_ids, KnownAttributes& known) {
    known.resolve(list, [&](std::uint64_t fingerprint) {
      const AttributeId id = index.find(fingerprint);
      return id == kNoAttribute ? id : row_ids[id];
    });
  };
  for (const SentenceAttributes& attributes : sentences.attributes) {
    KnownAttributes& nodes = nodes_.emplace_back();
    if (set.kernel == nullptr) {
      resolve(attributes.node, set.nodes, node_ids, nodes);
    } else {
      const AttributeIndex& dimensions = set.kernel->dimensions;
      expand_positions(
          attributes.node, [&](std::uint64_t fingerprint) { return dimensions.find(fingerprint); },
          set.kernel->training.pivots(), node_ids, nodes);
    }
    if (!edge_ids.empty()) resolve(attributes.edge, set.edges, edge_ids, edges_.emplace_back());
  }
}

std::vector<std::string> HeldOut::unseen_labels() const {
  UnseenLabels unseen(set_->labels, set_->file_scheme);
  for (const auto& labels : sentences_->gold) {
    unseen.add(std::vector<std::string_view>(labels.begin(), labels.end()));
  }
  return unseen.list();
}

TagScores HeldOut::evaluate(const ChainFeatures& chain, std::span<const double> w,
                            int threads) const {
  const std::vector<std::vector<std::string>>& truth = sentences_->gold;
  struct Worker {
    std::vector<double> scores;
    Chain::Scratch scratch;
  };
  std::vector<Worker> workers(static_cast<Index>(resolve_threads(threads)));
  std::vector<std::vector<Label>> predicted(truth.size());
  parallel_for(truth.size(), threads, [&](Index i, int worker) {
    Worker& memory = workers[static_cast<Index>(worker)];
    SequenceAttributes x{truth[i].size(), nodes_[i].view(), {}};
    if (!edges_.empty()) x.edge = edges_[i].view();
    const Chain structure = chain.chain(x.length);
    memory.scores.resize(structure.num_parts());
    chain.scores(x, w, memory.scores);
    structure.maximize(memory.scores, memory.scratch, predicted[i]);
  });
  TagScores scores(set_->file_scheme);
  LabelTexts texts(set_->labels, set_->model_scheme, set_->file_scheme);
  std::vector<std::string_view> gold;
  for (Index i = 0; i < truth.size(); ++i) {
    if (predicted[i].size() != truth[i].size()) {
      throw InputError(sentences_->file, sentences_->first_lines[i],
                       "the labels of the training set allow no label sequence of this length");
    }
    gold.assign(truth[i].begin(), truth[i].end());
    scores.add(gold, texts.write(predicted[i]));
  }
  return scores;
}

}  // namespace trellis::tag
