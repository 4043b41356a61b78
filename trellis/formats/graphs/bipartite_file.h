// Bipartite graphs with feature vectors on their edges, as text. The format is Trellis' own and is
// described here.
//
//   # a comment
//   graph cat1 3 4           the name, how many left and how many right nodes
//   0 2 * 0.5 1 0            an edge: a left and a right node, from 0; '*' marks a true match;
//   0 3 0.1 2 0              then its features, equally many on every edge of the file …
//   1 0 * 0.7 0 1
//                            an empty line (or the end of the file) ends the graph
//   graph cat2 2 2
//   0 0 * near:0.5 tall:1    … or the non-zeros by name; a file does the one or the other
//   1 1 *                    an edge of which nothing is known but that it may be chosen
//
// A graph need not be complete: pairs without a line cannot be matched. One file may contain many
// graphs. Files may be gzip or zstd.
//
// Refused with the line: nodes that do not exist, an edge twice, two true matches of one node, a
// feature twice on an edge, numbers that are not finite. A graph may have nodes without edges, but
// at most 1000 plus 16 per edge (so that a short file cannot allocate much memory).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/data/name_list.h"

namespace trellis::match {

// How the features of graphs are numbered: in their order (dense), or by name.
struct GraphFeatures {
  bool known = false;  // nothing was read so far
  bool named = false;
  Index width = 0;  // dense
  NameList names;   // named
  bool frozen =
      false;  // a model's: names that it does not know are left out, and new ones not added

  Index dimension() const { return named ? names.size() : width; }
  // "3", from 1, or the name.
  std::string name(Index k) const;
};

struct BipartiteEdge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

// A graph of the file; edges by left node, then by right node.
struct GraphRecord {
  std::string name;
  std::string file;
  Index line = 0;
  Index num_left = 0;
  Index num_right = 0;
  std::vector<BipartiteEdge> edges;
  // The features of edge e: values[begin[e] … begin[e+1]), and their numbers where they have names.
  std::vector<std::uint32_t> begin;
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
  std::vector<Label> gold;  // for each left node its true match, or kNoLabel
  Index num_matches = 0;    // that are marked as true

  bool complete() const { return edges.size() == num_left * num_right; }
};

// The graphs of a file, one after the other, in the memory of one.
class GraphReader {
 public:
  GraphReader(InputFile file, GraphFeatures& features);  // the features must outlive it
  ~GraphReader();

  // False at the end. Throws InputError, also for a file without a graph.
  bool read(GraphRecord& graph);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

// Appends the graphs of the file, whose names must differ. Throws InputError.
void read_graphs(InputFile file, GraphFeatures& features, std::vector<GraphRecord>& graphs);

}  // namespace trellis::match
