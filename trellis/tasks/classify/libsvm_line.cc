#include "trellis/tasks/classify/libsvm_line.h"

#include "trellis/base/text.h"
#include "trellis/tasks/libsvm_fields.h"

namespace trellis::classify {
namespace {

void check_label(const LibsvmFields& fields, std::string_view field) {
  if (field.starts_with("qid:")) fields.refuse("expected a label first, found", field);
  if (find_invalid_utf8(field) != std::string_view::npos) {
    fields.refuse("expected a label in UTF-8, found other bytes");
  }
}

}  // namespace

bool parse_libsvm_line(std::string_view line, const std::string& file, Index line_number,
                       Example& example) {
  example.clear();
  example.line = line_number;
  LibsvmFields fields(line, file, line_number);
  std::string_view field;
  if (!fields.next(field)) return false;
  if (!begins_with_index(field)) {
    check_label(fields, field);
    example.label = canonical_label(field);
    example.labelled = true;
    if (!fields.next(field)) return true;
  }
  if (field.starts_with("qid:")) {
    fields.refuse("expected index:value (queries are for ranking, not for classifying), found",
                  field);
  }
  parse_indexed_values(fields, field, example.values);
  return true;
}

bool looks_like_libsvm(std::string_view line) {
  LibsvmFields fields(line, {}, 0);
  std::string_view field;
  Index pairs = 0;
  for (Index k = 0; fields.next(field); ++k) {
    const bool pair = is_indexed_value(field);
    if (k > 0 && !pair) return false;
    pairs += pair ? 1 : 0;
  }
  return pairs > 0;
}

}  // namespace trellis::classify
