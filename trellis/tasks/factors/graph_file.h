// Reads factor graphs as text: an empty line (or the end of the file) ends a graph, and a word that
// begins with '#' starts a comment. Gzip and zstd are unpacked.
//
//   domain weather rain sun snow     a domain and its values, before the first use; `switch` always
//   domain umbrella switch           exists; this one has switches with weights of their own
//
//   var w1 weather =rain humid p:3   a variable: name, domain, the true value (nothing or '?' if
//   var u1 umbrella ?                unknown), and attributes: NAME or NAME:VALUE
//
//   table likes w1 u1 | cold:2       a score for each joint assignment; attributes follow '|'
//   sequence days w1 w2 w3           a score for each pair of neighbouring values; one domain
//   pair both w1=rain u1 | dist:3    a score if both literals hold
//   head kids a1 a2 a3               a score for two switches on with none on between them
//   next a1 a3 | dist:2              attributes of one such pair of the head above; '^' stands
//                                    before the first switch, '$' after the last; both are on
//
//   one-of w1=rain u1 !u2            exactly one holds; a literal is VARIABLE=VALUE, or a switch
//   at-most-one u1 u2                (which must be on); '!' negates it
//   or u1 !w1=rain
//   budget 2 u1 u2 u3                at most two hold
//   tree 3 one projective 0>1:a1 …   switches that are on form a dependency tree of three words: an
//                                    arc is HEAD>WORD:SWITCH, 0 is the root; one word or any number
//                                    of words depends on the root
//
// Invalid files cause an InputError with the line: unknown words, repeated names, impossible
// factors, and true values that a factor forbids.
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

// Reads the graphs of a file one by one, in the memory of one graph.
class GraphReader {
 public:
  // Limits the states, scores and rows of features of one graph.
  static constexpr Index kMostParts = FactorGraphBuilder::kMostParts;
  static constexpr Index kMostRows = Index{1} << 26;
  // Prevents overflow of scores (ModelReader::kLargestWeight).
  static constexpr double kLargestValue = 1e30;

  // The features must outlive the object. If they are frozen, so are the domains, and unknown
  // attributes are left out.
  GraphReader(InputFile file, FactorFeatures& features);
  ~GraphReader();
  GraphReader(GraphReader&&) noexcept;

  // Returns false at the end. Throws InputError, also for a file without a graph.
  bool read(GraphRecord& graph);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

// Reads all graphs of several files. With `labelled`, an unknown value is an InputError.
std::vector<GraphRecord> read_graphs(const std::vector<std::string>& files,
                                     FactorFeatures& features, bool labelled);
std::vector<GraphRecord> read_graphs(InputFile file, FactorFeatures& features, bool labelled);

}  // namespace trellis::factors
