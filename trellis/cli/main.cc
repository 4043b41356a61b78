// The program `trellis`. Exit status: 0 done, 1 the data or the model is wrong, 2 the call is
// wrong, 130 interrupted.
#include "trellis/cli/tasks.h"

int main(int argc, char** argv) {
  trellis::cli::Program program(
      "trellis", "0.1.0",
      "Learning to predict structures; 'trellis tag train --help' says more:\n"
      "  trellis tag train train.txt --dev dev.txt --model m.trellis\n"
      "  trellis classify train train.tsv --model m.trellis\n"
      "  trellis segment train pictures/ --model m.trellis\n"
      "  trellis label train train.arff --labels labels.xml --model m.trellis\n"
      "  trellis match train graphs.txt --model m.trellis\n"
      "  trellis align train text.en text.fr --unsupervised --model m.trellis\n"
      "  trellis parse train train.conllu --dev dev.conllu --model m.trellis\n"
      "  trellis grammar train train.mrg --dev dev.mrg --model m.trellis\n"
      "  trellis rank train train.txt --dev vali.txt --model m.trellis\n"
      "  trellis factors train graphs.txt --model m.trellis\n"
      "  trellis topics train texts/ --topics 100 --model m.trellis\n"
      "  trellis hmm train train.tsv --model m.trellis\n"
      "  trellis bayes train train.csv --model m.trellis");
  trellis::tag::add_tag(program);
  trellis::classify::add_classify(program);
  trellis::segment::add_segment(program);
  trellis::label::add_label(program);
  trellis::match::add_match(program);
  trellis::align::add_align(program);
  trellis::parse::add_parse(program);
  trellis::grammar::add_grammar(program);
  trellis::rank::add_rank(program);
  trellis::factors::add_factors(program);
  trellis::topics::add_topics(program);
  trellis::hmm::add_hmm(program);
  trellis::bayes::add_bayes(program);
  return program.run(argc, argv);
}
