#include "trellis/tasks/label/reading/label_reader.h"

#include <string_view>
#include <unordered_set>

#include "trellis/base/error.h"
#include "trellis/base/text.h"
#include "trellis/tasks/label/reading/arff.h"
#include "trellis/tasks/label/reading/arff_label_data.h"
#include "trellis/tasks/label/reading/label_libsvm.h"
#include "trellis/tasks/label/reading/mulan_xml.h"

namespace trellis::label {

std::vector<std::string> read_label_names(const std::string& xml_path) {
  constexpr Index kLargest = Index{1} << 28;
  return parse_mulan_xml(read_file(xml_path, kLargest), xml_path);
}

LabelData read_label_data(InputFile file, const ReadOptions& options) {
  const std::unordered_set<std::string_view> distinct(options.label_names.begin(),
                                                      options.label_names.end());
  if (distinct.size() < options.label_names.size()) {
    throw UsageError("the names of labels must be distinct");
  }
  std::string_view line;
  bool found = false;
  while (!found && file.read_line(line)) found = !trim(line).empty();
  LabelData data;
  if (!found) {
    data.file = file.name();
    data.label_names = options.label_names;
    data.features = FeatureRows::sparse(0, {0}, {}, {});
  } else if (!begins_arff(line)) {
    data = read_libsvm_label_data(file, line, options);
  } else if (options.label_names.empty()) {
    throw InputError(file.name(), file.line_number(),
                     "an ARFF file does not say which attributes are labels: give the file that "
                     "does (--labels LABELS.xml)");
  } else {
    data = read_arff_label_data(file, line, options);
  }
  if (options.labels_required && data.num_instances() == 0) {
    throw InputError(data.file, 0, "expected instances, found none");
  }
  if (options.labels_required && data.num_labels() == 0) {
    throw InputError(data.file, 0, "expected instances with labels, found none with any");
  }
  return data;
}

LabelData read_label_data(const std::string& path, const ReadOptions& options) {
  return read_label_data(InputFile(path), options);
}

}  // namespace trellis::label
