#include "trellis/tasks/tag/training_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"
#include "trellis/base/text.h"
#include "trellis/tasks/training/folds.h"

namespace trellis::tag {
namespace {

constexpr Index kBatch = 512;  // sequences whose features are extracted side by side

// Label texts as they stand in the files, numbered, for each token; enough to convert them once the
// scheme is known, and to say where one is wrong.
class RawLabels {
 public:
  void add(std::span<const std::string_view> labels, Index file, const TagSequence& sequence) {
    begin_.push_back(numbers_.size());
    file_.push_back(file);
    first_line_.push_back(sequence.line(0));
    for (Index t = 0; t < labels.size(); ++t) {
      lines_.push_back(static_cast<std::uint32_t>(sequence.line(t) - sequence.line(0)));
      const auto [entry, inserted] =
          number_of_.try_emplace(std::string(labels[t]), static_cast<std::uint32_t>(texts_.size()));
      if (inserted) texts_.push_back(entry->first);
      numbers_.push_back(entry->second);
    }
  }

  Index num_sequences() const { return begin_.size(); }
  Index file(Index i) const { return file_[i]; }
  Index line(Index i, Index t) const { return first_line_[i] + lines_[begin_[i] + t]; }
  void texts(Index i, std::vector<std::string_view>& labels) const {
    labels.clear();
    const Index end = i + 1 < begin_.size() ? begin_[i + 1] : numbers_.size();
    for (Index k = begin_[i]; k < end; ++k) labels.push_back(texts_[numbers_[k]]);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> number_of_;
  std::vector<std::string> texts_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> lines_;  // of each token, from the first of its sequence
  std::vector<Index> begin_;
  std::vector<Index> file_;
  std::vector<Index> first_line_;
};

bool begins_document(const TagSequence& sequence) {
  if (sequence.format != InputFormat::kColumns) return false;
  if (sequence.columns.field(0, 0) == "-DOCSTART-") return true;
  for (Index i = 0; i < sequence.lines.size(); ++i) {
    if (sequence.lines[i].token != SourceLines::kNoToken) return false;
    if (sequence.lines[i].text.starts_with("# newdoc")) return true;
  }
  return false;
}

class Builder {
 public:
  Builder(std::vector<InputFile> files, const FeatureTemplate& features,
          const TrainingSetOptions& options)
      : inputs_(std::move(files)), features_(features), options_(options) {
    for (const InputFile& file : inputs_) files_.push_back(file.name());
    set_.file = files_.empty() ? "<none>" : files_.front();
    set_.options = options;
    set_.nodes = AttributeIndex(options.hash_bits);
    set_.edges = AttributeIndex(options.hash_bits);
    batch_.resize(kBatch);
    extracted_.resize(kBatch);
    scratch_.resize(static_cast<Index>(resolve_threads(options.threads)));
  }

  TrainingSet build(const std::vector<std::string>& known_labels) {
    for (Index f = 0; f < inputs_.size(); ++f) read_file(f);
    if (raw_.num_sequences() == 0) {
      throw InputError(set_.file, 0, "there is no sequence to train on");
    }
    if (options_.format == InputFormat::kItems && !any_item_) {
      throw InputError(files_.front(), 1,
                       "expected items behind the label, separated by tabs, found none in the "
                       "whole file (column files want the format 'columns')");
    }
    choose_schemes();
    set_.labels = known_labels;
    number_labels();
    return std::move(set_);
  }

 private:
  void read_file(Index f) {
    SequenceReader reader(std::move(inputs_[f]), options_.format, options_.comments);
    Index count = 0;
    do {
      count = 0;
      while (count < kBatch && reader.read(batch_[count])) check_columns(f, batch_[count++]);
      parallel_for(count, options_.threads, [&](Index i, int worker) {
        extract(batch_[i], features_, scratch_[static_cast<Index>(worker)], extracted_[i]);
      });
      for (Index i = 0; i < count; ++i) store(f, batch_[i], extracted_[i]);
    } while (count == kBatch);
  }

  void check_columns(Index f, const TagSequence& sequence) {
    if (sequence.format == InputFormat::kItems) return;
    const Index columns = sequence.columns.num_columns();
    if (set_.num_columns == 0) {
      set_.num_columns = columns;
      const Index needed = options_.label_column == kLastColumn
                               ? features_.min_columns() + 1
                               : std::max(features_.min_columns(), options_.label_column + 1);
      if (columns < needed) {
        throw InputError(
            files_[f], sequence.columns.first_line(),
            fmt::format("expected at least {} columns (the template uses {}, and one is "
                        "the label), found {}",
                        needed, features_.min_columns(), columns));
      }
      if (options_.label_column != kLastColumn && features_.uses_column(options_.label_column)) {
        throw UsageError(fmt::format(
            "the template uses column {}, which is the label's: it would see what it is to predict",
            options_.label_column));
      }
    } else if (columns != set_.num_columns) {
      throw InputError(files_[f], sequence.columns.first_line(),
                       fmt::format("expected {} columns, as in {}, found {}", set_.num_columns,
                                   files_.front(), columns));
    }
  }

  void store(Index f, const TagSequence& sequence, const SentenceAttributes& attributes) {
    FeatureTemplate::Scratch& scratch = scratch_.front();
    intern(attributes.node, set_.nodes,
           [&](Index t, Index k) { return node_name(sequence, features_, t, k, scratch); });
    node_store_.add(attributes.node.begin, ids_, attributes.node.values);
    if (features_.has_edge_attributes()) {
      intern(attributes.edge, set_.edges,
             [&](Index t, Index k) { return edge_name(sequence, features_, t, k, scratch); });
      edge_store_.add(attributes.edge.begin, ids_, attributes.edge.values);
    }
    any_item_ = any_item_ || !attributes.node.fingerprints.empty();
    weights_.push_back(sequence.weight());
    sequence.labels(options_.label_column, texts_);
    raw_.add(texts_, f, sequence);
    if (options_.partial) set_.places.push_back({files_[f], sequence.line(0)});
    if (begins_document(sequence)) set_.documents.push_back(weights_.size() - 1);
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
    set_.file_scheme = options_.file_scheme;
    if (options_.detect_scheme) {
      SchemeDetector detector;
      for (Index i = 0; i < raw_.num_sequences(); ++i) {
        raw_.texts(i, texts_);
        if (options_.partial) {
          if (std::any_of(texts_.begin(), texts_.end(), is_partial)) continue;
        }
        detector.add(texts_);
      }
      set_.file_scheme = detector.scheme();
    }
    set_.model_scheme = options_.keep_scheme ? set_.file_scheme : options_.model_scheme;
    if (set_.model_scheme == TagScheme::kIob1) set_.model_scheme = TagScheme::kIob2;
    if ((set_.file_scheme == TagScheme::kPlain) != (set_.model_scheme == TagScheme::kPlain)) {
      if (!options_.detect_scheme)
        throw UsageError("labels are not converted between the plain scheme and one with spans");
      // What is to be learned says how a file is meant that has no spans, or labels like spans'.
      set_.file_scheme = set_.model_scheme;
    }
    if (options_.partial && set_.model_scheme != set_.file_scheme) {
      throw UsageError("partially labelled data cannot be converted to another tag scheme");
    }
  }

  static bool is_partial(std::string_view label) {
    return label == "?" || label.find('|') != std::string_view::npos;
  }

  void number_labels() {
    for (Index j = 0; j < set_.labels.size(); ++j)
      number_of_[set_.labels[j]] = static_cast<Label>(j);
    std::vector<std::vector<Label>> numbered(raw_.num_sequences());
    std::vector<std::vector<std::vector<Label>>> sets(options_.partial ? raw_.num_sequences() : 0);
    std::vector<std::string> converted;
    for (Index i = 0; i < raw_.num_sequences(); ++i) {
      raw_.texts(i, texts_);
      if (options_.partial && std::any_of(texts_.begin(), texts_.end(), is_partial)) {
        number_partial(i, numbered[i], sets[i]);
        continue;
      }
      convert(i, converted);
      for (const std::string& label : converted) numbered[i].push_back(number(label));
    }
    set_.examples = std::make_unique<ChainExamples>(set_.labels.size());
    set_.examples->nodes() = std::move(node_store_);
    set_.examples->edges() = std::move(edge_store_);
    for (Index i = 0; i < numbered.size(); ++i) {
      std::vector<std::uint8_t> truth;
      if (options_.partial && !sets[i].empty()) truth = flags(sets[i]);
      set_.examples->add(std::move(numbered[i]), std::move(truth), weights_[i]);
    }
  }

  // texts_ → labels of the model's scheme.
  void convert(Index i, std::vector<std::string>& converted) {
    const TagReading reading{set_.file_scheme, set_.model_scheme, options_.repair};
    const std::optional<TagFault> fault =
        read_tags(texts_, reading, converted, set_.repaired_labels);
    if (fault) throw InputError(files_[raw_.file(i)], raw_.line(i, fault->token), fault->message);
  }

  // texts_ → labels, and the possible labels of each token (empty: any).
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
        possible[t].push_back(number(std::string(name)));
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

  Label number(const std::string& label) {
    const auto [entry, inserted] =
        number_of_.try_emplace(label, static_cast<Label>(set_.labels.size()));
    if (inserted) set_.labels.push_back(label);
    return entry->second;
  }

  std::vector<InputFile> inputs_;
  std::vector<std::string> files_;  // their names
  const FeatureTemplate& features_;
  TrainingSetOptions options_;
  TrainingSet set_;
  RawLabels raw_;
  AttributeStore node_store_;
  AttributeStore edge_store_;
  std::vector<double> weights_;
  bool any_item_ = false;
  std::unordered_map<std::string, Label> number_of_;
  // Reused from sequence to sequence.
  std::vector<TagSequence> batch_;
  std::vector<SentenceAttributes> extracted_;
  std::vector<FeatureTemplate::Scratch> scratch_;
  std::vector<AttributeId> ids_;
  std::vector<std::string_view> texts_;
};

}  // namespace

TrainingSet read_training_set(std::vector<InputFile> files, const FeatureTemplate& features,
                              const TrainingSetOptions& options,
                              const std::vector<std::string>& known_labels) {
  return Builder(std::move(files), features, options).build(known_labels);
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
  begin.front() = 0;  // what stands before the first mark belongs to it
  begin.push_back(n);
  std::vector<Index> sequences;
  for (const Index document : deal_folds(set.documents.size(), folds, seed)[k]) {
    for (Index i = begin[document]; i < begin[document + 1]; ++i) sequences.push_back(i);
  }
  return sequences;
}

void apply_kernel(const Kernel& kernel, Index max_rank, TrainingSet& set) {
  KernelTraining training(kernel, max_rank, set.nodes.size(), set.options.threads,
                          set.examples->nodes());
  set.kernel = std::make_unique<KernelPart>(KernelPart{std::move(set.nodes), std::move(training)});
  set.nodes = AttributeIndex();
  for (Index p = 0; p < set.kernel->training.num_pivots(); ++p) {
    set.nodes.intern(pivot_fingerprint(p), [&] { return pivot_name(p); });
  }
}

}  // namespace trellis::tag
