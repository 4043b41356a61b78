// The content of a network file, and the common part of its readers.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trellis/base/types.h"
#include "trellis/generative/network/bayes_network.h"

namespace trellis {

struct NetworkFile {
  std::shared_ptr<const NetworkGraph> graph;
  std::optional<std::vector<double>> theta;  // none: the file has no tables

  // Throws UsageError where there are no tables.
  BayesNetwork network() const;
};

// Reads a file in Bayesian interchange format where its name ends in .bif (.bif.gz, .bif.zst), and
// otherwise as plain text (net_file.h). Throws InputError.
NetworkFile read_network(const std::string& path);

// Converts the probabilities of one variable given one assignment of its parents to logarithms.
// Throws InputError if one is negative or their sum is not within 1e-3 of 1; `whose` names them. A
// sum that differs by more than rounding (1e-12) is normalised.
void take_logarithms(std::string_view file, Index line, std::string_view whose,
                     std::span<double> probabilities);

// The numbers that a file has for a distribution: written as the shortest that are read as the same
// double, and chosen so that their logarithms are θ wherever a double has that logarithm, a network
// that was read or estimated is read back with the same bits. Files know no missing mass: a
// distribution of less mass than one (within 1e-9) is normalised.
std::vector<double> file_probabilities(std::span<const double> theta);

}  // namespace trellis
