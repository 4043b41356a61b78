// From labelled files to a training set: numbers labels and attributes, and converts tag schemes;
// and the held-out file for training.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/columns/tag_scheme.h"
#include "trellis/problem/chain/chain_examples.h"
#include "trellis/problem/chain/chain_features.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/attribute_index.h"
#include "trellis/tasks/tag/model/kernel_attributes.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

struct TrainingSetOptions {
  InputFormat format = InputFormat::kColumns;
  Index label_column = kLastColumn;
  Comments comments = Comments::kAuto;
  std::optional<TagScheme> file_scheme;  // not given: detected
  // The scheme to learn; not given: that of the files. IOB1 cannot be recognised by its labels
  // alone, so it is always converted to IOB2.
  std::optional<TagScheme> model_scheme;
  bool repair = false;   // read illegal sequences as conlleval does, instead of refusing them
  bool partial = false;  // "?" is an unknown label, "A|B" is one of several
  int hash_bits = 0;     // feature hashing; 0: none
  int threads = 1;
};

struct TrainingSet {
  TrainingSetOptions options;
  TagScheme file_scheme = TagScheme::kPlain;
  TagScheme model_scheme = TagScheme::kPlain;
  Index num_columns = 0;            // 0 for item files
  std::vector<std::string> labels;  // by label; in the model's scheme
  AttributeIndex nodes;
  AttributeIndex edges;
  std::unique_ptr<KernelPart> kernel;
  std::unique_ptr<ChainExamples> examples;
  Index repaired_labels = 0;
  std::string file;  // the first one, for messages
  // The first line of each sequence, for messages; only for partially labelled data.
  struct Place {
    std::string file;
    Index line;
  };
  std::vector<Place> places;
  // The first sequence of each document, if documents are marked (a line -DOCSTART-, or a comment
  // "# newdoc"); otherwise empty.
  std::vector<Index> documents;
  // A fingerprint of everything read: attributes, values, labels and weights.
  std::uint64_t digest = 0;
};

// Reads the files in order. `known_labels` come first among the labels (a warm start keeps the old
// model's numbers). Throws InputError for invalid files, also for an empty training set.
TrainingSet read_training_set(std::vector<SequenceReader> files, const FeatureTemplate& features,
                              const TrainingSetOptions& options,
                              const std::vector<std::string>& known_labels = {});
TrainingSet read_training_set(std::vector<InputFile> files, const FeatureTemplate& features,
                              const TrainingSetOptions& options,
                              const std::vector<std::string>& known_labels = {});
std::vector<SequenceReader> sequences_of(std::vector<InputFile> files,
                                         const TrainingSetOptions& options);
std::vector<InputFile> open_files(const std::vector<std::string>& paths);  // "-": standard input

// The sequences of fold k of K, ascending: drawn by the seed, in whole documents if the set knows
// them. Throws UsageError if there are fewer sequences or documents than folds.
std::vector<Index> sequences_of_fold(const TrainingSet& set, Index k, Index folds,
                                     std::uint64_t seed);

// Applies a kernel to the node attributes; call it before features are chosen.
void apply_kernel(const Kernel& kernel, const KernelTrainingOptions& options, TrainingSet& set);

// A labelled held-out file, as read.
struct HeldOutSentences {
  std::string file;
  std::vector<SentenceAttributes> attributes;
  std::vector<std::vector<std::string>> gold;
  std::vector<Index> first_lines;
  std::uint64_t digest = 0;  // a fingerprint of everything read
};
// Throws InputError, for example if the file has other columns than the training set.
HeldOutSentences read_held_out(InputFile file, const FeatureTemplate& features,
                               const TrainingSet& set);

// The same for a chain: decoded after each epoch.
class HeldOut {
 public:
  // Attributes are numbered as in the training set, then by `node_ids` and `edge_ids`; unknown ones
  // are left out. `sentences` and `set` must outlive the object.
  HeldOut(const HeldOutSentences& sentences, const TrainingSet& set,
          std::span<const AttributeId> node_ids, std::span<const AttributeId> edge_ids);

  Index num_sequences() const { return sentences_->gold.size(); }
  // Labels of the file that occur in no training sequence, without duplicates.
  std::vector<std::string> unseen_labels() const;

  // Throws InputError if the chain allows no labels for a sequence.
  TagScores evaluate(const ChainFeatures& chain, std::span<const double> w, int threads) const;

 private:
  const HeldOutSentences* sentences_;
  const TrainingSet* set_;
  std::vector<KnownAttributes> nodes_;  // of each sequence
  std::vector<KnownAttributes> edges_;  // empty: there are none
};

}  // namespace trellis::tag
