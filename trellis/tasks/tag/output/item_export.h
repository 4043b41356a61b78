// Column files as item files: the features that a template makes, written out for CRFsuite and for
// `--format items`, which learns the same weights from them.
//
// Streams: memory does not grow with the input.
#pragma once

#include <vector>

#include "trellis/base/output_file.h"
#include "trellis/base/types.h"
#include "trellis/tasks/tag/model/tag_sequence.h"
#include "trellis/tasks/tag/templates/feature_template.h"

namespace trellis::tag {

// The sequences of the files, one after the other; those of item files as they were meant. The
// caller commits `out`. Throws UsageError where the template has attributes of transitions, for
// which items have no place, and what reading the files and require_columns() throw.
void write_items(std::vector<SequenceReader> files, const FeatureTemplate& features,
                 Index label_column, int threads, OutputFile& out);

}  // namespace trellis::tag
