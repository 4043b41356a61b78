#include "trellis/tasks/tag/held_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "trellis/base/error.h"
#include "trellis/base/parallel.h"

namespace trellis::tag {
namespace {

// Adds a sequence's attributes of one kind, as far as the training set knows them.
void add_known(const AttributeList& list, const AttributeIndex& index,
               std::span<const AttributeId> row_ids, AttributeStore& store) {
  std::vector<std::uint32_t> begin = {0};
  std::vector<AttributeId> ids;
  std::vector<float> values;
  for (Index t = 0; t + 1 < list.begin.size(); ++t) {
    for (Index k = list.begin[t]; k < list.begin[t + 1]; ++k) {
      const AttributeId id = index.find(list.fingerprints[k]);
      if (id == kNoAttribute || row_ids[id] == kNoAttribute) continue;
      ids.push_back(row_ids[id]);
      if (!list.values.empty()) values.push_back(list.values[k]);
    }
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  store.add(begin, ids, values);
}

// Adds the kernel values of a sequence's positions as attributes.
void add_expanded(const AttributeList& list, const KernelPart& kernel,
                  std::span<const AttributeId> row_ids, AttributeStore& store) {
  std::vector<float> values;
  expand_positions(
      list, [&](std::uint64_t fingerprint) { return kernel.dimensions.find(fingerprint); },
      kernel.training.expansion(), values);
  std::vector<std::uint32_t> begin = {0};
  std::vector<AttributeId> ids;
  for (Index t = 0; t + 1 < list.begin.size(); ++t) {
    ids.insert(ids.end(), row_ids.begin(), row_ids.end());
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
  }
  store.add(begin, ids, values);
}

Index num_rows(std::span<const AttributeId> row_ids) {
  return static_cast<Index>(std::count_if(row_ids.begin(), row_ids.end(),
                                          [](AttributeId id) { return id != kNoAttribute; }));
}

void finish(AttributeStore& store, Index num_attributes) {
  std::vector<AttributeId> same(num_attributes);
  for (Index a = 0; a < num_attributes; ++a) same[a] = static_cast<AttributeId>(a);
  store.finish(same, num_attributes);
}

}  // namespace

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
  if (read.gold.empty()) throw InputError(read.file, 0, "there is no sequence to evaluate on");
  return read;
}

HeldOut::HeldOut(const HeldOutSentences& sentences, const TrainingSet& set,
                 std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids)
    : sentences_(&sentences), set_(&set) {
  for (const SentenceAttributes& attributes : sentences.attributes) {
    if (set.kernel != nullptr) {
      add_expanded(attributes.node, *set.kernel, node_ids, nodes_);
    } else {
      add_known(attributes.node, set.nodes, node_ids, nodes_);
    }
    if (!edge_ids.empty()) add_known(attributes.edge, set.edges, edge_ids, edges_);
  }
  finish(nodes_, num_rows(node_ids));
  finish(edges_, num_rows(edge_ids));
  note_unseen();
}

void HeldOut::note_unseen() {
  std::set<std::string> known;
  // A label of the file's scheme may stand for several of the model's; what spans are made of
  // counts.
  const auto key = [&](const std::string& label) {
    return set_->file_scheme == TagScheme::kPlain ? label : std::string(parse_tag(label).type);
  };
  for (const std::string& label : set_->labels) known.insert(key(label));
  std::set<std::string> unseen;
  for (const auto& labels : sentences_->gold) {
    for (const std::string& label : labels) {
      if (known.count(key(label)) == 0) unseen.insert(label);
    }
  }
  unseen_labels_.assign(unseen.begin(), unseen.end());
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
    SequenceAttributes x;
    x.length = truth[i].size();
    x.node = nodes_.attributes(i);
    if (edges_.num_examples() > 0) x.edge = edges_.attributes(i);
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
