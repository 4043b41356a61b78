// Factor graphs as text, one after the other: an empty line (or the end of the file) ends a graph,
// and what stands behind a '#' that begins a word is a comment. Gzip and zstd are read as they are.
//
//   domain weather rain sun snow     a domain and its values, before a variable has it; `switch` is
//   domain umbrella switch           always there; this one is of switches, with their own weights
//
//   var w1 weather =rain humid p:3   a variable: name, domain, the true value where it is known,
//   var u1 umbrella ?                else nothing or '?', and attributes, NAME or NAME:VALUE
//
//   table likes w1 u1 | cold:2       a score for each joint assignment; behind '|' are attributes
//   sequence days w1 w2 w3           a score for each two values of neighbours, all of one domain
//   pair both w1=rain u1 | dist:3    a score for both of two literals
//   head kids a1 a2 a3               a score for each two switches on with none on between them;
//   next a1 a3 | dist:2              this one has attributes of its own ('^' stands before the
//                                    first and '$' behind the last, and both are always on)
//
//   one-of w1=rain u1 !u2            exactly one holds; a literal is VARIABLE=VALUE, or a switch
//   at-most-one u1 u2                that is on, and '!' negates it
//   or u1 !w1=rain
//   budget 2 u1 u2 u3                at most two hold
//   tree 3 one projective 0>1:a1 …   the switches that are on are a dependency tree over three
//                                    words: an arc is HEAD>WORD:SWITCH, 0 is the root; one or any
//                                    number of words hang on it
//
// What is wrong with a file is an InputError with the line: words that are not known, a name twice,
// what no factor can be made of, and true values that a factor forbids.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/solve/factors/factor_graph_layout.h"
#include "trellis/tasks/factors/factor_features.h"
#include "trellis/tasks/factors/graph_record.h"

namespace trellis::factors {

// The graphs of a file, in the memory of one.
class GraphReader {
 public:
  // States and scores of one graph, and rows of its features.
  static constexpr Index kMostParts = FactorGraphBuilder::kMostParts;
  static constexpr Index kMostRows = Index{1} << 26;
  // So that no score overflows (ModelReader::kLargestWeight).
  static constexpr double kLargestValue = 1e30;

  // The features must outlive it. Where they are frozen, so are the domains, and attributes that
  // they do not know are left out.
  GraphReader(InputFile file, FactorFeatures& features);
  ~GraphReader();
  GraphReader(GraphReader&&) noexcept;

  // False at the end. Throws InputError, also for a file without a graph.
  bool read(GraphRecord& graph);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

// All graphs of several files. With `labelled` a value that is not known is an InputError.
std::vector<GraphRecord> read_graphs(const std::vector<std::string>& files,
                                     FactorFeatures& features, bool labelled);
std::vector<GraphRecord> read_graphs(InputFile file, FactorFeatures& features, bool labelled);

}  // namespace trellis::factors
