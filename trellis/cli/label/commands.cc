#include "trellis/cli/label/commands.h"

namespace trellis::cli {

void add_label(CLI::App& program, int& status) {
  CLI::App* label = program.add_subcommand(
      "label",
      "Any number of labels for each instance, trained for the measure that counts: macro-F1 or "
      "another F, precision, recall, Hamming.\n\n"
      "Files are ARFF, with Mulan's XML file that says which attributes are labels, or LIBSVM's "
      "with labels in front: 1,5,7 index:value ... Gzip and zstd are read as they are; '-' is "
      "standard input.");
  label->require_subcommand(1);
  add_label_train(*label, status);
  add_label_predict(*label, status);
  add_label_evaluate(*label, status);
  add_label_inspect(*label, status);
}

}  // namespace trellis::cli
