// The program `trellis`. Exit status: 0 done, 1 the data or the model is wrong, 2 the call is
// wrong, 130 interrupted.
#include "trellis/cli/classify/commands.h"
#include "trellis/cli/command.h"
#include "trellis/cli/label/commands.h"
#include "trellis/cli/match/commands.h"
#include "trellis/cli/rank/commands.h"
#include "trellis/cli/segment/commands.h"
#include "trellis/cli/tag/commands.h"

int main(int argc, char** argv) {
  trellis::cli::Program program(
      "trellis", "0.1.0",
      "Learning to predict structures.\n\n"
      "  trellis tag train train.txt --dev dev.txt --model m.trellis\n"
      "  trellis tag evaluate test.txt --model m.trellis\n"
      "  trellis tag predict raw.txt --model m.trellis\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n\n"
      "'trellis tag --help' and 'trellis tag train --help' say more.");
  trellis::tag::add_tag(program);
  trellis::cli::add_classify(program.app(), program.status());
  trellis::segment::add_segment(program);
  trellis::cli::add_label(program.app(), program.status());
  trellis::match::add_match(program);
  trellis::rank::add_rank(program);
  return program.run(argc, argv);
}
