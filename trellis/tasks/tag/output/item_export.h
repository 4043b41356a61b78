// Turns column files into item files: writes the features of a template for CRFsuite and for
// `--format items`, which learns the same weights from them.
//
// Memory does not grow with the input.
#pragma once

#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

// Writes the sequences of the files, one after another; item files keep their content. The caller
// commits `out`. Throws UsageError if the template has attributes of transitions, which items
// cannot represent, and the errors of reading and of require_columns().
void write_items(std::vector<SequenceReader> files, const FeatureTemplate& features,
                 Index label_column, int threads, OutputFile& out);

}  // namespace trellis::tag
