// What it costs to take one value of a variable for another, as users say it:
//
//   hamming   1 for every mistake
//   ring      the distance along a ring on which the values stand in their order
//   a file    lines "truth predicted cost", '#' at the beginning of a line for comments; a pair
//             that is not in it costs 1
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/problem/cost_table.h"

namespace trellis::generative {

CostTable ring_costs(Index num_values);
// Throws InputError where a line has another form, an unknown name, a cost that is no number ≥ 0, a
// cost for what is right, or a pair for the second time.
CostTable read_costs(InputFile file, std::span<const std::string> values);
// By the word, or by the file of that path.
CostTable value_costs(const std::string& loss, std::span<const std::string> values);
// Throws UsageError where that is neither a word nor a file that can be read.
void require_costs(const std::string& loss);
// What a model calls it: the word, or "table", since no path goes into a model.
std::string loss_name(const std::string& loss);

// Whether `a` stands before `b` in the order of a ring: runs of digits by their value, all else by
// bytes. "s2" stands before "s10".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace trellis::generative
