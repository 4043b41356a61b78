// The shared tasks' scripts: the output of eval.pl of CoNLL-X (v 1.9) and eval07.pl of CoNLL-07 (v
// 1.4) for two files, to the byte, and their refusals. conllx_report.h has the forms.
//
//              punctuation                files that differ in
//   eval.pl    left out; scored with -p   length: refused;               FORM or CPOSTAG: refused
//   eval07.pl  scored; left out with -p   blank lines at the end: fine   FORM or CPOSTAG: fine
//
// Both split lines at any blank, compare HEAD and DEPREL as texts ("03" is not "3") and do not
// check that heads form a tree. An empty sentence is counted but has no line. If no word is scored,
// they fail with a division by zero; here that is an InputError.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/names.h"
#include "trellis/base/types.h"
#include "trellis/formats/treebank/sentence.h"
#include "trellis/scorers/attachment_counts.h"

namespace trellis::parse {

enum class ConllScript { kConllx, kConll07 };

struct ConllScriptOptions {
  ConllScript script = ConllScript::kConllx;
  Punctuation punctuation = Punctuation::kLeftOut;  // see standard_punctuation()
  bool derivations = true;  // false: -d, words that gold labels DERIV are left out
  bool sentences = false;   // -b
  bool tables = false;      // no -q
};
// The script's behaviour without -p.
inline Punctuation standard_punctuation(ConllScript script) {
  return script == ConllScript::kConllx ? Punctuation::kLeftOut : Punctuation::kScored;
}

// Add sentences one after the other.
class ConllScriptScores {
 public:
  explicit ConllScriptScores(const ConllScriptOptions& options) : options_(options) {}

  // Both have the same number of words; with no words they are an empty sentence.
  void add(std::span<const Word> gold, std::span<const Word> system);
  bool nothing_scored() const { return tally_.total.words == 0; }
  // The names are those of the files.
  std::string text(const std::string& gold_name, const std::string& system_name) const;

 private:
  ConllScriptOptions options_;
  AttachmentTally tally_;
  Index num_sentences_ = 0;
  std::string lines_;  // of sentences
};

// Reads the files as the script does. Throws InputError where the script stops.
std::string conll_script(InputFile gold, InputFile system, const ConllScriptOptions& options);

}  // namespace trellis::parse
