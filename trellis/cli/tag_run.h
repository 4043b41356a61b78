// Running a tagger over a file: what predict, evaluate and the reports share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/tag_model.h"
#include "trellis/tasks/tag/tag_scores.h"
#include "trellis/tasks/tag/tag_sequence.h"
#include "trellis/tasks/tag/tagger.h"

namespace trellis::cli {

// Throws InputError unless the sequence has the columns that the model was trained on; the label
// column may be missing where it would be the last and `labelled` is false.
void check_columns(const tag::TagModel& model, const tag::TagSequence& sequence,
                   const std::string& file, bool labelled);

// Reads sequences in batches, lets `work` handle those of a batch in parallel (with the worker's
// number), then hands them to `finish` in the order of the file. Constant memory. Standard input is
// read one sequence at a time, so that what is piped in comes out at once.
class SequencePipeline {
 public:
  SequencePipeline(const tag::TagModel& model, const std::string& file, int threads, bool labelled);

  // slot: where the sequence lies in the batch, < batch_size().
  using Work = std::function<void(const tag::TagSequence& sequence, Index slot, int worker)>;
  using Finish = std::function<void(const tag::TagSequence& sequence, Index slot)>;
  void run(const Work& work, const Finish& finish);

  Index batch_size() const { return batch_.size(); }
  int num_workers() const { return threads_; }
  const std::string& file() const { return reader_.name(); }
  const tag::SourceLines& last_lines() const { return last_lines_; }  // behind the last sequence

 private:
  const tag::TagModel* model_;
  tag::SequenceReader reader_;
  int threads_;
  bool labelled_;
  std::vector<tag::TagSequence> batch_;
  tag::SourceLines last_lines_;
};

// A sentence that an evaluation looked at.
struct JudgedSentence {
  Index line = 0;
  std::vector<std::string> tokens;
  std::vector<std::string> gold;
  std::vector<std::string> predicted;
};

struct Evaluation {
  tag::TagScores scores;
  std::vector<std::string> unseen_labels;  // of the file, that the model does not have
  std::vector<JudgedSentence> sentences;   // the first ones with a mistake, and some without
};

// Tags a labelled file and compares. Keeps up to `max_sentences` sentences.
Evaluation evaluate_file(const tag::TagModel& model, const std::string& file, int threads,
                         Index max_sentences = 0);

}  // namespace trellis::cli
