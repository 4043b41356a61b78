// Scores of predictions: accuracy, precision, recall and F1 of each label, and confusions. All are
// in percent. Macro-F1 is the mean F1 of the labels that occur in the gold file or in the
// predictions; a label that is never predicted has F1 0.
#pragma once

#include <string>
#include <string_view>

#include "trellis/base/types.h"
#include "trellis/data/value.h"
#include "trellis/scorers/confusion.h"

namespace trellis::classify {

class ClassifyScores {
 public:
  void add(std::string_view gold, std::string_view predicted);

  Index num_examples() const { return confusion_.num_tokens(); }
  Index num_correct() const { return confusion_.num_correct_tokens(); }
  double accuracy() const { return confusion_.accuracy(); }
  double error() const { return num_examples() == 0 ? 0 : 100 - accuracy(); }
  double macro_f1() const;
  const tag::Confusion& confusion() const { return confusion_; }

  // Keys accuracy, error, macro_f1, examples, correct, labels (each with precision, recall, f1,
  // gold, predicted, correct) and confusions (the most frequent ones first).
  Value record(Index confusions = 10) const;
  std::string to_text(Index confusions = 10) const;

 private:
  tag::Confusion confusion_;
};

}  // namespace trellis::classify
