// The tasks of the program, each with its commands: train, predict, evaluate, inspect; tag, align,
// parse, grammar and factors have explain as well.
#pragma once

#include "trellis/cli/command.h"

// All tasks, in the order of the program's help, each with a call to begin with. The commands of
// TASK are added by trellis::TASK::add_TASK(), of trellis/cli/TASK/commands.cc.
#define TRELLIS_TASKS(TASK)                                             \
  TASK(tag, "train train.txt --dev dev.txt --model m.trellis")          \
  TASK(classify, "train train.tsv --model m.trellis")                   \
  TASK(segment, "train pictures/ --model m.trellis")                    \
  TASK(label, "train train.arff --labels labels.xml --model m.trellis") \
  TASK(match, "train graphs.txt --model m.trellis")                     \
  TASK(align, "train text.en text.fr --unsupervised --model m.trellis") \
  TASK(parse, "train train.conllu --dev dev.conllu --model m.trellis")  \
  TASK(grammar, "train train.mrg --dev dev.mrg --model m.trellis")      \
  TASK(rank, "train train.txt --dev vali.txt --model m.trellis")        \
  TASK(factors, "train graphs.txt --model m.trellis")                   \
  TASK(topics, "train texts/ --topics 100 --model m.trellis")           \
  TASK(hmm, "train train.tsv --model m.trellis")                        \
  TASK(bayes, "train train.csv --model m.trellis")

namespace trellis {

#define TRELLIS_DECLARE_TASK(task, call)  \
  namespace task {                        \
  void add_##task(cli::Program& program); \
  }
TRELLIS_TASKS(TRELLIS_DECLARE_TASK)
#undef TRELLIS_DECLARE_TASK

}  // namespace trellis
