// Reader of multi-label data sets in three public formats: ARFF of Weka with the XML file of Mulan
// (Tsoumakas et al. 2011), ARFF of MEKA (Read et al. 2016), and the multi-label form of LIBSVM
// (Chang & Lin 2011). Files are plain, gzip or zstd; the first bytes show which.
//
//   ARFF + Mulan XML  numeric and nominal attributes, dense or sparse rows (see arff.cc); the XML
//                     file names the attributes that are labels (nested labels are flattened; see
//                     mulan_xml.cc). `?` (missing) is 0 for features and an error for labels.
//   MEKA's ARFF       without an XML file: `@relation 'name: -C 6'` says that the first 6
//                     attributes are labels, `-C -6` the last.
//   LIBSVM            `1,5,7 index:value …`: labels first, separated by commas; none at all is fine
//                     (see libsvm.cc).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trellis/base/input_file.h"
#include "trellis/base/types.h"
#include "trellis/formats/sets/label_data.h"

namespace trellis::label {

struct ReadOptions {
  // The labels: of the XML file or of a model, distinct. Empty: a MEKA file names its labels; in
  // LIBSVM's format the labels are those that occur in the file, numbers in numeric order before
  // other names.
  std::vector<std::string> label_names;
  // false: a file without labels, or without instances, is accepted (predict).
  bool labels_required = true;
  // LIBSVM: labels that are not among label_names are appended to them; false: they are errors.
  bool add_labels = false;
};

// The labels of a Mulan XML file, in its order; nested labels follow the label that contains them.
// Throws InputError with the line for an empty name, a name that occurs twice, and a file without
// labels.
std::vector<std::string> read_label_names(const std::string& xml_path);
std::vector<std::string> parse_mulan_xml(std::string_view xml, const std::string& file);
// The XML file in the directory of NAME.arff (.gz, .zst) called NAME.xml, also with "train" or
// "test" removed from the end of NAME. Empty if there is no such file, or more than one.
std::string labels_beside(const std::string& arff_path);

// All instances of a file. Throws InputError with file and line.
LabelData read_label_data(const std::string& path, const ReadOptions& options);
LabelData read_label_data(InputFile file, const ReadOptions& options);

struct Feature {
  std::uint32_t id = 0;  // the column, or, where the file does not declare them, the index
  float value = 0;
};

struct Instance {
  Index number = 0;                   // in the file, from 1
  bool sparse = false;                // written by its non-zeros
  std::vector<Feature> features;      // ascending
  std::vector<std::uint32_t> labels;  // ascending
};

// Reads the instances of a file one at a time, in constant memory.
class InstanceReader {
 public:
  virtual ~InstanceReader() = default;
  // The next instance, or false at the end. Throws InputError with file and line.
  virtual bool read(Instance& instance) = 0;

  const std::string& file() const { return file_.name(); }
  Index line_number() const { return file_.line_number(); }
  // Whether the file lists its features (ARFF); otherwise only those that occur are known (LIBSVM).
  bool declares_features() const { return declares_features_; }
  const std::vector<std::string>& feature_names() const { return feature_names_; }  // declared
  bool dense() const { return dense_; }  // rows are dense enough to store them so
  const std::string& recognised() const { return recognised_; }  // as in LabelData
  // The labels so far: those of the options, then new ones in the order of occurrence.
  const std::vector<std::string>& label_names() const { return label_names_; }

 protected:
  InstanceReader(InputFile file, std::vector<std::string> label_names)
      : file_(std::move(file)), label_names_(std::move(label_names)) {}
  void begin(Instance& instance) {
    instance.number = ++number_;
    instance.features.clear();
    instance.labels.clear();
  }

  InputFile file_;
  std::vector<std::string> label_names_;
  std::vector<std::string> feature_names_;
  bool declares_features_ = false;
  bool dense_ = false;
  std::string recognised_;

 private:
  Index number_ = 0;
};

// ARFF if the file begins like ARFF, otherwise LIBSVM. Throws InputError; UsageError if names are
// not distinct.
std::unique_ptr<InstanceReader> open_instances(InputFile file, const ReadOptions& options);
// Readers of one format. `first_line` was just read from `file`; empty: end of file (LIBSVM).
std::unique_ptr<InstanceReader> open_arff_instances(InputFile file, std::string_view first_line,
                                                    const ReadOptions& options);
std::unique_ptr<InstanceReader> open_libsvm_instances(InputFile file, std::string_view first_line,
                                                      const ReadOptions& options);
// Whether the first line that is not blank begins an ARFF file: @relation, @attribute, @data or %.
bool begins_arff(std::string_view line);

}  // namespace trellis::label
