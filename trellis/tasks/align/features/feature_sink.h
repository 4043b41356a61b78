// Features are told once, sink(name, value), and seen twice: by a sink that keeps the names when a
// set of features is made, and by one that keeps the values of each row. So names and columns
// cannot differ.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trellis::align {

class FeatureNames {
 public:
  explicit FeatureNames(std::vector<std::string>& names) : names_(names) {}
  // In front of the names that follow.
  void group(std::string_view name) { group_ = name; }
  void operator()(std::string_view name, double) {
    names_.push_back(group_.empty() ? std::string(name) : group_ + "." + std::string(name));
  }

 private:
  std::vector<std::string>& names_;
  std::string group_;
};

class FeatureValues {
 public:
  // Memory for a row.
  explicit FeatureValues(float* next) : next_(next) {}
  void group(std::string_view) {}
  void operator()(std::string_view, double value) { *next_++ = static_cast<float>(value); }
  const float* next() const { return next_; }

 private:
  float* next_;
};

// 1 or 0.
constexpr double indicator(bool holds) {
  return holds ? 1.0 : 0.0;
}

}  // namespace trellis::align
