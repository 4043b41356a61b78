// Running a tagger over a file: what predict, evaluate and the reports share.
#pragma once

#include <CLI/CLI.hpp>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/tasks/tag/metrics/tag_scores.h"
#include "trellis/tasks/tag/model/tag_model.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/model/tagger.h"

namespace trellis::cli {

// Throws InputError unless the sequence has the columns that the model was trained on; the label
// column may be missing where it would be the last and `labelled` is false.
void check_columns(const tag::TagModel& model, const tag::TagSequence& sequence,
                   const std::string& file, bool labelled);

// For a sequence that the model's rules leave no labels (in BIOES, a single token where training
// had neither O nor S).
[[noreturn]] void throw_no_labels(const std::string& file, const tag::TagSequence& sequence);

// A file to read as a model expects it.
struct InputChoice {
  std::string file;      // "-" or nothing: standard input
  std::string comments;  // "auto", "none" or "hash"; nothing: as in training
};

// Adds the option that says which lines are comments.
void add_comments_option(CLI::App& app, std::string& comments);
tag::SequenceReader open_input(const tag::TagModel& model, const InputChoice& input);

// Reads sequences in batches, lets `work` handle those of a batch in parallel (with the worker's
// number), then hands them to `finish` in the order of the file. Constant memory. Standard input is
// read one sequence at a time, so that what is piped in comes out at once.
class SequencePipeline {
 public:
  SequencePipeline(const tag::TagModel& model, const InputChoice& input, int threads,
                   bool labelled);

  // slot: where the sequence lies in the batch, < batch_size().
  using Work = std::function<void(const tag::TagSequence& sequence, Index slot, int worker)>;
  using Finish = std::function<void(const tag::TagSequence& sequence, Index slot)>;
  // Where reading or working on a sequence fails, those before it are finished first; then the
  // exception goes on. So what is written and what is said do not depend on batches and threads.
  void run(const Work& work, const Finish& finish);

  Index batch_size() const { return batch_.size(); }
  int num_workers() const { return threads_; }
  const std::string& file() const { return reader_.name(); }
  const tag::SourceLines& last_lines() const { return last_lines_; }  // behind the last sequence

 private:
  Index read_batch();

  const tag::TagModel* model_;
  tag::SequenceReader reader_;
  int threads_;
  bool labelled_;
  std::vector<tag::TagSequence> batch_;
  std::vector<std::exception_ptr> faults_;  // of each sequence of the batch
  std::exception_ptr read_fault_;
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
Evaluation evaluate_file(const tag::TagModel& model, const InputChoice& input, int threads,
                         Index max_sentences = 0);

}  // namespace trellis::cli
