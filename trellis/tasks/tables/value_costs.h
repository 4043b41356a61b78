// The cost of predicting one value of a variable instead of another, as an option:
//
//   hamming   1 for every mistake
//   ring      the distance on a ring on which the values stand in order
//   a file    lines "truth predicted cost"; '#' at the beginning of a line starts a comment; a
//             missing pair costs 1
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/problem/cost_table.h"

namespace trellis::generative {

CostTable ring_costs(Index num_values);
// Throws InputError for a line of another form, an unknown name, a cost that is not a number ≥ 0, a
// cost of a correct prediction, or a repeated pair.
CostTable read_costs(InputFile file, std::span<const std::string> values);
// The costs named by a word or by the path of a file.
CostTable value_costs(const std::string& loss, std::span<const std::string> values);
// Throws UsageError if `loss` is neither such a word nor a readable file.
void require_costs(const std::string& loss);
// The name of the costs in a model file: the word, or "table", because models contain no paths.
std::string loss_name(const std::string& loss);

// Whether `a` stands before `b` on a ring: digits compare by value, other characters by bytes. "s2"
// stands before "s10".
bool natural_less(std::string_view a, std::string_view b);

}  // namespace trellis::generative
